// Parts that switch between deformable and rigid, in the list of features.
#include "model/feature.hpp"

#include "constraints/switched_parts/switch_set.hpp"
#include "constraints/switched_parts/switched_parts.hpp"

namespace crumple::constraints {

namespace {

class SwitchedPartsFeature final : public model::FeatureOf<SwitchedPart> {
 public:
  std::string_view not_implicit() const override {
    return "parts that become rigid (*DEFORMABLE_TO_RIGID_AUTOMATIC)";
  }
  void read(model::Builder& build) const override { read_switched_parts(build); }
  /// All ranks have all of them, with their own nodes.
  bool keep(SwitchedPart& part, const decomposition::RankPart& rank) const override {
    rank.keep_here(part.nodes);
    return true;
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return SwitchedParts::start(start);
  }
};

/// The sets, which are read with their parts.
class PartSwitchesFeature final : public model::FeatureOf<SwitchSet> {
 public:
  std::string_view not_implicit() const override { return {}; }
  void read(model::Builder&) const override {}
  std::pair<std::string_view, std::size_t> count(const model::FeatureInputs& inputs) const override {
    return {"switches between deformable and rigid parts", inputs.of<SwitchSet>().size()};
  }
  bool keep(SwitchSet&, const decomposition::RankPart&) const override { return true; }
  std::unique_ptr<modules::Module> start(const modules::Start&) const override { return nullptr; }
};

}  // namespace

const model::Feature& switched_parts_feature() {
  static const SwitchedPartsFeature feature;
  return feature;
}

const model::Feature& part_switches_feature() {
  static const PartSwitchesFeature feature;
  return feature;
}

}  // namespace crumple::constraints
