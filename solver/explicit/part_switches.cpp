// What the step does for parts that switch between deformable and rigid: their elements sleep, walls end, and
// forces are measured.
#include <algorithm>

#include "constraints/switched_parts/switched_parts.hpp"
#include "explicit/solver.hpp"
#include "loads/rigid_wall/walls.hpp"

namespace crumple::explicit_dynamics {

void Solver::switch_parts() {
  auto* const parts = modules_.find<constraints::SwitchedParts>();
  if (parts == nullptr || stage_ != model::Stage::transient) return;
  parts->begin_cycle(time_, elements_->writable_groups());
  elements_->sleep(parts->asleep());
  if (auto* const walls = modules_.find<loads::RigidWalls>(); walls != nullptr && parts->deletes_walls())
    walls->turn(parts->walls_act());
}

/// Collective.
void Solver::measure_for_parts() {
  auto* const parts = modules_.find<constraints::SwitchedParts>();
  if (parts == nullptr || stage_ != model::Stage::transient) return;
  std::vector<char> touched;
  if (parts->waits_for(true, time_)) {
    for (const loads::RigidWalls::Row& row : modules_.find<loads::RigidWalls>()->rows())
      touched.push_back(row.force != Vec3{} ? 1 : 0);
    parts->take_forces(true, touched);
  }
  if (!parts->waits_for(false, time_)) return;
  touched.clear();
  for (const contact::ContactResult& result : contact_.results())
    touched.push_back(result.touching > 0 ? 1 : 0);
  parts->take_forces(false, touched);
}

}  // namespace crumple::explicit_dynamics
