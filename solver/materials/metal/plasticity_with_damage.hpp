// MAT_081 (*MAT_PLASTICITY_WITH_DAMAGE): MAT_024 with softening by a damage that depends on the plastic
// strain.
//
// With the stress s~ of the undamaged material, s = (1 - w) s~ (Kachanov 1958; Lemaitre and Chaboche 1990),
// where w rises from 0 at a plastic strain of EPPF to 1 at EPPFR, where the point ruptures (LS-DYNA keyword
// manual, vol. II, MAT_081). The unloading stiffness has the factor 1 - w. An element is deleted when NUMINT
// of its points have ruptured (0: all; negative: a percentage of them). State: plastic strain; the damage is
// a function of it.
#pragma once

#include "materials/plasticity/j2_plasticity.hpp"

namespace crumple::materials {

/// Parameters of MAT_081; `plasticity.fail` is EPPFR.
struct DamageLaw {
  J2Law plasticity;
  double begin = 1e12, inverse_width = 0;  ///< EPPF, 1 / (EPPFR - EPPF)
};

inline namespace CRUMPLE_ISA {

/// 1 - w.
template <class V>
V intact(const DamageLaw& law, V plastic_strain) {
  const V damage = (plastic_strain - V(law.begin)) * V(law.inverse_width);
  return V(1) - simd::min(simd::max(damage, V(0)), V(1));
}

/// `update` works on the stress of the undamaged material.
template <class V, class Point, class Update>
void update_damaged(const DamageLaw& law, V plastic_strain, Point& point, Update update) {
  const V before = intact(law, plastic_strain);
  const V inverse = V(1) / simd::select(before > V(0), before, V(1));
  for (V& s : point.s) s *= inverse;
  update(law.plasticity, point);
  const V after = intact(law, point.plastic_strain);
  for (V& s : point.s) s *= after;
}

template <class V>
void update_solid(const DamageLaw& law, SolidPoint<V>& point) {
  update_damaged(law, point.plastic_strain, point, [](const J2Law& j2, auto& p) { update_solid(j2, p); });
}
template <class V>
void update_shell(const DamageLaw& law, ShellPoint<V>& point) {
  update_damaged(law, point.plastic_strain, point, [](const J2Law& j2, auto& p) { update_shell(j2, p); });
}
template <class V>
void update_beam(const DamageLaw& law, BeamPoint<V>& point) {
  update_damaged(law, point.plastic_strain, point, [](const J2Law& j2, auto& p) { update_beam(j2, p); });
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/plasticity/piecewise_linear_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// The parameters together with MAT_024's, whose curves they use.
struct OwnedDamageLaw {
  DamageLaw law;
  std::shared_ptr<const void> plasticity;
};

inline Prepared prepare_plasticity_with_damage(const model::Model& model, const model::Material& material) {
  Prepared prepared = prepare_piecewise_linear(model, material);
  const auto owned = std::make_shared<OwnedDamageLaw>();
  DamageLaw& law = owned->law;
  owned->plasticity = prepared.parameters;
  law.plasticity = *static_cast<const J2Law*>(prepared.parameters.get());
  law.begin = positive_field(material, "EPPF");
  law.plasticity.fail = material.field("EPPFR");
  if (!(law.plasticity.fail > law.begin))
    refuse(material, "CR-M108", "EPPFR",
           fmt::format("EPPFR is {}, it must be greater than EPPF = {}", law.plasticity.fail, law.begin));
  law.inverse_width = 1 / (law.plasticity.fail - law.begin);
  prepared.points_to_fail = material.field("NUMINT");
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(DamageLaw, {.number = 81,
                        .keyword = "MAT_PLASTICITY_WITH_DAMAGE",
                        .supports = {.solid = true, .shell = true, .beam = true},
                        .elastic_fields = true,
                        .prepare = prepare_plasticity_with_damage})
