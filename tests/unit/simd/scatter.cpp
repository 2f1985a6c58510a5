// Forces of lanes in fixed point: the same integers as node by node, also of numbers of more than 51 bits,
// NaN and infinity, and with lanes that are off or share a node.
#include "elements/scatter.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace crumple::elements {
namespace {

using parallel::LoadSum;
constexpr int kNodes = 5;
constexpr double kScale = 0x1p30;

template <class V>
struct Forces {
  V f[1][3], m[1][3];
  std::int32_t nodes[kLanes];

  Forces() {
    for (int i = 0; i < 3; ++i)
      for (int l = 0; l < simd::width_v<V>; ++l) {
        set(f[0][i], l, 1.25 * (l + 1) - 7.3 * i);
        set(m[0][i], l, -3.1 * l + 0.7 * i);
      }
    for (int l = 0; l < kLanes; ++l) nodes[l] = (3 * l) % kNodes;
  }
  static void set(V& v, int l, double value) {
    if constexpr (simd::width_v<V> == 1)
      v = static_cast<simd::scalar_t<V>>(value);
    else
      simd::set_lane(v, l, static_cast<simd::scalar_t<V>>(value));
  }
};

/// All lanes, or those that are not `off`.
template <class V>
void check(const Forces<V>& forces, int off) {
  alignas(64) LoadSum sums[kNodes], expected[kNodes];
  for (int n = 0; n < kNodes; ++n) expected[n] = sums[n] = {{{n, -n, 7}, kScale}, {{1, 2, n}, 2 * kScale}};
  for (int l = 0; l < simd::width_v<V>; ++l) {
    if (l == off) continue;
    LoadSum& sum = expected[forces.nodes[l]];
    for (std::size_t i = 0; i < 3; ++i) {
      const double force = simd::lane(forces.f[0][i], l), moment = simd::lane(forces.m[0][i], l);
      sum.force.sum[i] = parallel::minus(sum.force.sum[i], parallel::to_fixed(force, sum.force.scale));
      sum.moment.sum[i] = parallel::minus(sum.moment.sum[i], parallel::to_fixed(moment, sum.moment.scale));
    }
  }
  V number;
  for (int l = 0; l < simd::width_v<V>; ++l) Forces<V>::set(number, l, l);
  scatter_subtract(sums, forces.nodes, forces.f, forces.m, number != V(off));
  for (int n = 0; n < kNodes; ++n) {
    EXPECT_EQ(sums[n].force.sum, expected[n].force.sum) << "node " << n;
    EXPECT_EQ(sums[n].moment.sum, expected[n].moment.sum) << "node " << n;
    EXPECT_EQ(sums[n].force.scale, kScale);
    EXPECT_EQ(sums[n].moment.scale, 2 * kScale);
  }
}

template <class V>
class Scatter : public ::testing::Test {};
using Vectors = ::testing::Types<double, simd::Vec<double, simd::kBytesPerVector / 8>,
                                 simd::Vec<float, simd::kBytesPerVector / 4>>;
TYPED_TEST_SUITE(Scatter, Vectors);

TYPED_TEST(Scatter, IsTheSameAsNodeByNode) {
  const Forces<TypeParam> forces;
  check(forces, -1);
  for (int off = 0; off < simd::width_v<TypeParam>; ++off) check(forces, off);
}

TYPED_TEST(Scatter, NumbersOfManyBitsNanAndInfinityToo) {
  const double numbers[] = {0x1p20,   -0x1p21 + 1, 0x1.8p22,  3e9,          -1e30,
                            INFINITY, NAN,         0x1p-1022, 0.5 / kScale, -1.5 / kScale};
  for (const double number : numbers)
    for (int l = 0; l < simd::width_v<TypeParam>; ++l) {
      Forces<TypeParam> forces;
      Forces<TypeParam>::set(forces.f[0][l % 3], l, number);
      check(forces, -1);
      Forces<TypeParam>::set(forces.m[0][l % 2], l, -number);
      check(forces, -1);
    }
}

}  // namespace
}  // namespace crumple::elements
