// Starts modules and calls their phases.
#include "modules/modules.hpp"

#include <algorithm>
#include <limits>

#include "model/feature.hpp"

namespace crumple::modules {

void Modules::start(const Start& start) {
  for (const model::Feature* const feature : model::features())
    if (std::unique_ptr<Module> module = feature->start(start)) list_.push_back(std::move(module));
}

Work Modules::work() const {
  Work work;
  for (const auto& module : list_) module->add_work(work);
  return work;
}

double Modules::stable_step(const constraints::RigidBodies& bodies) const {
  double least = kNoLimit;
  for (const auto& module : list_) least = std::min(least, module->stable_step(bodies));
  return least;
}

double Modules::speed_to_reach(const Cycle& cycle) const {
  double least = std::numeric_limits<double>::infinity();
  for (const auto& module : list_) least = std::min(least, module->speed_to_reach(cycle));
  return least;
}

bool Modules::stop_nodes(Cycle& cycle) const {
  bool changed = false;
  for (const auto& module : list_) changed = module->stop_nodes(cycle) || changed;
  return changed;
}

std::vector<LocalId> Modules::watched_nodes() const {
  std::vector<LocalId> nodes;
  each(&Module::add_watched_nodes, nodes);
  return nodes;
}

std::vector<LocalId> Modules::held_nodes() const {
  std::vector<LocalId> nodes;
  each(&Module::add_held_nodes, nodes);
  return nodes;
}

bool Modules::change_all_accelerations() const {
  return std::ranges::any_of(list_, [](const auto& module) { return module->changes_all_accelerations(); });
}

std::vector<output::History*> Modules::histories() const {
  std::vector<output::History*> all;
  for (const auto& module : list_)
    for (output::History* const history : module->histories()) all.push_back(history);
  return all;
}

}  // namespace crumple::modules
