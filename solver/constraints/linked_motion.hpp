// What links between nodes share: how nodes answer impulses, and the work that goes into the model by them.
//
// A node answers an impulse J by J / m, but not along directions in which it is held or moved (*BOUNDARY):
// there it answers as an infinite mass. Links between nodes do no work, so what their impulses do on the free
// motion of nodes is the work of what holds or moves the others; it counts as external work.
#pragma once

#include <span>
#include <vector>

#include "constraints/half_step_work.hpp"
#include "constraints/rotation.hpp"
#include "modules/module.hpp"

namespace crumple::modules {
class Modules;
}

namespace crumple::constraints {

/// How a node answers impulses now.
struct Mobility {
  double per_mass = 0, per_inertia = 0;  ///< 0 without mass or inertia
  Directions held, held_turns;

  Vec3 moved_by(const Vec3& impulse) const { return per_mass * held.removed_from(impulse); }
  Vec3 turned_by(const Vec3& twist) const { return per_inertia * held_turns.removed_from(twist); }
  bool is_held() const { return held.count + held_turns.count > 0; }
  bool operator==(const Mobility& other) const;
};

/// @param modules that hold or move nodes, and are earlier in the list
Mobility mobility_of(LocalId node, const modules::Modules& modules, const modules::Cycle& cycle);

/// The velocities of some nodes while links change them.
class LinkedMotion {
 public:
  /// Keeps those at t_{n+1/2} before.
  void begin(const state::Nodal& nodal, std::span<const LocalId> nodes);
  /// a_n becomes that of the velocities after.
  /// @param work of impulses on nodes of `rank`; null where no node is held or moved
  void finish(modules::Cycle& cycle, int rank, HalfStepWork* work) const;

 private:
  std::vector<LocalId> nodes_;
  std::vector<Vec3> v_, w_;
};

/// Throws CR-C106 on every rank if a node of a link cannot answer it: a tie has taken its mass, or it has no
/// inertia where a link turns it. Collective.
/// @param turned nodes that must have inertia, unless *BOUNDARY holds or moves them
void require_inertia(const modules::Start& start, std::span<const LocalId> nodes,
                     std::span<const LocalId> turned);

}  // namespace crumple::constraints
