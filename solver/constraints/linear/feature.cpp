// Linear constraints in the list of features: a group is on every rank that has one of its nodes.
#include "model/feature.hpp"

#include "constraints/linear/linear_constraint.hpp"
#include "constraints/linear/linear_constraints.hpp"

namespace crumple::constraints {

namespace {

class LinearConstraintFeature final : public model::FeatureOf<LinearGroup> {
 public:
  std::string_view not_implicit() const override { return {}; }
  void read(model::Builder& build) const override { read_linear_constraints(build); }
  std::pair<std::string_view, std::size_t> count(const model::FeatureInputs& inputs) const override {
    std::size_t constraints = 0;
    for (const LinearGroup& group : inputs.of<LinearGroup>()) constraints += group.ids.size();
    return {"linear constraints", constraints};
  }
  void add_linked_nodes(const model::FeatureInputs& inputs,
                        std::vector<std::vector<LocalId>>& groups) const override {
    for (const LinearGroup& group : inputs.of<LinearGroup>()) groups.push_back(group.nodes);
  }
  bool keep(LinearGroup& group, const decomposition::RankPart& rank) const override {
    return rank.here(group.nodes.front());
  }
  std::unique_ptr<modules::Module> start(const modules::Start& start) const override {
    return LinearConstraints::start(start);
  }
};

}  // namespace

const model::Feature& linear_constraint_feature() {
  static const LinearConstraintFeature feature;
  return feature;
}

}  // namespace crumple::constraints
