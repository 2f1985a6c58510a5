// Ties one after another, with a node's three components in a register of four numbers.
//
// Compiled without fused multiply-adds (CMakeLists.txt), in the order of operations of ties.cpp, which treats
// some ties. Without AVX2 it treats all.
#include <bit>
#include <cmath>
#include <cstring>

#include "contact/tied/tie_passes.hpp"
#include "elements/instantiate.hpp"
#include "simd/vec.hpp"

namespace crumple::contact {
inline namespace CRUMPLE_ISA {

namespace {

#if defined(__AVX2__)

using Four = simd::native_t<double, 4>;
using FourBits = simd::native_t<std::int64_t, 4>;
using FourWords = simd::native_t<std::uint64_t, 4>;  ///< unsigned, so that it may wrap
constexpr std::size_t kAhead = 8;                    ///< prefetch distance in ties
constexpr double kRounds = 0x1.8p52;                 ///< x + kRounds has the nearest integer in its low bits
constexpr double kMostRounded = 0x1p51;              ///< of |x|

template <class N>
[[gnu::always_inline]] inline N load_at(const void* from) {
  N n;
  std::memcpy(&n, from, sizeof n);
  return n;
}

[[gnu::always_inline]] inline Four all_of(double a) { return Four{a, a, a, a}; }
[[gnu::always_inline]] inline Four yzx(Four a) { return __builtin_shufflevector(a, a, 1, 2, 0, 3); }
[[gnu::always_inline]] inline Four zxy(Four a) { return __builtin_shufflevector(a, a, 2, 0, 1, 3); }
[[gnu::always_inline]] inline Four cross_of(Four a, Four b) { return yzx(a) * zxy(b) - zxy(a) * yzx(b); }

/// The value of a sum, 0 in the last place. The inverse of its scale, a power of two, by the exponent.
[[gnu::always_inline]] inline Four value_of(FourBits row) {
  constexpr std::uint64_t inverse_of = 0x7FE0000000000000;
  const FourWords inverses = inverse_of - (FourWords)row;
  const Four unit = (Four)__builtin_shufflevector(inverses, inverses, 3, 3, 3, 3);
  return (Four)((FourBits)(unit * simd::to_double<4>(row)) & FourBits{-1, -1, -1, 0});
}

/// What is added to the nodes of a segment.
struct Shares {
  FourBits add[4][2];  ///< by corner, force and moment
  bool fit = true;

  [[gnu::always_inline]] Shares(const HeldTie& tie, Four force, Four moment, parallel::LoadSum* loads) {
    FourBits small{-1, -1, -1, -1};
    const auto fixed = [&](Four part, const parallel::FixedVector& sum) __attribute__((always_inline)) {
      const Four scaled = part * all_of(sum.scale);
      const Four size = (Four)((FourBits)scaled & INT64_MAX);
      small &= size < kMostRounded;  // false for a NaN
      return (FourBits)((FourWords)(FourBits)(scaled + kRounds) - std::bit_cast<std::uint64_t>(kRounds));
    };
#pragma GCC unroll 4
    for (int a = 0; a < 4; ++a) {
      const Four weight = all_of(tie.weight[a]);
      add[a][0] = fixed(weight * force, loads[tie.nodes[a]].force);
      add[a][1] = fixed(weight * moment, loads[tie.nodes[a]].moment);
    }
    fit = (small[0] & small[1] & small[2] & small[3]) != 0;
  }
};

[[gnu::always_inline]] inline void add_to(parallel::FixedVector& sum, FourBits more) {
  const auto whole = (FourBits)(load_at<FourWords>(&sum) + (FourWords)more);
  std::memcpy(&sum, &whole, sizeof whole);
}

std::size_t give(std::span<const HeldTie> ties, std::size_t begin, std::size_t end, const double* mass,
                 const double* inertia, parallel::LoadSum* loads) {
  for (std::size_t k = begin; k < end; ++k) {
    if (k + kAhead < ties.size()) {
      const HeldTie& later = ties[k + kAhead];
      __builtin_prefetch(&mass[later.node]), __builtin_prefetch(&inertia[later.node]);
      __builtin_prefetch(&loads[later.node]);
      for (const LocalId node : later.nodes) __builtin_prefetch(&loads[node]);
    }
    const HeldTie& tie = ties[k];
    const auto has_mass = [&] {
      return mass[tie.node] != 0.0 || (tie.rotations && inertia[tie.node] != 0.0);
    };
    if (!tie.alive || !tie.mine || tie.shared || tie.meets || !turns_with_nodes(tie) || has_mass()) return k;
    const parallel::LoadSum& own = loads[tie.node];
    const Four force = value_of(load_at<FourBits>(&own.force));
    Four moment = cross_of(load_at<Four>(&tie.arm), force);
    if (tie.rotations) moment += value_of(load_at<FourBits>(&own.moment));
    moment = (Four)((FourBits)moment & FourBits{-1, -1, -1, 0});
    const Shares shares(tie, force, moment, loads);
    if (!shares.fit) return k;
#pragma GCC unroll 4
    for (int a = 0; a < 4; ++a) {
      add_to(loads[tie.nodes[a]].force, shares.add[a][0]);
      add_to(loads[tie.nodes[a]].moment, shares.add[a][1]);
    }
  }
  return end;
}

/// Weighted mean over the segment's nodes.
[[gnu::always_inline]] inline Four mean_of(const HeldTie& tie, const Vec3* values) {
  Four sum{};
#pragma GCC unroll 4
  for (int a = 0; a < 4; ++a) sum += all_of(tie.weight[a]) * load_at<Four>(&values[tie.nodes[a]]);
  return sum;
}

[[gnu::always_inline]] inline void store_three(Vec3& to, Four a) { to = {a[0], a[1], a[2]}; }

/// r rotated by the Cayley vector theta.
[[gnu::always_inline]] inline Four turned_by_cayley(Four r, Four theta) {
  const Four once = cross_of(theta, r), squares = theta * theta;
  const double size = squares[0] + squares[1] + squares[2];
  return r + all_of(1.0 / (1.0 + 0.25 * size)) * (once + 0.5 * cross_of(theta, once));
}

std::size_t move(std::span<HeldTie> ties, std::size_t begin, std::size_t end, double dt_x, Vec3* v, Vec3* w) {
  const double per_step = 1.0 / dt_x;
  for (std::size_t k = begin; k < end; ++k) {
    if (k + kAhead < ties.size()) {
      const HeldTie& later = ties[k + kAhead];
      for (const LocalId n : later.nodes) __builtin_prefetch(&v[n]), __builtin_prefetch(&w[n]);
      __builtin_prefetch(&v[later.node]), __builtin_prefetch(&w[later.node]);
    }
    HeldTie& tie = ties[k];
    if (!tie.alive || !turns_with_nodes(tie)) return k;
    Four point = mean_of(tie, v);
    const Four spin = mean_of(tie, w);
    if (!(tie.arm == Vec3{})) {
      const Four before = load_at<Four>(&tie.arm), arm = turned_by_cayley(before, dt_x * spin);
      // The arm rotates by exactly its end's displacement, so the node stays on it.
      point += per_step * (arm - before);
      store_three(tie.arm, arm);
    }
    store_three(v[tie.node], point);
    if (tie.rotations) store_three(w[tie.node], spin);
  }
  return end;
}

#else

std::size_t give(std::span<const HeldTie> /*ties*/, std::size_t begin, std::size_t /*end*/,
                 const double* /*mass*/, const double* /*inertia*/, parallel::LoadSum* /*loads*/) {
  return begin;
}

std::size_t move(std::span<HeldTie> /*ties*/, std::size_t begin, std::size_t /*end*/, double /*dt_x*/,
                 Vec3* /*v*/, Vec3* /*w*/) {
  return begin;
}

#endif

constexpr TiePasses kPasses{&give, &move};
const detail::RegisterTiePasses registered(static_cast<elements::Isa>(CRUMPLE_ISA_NUMBER), kPasses);

}  // namespace
}  // namespace CRUMPLE_ISA
}  // namespace crumple::contact
