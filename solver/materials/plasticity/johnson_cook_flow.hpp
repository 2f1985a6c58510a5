// The flow stress of Johnson and Cook without temperature, for the engine of J2 plasticity.
//
// min(SIGSAT, min(SIGMAX, A + B p^N) (1 + C ln max(1, rate / EPSO))) (Johnson and Cook 1983, eq. 1).
#pragma once

#include "materials/plasticity/j2_plasticity.hpp"

namespace crumple::materials {

/// Its parameters; A is `yield`.
struct JohnsonCookLaw : J2Law {
  double b = 0, n = 1, c = 0;
  double inverse_rate = 1;                 ///< factor from the given norm or rate to rate / EPSO
  double most_static = 1e28, most = 1e28;  ///< SIGMAX, SIGSAT
};

inline namespace CRUMPLE_ISA {

/// Flow stress k and dk/dp of one step, as `FlowStress`.
template <class V>
class JohnsonCookFlow {
 public:
  JohnsonCookFlow(const JohnsonCookLaw& law, V plastic_strain, V strain_rate, V dt) : law_(law) {
    if (law.viscoplastic)
      relative_rate_ = simd::select(dt > V(0), V(law.inverse_rate) / dt, V(0));
    else
      factor_ = rate_factor(strain_rate * V(law.inverse_rate));
    at(plastic_strain, V(0), yield_, slope_);
  }

  V yield() const { return yield_; }
  V slope() const { return slope_; }

  void at(V p, V dp, V& k, V& slope) const {
    const V flowing = simd::max(p, V(1e-20));
    const V power = simd::pow(flowing, V(law_.n));
    k = V(law_.yield) + simd::select(p > V(0), V(law_.b) * power, V(0));
    slope = simd::select(k < V(law_.most_static), V(law_.b * law_.n) * power / flowing, V(0));
    k = simd::min(k, V(law_.most_static));
    if (law_.viscoplastic) {
      const V rate = dp * relative_rate_, factor = rate_factor(rate);
      const V rise = simd::select(rate > V(1), V(law_.c) / simd::max(dp, V(1e-30)), V(0));
      slope = slope * factor + k * rise;
      k *= factor;
    } else {
      slope *= factor_;
      k *= factor_;
    }
    slope = simd::select(k < V(law_.most), slope, V(0));
    k = simd::min(k, V(law_.most));
  }

  // The engine asks this of any flow stress; this one is not a power of dp.
  bool is_linear() const { return false; }
  bool is_power() const { return false; }
  double exponent() const { return 1; }
  V most(V) const { return V(0); }

 private:
  V rate_factor(V relative) const { return V(1) + V(law_.c) * simd::log(simd::max(relative, V(1))); }

  const JohnsonCookLaw& law_;
  V yield_ = V(0), slope_ = V(0), factor_ = V(1), relative_rate_ = V(0);
};

template <class V>
struct FlowOfLaw<V, JohnsonCookLaw> {
  using Type = JohnsonCookFlow<V>;
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
