// Arrays of the nodes of a rank that change each cycle.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "parallel/load_sum.hpp"

namespace crumple::state {

/// Nodal arrays of one rank. A node on a rank border exists on every rank that has an element at it; all
/// copies hold the same bits after each cycle. `owner` is the rank that counts it in sums and writes it.
struct Nodal {
  std::vector<GlobalId> id;
  std::vector<int> owner;             ///< rank
  AlignedVector<Vec3> x0, x;          ///< at t = 0 and at t_n
  AlignedVector<Vec3> v, w;           ///< velocity and angular velocity at t_{n-1/2}
  AlignedVector<Vec3> a, alpha;       ///< accelerations of the last update
  std::vector<double> mass, inertia;  ///< lumped; inertia 0 where nothing rotates
  /// What tied nodes have transferred to the nodes of their segments; empty without ties.
  std::vector<double> tied_mass, tied_inertia;
  AlignedVector<parallel::LoadSum> loads;  ///< internal, contact and applied, summed

  std::size_t size() const { return id.size(); }

  /// Lumped mass of the elements at a node, also where a tie has moved it to other nodes.
  double own_mass(std::size_t i) const { return tied_mass.empty() ? mass[i] : mass[i] + tied_mass[i]; }
  double own_inertia(std::size_t i) const {
    return tied_inertia.empty() ? inertia[i] : inertia[i] + tied_inertia[i];
  }

  void add_force(LocalId i, const Vec3& f) { loads[i].force.add(f); }
  void add_moment(LocalId i, const Vec3& m) { loads[i].moment.add(m); }
  Vec3 force_at(LocalId i) const { return loads[i].force.value(); }
  Vec3 moment_at(LocalId i) const { return loads[i].moment.value(); }
};

}  // namespace crumple::state
