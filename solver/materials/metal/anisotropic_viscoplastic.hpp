// MAT_103 (*MAT_ANISOTROPIC_VISCOPLASTIC): Hill's plasticity with Voce's isotropic hardening, back stresses
// and viscosity, in solids and shells.
//
// f(s) = k(p) along axes that turn with the material, p conjugate to f (Hill 1948). Solids:
//
//   f^2 = F (s_b - s_c)^2 + G (s_c - s_a)^2 + H (s_a - s_b)^2 + 2 L s_bc^2 + 2 M s_ca^2 + 2 N s_ab^2
//
// It does not depend on the mean stress, so that isotropic elasticity multiplies by 2 G what flows. With l =
// dp / f the return is (1 + 2 G l P) s = s_trial of normal stresses, P with the eigenvectors v_1 and v_2 and
// the values u_1 and u_2, and five stresses that shrink by themselves:
//
//   f^2(l) = sum u_i x_i^2 / (1 + 2 G u_i l)^2 + sum 2 N s_ab^2 / (1 + 2 N G l)^2 ...,   f(l) = k(p + l f)
//
// Shells: the function of MAT_122 from R00, R45 and R90, with its step (sheet_return.hpp).
//
// k = SIGY + QR1 (1 - exp(-CR1 p)) + QR2 (1 - exp(-CR2 p)) (Voce 1948), or with FLAG = 2 the curve LCSS. A
// point fails beyond p = FAIL. With VK k grows by VK (dp / dt)^VM. With QX1 or QX2 f is that of the stress
// less two back stresses (kinematic_hill.hpp). History: the axes; the back stresses along them, in solids by
// the five modes of f, in shells xx yy xy. State: p.
#pragma once

#include <algorithm>
#include <cmath>

#include "materials/metal/hill_surface.hpp"
#include "materials/metal/kinematic_hill.hpp"
#include "materials/metal/sheet_return.hpp"
#include "materials/orthotropic/turning_axes.hpp"

namespace crumple::materials {

/// Hill's function of solids by its modes.
struct HillModes {
  double value[2] = {1.5, 1.5};  ///< u
  double vector[2][3] = {};      ///< v
  double shear[3] = {3, 3, 3};   ///< 2 N, 2 L, 2 M: ab, bc, ca
};

/// Parameters of MAT_103.
struct AnisotropicVoce : J2Law {
  HillPlane plane;
  HillModes modes;
  double range[2] = {0, 0}, rate_of[2] = {0, 0};  ///< QR, CR
  BackStresses back;
  double viscosity = 0, viscous_power = 1;  ///< VK, VM

  static constexpr int kModes = 5, kHistoryOfBack = 2 * kModes;
  bool has_back_or_viscosity() const { return back.any() || viscosity > 0; }
};

inline namespace CRUMPLE_ISA {

/// The curve or line of the engine, and two terms of Voce.
template <class V>
class TwoVoceFlow {
 public:
  TwoVoceFlow(const AnisotropicVoce& law, V plastic_strain, V /*strain_rate*/, V dt)
      : law_(law), lines_(law, plastic_strain), dt_(dt) {
    V slope;
    at_rest(plastic_strain, V(0), yield_, slope);
  }
  V yield() const { return yield_; }
  void at(V p, V dp, V& k, V& slope) const {
    at_rest(p, dp, k, slope);
    if (law_.viscosity == 0) return;
    const V flow = simd::max(dp, V(1e-20));
    const V over = V(law_.viscosity) * simd::pow(flow / dt_, V(law_.viscous_power));
    k += over;
    slope += V(law_.viscous_power) * over / flow;
  }

 private:
  void at_rest(V p, V dp, V& k, V& slope) const {
    lines_.at(p, dp, k, slope);
    for (int i = 0; i < 2; ++i) {
      if (law_.range[i] == 0) continue;
      const V left = V(law_.range[i]) * simd::exp(V(-law_.rate_of[i]) * p);
      k += V(law_.range[i]) - left;
      slope += V(law_.rate_of[i]) * left;
    }
  }

  const AnisotropicVoce& law_;
  RateFreeFlow<V> lines_;
  V dt_, yield_ = V(0);
};

template <class V>
struct FlowOfLaw<V, AnisotropicVoce> {
  using Type = TwoVoceFlow<V>;
};

/// Five stresses that shrink by themselves, as their shares of f^2.
template <class V>
struct FiveModes {
  V square[5];
  double modulus[5];

  /// f, and df / dl.
  V at(V l, V& slope) const {
    V sum(0), fall(0);
    for (int i = 0; i < 5; ++i) {
      const V part = V(1) / (V(1) + V(modulus[i]) * l), share = square[i] * part * part;
      sum += share;
      fall += V(modulus[i]) * share * part;
    }
    const V f = simd::sqrt(simd::max(sum, V(1e-30)));
    slope = -(fall / f);
    return f;
  }

  /// l with f(l) = k(p + l f), on the lanes that yield.
  template <class Flow>
  V solve(V q, V p, simd::mask_t<V> yields, const Flow& flow) const {
    double least = modulus[0];
    for (const double m : modulus) least = m < least ? m : least;
    const V floor = simd::max(flow.yield(), V(1e-6) * q);
    BracketedNewton<V> newton{V(0), V(0), V(1000 / least) * q / floor, yields};
    for (int n = 0; n < newton.kMostIterations && simd::any(newton.active); ++n) {
      const V x = newton.x;
      V fall, k, slope;
      const V f = at(x, fall), dp = x * f;
      flow.at(p + dp, dp, k, slope);
      const V gap = k / f - V(1), rise = (slope * (f + x * fall) * f - k * fall) / (f * f);
      newton.advance(gap, x - gap / rise);
      newton.active = newton.active && simd::abs(gap) > V(newton.kTolerance);
    }
    return simd::select(yields, newton.x, V(0));
  }
};

/// The function is smooth in x^(1 / power).
inline double viscous_root(const AnisotropicVoce& law) {
  return law.viscosity > 0 && law.viscous_power < 1 ? 1 / law.viscous_power : 1;
}

template <class V, int N>
void load_back(const History<simd::scalar_t<V>>& history, int first, V (&back)[2][N]) {
  for (int k = 0; k < 2 * N; ++k) back[k / N][k % N] = history.template load<V>(first + k);
}
template <class V, int N>
void store_back(const History<simd::scalar_t<V>>& history, int first, const V (&back)[2][N]) {
  for (int k = 0; k < 2 * N; ++k) history.store(first + k, back[k / N][k % N]);
}

/// f of a stress less its back stresses.
template <class V, int N, class Operator>
V relative_norm(const Operator& op, const V (&stress)[N], const V (&back)[2][N]) {
  V relative[N];
  for (int i = 0; i < N; ++i) relative[i] = stress[i] - back[0][i] - back[1][i];
  return simd::sqrt(simd::max(op.form(relative, relative), V(1e-30)));
}

template <class V>
void update_solid_with_back(const AnisotropicVoce& law, SolidPoint<V>& point) {
  constexpr int n = AnisotropicVoce::kModes;
  along_turning_axes(point, [&](V(&d)[6], V(&s)[6]) {
    add_elastic_solid(law.elastic, d, s);
    const HillModes& of = law.modes;
    const double g = law.elastic.shear;
    DiagonalFlow<V, n> op;
    V stress[n], before[n], back[2][n];
    double least = 1e300;
    for (int i = 0; i < n; ++i) {
      op.weight[i] = i < 2 ? of.value[i] : of.shear[i - 2];
      op.modulus[i] = i < 2 ? 2 * g * of.value[i] : g * of.shear[i - 2];
      least = op.modulus[i] < least ? op.modulus[i] : least;
      stress[i] = i < 2 ? V(of.vector[i][0]) * s[0] + V(of.vector[i][1]) * s[1] + V(of.vector[i][2]) * s[2]
                        : s[i + 1];
      before[i] = stress[i];
    }
    load_back(point.history, kSolidAxes, back);
    const auto flow_back = [&](simd::mask_t<V> yields, const auto& flow) {
      V x;
      return_with_back(law.back, op, least, viscous_root(law), point.plastic_strain, yields, flow, stress,
                       back, x);
      point.plastic_strain += x;
    };
    where_it_yields(
        law, relative_norm(op, stress, back), point.plastic_strain, point.dt, [] { return V(0); }, flow_back);
    store_back(point.history, kSolidAxes, back);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j) s[j] += V(of.vector[i][j]) * (stress[i] - before[i]);
    for (int i = 2; i < n; ++i) s[i + 1] = stress[i];
  });
  point.failed = fail_points(law, point.plastic_strain, point.s);
}

/// Elasticity of plane stress times Hill's matrix, and its smallest eigenvalue.
template <class V>
PlaneFlow<V> plane_flow(const AnisotropicVoce& law, double& least) {
  const HillPlane& f = law.plane;
  const double c = law.elastic.plane, v = law.elastic.poisson * c;
  const PlaneFlow<V> op{c * f.xx + v * f.cross,
                        c * f.cross + v * f.yy,
                        v * f.xx + c * f.cross,
                        v * f.cross + c * f.yy,
                        law.elastic.shear * f.shear,
                        f.xx,
                        f.yy,
                        f.cross,
                        f.shear};
  const double half = 0.5 * (op.xx + op.yy), product = op.xx * op.yy - op.xy * op.yx;
  const double smaller = half - std::sqrt(std::max(half * half - product, 0.0));
  least = std::min(smaller, op.shear);
  return op;
}

template <class V>
void update_shell_with_back(const AnisotropicVoce& law, ShellPoint<V>& point) {
  double least = 0;
  const PlaneFlow<V> op = plane_flow<V>(law, least);
  along_axes(point, [&](V(&d)[6], V(&s)[6]) {
    add_elastic_shell(law.elastic, d, s);
    V stress[3] = {s[0], s[1], s[3]}, back[2][3], thinning(0);
    load_back(point.history, kShellAxes, back);
    const auto flow_back = [&](simd::mask_t<V> yields, const auto& flow) {
      V x;
      const auto end = return_with_back(law.back, op, least, viscous_root(law), point.plastic_strain, yields,
                                        flow, stress, back, x);
      point.plastic_strain += x;
      const V(&r)[3] = end.relative;
      const V sum = V(law.plane.xx + law.plane.cross) * r[0] + V(law.plane.yy + law.plane.cross) * r[1];
      thinning = simd::select(yields, end.multiplier * sum, V(0));
    };
    where_it_yields(
        law, relative_norm(op, stress, back), point.plastic_strain, point.dt, [] { return V(0); }, flow_back);
    store_back(point.history, kShellAxes, back);
    s[0] = stress[0];
    s[1] = stress[1];
    s[3] = stress[2];
    d[2] = V(-law.elastic.thinning) * (d[0] + d[1] - thinning) - thinning;
  });
  point.failed = fail_points(law, point.plastic_strain, point.s);
  point.d[2] = simd::select(point.failed, V(0), point.d[2]);
}

template <class V>
void update_solid(const AnisotropicVoce& law, SolidPoint<V>& point) {
  if (law.has_back_or_viscosity()) return update_solid_with_back(law, point);
  along_turning_axes(point, [&](V(&d)[6], V(&s)[6]) {
    add_elastic_solid(law.elastic, d, s);
    const HillModes& of = law.modes;
    const double g = law.elastic.shear;
    V x[2];
    FiveModes<V> modes;
    for (int i = 0; i < 2; ++i) {
      x[i] = V(of.vector[i][0]) * s[0] + V(of.vector[i][1]) * s[1] + V(of.vector[i][2]) * s[2];
      modes.square[i] = V(of.value[i]) * x[i] * x[i];
      modes.modulus[i] = 2 * g * of.value[i];
    }
    for (int i = 0; i < 3; ++i) {
      modes.square[2 + i] = V(of.shear[i]) * s[3 + i] * s[3 + i];
      modes.modulus[2 + i] = g * of.shear[i];
    }
    V fall;
    const V q = modes.at(V(0), fall);
    const auto flow_back = [&](simd::mask_t<V> yields, const auto& flow) {
      const V l = modes.solve(q, point.plastic_strain, yields, flow);
      for (int i = 0; i < 2; ++i) {
        const V part = V(modes.modulus[i]) * l, less = x[i] * part / (V(1) + part);
        for (int j = 0; j < 3; ++j) s[j] -= V(of.vector[i][j]) * less;
      }
      for (int i = 0; i < 3; ++i) s[3 + i] /= V(1) + V(modes.modulus[2 + i]) * l;
      point.plastic_strain += l * modes.at(l, fall);
    };
    where_it_yields(
        law, q, point.plastic_strain, point.dt, [] { return V(0); }, flow_back);
  });
  point.failed = fail_points(law, point.plastic_strain, point.s);
}

template <class V>
void update_shell(const AnisotropicVoce& law, ShellPoint<V>& point) {
  if (law.has_back_or_viscosity()) return update_shell_with_back(law, point);
  update_sheet(law, HillSurface<V>{law.plane}, point);
  point.failed = fail_points(law, point.plastic_strain, point.s);
  point.d[2] = simd::select(point.failed, V(0), point.d[2]);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/metal/anisotropic_fields.hpp"
#endif

CRUMPLE_LAW(AnisotropicVoce, {.number = 103,
                              .keyword = "MAT_ANISOTROPIC_VISCOPLASTIC",
                              .supports = {.solid = true, .shell = true},
                              .needs = {.material_axes = true},
                              .elastic_fields = true,
                              .cost = 3,
                              .prepare = prepare_anisotropic_viscoplastic})
