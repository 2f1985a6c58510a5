// Starts modules and asks all of them.
#include "modules/modules.hpp"

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

std::vector<output::History*> Modules::histories() const {
  std::vector<output::History*> all;
  for (const auto& module : list_)
    for (output::History* const history : module->histories()) all.push_back(history);
  return all;
}

}  // namespace crumple::modules
