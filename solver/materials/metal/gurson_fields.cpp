// Reads the cards of MAT_120.
#include "materials/metal/gurson_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "materials/metal/gurson.hpp"
#include "materials/plasticity/j2_fields.hpp"

namespace crumple::materials {

namespace {

struct OwnedGurson {
  GursonLaw law;
  std::optional<FlowCurveStorage> flow;
  TabulatedStorage fractions;
};

/// A void fraction: a number, or a curve over the size in `curve_field`.
Tabulated fraction_of(const model::Model& model, const model::Material& material, const char* field,
                      const char* curve_field, TabulatedStorage& storage) {
  if (const double id = material.field(curve_field); id != 0)
    return storage.read(model, material, curve_field, id, false, Ordinates::fraction);
  Tabulated to;
  to.constant = material.field(field);
  if (!(to.constant >= 0 && to.constant < 1))
    refuse(material, "CR-M108", field,
           fmt::format("{} is {}, it must lie between 0 and 1", field, to.constant));
  return to;
}

/// L1-4 and FF1-4: the points up to the last that is not all zero; FF0 without them.
Tabulated fraction_at_failure(const model::Model& model, const model::Material& material,
                              TabulatedStorage& storage) {
  if (material.field("LCLF") != 0) return fraction_of(model, material, "FF0", "LCLF", storage);
  model::Curve curve;
  curve.id = 1;
  for (int k = 1; k <= 4; ++k) {
    const double length = material.field(fmt::format("L{}", k)), f = material.field(fmt::format("FF{}", k));
    if (length == 0 && f == 0) break;
    curve.x.push_back(length);
    curve.y.push_back(f);
  }
  if (curve.x.empty()) return fraction_of(model, material, "FF0", "", storage);
  if (curve.x.size() == 1) {
    Tabulated to;
    to.constant = curve.y.front();
    return to;
  }
  model::Model own;
  own.curves = {curve};
  return storage.read(own, material, "L1-4", 1, false, Ordinates::fraction);
}

double least_of(const Tabulated& t) {
  if (t.curves.n_curves == 0) return t.constant;
  double least = 1e30;
  for (int k = 0; k <= 200; ++k)
    least = std::min(least, value_of(t, t.curves.first + (t.curves.last - t.curves.first) * k / 200, 0.0));
  return least;
}
double most_of(const Tabulated& t) {
  if (t.curves.n_curves == 0) return t.constant;
  double most = 0;
  for (int k = 0; k <= 200; ++k)
    most = std::max(most, value_of(t, t.curves.first + (t.curves.last - t.curves.first) * k / 200, 0.0));
  return most;
}

void read_voids(const model::Model& model, const model::Material& material, OwnedGurson& owned) {
  GursonLaw& law = owned.law;
  law.q1 = positive_field(material, "Q1");
  law.q2 = positive_field(material, "Q2");
  law.first = fraction_of(model, material, "F0", "LCF0", owned.fractions);
  law.critical = fraction_of(model, material, "FC", "LCFC", owned.fractions);
  law.nucleating = fraction_of(model, material, "FN", "LCFN", owned.fractions);
  law.last = fraction_at_failure(model, material, owned.fractions);
  if (!(least_of(law.critical) > most_of(law.first)))
    refuse(material, "CR-M108", "FC", "FC must be greater than F0: voids join after they have grown");
  if (!(least_of(law.last) > most_of(law.critical)))
    refuse(material, "CR-M108", "FF0", "the void fraction at failure must be greater than FC");
  if (!(law.q1 * most_of(law.critical) < 1))
    refuse(material, "CR-M108", "Q1", "q1 FC must be below 1, where no strength is left");
  if (most_of(law.nucleating) > 0) {
    law.mean_strain = not_negative_field(material, "EN");
    law.deviation = positive_field(material, "SN");
  }
  const double type = material.field("VGTYP");
  if (type != 0 && type != 1 && type != 2)
    refuse(material, "CR-M105", "VGTYP", fmt::format("VGTYP = {} is not supported; 0 to 2 are", type));
  law.growth_type = static_cast<int>(type);
}

void read_gurson_flow(const model::Model& model, const model::Material& material, OwnedGurson& owned) {
  GursonLaw& law = owned.law;
  const double type = material.field("ATYP", 1), no_rate[] = {0.0};
  if (material.field("LCSS") != 0) {
    const auto id = static_cast<GlobalId>(material.field("LCSS"));
    if (model.table_index(id) != model::kNone)
      refuse(material, "CR-M105", "LCSS", "a table over strain rates is not supported, only a curve");
    owned.flow.emplace(std::span(&flow_curve(model, material, "LCSS"), 1), no_rate);
  } else if (type == 3) {
    const auto points = flow_points(material);
    if (!points) refuse(material, "CR-M103", "EPS1-8", "ATYP = 3 needs EPS1-8 and ES1-8");
    owned.flow.emplace(std::span(&*points, 1), no_rate);
  } else if (type == 0 || type == 1) {
    const double yield = positive_field(material, "SIGY"), n = positive_field(material, "N");
    if (!(n >= 1)) refuse(material, "CR-M108", "N", fmt::format("N is {}, it must be 1 or more", n));
    law.formula = Hardening::power;
    law.power_n = 1 / n;
    law.first_strain = yield / law.elastic.young;
    law.strength = yield / std::pow(law.first_strain, law.power_n);
    law.yield = yield;
  } else if (type == 2) {
    law.yield = positive_field(material, "SIGY");
    law.hardening = plastic_modulus_from_etan(material);
  } else {
    refuse(material, "CR-M105", "ATYP", fmt::format("ATYP = {} is not supported; 1 to 3 are", type));
  }
  if (owned.flow) law.curves = owned.flow->view();
  set_least_yield(law);
}

}  // namespace

Prepared prepare_gurson(const model::Model& model, const model::Material& material) {
  Prepared prepared = prepare_isotropic(material);
  const auto owned = std::make_shared<OwnedGurson>();
  owned->law.elastic = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  read_gurson_flow(model, material, *owned);
  read_voids(model, material, *owned);
  prepared.n_history = gurson_variable::count;
  prepared.points_to_fail = material.field("NUMINT", 1);
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
