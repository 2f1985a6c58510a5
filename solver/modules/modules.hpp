// The modules of a run, in the order of the list of features.
#pragma once

#include <memory>
#include <vector>

#include "modules/module.hpp"

namespace crumple::modules {

class Modules {
 public:
  /// Start all that the model has something of; `start.started` is this. Collective.
  void start(const Start& start);

  /// Call one phase of all modules: each(&Module::add_forces, cycle).
  template <class... Parameters, class... Arguments>
  void each(void (Module::*phase)(Parameters...), Arguments&&... arguments) const {
    for (const auto& module : list_) ((*module).*phase)(arguments...);
  }
  Work work() const;
  std::vector<output::History*> histories() const;

  /// The module of a type, null without. For what needs one that comes before it in the list.
  template <class T>
  const T* find() const {
    for (const auto& module : list_)
      if (const auto* const found = dynamic_cast<const T*>(module.get())) return found;
    return nullptr;
  }

 private:
  std::vector<std::unique_ptr<Module>> list_;
};

}  // namespace crumple::modules
