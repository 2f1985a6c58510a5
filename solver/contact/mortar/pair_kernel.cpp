// Forces of a pair of segments, and with numbers that carry derivatives their exact stiffness.
#include <cmath>

#include "contact/geometry/closest_point.hpp"
#include "contact/mortar/moving_pair.hpp"
#include "contact/mortar/pair.hpp"
#include "simd/instruction_set.hpp"
#include "simd/math.hpp"
#include "simd/vec.hpp"

namespace crumple::contact::mortar {
inline namespace CRUMPLE_ISA {

namespace {

using WithSlopes = simd::Dual<double, kPairDofs>;

constexpr int kMostCorners = 2 * kCorners + 1;  ///< of a clipped polygon

template <class V>
double value_of(const V& v) {
  if constexpr (simd::is_dual_v<V>)
    return v.value;
  else
    return v;
}

/// A point of the first segment's plane.
template <class V>
struct Planar {
  V x, y;
  friend Planar operator+(const Planar& a, const Planar& b) { return {a.x + b.x, a.y + b.y}; }
  friend Planar operator-(const Planar& a, const Planar& b) { return {a.x - b.x, a.y - b.y}; }
  friend Planar operator*(const V& s, const Planar& a) { return {s * a.x, s * a.y}; }
};
template <class V>
V area_of(const Planar<V>& a, const Planar<V>& b) {
  return a.x * b.y - a.y * b.x;
}

template <class V>
struct Polygon {
  Planar<V> p[kMostCorners];
  int n = 0;
  void add(const Planar<V>& corner) {
    if (n < kMostCorners) p[n++] = corner;
  }
};

/// What is left of the line from a to b (Sutherland and Hodgman 1974, "Reentrant polygon clipping", Commun.
/// ACM 17, 32-42). Where edges of both segments coincide by rounding, that of the clipping one counts, in
/// all pairs alike: then the sum of the areas over neighbours has the right derivative.
template <class V>
Polygon<V> clipped(const Polygon<V>& of, const Planar<V>& a, const Planar<V>& b) {
  Polygon<V> kept;
  const Planar<V> along = b - a;
  V left[kMostCorners];
  double most = 0;
  for (int k = 0; k < of.n; ++k) {
    left[k] = area_of(along, of.p[k] - a);
    most = std::fmax(most, std::fabs(value_of(left[k])));
  }
  const double inside = 1e-12 * most;
  for (int k = 0; k < of.n; ++k) {
    const int next = k + 1 < of.n ? k + 1 : 0;
    const bool here = value_of(left[k]) > inside, there = value_of(left[next]) > inside;
    if (here) kept.add(of.p[k]);
    if (here == there) continue;
    // Where both ends are left of the line by rounding, it crosses the edge far outside of it.
    const bool both_left = value_of(left[k]) > 0 && value_of(left[next]) > 0;
    const V share = (both_left ? left[k] - inside : left[k]) / (left[k] - left[next]);
    kept.add(of.p[k] + share * (of.p[next] - of.p[k]));
  }
  return kept;
}

/// Coordinates and heights of both segments over the first one's plane.
template <class V>
struct Frame {
  Vector3<V> e[3];
  Planar<V> p[kPairNodes];
  V z[kPairNodes];
  V facing;

  Frame(const PairInput& in, const Vector3<V> (&x)[kPairNodes]) {
    const Vector3<V> n = normal_of(x, in.corners[0]), m = normal_of(x + kCorners, in.corners[1]);
    const Vector3<V> first = in.corners[0] == 4 ? (x[1] + x[2]) - (x[0] + x[3]) : x[1] - x[0];
    e[0] = simd::inverse_sqrt(dot(first, first)) * first;
    e[2] = n;
    e[1] = cross(n, e[0]);
    facing = V(-in.side[0] * in.side[1]) * dot(n, m);
    for (int k = 0; k < kPairNodes; ++k) {
      if (k % kCorners >= in.corners[k / kCorners]) continue;
      const Vector3<V> r = x[k] - x[0];
      p[k] = {dot(e[0], r), dot(e[1], r)};
      z[k] = dot(n, r);
    }
  }

 private:
  static Vector3<V> normal_of(const Vector3<V>* x, int corners) {
    const Vector3<V> n = corners == 4 ? cross(x[2] - x[0], x[3] - x[1]) : cross(x[1] - x[0], x[2] - x[0]);
    return simd::inverse_sqrt(dot(n, n)) * n;
  }
};

/// Shape functions of a segment where its projection is at a point of the plane.
template <class V>
class Shapes {
 public:
  V n[kCorners];

  /// False where there is no such point.
  bool find(const Planar<V>* corner, int corners, const Planar<V>& at) {
    double x[kCorners], y[kCorners];
    for (int k = 0; k < corners; ++k) x[k] = value_of(corner[k].x), y[k] = value_of(corner[k].y);
    const double px = value_of(at.x), py = value_of(at.y);
    double r = corners == 4 ? 0.0 : 1.0 / 3, s = r, inverse[4] = {}, size = 0;
    for (int k = 1; k < corners; ++k) size = std::fmax(size, std::fabs(x[k] - x[0]) + std::fabs(y[k] - y[0]));
    for (int round = 0; round < 25; ++round) {
      double value[kCorners], by_r[kCorners], by_s[kCorners];
      set(corners, r, s, value);
      slopes(corners, r, s, by_r, by_s);
      double ex = -px, ey = -py, j[4] = {};
      for (int k = 0; k < corners; ++k) {
        ex += value[k] * x[k], ey += value[k] * y[k];
        j[0] += by_r[k] * x[k], j[1] += by_s[k] * x[k], j[2] += by_r[k] * y[k], j[3] += by_s[k] * y[k];
      }
      const double det = j[0] * j[3] - j[1] * j[2];
      if (!(std::fabs(det) > 1e-12 * size * size)) return false;
      inverse[0] = j[3] / det, inverse[1] = -j[1] / det, inverse[2] = -j[2] / det, inverse[3] = j[0] / det;
      const double dr = inverse[0] * ex + inverse[1] * ey, ds = inverse[2] * ex + inverse[3] * ey;
      r -= dr, s -= ds;
      if (std::fabs(dr) + std::fabs(ds) < 1e-14) break;
    }
    // One more step, which brings the derivatives of the coordinates.
    double value[kCorners];
    set(corners, r, s, value);
    Planar<V> error = V(-1.0) * at;
    for (int k = 0; k < corners; ++k) error = error + V(value[k]) * corner[k];
    const V rv = r - (inverse[0] * error.x + inverse[1] * error.y);
    const V sv = s - (inverse[2] * error.x + inverse[3] * error.y);
    set(corners, rv, sv, n);
    return true;
  }

 private:
  template <class T>
  static void set(int corners, const T& r, const T& s, T (&value)[kCorners]) {
    if (corners == 3) {
      value[0] = 1.0 - r - s, value[1] = r, value[2] = s;
      return;
    }
    const T left = 0.5 * (1.0 - r), right = 0.5 * (1.0 + r), low = 0.5 * (1.0 - s), high = 0.5 * (1.0 + s);
    value[0] = left * low, value[1] = right * low, value[2] = right * high, value[3] = left * high;
  }
  static void slopes(int corners, double r, double s, double (&by_r)[kCorners], double (&by_s)[kCorners]) {
    if (corners == 3) {
      by_r[0] = by_s[0] = -1, by_r[1] = by_s[2] = 1, by_r[2] = by_s[1] = 0;
      return;
    }
    by_r[1] = 0.25 * (1 - s), by_r[2] = 0.25 * (1 + s), by_r[0] = -by_r[1], by_r[3] = -by_r[2];
    by_s[2] = 0.25 * (1 + r), by_s[3] = 0.25 * (1 - r), by_s[1] = -by_s[2], by_s[0] = -by_s[3];
  }
};

/// Calls `visit(point, area)` for the integration points of what both segments cover: six of each triangle
/// about the centroid (Strang and Fix 1973; exact for polynomials of degree 4).
template <class V, class Visit>
void for_each_point(const PairInput& in, const Frame<V>& frame, Visit visit) {
  Polygon<V> covered;
  for (int k = 0; k < in.corners[1]; ++k) covered.add(frame.p[kCorners + k]);
  for (int k = 0; k < in.corners[0] && covered.n > 0; ++k)
    covered = clipped(covered, frame.p[k], frame.p[(k + 1) % in.corners[0]]);
  if (covered.n < 3) return;
  const Planar<V> from = covered.p[0];
  V twice(0.0), whole(0.0);
  Planar<V> centroid{V(0.0), V(0.0)};
  for (int k = 0; k < in.corners[0]; ++k) whole += area_of(frame.p[k], frame.p[(k + 1) % in.corners[0]]);
  for (int k = 1; k + 1 < covered.n; ++k) {
    const Planar<V> a = covered.p[k] - from, b = covered.p[k + 1] - from;
    const V of = area_of(a, b);
    twice += of;
    centroid = centroid + of * (a + b);
  }
  constexpr double least = 1e-14;
  if (std::fabs(value_of(twice)) <= least * std::fabs(value_of(whole))) return;
  centroid = from + (V(1.0) / (3.0 * twice)) * centroid;
  const double sign = value_of(twice) > 0.0 ? 0.5 : -0.5;
  constexpr double near[2] = {0.44594849091596488632, 0.09157621350977074346};
  constexpr double weight[2] = {0.22338158967801146570, 0.10995174365532186764};
  for (int k = 0; k < covered.n; ++k) {
    const Planar<V> a = covered.p[k] - centroid, b = covered.p[k + 1 < covered.n ? k + 1 : 0] - centroid;
    const V area = sign * area_of(a, b);
    if (value_of(area) == 0.0) continue;
    for (int q = 0; q < 6; ++q) {
      const double one = near[q / 3], other = 1.0 - 2.0 * one;
      visit(centroid + V(q % 3 == 0 ? other : one) * a + V(q % 3 == 1 ? other : one) * b,
            weight[q / 3] * area);
    }
  }
}

/// The factor of pressure for segments that do not face each other well.
template <class V>
V facing_factor(const V& facing) {
  if (value_of(facing) >= kFacingFully) return V(1.0);
  const V t = (1.0 / (kFacingFully - kFacingNot)) * (facing - kFacingNot);
  return t * t * (3.0 - 2.0 * t);
}

template <class V>
V pressure(const PressureLaw& law, const V& d) {
  if (value_of(d) < 2.0 * law.soft) return (0.25 * law.stiffness / law.soft) * d * d;
  return law.stiffness * (d - law.soft);
}

/// Its derivative.
template <class V>
V slope(const PressureLaw& law, const V& d) {
  return value_of(d) < 2.0 * law.soft ? (0.5 * law.stiffness / law.soft) * d : V(law.stiffness);
}

/// Its integral.
double stored_by(const PressureLaw& law, double d) {
  if (d < 2.0 * law.soft) return law.stiffness / (12.0 * law.soft) * d * d * d;
  const double more = d - law.soft;
  return law.stiffness * (0.5 * more * more + law.soft * law.soft / 6.0);
}

/// Integrals of shape functions times pressure, and times shear stress along both axes.
template <class V>
class Integrals {
 public:
  /// @param moving null but in explicit runs
  Integrals(const PairInput& in, const Frame<V>& frame, PairForces& out, const MovingPair* moving)
      : in_(in), frame_(frame), out_(out), moving_(moving), factor_(facing_factor(frame.facing)) {
    for (auto* list : {normal_, along_[0], along_[1]})
      for (int k = 0; k < kPairNodes; ++k) list[k] = V(0.0);
  }

  void add(const Planar<V>& at, const V& area) {
    Shapes<V> of[2];
    for (int s = 0; s < 2; ++s)
      if (!of[s].find(frame_.p + s * kCorners, in_.corners[s], at)) return;
    V d(in_.thickness);
    for (int k = 0; k < in_.corners[0]; ++k)
      d += of[0].n[k] * (in_.side[0] * frame_.z[k] - in_.taken_out[at_corner(k)]);
    for (int k = 0; k < in_.corners[1]; ++k) d -= of[1].n[k] * (in_.side[0] * frame_.z[kCorners + k]);
    if (!(value_of(d) > 0.0) || value_of(d) > in_.behind) return;
    out_.deepest = std::fmax(out_.deepest, value_of(d));
    out_.touches = true;
    out_.area += value_of(area);
    V p = factor_ * pressure(in_.law, d);
    if (moving_) {
      stored_ += value_of(area) * value_of(factor_) * stored_by(in_.law, value_of(d));
      if (moving_->damping > 0.0) p = damped(of, p, d);
    }
    const V push = p * area;
    for (int s = 0; s < 2; ++s)
      for (int k = 0; k < in_.corners[s]; ++k) normal_[s * kCorners + k] += of[s].n[k] * push;
    if (in_.friction.any()) rub(of, p, area);
  }

  double stored() const { return stored_; }

  Vector3<V> force(int node) const {
    const double sign = node < kCorners ? 1.0 : -1.0;
    const Vector3<V>* e = frame_.e;
    return V(-sign * in_.side[0]) * (normal_[node] * e[2]) +
           V(sign) * (along_[0][node] * e[0] + along_[1][node] * e[1]);
  }

 private:
  static std::size_t at_corner(int k) { return static_cast<std::size_t>(k); }

  /// The pressure with its viscous part. The points of both segments lie on one line along the normal, so
  /// that its turning does not change the penetration.
  V damped(const Shapes<V> (&of)[2], const V& p, const V& d) const {
    const Vector3<V>& n = frame_.e[2];
    V closing(0.0);
    for (int s = 0; s < 2; ++s)
      for (int k = 0; k < in_.corners[s]; ++k) {
        const Vec3& v = moving_->v[at_corner(s * kCorners + k)];
        closing += (s == 0 ? in_.side[0] : -in_.side[0]) * of[s].n[k] * (v.x * n.x + v.y * n.y + v.z * n.z);
      }
    const V all = p + moving_->damping * factor_ * simd::sqrt(slope(in_.law, d)) * closing;
    return value_of(all) > 0.0 ? all : V(0.0);
  }

  V coefficient(const V& slipped) const {
    const Friction& f = in_.friction;
    if (f.dc == 0.0 || f.fs == f.fd || !(in_.dt > 0.0)) return V(f.fs);
    return f.fd + (f.fs - f.fd) * simd::exp((-f.dc / in_.dt) * slipped);
  }

  /// The spring at a point: it holds, or it slides at the limit.
  void rub(const Shapes<V> (&of)[2], const V& p, const V& area) {
    V slip[2], stretch[2];
    for (int i = 0; i < 2; ++i) {
      slip[i] = V(0.0), stretch[i] = V(0.0);
      for (int k = 0; k < in_.corners[0]; ++k) {
        slip[i] -= of[0].n[k] * in_.start[i][k];
        stretch[i] += of[0].n[k] * in_.stretched[i][k];
      }
      for (int k = 0; k < in_.corners[1]; ++k) slip[i] += of[1].n[k] * in_.start[i][kCorners + k];
      stretch[i] += slip[i];
    }
    const V slipped = simd::sqrt(slip[0] * slip[0] + slip[1] * slip[1]);
    const V length = simd::sqrt(stretch[0] * stretch[0] + stretch[1] * stretch[1]);
    const V stiffness = in_.friction.stiffness * factor_;
    V at_most = coefficient(slipped) * (in_.friction.limit_is_fixed ? V(value_of(p)) : p);
    if (moving_ && value_of(at_most) > moving_->most_shear) at_most = V(moving_->most_shear);
    const V trial = stiffness * length;
    const bool slides = value_of(trial) > value_of(at_most);
    const V stress = slides ? at_most / length : stiffness;  // over the stretch before sliding
    const double kept = slides ? value_of(at_most) / value_of(trial) : 1.0;
    out_.dissipated += value_of(area) * value_of(stress) * (1.0 - kept) * value_of(length) * value_of(length);
    for (int i = 0; i < 2; ++i) {
      const V shear = -(stress * stretch[i]) * area;
      for (int s = 0; s < 2; ++s)
        for (int k = 0; k < in_.corners[s]; ++k) along_[i][s * kCorners + k] += of[s].n[k] * shear;
    }
    for (int k = 0; k < in_.corners[0]; ++k) {
      const double share = value_of(of[0].n[k]) * value_of(area);
      out_.corner_area[k] += share;
      for (int i = 0; i < 2; ++i) out_.corner_stretch[i][k] += share * kept * value_of(stretch[i]);
    }
  }

  const PairInput& in_;
  const Frame<V>& frame_;
  PairForces& out_;
  const MovingPair* moving_;
  double stored_ = 0;
  V factor_;
  V normal_[kPairNodes], along_[2][kPairNodes];
};

/// Positions, with themselves as the directions of derivatives.
template <class V>
void set_positions(const PairInput& in, Vector3<V> (&x)[kPairNodes]) {
  for (int k = 0; k < kPairNodes; ++k) {
    const Vec3& from = in.x[static_cast<std::size_t>(k)];
    V* const to[3] = {&x[k].x, &x[k].y, &x[k].z};
    for (int i = 0; i < 3; ++i) {
      if constexpr (simd::is_dual_v<V>)
        simd::set_variable(*to[i], from[i], 3 * k + i);
      else
        *to[i] = from[i];
    }
  }
}

template <class V>
void evaluate(const PairInput& in, PairForces& out, [[maybe_unused]] double* stiffness,
              const MovingPair* moving = nullptr, double* stored = nullptr) {
  out = {};
  Vector3<V> x[kPairNodes];
  set_positions(in, x);
  const Frame<V> frame(in, x);
  if (!(value_of(frame.facing) > kFacingNot)) return;
  Integrals<V> integrals(in, frame, out, moving);
  for_each_point(in, frame, [&](const Planar<V>& at, const V& area) { integrals.add(at, area); });
  if (!out.touches) return;
  if (stored) *stored = integrals.stored();
  for (int k = 0; k < kPairNodes; ++k) {
    if (k % kCorners >= in.corners[k / kCorners]) continue;
    const Vector3<V> f = integrals.force(k);
    const V* const component[3] = {&f.x, &f.y, &f.z};
    for (int i = 0; i < 3; ++i) {
      out.force[static_cast<std::size_t>(k)][i] = value_of(*component[i]);
      if constexpr (simd::is_dual_v<V>) {
        double* const row = stiffness + (3 * k + i) * kPairDofs;
        simd::get_derivatives(*component[i], row);
        for (int j = 0; j < kPairDofs; ++j) row[j] = -row[j];
      }
    }
  }
}

void forces_of_pair(const PairInput& in, PairForces& out) { evaluate<double>(in, out, nullptr); }

void forces_of_moving_pair(const MovingPair& in, MovingPairForces& out) {
  out.stored = 0;
  evaluate<double>(in, out, nullptr, &in, &out.stored);
}

/// Derivatives cost as much as a hundred forces: pairs that do not touch have none.
void tangent_of_pair(const PairInput& in, PairForces& out, double* stiffness) {
  evaluate<double>(in, out, nullptr);
  std::fill_n(stiffness, kPairDofs * kPairDofs, 0.0);
  if (out.touches) evaluate<WithSlopes>(in, out, stiffness);
}

Overlap overlap_of_pair(const PairInput& in) {
  Vector3<double> x[kPairNodes];
  set_positions(in, x);
  const Frame<double> frame(in, x);
  Overlap found;
  found.facing = frame.facing;
  found.deepest = -HUGE_VAL;
  for_each_point(in, frame, [&](const Planar<double>& at, double area) {
    Shapes<double> of[2];
    for (int s = 0; s < 2; ++s)
      if (!of[s].find(frame.p + s * kCorners, in.corners[s], at)) return;
    double height = 0;
    for (int k = 0; k < in.corners[1]; ++k) height += of[1].n[k] * frame.z[kCorners + k];
    for (int k = 0; k < in.corners[0]; ++k) height -= of[0].n[k] * frame.z[k];
    found.area += area;
    found.height += area * height;
    found.deepest = std::fmax(found.deepest, in.thickness - in.side[0] * height);
  });
  if (found.area > 0.0) found.height /= found.area;
  return found;
}

constexpr PairFunctions kPairFunctions{&forces_of_pair, &tangent_of_pair, &overlap_of_pair};
const detail::RegisterPairFunctions registered_pairs(static_cast<elements::Isa>(CRUMPLE_ISA_NUMBER),
                                                     kPairFunctions);
const detail::RegisterMovingPair registered_moving_pair(static_cast<elements::Isa>(CRUMPLE_ISA_NUMBER),
                                                        &forces_of_moving_pair);

}  // namespace

}  // namespace CRUMPLE_ISA
}  // namespace crumple::contact::mortar
