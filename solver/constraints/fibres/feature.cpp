// Fibres in the list of features: a fibre is on every rank that has one of its nodes.
#include "model/feature.hpp"

#include "constraints/fibres/fibre.hpp"
#include "constraints/fibres/fibres.hpp"

namespace crumple::constraints {

namespace {

class FibreFeature final : public model::FeatureOf<Fibre> {
 public:
  std::string_view not_implicit() const override {
    return "shells tied to solids (*CONSTRAINED_SHELL_TO_SOLID)";
  }
  void read(model::Builder& build) const override { read_fibres(build); }
  std::pair<std::string_view, std::size_t> count(const model::FeatureInputs& inputs) const override {
    return {"shell nodes tied to solids", inputs.of<Fibre>().size()};
  }
  void add_linked_nodes(const model::FeatureInputs& inputs,
                        std::vector<std::vector<LocalId>>& groups) const override {
    for (const Fibre& fibre : inputs.of<Fibre>()) groups.push_back(fibre.nodes);
  }
  bool keep(Fibre& fibre, const decomposition::RankPart& rank) const override {
    return rank.here(fibre.nodes.front());
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return Fibres::start(start);
  }
};

}  // namespace

const model::Feature& fibre_feature() {
  static const FibreFeature feature;
  return feature;
}

}  // namespace crumple::constraints
