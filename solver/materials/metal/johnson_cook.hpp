// MAT_015 (*MAT_JOHNSON_COOK): J2 plasticity with strain rate, temperature and failure of Johnson and Cook.
//
// Flow stress (A + B p^N) (1 + C ln max(1, rate / EPSO)) (1 - T*^M) (Johnson and Cook 1983, eq. 1), with T* =
// (T - TR) / (TM - TR) between 0 and 1; at melting a thousandth is left, so that the return in plane stress
// has a solution. The rate is sqrt(2/3 d'_ij d'_ij) of the deviator of total strain or, VP = 1, of plastic
// strain. All plastic work heats the point without conduction: dT = q dp / (rho CP), q the equivalent stress;
// CP = 0: no heating. The flow stress has the temperature at the beginning of the step.
//
// Failure (Johnson and Cook 1985, eqs. 1 and 2): the sum of dp / e_f reaches 1, with the mean stress s_m,
//   e_f = max(EFMIN, (D1 + D2 exp(D3 s_m / q)) (1 + D4 ln max(1, rate / EPSO)) (1 + D5 T*)), plastic rate.
// Without D1 and D2 nothing fails.
//
// Solids have the pressure of an equation of state. SPALL (LS-DYNA keyword manual, vol. II, MAT_015): 1, the
// pressure is at least PC; 2, a principal stress of -PC or 3, a pressure of PC makes a point rubble, without
// deviator and tension from then on. PC = 0: no spall. EROD = 0 deletes what fails, otherwise it has no
// deviator from then on. State: plastic strain, temperature rise, damage; in solids after those of
// eos/hydro_history.hpp, and whether the point has spalled.
#pragma once

#include "materials/eos/hydro_point.hpp"
#include "materials/plasticity/johnson_cook_flow.hpp"
#include "materials/principal_values.hpp"

namespace crumple::materials {

/// Parameters of MAT_015. In solids the elastic constants have no bulk modulus.
struct ThermalLaw : JohnsonCookLaw {
  double exponent = 1;       ///< M
  double inverse_range = 0;  ///< 1 / (TM - TR); 0: no softening
  double heating = 0;        ///< 1 / (rho CP)
  bool fails = false;
  double d[5] = {}, least_strain = 0, inverse_failure_rate = 0;  ///< D1 to D5, EFMIN, 1 / EPSO
};
/// Shells.
struct ThermalShellLaw {
  ThermalLaw thermal;
};
/// Solids.
struct ThermalHydroLaw {
  ThermalLaw thermal;
  EquationOfState eos;
  int spall = 2;
  double cutoff = -1e30;  ///< PC
  bool eroded = true;     ///< EROD = 0
};

/// History variables, from the first of them.
enum ThermalHistory : int { kTemperatureRise = 0, kDamage = 1, kSpalled = 2 };
inline constexpr int kShellThermalVariables = 2, kSolidThermalVariables = 3;

inline namespace CRUMPLE_ISA {

/// The law at a temperature, as the engine sees it.
template <class V>
struct AtTemperature {
  const ThermalLaw& law;
  V factor;  ///< of the flow stress
  const ElasticLaw& elastic = law.elastic;
  bool viscoplastic = law.viscoplastic;
  double least_yield = 0, fail = law.fail;
  static constexpr double kinematic = 0;

  operator const J2Law&() const { return law; }
};

/// T*.
template <class V>
V homologous(const ThermalLaw& law, V rise) {
  return simd::min(rise * V(law.inverse_range), V(1));
}

template <class V>
AtTemperature<V> at_temperature(const ThermalLaw& law, V t) {
  const V power = simd::pow(simd::max(t, V(1e-20)), V(law.exponent));
  return {law, simd::max(V(1) - simd::select(t > V(0), power, V(0)), V(1e-3))};
}

/// Flow stress k and dk/dp of one step, as `FlowStress`.
template <class V>
class ThermalFlow {
 public:
  ThermalFlow(const AtTemperature<V>& at_temperature, V plastic_strain, V strain_rate, V dt)
      : cold_(at_temperature.law, plastic_strain, strain_rate, dt), factor_(at_temperature.factor) {}

  V yield() const { return factor_ * cold_.yield(); }
  V slope() const { return factor_ * cold_.slope(); }
  void at(V p, V dp, V& k, V& slope) const {
    cold_.at(p, dp, k, slope);
    k *= factor_;
    slope *= factor_;
  }
  bool is_linear() const { return false; }
  bool is_power() const { return false; }
  double exponent() const { return 1; }
  V most(V) const { return V(0); }

 private:
  JohnsonCookFlow<V> cold_;
  V factor_;
};

template <class V>
struct FlowOfLaw<V, AtTemperature<V>> {
  using Type = ThermalFlow<V>;
};

/// dp / e_f.
template <class V>
V damage_increment(const ThermalLaw& law, V dp, V dt, V mean_stress, V q, V t) {
  const V ratio = mean_stress / simd::select(q > V(0), q, V(1));
  const V rate = dp * V(law.inverse_failure_rate) / simd::select(dt > V(0), dt, V(1));
  const V strain = (V(law.d[0]) + V(law.d[1]) * simd::exp(V(law.d[2]) * ratio)) *
                   (V(1) + V(law.d[3]) * simd::log(simd::max(rate, V(1)))) * (V(1) + V(law.d[4]) * t);
  return simd::select(dp > V(0), dp / simd::max(strain, V(law.least_strain)), V(0));
}

/// Equivalent stress of a deviator.
template <class V>
V equivalent_of_deviator(const V (&s)[6]) {
  return simd::sqrt(V(1.5) * (s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) +
                    V(3) * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
}

/// The points that spall at `pressure`, with the deviator `s`.
template <class V>
simd::mask_t<V> spalls(const ThermalHydroLaw& law, const V (&s)[6], V pressure) {
  if (law.spall == 2) return principal_range(s).largest - pressure >= V(-law.cutoff);
  return pressure < V(law.cutoff);
}

template <class V>
void update_solid(const ThermalHydroLaw& law, SolidPoint<V>& point) {
  const ThermalLaw& thermal = law.thermal;
  constexpr int first = kHydroVariables;
  const auto& history = point.history;
  V rise = history.template load<V>(first + kTemperatureRise);
  V damage = history.template load<V>(first + kDamage);
  V spalled = history.template load<V>(first + kSpalled);
  const V t = homologous(thermal, rise), plastic_before = point.plastic_strain;
  const simd::mask_t<V> gone = damage >= V(1) || spalled > V(0);
  const V no_stress(0);

  HydroStep<V> step(law.eos, point);
  return_solid(at_temperature(thermal, t), point);
  const V dp = simd::select(gone, V(0), point.plastic_strain - plastic_before);
  point.plastic_strain = plastic_before + dp;
  const V q = equivalent_of_deviator(point.s);
  rise += V(thermal.heating) * step.middle() * q * dp;
  for (V& s : point.s) s = simd::select(gone, no_stress, s);
  V pressure = step.pressure();

  if (thermal.fails) damage += damage_increment(thermal, dp, point.dt, -pressure, q, t);
  if (law.spall == 1)
    pressure = simd::max(pressure, V(law.cutoff));
  else
    spalled = simd::select(spalls(law, point.s, pressure), V(1), spalled);
  const simd::mask_t<V> failed = damage >= V(1), loose = failed || spalled > V(0);
  for (V& s : point.s) s = simd::select(loose, no_stress, s);
  pressure = simd::select(spalled > V(0), simd::max(pressure, V(0)), pressure);
  step.finish(pressure);
  history.store(first + kTemperatureRise, rise);
  history.store(first + kDamage, damage);
  history.store(first + kSpalled, spalled);
  point.failed = never(q);
  if (!law.eroded) return;
  point.failed = failed;
  for (V& s : point.s) s = simd::select(failed, no_stress, s);
}

template <class V>
void update_shell(const ThermalShellLaw& law, ShellPoint<V>& point) {
  const ThermalLaw& thermal = law.thermal;
  const auto& history = point.history;
  V rise = history.template load<V>(kTemperatureRise), damage = history.template load<V>(kDamage);
  const V t = homologous(thermal, rise), plastic_before = point.plastic_strain;
  const simd::mask_t<V> gone = damage >= V(1);
  return_shell(at_temperature(thermal, t), point);
  V(&s)[6] = point.s;
  const V dp = simd::select(gone, V(0), point.plastic_strain - plastic_before);
  point.plastic_strain = plastic_before + dp;
  const V q =
      simd::sqrt(s[0] * s[0] - s[0] * s[1] + s[1] * s[1] + V(3) * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]));
  rise += V(thermal.heating) * q * dp;
  if (thermal.fails) damage += damage_increment(thermal, dp, point.dt, V(1.0 / 3) * (s[0] + s[1]), q, t);
  history.store(kTemperatureRise, rise);
  history.store(kDamage, damage);
  point.failed = damage >= V(1);
  for (V& component : s) component = simd::select(point.failed, V(0), component);
  point.d[2] = simd::select(point.failed, V(0), point.d[2]);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include <cmath>

#include "materials/eos/state_fields.hpp"
#include "materials/plasticity/j2_fields.hpp"

namespace crumple::materials {

inline constexpr Row kThermalHydro{.number = 15,
                                   .keyword = "MAT_JOHNSON_COOK",
                                   .supports = {.solid = true},
                                   .needs = {.energy = true},
                                   .updates = &updates_by_isa<ThermalHydroLaw>};

/// The softening by temperature.
inline void set_temperature(const model::Material& material, ThermalLaw& law) {
  const double heat = not_negative_field(material, "CP");
  if (heat == 0) return;
  const double range = material.field("TM") - material.field("TR");
  if (!(range > 0))
    refuse(material, "CR-M108", "TM", fmt::format("TM - TR is {}, it must be positive beside CP", range));
  law.exponent = positive_field(material, "M");
  law.inverse_range = 1 / range;
  law.heating = 1 / (checked_density(material) * heat);
}

/// All fields that solids and shells share.
inline void set_thermal(const model::Material& material, ThermalLaw& law) {
  if (const double form = material.field("RATEOP"); form != 0)
    refuse(material, "CR-M105", "RATEOP", fmt::format("RATEOP = {} is not supported, only 0", form));
  law.yield = positive_field(material, "A");
  law.b = not_negative_field(material, "B");
  law.n = not_negative_field(material, "N");
  law.c = not_negative_field(material, "C");
  set_viscoplastic(material, law);
  if (law.deviatoric_rate) refuse(material, "CR-M108", "VP", "VP is -1, it must be 0 or 1");
  law.deviatoric_rate = true;
  set_temperature(material, law);
  for (int k = 0; k < 5; ++k) law.d[k] = material.field(fmt::format("D{}", k + 1));
  law.fails = law.d[0] != 0 || law.d[1] != 0;
  law.least_strain = law.fails ? positive_field(material, "EFMIN") : 1;
  if (law.c > 0 || (law.fails && law.d[3] != 0)) {
    law.rate = RateEffect::johnson_cook;
    law.inverse_failure_rate = 1 / positive_field(material, "EPSO");
    // The engine gives the norm of the strain rate, sqrt(3/2) of its effective value.
    law.inverse_rate = (law.viscoplastic ? 1.0 : std::sqrt(2.0 / 3)) * law.inverse_failure_rate;
  }
}

inline Prepared prepare_thermal_hydro(const model::Material& material) {
  auto law = std::make_shared<ThermalHydroLaw>();
  set_thermal(material, law->thermal);
  law->eos = equation_of_state(material);
  const double shear = positive_field(material, "G"), cutoff = material.field("PC");
  law->thermal.elastic.shear = shear;
  law->thermal.elastic.lame = -2.0 / 3 * shear;
  if (!(cutoff <= 0))
    refuse(material, "CR-M108", "PC", fmt::format("PC is {}, it must not be positive", cutoff));
  if (cutoff < 0) law->cutoff = cutoff;
  const double spall = material.field("SPALL");
  if (spall != 0 && spall != 1 && spall != 2 && spall != 3)
    refuse(material, "CR-M105", "SPALL", fmt::format("SPALL = {} is not supported, only 1 to 3", spall));
  law->spall = cutoff == 0 ? 1 : spall == 0 ? 2 : static_cast<int>(spall);
  law->eroded = material.field("EROD") == 0;
  Prepared prepared = prepare_hydrodynamic(material, law->eos, shear);
  prepared.n_history += kSolidThermalVariables;
  prepared.law.row = &kThermalHydro;
  prepared.parameters = law;
  return prepared;
}

inline Prepared prepare_johnson_cook(const model::Model&, const model::Material& material) {
  if (has_equation_of_state(material)) return prepare_thermal_hydro(material);
  Prepared prepared = prepare_isotropic(material);
  auto law = std::make_shared<ThermalShellLaw>();
  set_thermal(material, law->thermal);
  law->thermal.elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  prepared.min_time_step = not_negative_field(material, "DTF");
  prepared.points_to_fail = material.field("NUMINT");
  prepared.n_history = kShellThermalVariables;
  prepared.parameters = law;
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(ThermalShellLaw, {.number = 15,
                              .keyword = "MAT_JOHNSON_COOK",
                              .supports = {.shell = true},
                              .prepare = prepare_johnson_cook})
CRUMPLE_UPDATES(ThermalHydroLaw)
