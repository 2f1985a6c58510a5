// MAT_004 (*MAT_ELASTIC_PLASTIC_THERMAL): J2 plasticity whose constants are tables over the temperature.
//
// At each temperature E, PR, the yield stress SIGY, and the plastic hardening modulus ETAN = dk / dp (not the
// tangent modulus that MAT_003 has under this name); linear between the temperatures of the table. The stress
// is that of the elastic strain at the present temperature,
//     s = C(T) C(T0)^-1 s0 + C(T) (d - dp - alpha dT 1),
// the integral of the rate with the term C' C^-1 s (LS-DYNA keyword manual, vol. II, MAT_004, remark 1): at a
// constant elastic strain the stress follows the moduli. The return to k(T, p) = SIGY(T) + ETAN(T) p is
// radial in three dimensions (Wilkins 1964) and, in plane stress, that of the two modes of the projected flow
// rule (Simo and Taylor 1986). Without SIGY the law is elastic. ALPHA is the instantaneous coefficient of
// expansion, which acts around the law (materials/wrappers/thermal_expansion.hpp).
//
// Elements know the elastic constants of the temperature at which waves are fastest. State: the temperature
// at the end of the step, set from outside before it (loads/temperature/temperatures.hpp), and that of the
// last update.
#pragma once

#include "materials/law.hpp"

namespace crumple::materials {

/// Temperatures of the table: at most 8.
inline constexpr int kThermalPoints = 8;

/// A constant over the temperature: that of the first point, and what is added on each segment.
struct OverTemperature {
  double first = 0;
  double rise[kThermalPoints - 1] = {};
};

struct ElasticPlasticThermalLaw {
  int n_segments = 0;
  double begin[kThermalPoints - 1] = {}, inverse[kThermalPoints - 1] = {};  ///< of segments; 1 / length
  OverTemperature young, poisson, yield, hardening;
  bool yields = false;
};

/// History: the temperature at the end of the step, and before it.
inline constexpr int kTemperature = 0, kTemperatureBefore = 1, kThermalVariables = 2;

inline namespace CRUMPLE_ISA {

/// Where a temperature lies in the table: the part of each segment below it.
template <class V>
class PlaceInTable {
 public:
  PlaceInTable(const ElasticPlasticThermalLaw& law, V temperature) : n_(law.n_segments) {
    for (int k = 0; k < n_; ++k)
      part_[k] = simd::min(simd::max((temperature - V(law.begin[k])) * V(law.inverse[k]), V(0)), V(1));
  }
  V operator()(const OverTemperature& of) const {
    V value(of.first);
    for (int k = 0; k < n_; ++k) value += part_[k] * V(of.rise[k]);
    return value;
  }

 private:
  int n_;
  V part_[kThermalPoints - 1];
};

/// Elastic constants at a temperature.
template <class V>
struct ModuliAt {
  V young, poisson, shear, bulk;
  ModuliAt(const ElasticPlasticThermalLaw& law, const PlaceInTable<V>& at)
      : young(at(law.young)),
        poisson(at(law.poisson)),
        shear(young / (V(2) * (V(1) + poisson))),
        bulk(young / (V(3) * (V(1) - V(2) * poisson))) {}
};

template <class V>
void update_solid(const ElasticPlasticThermalLaw& law, SolidPoint<V>& point) {
  const V temperature = point.history.template load<V>(kTemperature);
  const PlaceInTable<V> at(law, temperature);
  const ModuliAt<V> now(law, at);
  const ModuliAt<V> before(law, PlaceInTable<V>(law, point.history.template load<V>(kTemperatureBefore)));
  point.history.store(kTemperatureBefore, temperature);
  V(&s)[6] = point.s;
  const V(&d)[6] = point.d;
  // Nothing is added where the temperature does not change.
  const V more_shear = now.shear / before.shear - V(1), more_bulk = now.bulk / before.bulk - V(1);
  const V old_mean = V(1.0 / 3.0) * (s[0] + s[1] + s[2]);
  const V twice = now.shear + now.shear;
  const V volumetric = (now.bulk - V(1.0 / 3.0) * twice) * (d[0] + d[1] + d[2]) + more_bulk * old_mean;
  for (int i = 0; i < 3; ++i) s[i] += more_shear * (s[i] - old_mean) + volumetric + twice * d[i];
  for (int i = 3; i < 6; ++i) s[i] += more_shear * s[i] + now.shear * d[i];
  point.failed = never(point.plastic_strain);
  if (!law.yields) return;
  const V mean = V(1.0 / 3.0) * (s[0] + s[1] + s[2]);
  const V eta[6] = {s[0] - mean, s[1] - mean, s[2] - mean, s[3], s[4], s[5]};
  const V q = simd::sqrt(V(1.5) * (eta[0] * eta[0] + eta[1] * eta[1] + eta[2] * eta[2]) +
                         V(3) * (eta[3] * eta[3] + eta[4] * eta[4] + eta[5] * eta[5]));
  const V hardening = at(law.hardening), limit = at(law.yield) + hardening * point.plastic_strain;
  const simd::mask_t<V> yields = q > limit && point.dt > V(0);
  if (!simd::any(yields)) return;
  const V modulus = V(3) * now.shear;
  const V dp = simd::select(yields, (q - limit) / (modulus + hardening), V(0));
  const V part = modulus * dp / simd::select(yields, q, V(1));
  for (int i = 0; i < 6; ++i) s[i] -= part * eta[i];
  point.plastic_strain += dp;
}

/// Plane stress: q^2 = A / (1 + a x)^2 + B / (1 + b x)^2 = k(p + x q)^2, solved for x by Newton's method on
/// 1/q - 1/k, which is nearly straight. A lane that has its solution stays as it is, so that it does not
/// depend on its neighbours; two more iterations leave rounding only, and the derivatives of the solution.
template <class V>
struct PlaneReturn {
  V square_a, square_b;  ///< A, B: of half the sum of the normal stresses, and of the rest
  V a, b;
  V p, yield, hardening;
  // out
  V x{V(0)}, u{V(1)}, v{V(1)}, q{V(0)};

  void solve(simd::mask_t<V> yields) {
    constexpr double kTolerance = 1e-5;
    constexpr int kMost = 40, kMore = 2;
    for (int n = 0; n < kMost && step(yields, kTolerance); ++n) {
    }
    for (int n = 0; n < kMore; ++n) step(yields, -1);
    at_x();
  }

 private:
  void at_x() {
    u = V(1) / (V(1) + a * x);
    v = V(1) / (V(1) + b * x);
    q = simd::sqrt(square_a * u * u + square_b * v * v);
  }
  bool step(simd::mask_t<V> yields, double tolerance) {
    at_x();
    const V safe = simd::select(yields, q, V(1));
    const V falls = (a * square_a * u * u * u + b * square_b * v * v * v) / safe;  // -dq/dx
    const V k = simd::select(yields, yield + hardening * (p + x * q), V(1));
    const V rises = hardening * (q - x * falls);
    const simd::mask_t<V> active = yields && simd::abs(q - k) > V(tolerance) * k;
    const V slope = simd::select(yields, falls / (safe * safe) + rises / (k * k), V(1));
    const V newton = (V(1) / k - V(1) / safe) / slope;
    x = simd::select(active, x + newton, x);
    return simd::any(active);
  }
};

template <class V>
void update_shell(const ElasticPlasticThermalLaw& law, ShellPoint<V>& point) {
  const V temperature = point.history.template load<V>(kTemperature);
  const PlaceInTable<V> at(law, temperature);
  const ModuliAt<V> now(law, at);
  const ModuliAt<V> before(law, PlaceInTable<V>(law, point.history.template load<V>(kTemperatureBefore)));
  point.history.store(kTemperatureBefore, temperature);
  V(&s)[6] = point.s;
  const V(&d)[6] = point.d;
  const V thinner_before = before.poisson / before.young * (s[0] + s[1]);  // elastic strain across, minus it
  const V more_shear = now.shear / before.shear - V(1);
  const V area = now.young / (V(1) - now.poisson);  // (s_x + s_y) / (d_x + d_y)
  const V more_area = area * (V(1) - before.poisson) / before.young - V(1);
  const V half_sum = V(0.5) * (more_area * (s[0] + s[1]) + area * (d[0] + d[1]));
  const V half_difference = V(0.5) * more_shear * (s[0] - s[1]) + now.shear * (d[0] - d[1]);
  s[0] += half_sum + half_difference;
  s[1] += half_sum - half_difference;
  s[2] = V(0);
  for (int i = 3; i < 6; ++i) s[i] += more_shear * s[i] + now.shear * d[i];
  point.failed = never(point.plastic_strain);
  V plastic_thinning(0);
  if (law.yields) {
    const V sum = s[0] + s[1], difference = s[0] - s[1];
    PlaneReturn<V> r;
    r.square_a = V(0.25) * sum * sum;
    r.square_b = V(0.75) * difference * difference + V(3) * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
    r.a = V(0.5) * area;
    r.b = V(3) * now.shear;
    r.p = point.plastic_strain;
    r.hardening = at(law.hardening);
    r.yield = at(law.yield);
    const V limit = r.yield + r.hardening * r.p;
    const simd::mask_t<V> yields = r.square_a + r.square_b > limit * limit && point.dt > V(0);
    if (simd::any(yields)) {
      r.solve(yields);
      const V x = V(0.5) * r.u * sum, y = V(0.5) * r.v * difference;
      s[0] = simd::select(yields, x + y, s[0]);
      s[1] = simd::select(yields, x - y, s[1]);
      for (int i = 3; i < 6; ++i) s[i] = simd::select(yields, r.v * s[i], s[i]);
      point.plastic_strain = simd::select(yields, r.p + r.x * r.q, r.p);
      plastic_thinning = simd::select(yields, r.x * x, V(0));
    }
  }
  point.d[2] = thinner_before - now.poisson / now.young * (s[0] + s[1]) - plastic_thinning;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include <algorithm>
#include <string>
#include <vector>

#include "materials/expansion.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// The temperatures of MAT_004's table, which increase: those that follow are 0.
inline std::vector<double> thermal_table(const model::Material& material) {
  std::vector<double> temperatures;
  int last = 0;
  for (int k = 1; k <= kThermalPoints; ++k)
    for (const char* const name : {"T{}", "E{}"})
      if (material.field(fmt::format(fmt::runtime(name), k)) != 0) last = k;
  for (int k = 1; k <= last; ++k) {
    const std::string name = fmt::format("T{}", k);
    const double t = material.field(name);
    if (k > 1 && !(t > temperatures.back()))
      refuse(material, "CR-M108", name,
             fmt::format("{} is {}: the temperatures of the table must increase", name, t));
    temperatures.push_back(t);
  }
  if (last < 2) refuse(material, "CR-M108", "T2", "the table needs two temperatures or more");
  return temperatures;
}

/// A field of each temperature of the table: name "E{}".
inline std::vector<double> thermal_column(const model::Material& material, const char* name, std::size_t n) {
  std::vector<double> values;
  for (std::size_t k = 1; k <= n; ++k) values.push_back(material.field(fmt::format(fmt::runtime(name), k)));
  return values;
}

inline OverTemperature over_temperature(const std::vector<double>& values) {
  OverTemperature of;
  of.first = values.front();
  for (std::size_t k = 1; k < values.size(); ++k) of.rise[k - 1] = values[k] - values[k - 1];
  return of;
}

inline Prepared prepare_elastic_plastic_thermal(const model::Model&, const model::Material& material) {
  const std::vector<double> temperatures = thermal_table(material);
  const std::size_t n = temperatures.size();
  ElasticPlasticThermalLaw law;
  law.n_segments = static_cast<int>(n) - 1;
  for (std::size_t k = 1; k < n; ++k) {
    law.begin[k - 1] = temperatures[k - 1];
    law.inverse[k - 1] = 1 / (temperatures[k] - temperatures[k - 1]);
  }
  const std::vector<double> young = thermal_column(material, "E{}", n),
                            poisson = thermal_column(material, "PR{}", n),
                            yield = thermal_column(material, "SIGY{}", n),
                            hardening = thermal_column(material, "ETAN{}", n),
                            alpha = thermal_column(material, "ALPHA{}", n);
  law.yields = std::ranges::any_of(yield, [](double y) { return y != 0; });
  double fastest = 0;
  Elastic elastic;
  for (std::size_t k = 0; k < n; ++k) {
    const double e = positive_field(material, fmt::format("E{}", k + 1));
    if (!(poisson[k] > -1 && poisson[k] < 0.5))
      refuse(material, "CR-M104", fmt::format("PR{}", k + 1),
             fmt::format("Poisson's ratio is {}, it must lie between -1 and 0.5", poisson[k]));
    const Elastic here = elastic_constants(e, poisson[k]);
    if (law.yields) positive_field(material, fmt::format("SIGY{}", k + 1));
    not_negative_field(material, fmt::format("ETAN{}", k + 1));
    if (const double p_wave = here.bulk + 4.0 / 3.0 * here.shear; p_wave > fastest)
      fastest = p_wave, elastic = here;
  }
  law.young = over_temperature(young);
  law.poisson = over_temperature(poisson);
  law.yield = over_temperature(yield);
  law.hardening = over_temperature(hardening);
  Prepared prepared = prepared_with(law);
  prepared.density = checked_density(material);
  prepared.elastic = elastic;
  prepared.n_history = kThermalVariables;
  if (std::ranges::any_of(alpha, [](double a) { return a != 0; }))
    prepared.expansion = std::make_shared<Expansion>(Expansion{temperatures, alpha});
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(ElasticPlasticThermalLaw, {.number = 4,
                                       .keyword = "MAT_ELASTIC_PLASTIC_THERMAL",
                                       .supports = {.solid = true, .shell = true},
                                       .needs = {.temperature = true},
                                       .young_field = "E1",
                                       .prepare = prepare_elastic_plastic_thermal})
