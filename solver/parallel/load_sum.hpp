// What acts on a node: its sums of forces and moments in fixed point, with their scales, in one cache line.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.hpp"
#include "parallel/fixed_point.hpp"

namespace crumple::parallel {

/// Three components and their scale, a power of two that is the same on every rank. A trivial type: an array
/// of it takes no memory before it is used.
struct FixedVector {
  std::array<std::int64_t, 3> sum;
  double scale;

  void add(const Vec3& f) {
    for (std::size_t k = 0; k < 3; ++k) sum[k] = plus(sum[k], to_fixed(f[static_cast<int>(k)], scale));
  }
  void add(const FixedVector& other) {
    for (std::size_t k = 0; k < 3; ++k) sum[k] = plus(sum[k], other.sum[k]);
  }
  Vec3 value() const {
    const double unit = 1.0 / scale;  // a power of two: products with it are exact
    return {unit * static_cast<double>(sum[0]), unit * static_cast<double>(sum[1]),
            unit * static_cast<double>(sum[2])};
  }
  bool is_zero() const { return (sum[0] | sum[1] | sum[2]) == 0; }
  bool overflowed() const {
    return parallel::overflowed(sum[0]) || parallel::overflowed(sum[1]) || parallel::overflowed(sum[2]);
  }
};

/// Kernels read and write one as a whole: eight numbers of eight bytes in this order.
struct alignas(64) LoadSum {
  FixedVector force, moment;

  void clear() { force.sum = moment.sum = {}; }
  void add(const LoadSum& other) { force.add(other.force), moment.add(other.moment); }
  bool is_zero() const { return force.is_zero() && moment.is_zero(); }
  bool overflowed() const { return force.overflowed() || moment.overflowed(); }
};
static_assert(sizeof(LoadSum) == 64);

/// Zero loads of `n` nodes, all with the same scales.
inline AlignedVector<LoadSum> zero_loads(std::size_t n, double force_scale = 1.0, double moment_scale = 1.0) {
  return AlignedVector<LoadSum>(n, LoadSum{{{}, force_scale}, {{}, moment_scale}});
}

}  // namespace crumple::parallel
