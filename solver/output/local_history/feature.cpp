// Nodes of nodout in local axes in the list of features: they act only where it is written (recorder.cpp).
#include "model/feature.hpp"

#include "modules/module.hpp"
#include "output/local_history/local_history.hpp"

namespace crumple::output {

namespace {

class LocalHistoryFeature final : public model::FeatureOf<LocalHistory> {
 public:
  std::string_view not_implicit() const override { return {}; }
  void read(model::Builder& build) const override { read_local_histories(build); }
  void add_copies(const model::FeatureInputs& whole, decomposition::Copies& copies) const override {
    for (const LocalHistory& of : whole.of<LocalHistory>())
      for (const LocalId node : of.frame)
        if (node != model::kNone) copies.add(node, copies.owner(of.node));
  }
  bool keep(LocalHistory& of, const decomposition::RankPart& rank) const override {
    return rank.mine(of.node);
  }
  std::unique_ptr<modules::Module> start(const modules::Start&) const override { return nullptr; }
};

}  // namespace

const model::Feature& local_history_feature() {
  static const LocalHistoryFeature feature;
  return feature;
}

}  // namespace crumple::output
