// Flow stress by a formula of the plastic strain p, or by curves: of sheets and of porous metals.
//
//   power    K (e0 + p)^n - less                          (Swift 1952; less: Gosh)
//   voce     most - range exp(-c (p^q))                   (Voce 1948, q = 1; Hockett and Sherby 1975)
//
// p^q has an infinite slope at p = 0 where q < 1, so there it is (p + 1e-8)^q less its value at p = 0. Cowper
// and Symonds's factor scales them, as it scales the curve; a table over rates is for the flow stress of
// J2Law.
#pragma once

#include "materials/plasticity/j2_plasticity.hpp"

namespace crumple::materials {

enum class Hardening : int { curve, power, voce };

/// The parameters of a formula beside those of the engine, whose rates are none, Cowper and Symonds's of the
/// total strain, or a table over those of plastic strain.
struct FormulaLaw : J2Law {
  Hardening formula = Hardening::curve;  ///< curve: what J2Law says, a curve or a line
  double strength = 0, first_strain = 0, power_n = 0, less = 0;
  double most = 0, range = 0, voce_c = 0, voce_q = 1;
};

inline namespace CRUMPLE_ISA {

template <class V>
class FormulaFlow {
 public:
  FormulaFlow(const FormulaLaw& law, V plastic_strain, V strain_rate, V /*dt*/)
      : law_(law), lines_(law, plastic_strain) {
    if (law.rate == RateEffect::cowper_symonds)
      factor_ = V(1) + simd::pow(strain_rate * V(law.inverse_c), V(law.inverse_power));
    V slope;
    at(plastic_strain, V(0), yield_, slope);
  }

  V yield() const { return yield_; }

  void at(V p, V dp, V& k, V& slope) const {
    if (law_.formula == Hardening::curve)
      lines_.at(p, dp, k, slope);
    else if (law_.formula == Hardening::power)
      power(p, k, slope);
    else
      voce(p, k, slope);
    k *= factor_;
    slope *= factor_;
  }

 private:
  void power(V p, V& k, V& slope) const {
    const V strain = p + V(law_.first_strain);
    k = V(law_.strength) * simd::pow(strain, V(law_.power_n));
    slope = V(law_.power_n) * k / strain;
    if (law_.less != 0) k -= V(law_.less);
  }
  void voce(V p, V& k, V& slope) const {
    constexpr double first = 1e-8;
    const double q = law_.voce_q;
    V strain = p, steep(1);
    if (q != 1) {
      const V moved = p + V(first), raised = simd::pow(moved, V(q));
      strain = raised - simd::pow(V(first), V(q));
      steep = V(q) * raised / moved;
    }
    const V left = V(law_.range) * simd::exp(V(-law_.voce_c) * strain);
    k = V(law_.most) - left;
    slope = V(law_.voce_c) * left * steep;
  }

  const FormulaLaw& law_;
  RateFreeFlow<V> lines_;
  V yield_ = V(0), factor_ = V(1);
};

template <class V>
struct FlowOfLaw<V, FormulaLaw> {
  using Type = FormulaFlow<V>;
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
