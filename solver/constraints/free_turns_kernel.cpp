// The fixed point of `cayley_turn` (rotation.hpp) by lanes: the same operations in the same order, without
// fused multiply-adds (CMakeLists.txt), so that a lane has the bits of a body by itself.
#include <algorithm>

#include "constraints/free_turns.hpp"
#include "contact/geometry/closest_point.hpp"
#include "elements/instantiate.hpp"

namespace crumple::constraints {
inline namespace CRUMPLE_ISA {

namespace {

using V = simd::Vec<double, elements::kBytesPerVector / 8>;
using M = simd::mask_t<V>;
using contact::cross;
using contact::dot;
using Vector = contact::Vector3<V>;
constexpr int kWidth = simd::width_v<V>;

struct Rows {
  Vector of[3];

  [[gnu::always_inline]] Vector operator*(const Vector& v) const {
    return {dot(of[0], v), dot(of[1], v), dot(of[2], v)};
  }
  [[gnu::always_inline]] Vector transpose_times(const Vector& v) const {
    return v.x * of[0] + v.y * of[1] + v.z * of[2];
  }
};

struct Turned {
  V s;
  Vector v;

  [[gnu::always_inline]] friend Turned operator*(const Turned& a, const Turned& b) {
    return {a.s * b.s - dot(a.v, b.v), a.s * b.v + b.s * a.v + cross(a.v, b.v)};
  }
};

[[gnu::always_inline]] inline Turned unit_of(const Turned& q) {
  const V r = V(1.0) / simd::sqrt(q.s * q.s + dot(q.v, q.v));
  return {r * q.s, r * q.v};
}

[[gnu::always_inline]] inline Turned by_cayley(const Vector& theta) {
  return unit_of(Turned{V(1.0), V(0.5) * theta});
}

[[gnu::always_inline]] inline Rows rows_of(const Turned& q) {
  const auto& [x, y, z] = q.v;
  const V s = q.s, one(1.0), two(2.0);
  return {{{one - two * (y * y + z * z), two * (x * y - s * z), two * (x * z + s * y)},
           {two * (x * y + s * z), one - two * (x * x + z * z), two * (y * z - s * x)},
           {two * (x * z - s * y), two * (y * z + s * x), one - two * (x * x + y * y)}}};
}

[[gnu::always_inline]] inline V length(const Vector& a) { return simd::sqrt(dot(a, a)); }

/// Lanes from `of(turn)`; those beyond the last are those of the last.
template <class Of>
[[gnu::always_inline]] inline V by_lane(const FreeTurn* turns, int number, Of of) {
  return simd::detail::assemble<V>([&](int l) { return of(turns[std::min(l, number - 1)]); });
}

template <class Of>
[[gnu::always_inline]] inline Vector vectors(const FreeTurn* turns, int number, Of of) {
  return {by_lane(turns, number, [&](const FreeTurn& t) { return of(t).x; }),
          by_lane(turns, number, [&](const FreeTurn& t) { return of(t).y; }),
          by_lane(turns, number, [&](const FreeTurn& t) { return of(t).z; })};
}

/// Bodies in the lanes, and how they turn.
class Bodies {
 public:
  Bodies(const FreeTurn* turns, int number)
      : momentum_(vectors(turns, number, [](const FreeTurn& t) { return t.momentum; })),
        start_{by_lane(turns, number, [](const FreeTurn& t) { return t.orientation.s; }),
               vectors(turns, number, [](const FreeTurn& t) { return t.orientation.v; })} {
    for (int k = 0; k < 3; ++k)
      inverse_.of[k] = vectors(turns, number, [k](const FreeTurn& t) { return t.inverse[k]; });
  }

  /// @param found out: lanes whose turn is not too far
  Vector turn(V dt, M& found) const {
    const V none(0.0);
    const Rows r_start = rows_of(start_);
    const Vector w_start = spin_at(r_start), first = dt * w_start;
    Vector theta = first;
    found = theta.x == none && theta.y == none && theta.z == none;
    V last(HUGE_VAL);
    for (int iteration = 0; iteration < 60 && !simd::all(found); ++iteration) {
      const Rows r = rows_of(unit_of(by_cayley(theta) * start_));
      const Vector w_end = r_start * r.transpose_times(spin_at(r));
      const Vector next = (V(0.5) * dt) * (w_start + w_end);
      const V change = length(next - theta);
      theta = contact::select<V>(found, theta, next);
      const V rounding = V(1e-13) * length(theta);
      const M settled = (change <= rounding && change >= last) || change == none;
      last = simd::select(found, last, change);
      found = found || settled;
    }
    found = found || last <= V(1e-10) * length(theta);
    return contact::select<V>(found, theta, first);
  }
  Turned after(const Vector& theta) const { return unit_of(by_cayley(theta) * start_); }
  Vector spin_at(const Rows& r) const { return r * (inverse_ * r.transpose_times(momentum_)); }

 private:
  Rows inverse_;
  Vector momentum_;
  Turned start_;
};

void find_turns(FreeTurn* turns, int number, double dt) {
  for (int from = 0; from < number; from += kWidth) {
    const int lanes = std::min(kWidth, number - from);
    const Bodies bodies(turns + from, lanes);
    M found;
    const Vector theta = bodies.turn(V(dt), found);
    const Turned end = bodies.after(theta);
    const Vector w_end = bodies.spin_at(rows_of(end));
    alignas(64) double out[10][kWidth];
    int k = 0;
    for (const V& of :
         {theta.x, theta.y, theta.z, w_end.x, w_end.y, w_end.z, end.s, end.v.x, end.v.y, end.v.z})
      simd::store(out[k++], of);
    for (int l = 0; l < lanes; ++l) {
      FreeTurn& to = turns[from + l];
      to.theta = {out[0][l], out[1][l], out[2][l]};
      to.w_end = {out[3][l], out[4][l], out[5][l]};
      to.orientation = {out[6][l], {out[7][l], out[8][l], out[9][l]}};
      to.found = simd::lane(found, l);
    }
  }
}

constexpr FindFreeTurns kFindTurns = &find_turns;
const detail::RegisterFreeTurns registered(static_cast<elements::Isa>(CRUMPLE_ISA_NUMBER), kFindTurns);

}  // namespace
}  // namespace CRUMPLE_ISA
}  // namespace crumple::constraints
