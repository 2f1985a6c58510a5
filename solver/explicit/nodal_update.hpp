// Accelerations and velocities of all nodes, in as few passes over memory as what holds nodes allows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "explicit/free_nodes.hpp"
#include "state/nodal.hpp"

namespace crumple::explicit_dynamics {

/// A node takes 312 bytes of memory traffic where its acceleration becomes a velocity at once and its force
/// is cleared on the way, 520 where each has a pass of its own. So accelerations are stored only where
/// something reads them: at held and watched nodes, and of all nodes when they are asked for.
class NodalUpdate {
 public:
  /// @param rigid by node: of a rigid body, which moves it
  NodalUpdate(std::span<const char> rigid, elements::Isa isa);

  /// Something reads or changes the node's acceleration before it becomes a velocity, or adds to it later.
  void hold(LocalId node);

  /// Linear accelerations of these nodes are read between `advance` and the end of a cycle. Takes the place
  /// of what was watched before.
  void watch(std::span<const LocalId> nodes);

  /// Sums of forces to zero: where `advance` has not done so. Local.
  void clear_forces(state::Nodal& nodal);

  /// a = f / m. `whole`: of all nodes, and `advance` leaves forces as they are; else of held nodes, and of
  /// the first `ahead` ones, which is work to do while the step is not known.
  /// @return the least number of a node looked at whose force has overflowed, kNoNode without
  GlobalId accelerate(state::Nodal& nodal, bool whole, std::size_t ahead);

  /// v += dt_v a of all nodes but some of rigid bodies.
  /// @param read_above linear accelerations are read of nodes that become faster than this, too; infinite:
  /// only of watched ones, below zero: of all
  /// @return of nodes that are not of rigid bodies the fastest; `overflow` as of accelerate, of the other
  /// nodes
  Advanced advance(state::Nodal& nodal, double dt_v, double read_above);

  /// x += dt_x v of the nodes that are not of rigid bodies or `welded`.
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
