// Preloads in the list of features.
#include "model/feature.hpp"

#include "loads/preload/preload.hpp"
#include "modules/module.hpp"

namespace crumple::loads {

namespace {

/// Elements know of it when they are made (state/groups.cpp), and both solvers set what acts (preloads.hpp).
class PreloadFeature final : public model::FeatureOf<Preload> {
 public:
  std::string_view not_implicit() const override { return {}; }
  void read(model::Builder& build) const override { read_preloads(build); }
  bool keep(Preload& preload, const decomposition::RankPart& rank) const override {
    return rank.has(preload.kind, preload.element);
  }
  std::unique_ptr<modules::Module> start(const modules::Start&) const override { return nullptr; }
};

}  // namespace

const model::Feature& preload_feature() {
  static const PreloadFeature feature;
  return feature;
}

}  // namespace crumple::loads
