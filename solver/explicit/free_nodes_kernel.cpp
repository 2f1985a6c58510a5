// From force to acceleration, velocity and position of free nodes, four nodes at a time.
//
// A node's sums are two rows of three numbers and their scale. Four rows of accelerations are packed into
// twelve numbers, the layout of the velocities of four nodes in memory. Compiled without fused multiply-adds
// (CMakeLists.txt): other nodes use plain code, and the bits must not depend on which code is used.
#include <cstring>

#include "elements/instantiate.hpp"
#include "explicit/free_nodes.hpp"
#include "simd/vec.hpp"

namespace crumple::explicit_dynamics {
inline namespace CRUMPLE_ISA {

namespace {

void advance_one(const FreeNodes& nodes, std::size_t i, Advanced& all) {
  if (nodes.mover[i] == Mover::constraint) return;
  const Accelerations a = accelerations_at(nodes.loads[i], nodes.mass[i], nodes.inertia[i]);
  if (a.overflow) all.overflow = std::min(all.overflow, nodes.id[i]);
  if (nodes.mover[i] == Mover::rigid_body) return;
  nodes.v[i] += nodes.dt_v * a.linear;
  if (nodes.inertia[i] > 0.0) nodes.w[i] += nodes.dt_v * a.angular;
  const double speed2 = dot(nodes.v[i], nodes.v[i]);
  all.fastest2 = std::max(all.fastest2, speed2);
  if (nodes.a && (nodes.mover[i] == Mover::watched || speed2 > nodes.read_above2)) nodes.a[i] = a.linear;
  nodes.loads[i].clear();
}

#if defined(__AVX2__)

using Four = simd::native_t<double, 4>;
using FourBits = simd::native_t<std::int64_t, 4>;
using FourWords = simd::native_t<std::uint64_t, 4>;  ///< unsigned, so that it may wrap

template <class N, class T>
[[gnu::always_inline]] inline N load(const T* from) {
  N n;
  std::memcpy(&n, from, sizeof n);
  return n;
}

template <class N, class T>
[[gnu::always_inline]] inline void store(T* to, N n) {
  std::memcpy(to, &n, sizeof n);
}

/// Vectors of four nodes, one after another.
struct Packed {
  Four part[3];

  [[gnu::always_inline]] static Packed of(Four a, Four b, Four c, Four d) {
    return {{__builtin_shufflevector(a, b, 0, 1, 2, 4), __builtin_shufflevector(b, c, 1, 2, 4, 5),
             __builtin_shufflevector(c, d, 2, 4, 5, 6)}};
  }
  [[gnu::always_inline]] static Packed load_from(const Vec3* from) {
    return {{load<Four>(&from->x), load<Four>(&from->x + 4), load<Four>(&from->x + 8)}};
  }
  [[gnu::always_inline]] void store_to(Vec3* to) const {
    for (int k = 0; k < 3; ++k) store(&to->x + 4 * k, part[k]);
  }
  /// @return the new values
  [[gnu::always_inline]] Packed add_to(Vec3* to, double factor) const {
    Packed sum;
    for (int k = 0; k < 3; ++k) sum.part[k] = load<Four>(&to->x + 4 * k) + factor * part[k];
    sum.store_to(to);
    return sum;
  }
  [[gnu::always_inline]] Four squares() const {
    const Four a = __builtin_shufflevector(part[0], part[1], 0, 1, 6, 7);  // x0 y0 x2 y2
    const Four b = __builtin_shufflevector(part[0], part[2], 2, 3, 4, 5);  // z0 x1 z2 x3
    const Four c = __builtin_shufflevector(part[1], part[2], 0, 1, 6, 7);  // y1 z1 y3 z3
    const Four x = __builtin_shufflevector(a, b, 0, 5, 2, 7);
    const Four y = __builtin_shufflevector(a, c, 1, 4, 3, 6);
    const Four z = __builtin_shufflevector(b, c, 0, 5, 2, 7);
    return x * x + y * y + z * z;
  }
};

[[gnu::always_inline]] inline FourBits row_of(const parallel::FixedVector& sums) {
  return load<FourBits>(&sums);
}

/// Acceleration from a node's forces or moments; the last number is unused.
[[gnu::always_inline]] inline Four acceleration(FourBits row, double inverse) {
  const FourWords inverse_scales = kInverseScale - (FourWords)row;
  return simd::to_double<4>(row) *
         (inverse * (Four)__builtin_shufflevector(inverse_scales, inverse_scales, 3, 3, 3, 3));
}

/// The upper two bits are not zero where a sum has overflowed.
[[gnu::always_inline]] inline FourWords overflow_bits(FourBits row) {
  return (FourWords)row + static_cast<std::uint64_t>(parallel::kOverflow);
}

[[gnu::always_inline]] inline void clear(parallel::FixedVector& sums, FourBits row) {
  store(&sums, row & FourBits{0, 0, 0, -1});
}

template <class Sums>
[[gnu::always_inline]] inline Packed accelerations(Sums sums, Four inverse) {
  return Packed::of(acceleration(row_of(sums(0)), inverse[0]), acceleration(row_of(sums(1)), inverse[1]),
                    acceleration(row_of(sums(2)), inverse[2]), acceleration(row_of(sums(3)), inverse[3]));
}

[[gnu::always_inline]] inline bool any(FourBits of) { return (of[0] | of[1] | of[2] | of[3]) != 0; }

/// Whether the nodes are free, and all or none of them have inertia.
[[gnu::always_inline]] inline bool are_alike(std::uint32_t movers, Four inertia) {
  static_assert(static_cast<char>(Mover::itself) == 0 && static_cast<char>(Mover::watched) == 1);
  const FourBits turns = inertia > 0.0;
  return (movers & 0xFEFEFEFE) == 0 && turns[0] == turns[1] && turns[1] == turns[2] && turns[2] == turns[3];
}

/// Returns false and does nothing where plain code must treat nodes i to i + 3.
[[gnu::always_inline]] inline bool advance_four(const FreeNodes& nodes, std::size_t i, Four& fastest2) {
  const Four mass = load<Four>(nodes.mass + i), inertia = load<Four>(nodes.inertia + i);
  const auto movers = load<std::uint32_t>(nodes.mover + i);
  if (!are_alike(movers, inertia)) return false;
  parallel::LoadSum* const loads = nodes.loads + i;
  FourWords high{};
  for (int k = 0; k < 4; ++k)
    high |= overflow_bits(row_of(loads[k].force)) | overflow_bits(row_of(loads[k].moment));
  if ((high[0] | high[1] | high[2]) >> 62 != 0) return false;
  const Four inverse = 1.0 / mass;
  const Packed a = accelerations(
      [&](int k) -> auto& { return loads[k].force; }, (Four)((FourBits)inverse & (mass > 0.0)));
  const Four squares = a.add_to(nodes.v + i, nodes.dt_v).squares();
  fastest2 = fastest2 < squares ? squares : fastest2;
  if (nodes.a && (movers != 0 || any(squares > nodes.read_above2))) a.store_to(nodes.a + i);
  if (inertia[0] > 0.0)
    accelerations(
        [&](int k) -> auto& { return loads[k].moment; }, 1.0 / inertia)
        .add_to(nodes.w + i, nodes.dt_v);
  for (int k = 0; k < 4; ++k) {
    clear(loads[k].force, row_of(loads[k].force));
    clear(loads[k].moment, row_of(loads[k].moment));
  }
  return true;
}

#endif

Advanced advance_free_nodes(const FreeNodes& nodes, std::size_t begin, std::size_t end) {
  Advanced all;
  std::size_t i = begin;
#if defined(__AVX2__)
  Four fastest2{};
  for (; i + 4 <= end; i += 4)
    if (!advance_four(nodes, i, fastest2))
      for (std::size_t k = i; k < i + 4; ++k) advance_one(nodes, k, all);
  for (int k = 0; k < 4; ++k) all.fastest2 = std::max(all.fastest2, fastest2[k]);
#endif
  for (; i < end; ++i) advance_one(nodes, i, all);
  return all;
}

void move_one(const Positions& nodes, std::size_t i, Fastest& all) {
  const double speed2 = dot(nodes.v[i], nodes.v[i]);
  all.of_all2 = std::max(all.of_all2, speed2);
  if (nodes.rigid[i] || nodes.welded[i]) return;
  nodes.x[i] += nodes.dt_x * nodes.v[i];
  all.moved2 = std::max(all.moved2, speed2);
}

Fastest advance_positions(const Positions& nodes, std::size_t begin, std::size_t end) {
  Fastest all;
  std::size_t i = begin;
#if defined(__AVX2__)
  Four fastest2{};
  for (; i + 4 <= end; i += 4) {
    if ((load<std::uint32_t>(nodes.rigid + i) | load<std::uint32_t>(nodes.welded + i)) != 0) {
      for (std::size_t k = i; k < i + 4; ++k) move_one(nodes, k, all);
      continue;
    }
    const Packed v = Packed::load_from(nodes.v + i);
    v.add_to(nodes.x + i, nodes.dt_x);
    const Four squares = v.squares();
    fastest2 = fastest2 < squares ? squares : fastest2;
  }
  for (int k = 0; k < 4; ++k) all.moved2 = std::max(all.moved2, fastest2[k]);
  all.of_all2 = std::max(all.of_all2, all.moved2);
#endif
  for (; i < end; ++i) move_one(nodes, i, all);
  return all;
}

constexpr NodePasses kPasses{&advance_free_nodes, &advance_positions};
const detail::RegisterNodePasses registered(static_cast<elements::Isa>(CRUMPLE_ISA_NUMBER), kPasses);

}  // namespace
}  // namespace CRUMPLE_ISA
}  // namespace crumple::explicit_dynamics
