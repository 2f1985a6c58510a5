// Body loads in the list of features.
#include "model/feature.hpp"

#include "loads/body/body_load.hpp"
#include "loads/body/body_loads.hpp"

namespace crumple::loads {

namespace {

class BodyLoadFeature final : public model::FeatureOf<BodyLoad> {
 public:
  std::string_view not_implicit() const override { return {}; }
  void read(model::Builder& build) const override { read_body_loads(build); }
  /// All ranks have all of them, with their own nodes.
  bool keep(BodyLoad& load, const decomposition::RankPart& rank) const override {
    rank.keep_here(load.nodes);
    return true;
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return BodyLoads::start(start);
  }
};

}  // namespace

const model::Feature& body_load_feature() {
  static const BodyLoadFeature feature;
  return feature;
}

}  // namespace crumple::loads
