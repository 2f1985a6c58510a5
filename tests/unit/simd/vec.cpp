// Masks, loads, gathers and look-ups lane by lane against plain loops, in every width of the build's ISA.
#include "simd/vec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace crumple::simd {
namespace {

template <class V>
class Lanes : public testing::Test {};
using Types = testing::Types<float, double, Vec<float, 4>, Vec<double, 2>, Vec<float, 8>, Vec<double, 4>,
                             Vec<float, 16>, Vec<double, 8>>;
TYPED_TEST_SUITE(Lanes, Types);

template <class V>
V counting(double from) {
  V a = V(0);
  for (int i = 0; i < width_v<V>; ++i) set_lane(a, i, static_cast<scalar_t<V>>(from + i));
  return a;
}

TYPED_TEST(Lanes, AnyAndAllSeeEveryLane) {
  using V = TypeParam;
  constexpr int w = width_v<V>;
  const V a = counting<V>(0);
  EXPECT_FALSE(any(a < V(0)));
  EXPECT_TRUE(all(a < V(w)));
  for (int i = 0; i < w; ++i) {
    EXPECT_TRUE(any(a == V(i))) << i;
    EXPECT_FALSE(all(a != V(i))) << i;
    EXPECT_TRUE(lane(a == V(i), i));
  }
  EXPECT_EQ(any(a > V(0)), w > 1);
}

template <int W>
void check_integers() {
  std::vector<std::int64_t> values{0, 1, -1, INT64_MAX, INT64_MIN, INT64_MIN + 1};
  for (int k = 0; k < 63; ++k)  // about halves between doubles, of both signs
    for (const std::int64_t near : {-1, 0, 1, 3}) {
      const std::int64_t n = (std::int64_t{1} << k) + (k > 53 ? std::int64_t{1} << (k - 53) : 0) + near;
      values.insert(values.end(), {n, -n, 0x123456789ABCDEF0 >> (63 - k)});
    }
  for (std::size_t i = 0; i + W <= values.size(); ++i) {
    native_t<std::int64_t, W> n;
    for (int l = 0; l < W; ++l) n[l] = values[i + static_cast<std::size_t>(l)];
    const native_t<double, W> converted = to_double<W>(n);
    for (int l = 0; l < W; ++l) EXPECT_EQ(converted[l], static_cast<double>(n[l])) << n[l];
  }
}

TEST(Integers, BecomeTheNearestDoubles) {
  check_integers<2>();
  check_integers<4>();
  check_integers<8>();
}

template <class V, class S>
void check_tables() {
  constexpr int w = width_v<V>;
  std::vector<S> table(100);
  for (std::size_t k = 0; k < table.size(); ++k) table[k] = static_cast<S>(1000 + k * k);
  alignas(64) std::int32_t index[16];
  V place = V(0);
  for (int i = 0; i < w; ++i) {
    index[i] = (37 * i + 5) % 100;
    set_lane(place, i, static_cast<scalar_t<V>>(index[i] + 0.75));
  }
  const V gathered = gather<V>(table.data(), index), looked_up = lookup<V>(table.data(), place);
  for (int i = 0; i < w; ++i) {
    const auto expected = static_cast<scalar_t<V>>(table[static_cast<std::size_t>(index[i])]);
    EXPECT_EQ(lane(gathered, i), expected);
    EXPECT_EQ(lane(looked_up, i), expected);
  }
}

TYPED_TEST(Lanes, GatherAndLookupConvertWhatTheyFind) {
  check_tables<TypeParam, double>();
  check_tables<TypeParam, float>();
  check_tables<TypeParam, std::int32_t>();
}

TYPED_TEST(Lanes, LoadAndStoreConvert) {
  using V = TypeParam;
  alignas(64) double memory[16], back[16];
  alignas(64) float single[16];
  std::iota(memory, memory + 16, 0.5);
  const V a = load<V>(memory);
  store(single, a);
  store(back, load<V>(single));
  for (int i = 0; i < width_v<V>; ++i) EXPECT_EQ(back[i], memory[i]);
}

/// Of tables that lie in registers, where there are such.
template <class V>
void check_tables() {
  using T = scalar_t<V>;
  constexpr int w = width_v<V>;
  alignas(64) T from[kTableSize], value[kTableSize];
  for (int k = 0; k < kTableSize; ++k) from[k] = static_cast<T>(k * k), value[k] = static_cast<T>(100 - k);
  for (int n = 0; n < kTableSize; ++n)
    for (int first = -1; first < kTableSize * kTableSize; ++first) {
      const V x = counting<V>(first);
      const V found = pick(value, place_among(from + 1, n, x));
      for (int i = 0; i < w; ++i) {
        int reached = 0;
        while (reached < n && lane(x, i) >= from[reached + 1]) ++reached;
        ASSERT_EQ(lane(found, i), value[reached]) << n << " values, " << lane(x, i);
      }
    }
  const V nan = V(static_cast<T>(NAN));
  EXPECT_EQ(lane(pick(value, place_among(from, kTableSize, nan)), w - 1), value[0]);
}

TYPED_TEST(Lanes, PicksFromTables) {
  if constexpr (picks_v<TypeParam>) check_tables<TypeParam>();
}

/// Of tables of rows, where these are loaded by lane.
template <class V>
void check_rows() {
  using T = scalar_t<V>;
  alignas(64) T from[kTableSize], table[kTableSize][4];
  for (int k = 0; k < kTableSize; ++k) {
    from[k] = static_cast<T>(10 * k);
    for (int j = 0; j < 4; ++j) table[k][j] = static_cast<T>(100 * j + k);
  }
  for (int first = -20; first < 200; first += 7) {
    const V x = counting<V>(first) * V(3);
    const auto row = pick_row(table, place_among(from + 1, kTableSize - 1, x));
    for (int i = 0; i < width_v<V>; ++i) {
      const int k = std::clamp(static_cast<int>(lane(x, i)) / 10, 0, kTableSize - 1);
      ASSERT_EQ(lane(row.a, i), table[k][0]) << lane(x, i);
      ASSERT_EQ(lane(row.b, i), table[k][1]);
      ASSERT_EQ(lane(row.c, i), table[k][2]);
      ASSERT_EQ(lane(row.d, i), table[k][3]);
    }
  }
  const V nan = V(static_cast<T>(NAN));
  EXPECT_EQ(lane(pick_row(table, place_among(from, kTableSize, nan)).d, 0), table[0][3]);
}

TYPED_TEST(Lanes, PicksRowsFromTables) {
  if constexpr (picks_rows_v<TypeParam>) check_rows<TypeParam>();
}

TYPED_TEST(Lanes, MinAndMaxOfNanAreTheSecondAndAbsClearsTheSign) {
  using V = TypeParam;
  const V nan = V(static_cast<scalar_t<V>>(NAN)), one(1);
  EXPECT_EQ(lane(min(nan, one), 0), 1);
  EXPECT_EQ(lane(max(nan, one), 0), 1);
  EXPECT_TRUE(std::isnan(lane(min(one, nan), 0)));
  EXPECT_TRUE(std::isnan(lane(max(one, nan), 0)));
  if constexpr (width_v < V >> 1) {
    EXPECT_FALSE(std::signbit(lane(abs(V(0) * V(-1)), 0)));
  }
}

TEST(Several, PicksFromTablesByParts) {
  if constexpr (picks_v<Vec<double, 8>>) {
    using Pair = Several<Vec<double, 8>, 2>;
    alignas(64) double from[kTableSize], value[kTableSize];
    for (int k = 0; k < kTableSize; ++k) from[k] = 10 * k, value[k] = -k;
    const Pair x{counting<Vec<double, 8>>(17), counting<Vec<double, 8>>(95)};
    const Pair found = pick(value, place_among(from + 1, kTableSize - 1, x));
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(lane(found.first, i), -((17 + i) / 10));
      EXPECT_EQ(lane(found.rest, i), -((95 + i) / 10));
    }
  }
}

TYPED_TEST(Lanes, SelectMinMaxAbsSqrt) {
  using V = TypeParam;
  const V a = counting<V>(-2), b = counting<V>(0) * V(-1);
  for (int i = 0; i < width_v<V>; ++i) {
    const auto x = lane(a, i), y = lane(b, i);
    EXPECT_EQ(lane(select(a < b, a, V(7)), i), x < y ? x : 7);
    EXPECT_EQ(lane(min(a, b), i), std::min(x, y));
    EXPECT_EQ(lane(max(a, b), i), std::max(x, y));
    EXPECT_EQ(lane(abs(a), i), std::abs(x));
    EXPECT_EQ(lane(sqrt(abs(a)), i), std::sqrt(std::abs(x)));
    EXPECT_EQ(lane(-a, i), -x);
  }
}

}  // namespace
}  // namespace crumple::simd
