// Accelerations and velocities of all nodes, with as few passes over memory as constraints allow.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "explicit/free_nodes.hpp"
#include "state/nodal.hpp"

namespace crumple::explicit_dynamics {

/// A node takes 312 bytes of memory traffic if one pass computes its acceleration and velocity and clears its
/// force; 520 with separate passes. So accelerations are stored only where they are read: at held and watched
/// nodes, and for all nodes on request.
class NodalUpdate {
 public:
  /// @param rigid by node: whether it belongs to a rigid body, which moves it
  NodalUpdate(std::span<const char> rigid, elements::Isa isa);

  /// Marks a node whose acceleration is read or changed before the velocity update, or later.
  void hold(LocalId node);

  /// Linear accelerations of these nodes are read between `advance` and the end of a cycle. Replaces the
  /// previous list.
  void watch(std::span<const LocalId> nodes);

  /// Set sums of forces to zero where `advance` has not done so. Local.
  void clear_forces(state::Nodal& nodal);

  /// a = f / m. `whole`: for all nodes, and `advance` does not clear forces. Else for held nodes and for the
  /// first `ahead` nodes, as work during the reduction of the step.
  /// @return the smallest number of a checked node whose force has overflowed, kNoNode if there is none
  GlobalId accelerate(state::Nodal& nodal, bool whole, std::size_t ahead);

  /// v += dt_v a for all nodes except some of rigid bodies.
  /// @param read_above linear accelerations are also read for nodes that become faster than this; infinite:
  /// only for watched nodes, negative: for all
  /// @return the fastest node outside rigid bodies; `overflow` as for accelerate, for the other nodes
  Advanced advance(state::Nodal& nodal, double dt_v, double read_above);

  /// x += dt_x v for the nodes outside rigid bodies that are not `welded`.
  Fastest advance_positions(state::Nodal& nodal, std::span<const char> welded, double dt_x) const;

  /// Whether all accelerations are stored.
  bool whole() const { return whole_; }
  /// Whether `advance` has cleared the forces of this cycle.
  bool cleared() const { return cleared_; }

 private:
  void clear_rigid(state::Nodal& nodal) const;
  double advance_stored(state::Nodal& nodal, double dt_v, std::size_t end) const;
  Advanced advance_others(state::Nodal& nodal, double dt_v, double read_above) const;

  std::vector<char> rigid_;
  std::vector<Mover> mover_;
  std::vector<LocalId> held_, watched_, of_bodies_;
  NodePasses passes_;
  bool whole_ = false, cleared_ = false;
  std::size_t ahead_ = 0;
};

}  // namespace crumple::explicit_dynamics
