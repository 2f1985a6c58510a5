// Strains at the nodes of welds.
#include "constraints/weld_strains/weld_strains.hpp"

#include <algorithm>

namespace crumple::constraints {

using model::kNone;

namespace {

std::vector<MeanPlasticStrains::Around> around_weld_nodes(const WeldNodes& of) {
  std::vector<MeanPlasticStrains::Around> groups(of.nodes.size());
  for (std::size_t k = 0; k < groups.size(); ++k) {
    if (of.nodes[k] != kNone) groups[k].nodes = {of.nodes[k]};
    groups[k].kind = of.kinds[k];
  }
  return groups;
}

}  // namespace

WeldStrains::WeldStrains(const modules::Start& start)
    : model_(&start.model),
      nodes_(&start.model.features.of<WeldNodes>().front()),
      strains_(start, around_weld_nodes(*nodes_)),
      done_(nodes_->nodes.size(), 0),
      strain_(nodes_->nodes.size(), 0.0),
      torn_(start.model.welds.size(), 0) {
  for (const model::Weld& weld : model_->welds)
    for (const LocalId n : weld.nodes)
      places_.push_back(
          weld.failure_strain < model::kNever
              ? static_cast<std::size_t>(std::ranges::find(nodes_->nodes, n) - nodes_->nodes.begin())
              : strain_.size());
}

std::unique_ptr<modules::Module> WeldStrains::start(const modules::Start& start) {
  if (start.model.features.of<WeldNodes>().empty()) return nullptr;  // all ranks have it
  return std::make_unique<WeldStrains>(start);
}

double WeldStrains::strain_at(LocalId node) const {
  const auto found = std::ranges::find(nodes_->nodes, node);
  return found == nodes_->nodes.end() ? 0.0
                                      : strain_[static_cast<std::size_t>(found - nodes_->nodes.begin())];
}

void WeldStrains::link(modules::Cycle& cycle) {
  if (cycle.stage != model::Stage::transient) return;
  std::ranges::fill(strain_, 0.0);
  strains_.find(cycle.elements, done_, strain_);
  for (std::size_t k = 0; k < places_.size(); ++k)
    if (places_[k] < strain_.size() && strain_[places_[k]] > model_->welds[k / 2].failure_strain)
      torn_[k / 2] = 1;
}

}  // namespace crumple::constraints
