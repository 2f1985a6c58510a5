// MAT_105 (*MAT_DAMAGE_2): J2 plasticity with Lemaitre's damage by plastic strain and stored energy.
//
// With the stress s~ of the undamaged material, s = (1 - D) s~ (Lemaitre 1985, J. Eng. Mater. Technol. 107,
// p. 83, eqs. 5, 16 and 25; Lemaitre 1992, A Course on Damage Mechanics, sections 2.1 to 2.3):
//
//   dD = Y / S dp   where p > EPSD and the largest principal stress pulls,
//   Y = q~^2 / (2 E) (2 (1 + nu) / 3 + 3 (1 - 2 nu) (m~ / q~)^2)
//
// with the mean m~ and von Mises's q~ of s~; Y is the energy that the elastic strain would release. In
// Lemaitre's form dD = Y / (S (1 - D)) dr, and the r of hardening grows by (1 - D) dp. S = 0 is a 200th of
// the first yield stress. The plasticity is that of MAT_024 with its curves over p and, as in VP = 1, rates
// of plastic strain. A point fails at D = DC, or at p = FAIL.
//
// History: D. State: p.
#pragma once

#include "materials/plasticity/j2_plasticity.hpp"
#include "materials/principal_values.hpp"

namespace crumple::materials {

/// Parameters of MAT_105.
struct LemaitreLaw {
  J2Law plasticity;
  double threshold = 0, inverse_s = 0, critical = 0.5;  ///< EPSD, 1 / S, DC
};

inline namespace CRUMPLE_ISA {

/// Y of an undamaged stress; 0 where no principal stress pulls.
template <class V>
V released_energy(const ElasticLaw& e, const V (&s)[6]) {
  const V mean = V(1.0 / 3) * (s[0] + s[1] + s[2]);
  const V x = s[0] - mean, y = s[1] - mean, z = s[2] - mean;
  const V square = V(1.5) * (x * x + y * y + z * z) + V(3) * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
  const V energy =
      V((1 + e.poisson) / (3 * e.young)) * square + V(1.5 * (1 - 2 * e.poisson) / e.young) * mean * mean;
  return simd::select(principal_range(s).largest > V(0), energy, V(0));
}

/// `update` works on the stress of the undamaged material.
template <class V, class Point, class Update>
void update_with_lemaitre(const LemaitreLaw& law, Point& point, Update update) {
  const V before = point.history.template load<V>(0), plastic_before = point.plastic_strain;
  const auto gone = before >= V(law.critical);
  const V whole = V(1) / simd::select(gone, V(1), V(1) - before);
  for (V& s : point.s) s *= whole;
  update(law.plasticity, point);
  const V threshold(law.threshold);
  const V by = simd::max(point.plastic_strain, threshold) - simd::max(plastic_before, threshold);
  const V grown = before + V(law.inverse_s) * released_energy(law.plasticity.elastic, point.s) * by;
  const V damage = simd::select(gone, before, simd::min(grown, V(law.critical)));
  point.history.store(0, damage);
  const auto failed = damage >= V(law.critical);
  point.plastic_strain = simd::select(gone, plastic_before, point.plastic_strain);
  for (V& s : point.s) s = simd::select(failed, V(0), (V(1) - damage) * s);
  point.failed = point.failed || failed;
}

template <class V>
void update_solid(const LemaitreLaw& law, SolidPoint<V>& point) {
  update_with_lemaitre<V>(law, point, [](const J2Law& j2, auto& p) { update_solid(j2, p); });
}
template <class V>
void update_shell(const LemaitreLaw& law, ShellPoint<V>& point) {
  update_with_lemaitre<V>(law, point, [](const J2Law& j2, auto& p) { update_shell(j2, p); });
  point.d[2] = simd::select(point.failed, V(0), point.d[2]);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/plasticity/piecewise_linear_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// The parameters together with MAT_024's, whose curves they use.
struct OwnedLemaitreLaw {
  LemaitreLaw law;
  std::shared_ptr<const void> plasticity;
};

/// The flow stress without plastic strain, of the slowest curve.
inline double first_yield(const J2Law& law) {
  const FlowCurves& c = law.curves;
  return c.n_curves == 0 ? law.yield : c.value[0] - c.slope[0] * c.first;
}

inline Prepared prepare_damage_2(const model::Model& model, const model::Material& material) {
  model::Material with_rates = material;
  with_rates.fields["VP"] = 1;
  Prepared prepared = prepare_piecewise_linear(model, with_rates);
  const auto owned = std::make_shared<OwnedLemaitreLaw>();
  LemaitreLaw& law = owned->law;
  owned->plasticity = prepared.parameters;
  law.plasticity = *static_cast<const J2Law*>(prepared.parameters.get());
  law.plasticity.overstress = 0;  // rates multiply
  law.threshold = not_negative_field(material, "EPSD");
  const double s = not_negative_field(material, "S");
  law.inverse_s = 1 / (s > 0 ? s : first_yield(law.plasticity) / 200);
  law.critical = material.field("DC") == 0 ? 0.5 : material.field("DC");
  if (!(law.critical > 0 && law.critical < 1))
    refuse(material, "CR-M108", "DC", fmt::format("DC is {}, it must lie between 0 and 1", law.critical));
  prepared.n_history = 1;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(LemaitreLaw, {.number = 105,
                          .keyword = "MAT_DAMAGE_2",
                          .supports = {.solid = true, .shell = true},
                          .elastic_fields = true,
                          .prepare = prepare_damage_2})
