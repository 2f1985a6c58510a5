// The fields of MAT_024 and of laws that share its cards.
#include "materials/plasticity/piecewise_linear_fields.hpp"

#include <fmt/format.h>

#include <optional>

#include "materials/plasticity/j2_fields.hpp"

namespace crumple::materials {

namespace {

/// The parameters together with the curves to which they point.
struct OwnedLaw {
  J2Law law;
  std::optional<FlowCurveStorage> flow, scale;
};

GlobalId id_of(const model::Material& material, const std::string& field) {
  return static_cast<GlobalId>(material.field(field));
}

/// The flow stress where nothing has yielded must be positive, also where it is extrapolated to zero.
void check_first_yield(const model::Material& material, const std::string& field, const FlowCurves& c) {
  for (int k = 0; k < c.n_curves; ++k) {
    const double yield = c.value[k * c.n_segments] - c.slope[k * c.n_segments] * c.first;
    if (c.first > 0 && !(yield > 0))
      refuse(material, "CR-M107", field,
             fmt::format("{} begins at plastic strain {} and extrapolates to a yield stress of {} at zero",
                         field, c.first, yield));
  }
}

/// LCSS as a table: curves and rates.
void read_table(const model::Model& model, const model::Material& material, const model::Table& table,
                OwnedLaw& owned) {
  std::vector<model::Curve> curves;
  for (const LocalId curve : table.curve)
    curves.push_back(checked_curve(material, "LCSS", model.curves.at(static_cast<std::size_t>(curve))));
  if (curves.empty()) refuse(material, "CR-M107", "LCSS", fmt::format("table {} has no curves", table.id));
  for (std::size_t k = 1; k < table.value.size(); ++k)
    if (!(table.value[k] > table.value[k - 1]))
      refuse(material, "CR-M107", "LCSS", fmt::format("the rates of table {} do not increase", table.id));
  owned.flow.emplace(curves, table.value);
  if (curves.size() > 1) owned.law.rate = RateEffect::table;
}

/// Flow stress over plastic strain, from the first source that is given.
void read_flow_stress(const model::Model& model, const model::Material& material, OwnedLaw& owned) {
  const double no_rate[] = {0.0};
  if (const GlobalId id = id_of(material, "LCSS"); id != 0) {
    const LocalId curve = model.curve_index(id), table = model.table_index(id);
    if (table != model::kNone)
      read_table(model, material, model.tables[static_cast<std::size_t>(table)], owned);
    else if (curve != model::kNone)
      owned.flow.emplace(
          std::span(&checked_curve(material, "LCSS", model.curves[static_cast<std::size_t>(curve)]), 1),
          no_rate);
    else
      refuse(material, "CR-M106", "LCSS", fmt::format("there is no curve or table {}", id));
    if (owned.flow) check_first_yield(material, "LCSS", owned.flow->view());
  } else if (const auto points = flow_points(material)) {
    owned.flow.emplace(std::span(&*points, 1), no_rate);
    check_first_yield(material, "EPS1-8", owned.flow->view());
  } else {
    owned.law.yield = positive_field(material, "SIGY");
    owned.law.hardening = plastic_modulus_from_etan(material);
  }
  if (owned.flow) owned.law.curves = owned.flow->view();
}

/// Strain rate effects, unless a table has them already.
void read_rate_effect(const model::Model& model, const model::Material& material, OwnedLaw& owned) {
  J2Law& law = owned.law;
  if (law.rate == RateEffect::table) return;
  if (const GlobalId id = id_of(material, "LCSR"); id != 0) {
    const double no_rate[] = {0.0};
    owned.scale.emplace(std::span(&flow_curve(model, material, "LCSR"), 1), no_rate);
    law.scale = owned.scale->view();
    law.rate = RateEffect::scale_curve;
    return;
  }
  set_cowper_symonds(material, "C", "P", law);
  if (law.rate == RateEffect::cowper_symonds && law.viscoplastic) law.overstress = material.field("SIGY");
}

}  // namespace

Prepared prepare_piecewise_linear(const model::Model& model, const model::Material& material) {
  Prepared prepared = prepare_isotropic(material);
  const auto owned = std::make_shared<OwnedLaw>();
  owned->law.elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  set_failure_strain(material, "FAIL", owned->law);
  set_viscoplastic(material, owned->law);
  owned->law.min_time_step = prepared.min_time_step = material.field("TDEL");
  read_flow_stress(model, material, *owned);
  read_rate_effect(model, material, *owned);
  set_least_yield(owned->law);
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
