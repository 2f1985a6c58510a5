// MAT_089 (*MAT_PLASTICITY_POLYMER): J2 plasticity whose curve is stress over total strain, not plastic
// strain (LS-DYNA keyword manual, vol. II, *MAT_089).
//
// Where a bar is pulled, its total strain e has the plastic part p = e - f(e) / E. So the flow stress over p
// has the points (e_k - f_k / E, f_k), of each curve of a table over the rate of strain by itself. This is
// exact between the points, too, since p is linear there. A stress of 0 at the beginning becomes a thousandth
// of the next one. Curves that are steeper than E, for which LS-DYNA raises the modulus, are refused. Beyond
// the last point the flow stress goes on straight. State: plastic strain. The update is the engine's
// (plasticity/j2_plasticity.hpp).
#pragma once

#include "materials/plasticity/j2_plasticity.hpp"

#ifdef CRUMPLE_PREPARES_LAWS
#include <fmt/format.h>

#include <optional>

#include "materials/plasticity/j2_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

/// The parameters together with the curves to which they point.
struct OwnedPolymer {
  J2Law law;
  std::optional<FlowCurveStorage> flow;
};

/// Stress over plastic strain. Throws CR-M107 for a curve that is steeper than E, or does not begin with a
/// strain of 0 or on the line of E.
inline model::Curve over_plastic_strain(const model::Material& material, const model::Curve& curve,
                                        double young) {
  constexpr double kOnLine = 1e-6;  // of a strain
  const auto unusable = [&](const std::string& why) {
    refuse(material, "CR-M107", "LCSS", fmt::format("curve {} of LCSS {}", curve.id, why));
  };
  model::Curve plastic;
  plastic.id = curve.id;
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    if (k > 0 && !(curve.x[k] > curve.x[k - 1])) unusable("does not have increasing strains");
    double p = curve.x[k] - curve.y[k] / young;
    if (plastic.x.empty() && std::abs(p) <= kOnLine * curve.x[k]) p = 0.0;
    if (plastic.x.empty() && p != 0.0) unusable("does not begin at a strain of 0 or on the line of E");
    if (!plastic.x.empty() && p <= plastic.x.back() + kOnLine * (curve.x[k] - curve.x[k - 1])) {
      // Elastic so far, along the line of E from the origin.
      if (plastic.x.size() > 1 || std::abs(p) > kOnLine * curve.x[k])
        unusable("is as steep as E, or steeper");
      plastic.y.back() = curve.y[k];
      continue;
    }
    plastic.x.push_back(p);
    plastic.y.push_back(curve.y[k]);
  }
  if (plastic.x.size() < 2) unusable("does not leave the line of E");
  if (plastic.y[0] == 0.0) plastic.y[0] = 1e-3 * plastic.y[1];
  return checked_curve(material, "LCSS", plastic);
}

inline Prepared prepare_plasticity_polymer(const model::Model& model, const model::Material& material) {
  for (const auto& [field, why] :
       {std::pair{"C", "rate effects are those of a table (LCSS); C and P are not supported"},
        {"LCSR", "rate effects are those of a table (LCSS); LCSR is not supported"},
        {"DAMP", "viscous stresses (DAMP) are not supported"},
        {"RATEFAC", "the filter of strain rates is not supported"},
        {"LCFAIL", "failure by total strain (LCFAIL) is not supported; *MAT_ADD_EROSION is"}})
    if (material.field(field) != 0) refuse(material, "CR-M105", field, why);
  Prepared prepared = prepare_isotropic(material);
  const auto owned = std::make_shared<OwnedPolymer>();
  J2Law& law = owned->law;
  law.elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  const auto id = static_cast<GlobalId>(material.field("LCSS"));
  const LocalId curve = model.curve_index(id), table = model.table_index(id);
  std::vector<model::Curve> curves;
  std::vector<double> rates{0.0};
  const auto take = [&](LocalId k) {
    curves.push_back(
        over_plastic_strain(material, model.curves.at(static_cast<std::size_t>(k)), prepared.elastic.young));
  };
  if (table != model::kNone) {
    const model::Table& over_rate = model.tables[static_cast<std::size_t>(table)];
    rates = over_rate.value;
    for (const LocalId k : over_rate.curve) take(k);
    for (std::size_t k = 1; k < rates.size(); ++k)
      if (!(rates[k] > rates[k - 1]))
        refuse(material, "CR-M107", "LCSS", fmt::format("the rates of table {} do not increase", id));
  } else if (curve != model::kNone) {
    take(curve);
  }
  if (curves.empty()) refuse(material, "CR-M106", "LCSS", fmt::format("there is no curve or table {}", id));
  owned->flow.emplace(curves, rates);
  law.curves = owned->flow->view();
  if (curves.size() > 1) law.rate = RateEffect::table;
  set_least_yield(law);
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_ROW(J2Law, {.number = 89,
                    .keyword = "MAT_PLASTICITY_POLYMER",
                    .supports = {.solid = true, .shell = true},
                    .elastic_fields = true,
                    .prepare = prepare_plasticity_polymer})
