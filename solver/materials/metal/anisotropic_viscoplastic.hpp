// MAT_103 (*MAT_ANISOTROPIC_VISCOPLASTIC): Hill's plasticity with Voce's isotropic hardening, without
// viscosity and kinematic hardening, in solids and shells.
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
// point fails beyond p = FAIL. History: the axes. State: p.
#pragma once

#include "materials/metal/hill_surface.hpp"
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
};

inline namespace CRUMPLE_ISA {

/// The curve or line of the engine, and two terms of Voce.
template <class V>
class TwoVoceFlow {
 public:
  TwoVoceFlow(const AnisotropicVoce& law, V plastic_strain, V /*strain_rate*/, V /*dt*/)
      : law_(law), lines_(law, plastic_strain) {
    V slope;
    at(plastic_strain, V(0), yield_, slope);
  }
  V yield() const { return yield_; }
  void at(V p, V dp, V& k, V& slope) const {
    lines_.at(p, dp, k, slope);
    for (int i = 0; i < 2; ++i) {
      if (law_.range[i] == 0) continue;
      const V left = V(law_.range[i]) * simd::exp(V(-law_.rate_of[i]) * p);
      k += V(law_.range[i]) - left;
      slope += V(law_.rate_of[i]) * left;
    }
  }

 private:
  const AnisotropicVoce& law_;
  RateFreeFlow<V> lines_;
  V yield_ = V(0);
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

template <class V>
void update_solid(const AnisotropicVoce& law, SolidPoint<V>& point) {
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
