// Reads the cards of MAT_187.
#include "materials/polymer/samp_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "materials/plasticity/j2_fields.hpp"
#include "materials/plasticity/rate_table.hpp"
#include "materials/polymer/samp.hpp"

namespace crumple::materials {

namespace {

/// The law with its curves.
struct OwnedSamp {
  SampLaw law;
  std::optional<FlowCurveStorage> tension, compression, shear;
  TabulatedStorage others;
};

FlowCurves test_curve(const model::Model& model, const model::Material& material, const char* field,
                      std::optional<FlowCurveStorage>& storage) {
  if (material.field(field) == 0) return {};
  const double no_rate[] = {0.0};
  storage.emplace(std::span(&flow_curve(model, material, field), 1), no_rate);
  return storage->view();
}

/// What has another yield surface, or no equations here.
void refuse_samp_options(const model::Material& material) {
  const auto refused = [&](const char* field, const char* why) {
    if (material.field(field) != 0) refuse(material, "CR-M105", field, why);
  };
  refused("RBCFAC", "the piecewise linear yield surface of four tests is not supported");
  refused("LCID-B", "a test of biaxial tension is not supported");
  refused("LCID-TRI", "factors of the damage are not supported");
  refused("LCID-LC", "factors of the damage are not supported");
  refused("LCEMOD", "the viscoelastic modulus over the strain rate is not supported");
  refused("INCDAM", "damage by increments is not supported");
  if (material.field("INCFAIL") == 1)
    refuse(material, "CR-M105", "INCFAIL", "failure by increments is not supported");
  if (material.field("LCID-P") == 0 && material.field("NUEP") < 0)
    refuse(material, "CR-M105", "NUEP", "associated flow (NUEP < 0) is not supported");
  for (const char* field : {"EPFAIL", "DEPRPT"})
    if (material.field(field) < 0)
      refuse(material, "CR-M105", field, "a curve over rate or triaxiality is not supported");
}

void read_damage(const model::Model& model, const model::Material& material, OwnedSamp& owned) {
  SampLaw& law = owned.law;
  const double damage = material.field("LCID-D");
  law.damages = damage != 0;
  law.true_stress = damage < 0;
  if (law.damages)
    law.damage = owned.others.read(model, material, "LCID-D", damage, false, Ordinates::fraction);
  const double fails = material.field("EPFAIL");
  if (material.field("INCFAIL") == -1 || fails == 0) return;
  law.fade_begin = fails;
  law.fade_end = fails + not_negative_field(material, "DEPRPT");
}

void read_ratio(const model::Model& model, const model::Material& material, OwnedSamp& owned) {
  SampLaw& law = owned.law;
  if (const double id = material.field("LCID-P"); id != 0) {
    law.ratio = owned.others.read(model, material, "LCID-P", id, false, Ordinates::fraction);
    for (int k = 0; k < law.ratio.curves.n_segments; ++k)
      if (law.ratio.curves.value[k] > 0.5)
        refuse(material, "CR-M107", "LCID-P", "plastic Poisson's ratios must not be above 0.5");
    return;
  }
  law.ratio.constant = material.field("NUEP");
  if (law.ratio.constant > 0.5)
    refuse(material, "CR-M108", "NUEP",
           fmt::format("NUEP is {}, it must not be above 0.5", law.ratio.constant));
}

}  // namespace

Prepared prepare_samp(const model::Model& model, const model::Material& material) {
  refuse_samp_options(material);
  const double young = positive_field(material, "EMOD"),
               poisson = checked_poisson(material, material.field("NUE"));
  const auto owned = std::make_shared<OwnedSamp>();
  SampLaw& law = owned->law;
  Prepared prepared;
  prepared.density = checked_density(material);
  prepared.elastic = elastic_constants(young, poisson);
  law.elastic = elastic_law(young, poisson);
  law.bulk = prepared.elastic.bulk;
  read_rate_table(model, material, "LCID-T", owned->tension, law.tension);
  law.compression = test_curve(model, material, "LCID-C", owned->compression);
  law.shear = test_curve(model, material, "LCID-S", owned->shear);
  if (material.field("ICONV") == 1) law.convex = std::max(material.field("ASAF"), 1.0);
  read_ratio(model, material, *owned);
  read_damage(model, material, *owned);
  prepared.points_to_fail = material.field("NUMINT") == 0 ? 1 : material.field("NUMINT");
  prepared.n_history = 1;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
