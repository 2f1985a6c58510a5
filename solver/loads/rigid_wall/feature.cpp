// Rigid walls in the list of features.
#include "model/feature.hpp"

#include "loads/rigid_wall/rigid_wall.hpp"
#include "loads/rigid_wall/walls.hpp"

namespace crumple::loads {

namespace {

class RigidWallFeature final : public model::FeatureOf<RigidWall> {
 public:
  std::string_view not_implicit() const override { return {}; }
  void read(model::Builder& build) const override { read_walls(build); }
  void add_doubts(const model::Model& model, std::vector<model::Doubt>& doubts) const override {
    add_wall_doubts(model, doubts);
  }
  std::pair<std::string_view, std::size_t> count(const model::FeatureInputs& inputs) const override {
    return {"rigid walls", inputs.of<RigidWall>().size()};
  }
  /// All ranks have all walls, each rank with its own nodes.
  bool keep(RigidWall& wall, const decomposition::RankPart& rank) const override {
    rank.keep_here(wall.nodes);
    return true;
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return RigidWalls::start(start);
  }
};

/// Rigid walls read transducers and measure for them.
class WallTransducerFeature final : public model::FeatureOf<WallTransducer> {
 public:
  std::string_view not_implicit() const override { return "force transducers of rigid walls"; }
  void read(model::Builder&) const override {}
  bool keep(WallTransducer& transducer, const decomposition::RankPart& rank) const override {
    rank.keep_here(transducer.nodes);
    return true;
  }
  std::unique_ptr<modules::Module> start(const modules::Start&) const override { return nullptr; }
};

}  // namespace

const model::Feature& wall_transducer_feature() {
  static const WallTransducerFeature feature;
  return feature;
}

const model::Feature& rigid_wall_feature() {
  static const RigidWallFeature feature;
  return feature;
}

}  // namespace crumple::loads
