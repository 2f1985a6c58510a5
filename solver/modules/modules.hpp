// The modules of a run, in the order of the list of features.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "modules/module.hpp"

namespace crumple::modules {

class Modules {
 public:
  /// Start the modules for which the model has input; `start.started` is this object. Collective.
  void start(const Start& start);

  /// Call one phase of all modules: each(&Module::add_forces, cycle).
  template <class... Parameters, class... Arguments>
  void each(void (Module::*phase)(Parameters...), Arguments&&... arguments) const {
    for (const auto& module : list_) ((*module).*phase)(arguments...);
  }
  template <class... Parameters, class... Arguments>
  void each(void (Module::*what)(Parameters...) const, Arguments&&... arguments) const {
    for (const auto& module : list_) ((*module).*what)(arguments...);
  }
  Work work() const;
  /// The smallest of the modules' limits.
  double stable_step(const constraints::RigidBodies& bodies) const;
  double speed_to_reach(const Cycle& cycle) const;
  /// Stop nodes.
  /// @return whether watched nodes have changed
  bool stop_nodes(Cycle& cycle) const;
  std::vector<LocalId> watched_nodes() const;
  std::vector<LocalId> held_nodes() const;
  bool change_all_accelerations() const;
  std::vector<output::History*> histories() const;

  /// The module of a type, null if there is none. For code that reads its results, or is later in the list.
  template <class T>
  const T* find() const {
    for (const auto& module : list_)
      if (const auto* const found = dynamic_cast<const T*>(module.get())) return found;
    return nullptr;
  }
  template <class T>
  T* find() {
    return const_cast<T*>(std::as_const(*this).find<T>());
  }

 private:
  std::vector<std::unique_ptr<Module>> list_;
};

}  // namespace crumple::modules
