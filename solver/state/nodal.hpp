// What changes each cycle at the nodes of a rank.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "parallel/fixed_point.hpp"

namespace crumple::state {

/// Nodal arrays of one rank. A node on a rank border exists on every rank that has an element at it; all
/// of them hold the same bits after each cycle. `owner` says who counts it in sums and writes it.
struct Nodal {
  std::vector<GlobalId> id;
  std::vector<int> owner;             ///< rank
  AlignedVector<Vec3> x0, x;          ///< at t = 0 and at t_n
  AlignedVector<Vec3> v, w;           ///< velocity and angular velocity at t_{n-1/2}
  AlignedVector<Vec3> a, alpha;       ///< accelerations of the last update
  std::vector<double> mass, inertia;  ///< lumped; inertia 0 where nothing rotates
  /// What tied nodes have given to the nodes of their segments; empty without ties.
  std::vector<double> tied_mass, tied_inertia;
  // Sums of internal, contact and applied loads, fixed point, 3 a node (parallel/fixed_point.hpp).
  AlignedVector<std::int64_t> force, moment;
  AlignedVector<double> force_scale, moment_scale;  ///< powers of two, the same on every rank

  std::size_t size() const { return id.size(); }

  /// Lumped mass of the elements at a node, also where a tie has moved it to other nodes.
  double own_mass(std::size_t i) const { return tied_mass.empty() ? mass[i] : mass[i] + tied_mass[i]; }
  double own_inertia(std::size_t i) const {
    return tied_inertia.empty() ? inertia[i] : inertia[i] + tied_inertia[i];
  }

  void add_force(LocalId i, const Vec3& f) { add(force, i, f, force_scale[i]); }
  void add_moment(LocalId i, const Vec3& m) { add(moment, i, m, moment_scale[i]); }
  Vec3 force_at(LocalId i) const { return get(force, i, force_scale[i]); }
  Vec3 moment_at(LocalId i) const { return get(moment, i, moment_scale[i]); }

 private:
  static void add(AlignedVector<std::int64_t>& sum, LocalId i, const Vec3& f, double scale) {
    for (int k = 0; k < 3; ++k) sum[3 * std::size_t(i) + k] += parallel::to_fixed(f[k], scale);
  }
  static Vec3 get(const AlignedVector<std::int64_t>& sum, LocalId i, double scale) {
    const std::size_t j = 3 * std::size_t(i);
    const double unit = 1.0 / scale;  // a power of two: products with it are exact
    return {unit * static_cast<double>(sum[j]), unit * static_cast<double>(sum[j + 1]),
            unit * static_cast<double>(sum[j + 2])};
  }
};

}  // namespace crumple::state
