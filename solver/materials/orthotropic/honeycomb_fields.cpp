// Reads the cards of honeycombs: curves with their defaults, and the stiffest state for the stable step.
#include "materials/orthotropic/honeycomb_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "materials/orthotropic/honeycomb.hpp"
#include "model/curve.hpp"

namespace crumple::materials {

namespace {

constexpr const char* kModuli[6] = {"EAAU", "EBBU", "ECCU", "GABU", "GBCU", "GCAU"};
constexpr const char* kCurves[6] = {"LCA", "LCB", "LCC", "LCAB", "LCBC", "LCCA"};
constexpr const char* kRates[6] = {"LCSRA", "LCSRB", "LCSRC", "LCSRAB", "LCSRBC", "LCSRCA"};

/// A law with the curves to which it points.
struct OwnedHoneycomb {
  HoneycombLaw law;
  std::vector<std::unique_ptr<FlowCurveStorage>> curves;

  FlowCurves keep(const model::Curve& curve) {
    const double no_rate[] = {0.0};
    return curves.emplace_back(std::make_unique<FlowCurveStorage>(std::span(&curve, 1), no_rate))->view();
  }
};

model::Curve honeycomb_curve(const model::Model& model, const model::Material& material,
                             const std::string& field, bool may_be_zero) {
  const auto id = static_cast<GlobalId>(std::llround(material.field(field)));
  const LocalId index = model.curve_index(id);
  if (index == model::kNone) refuse(material, "CR-M106", field, fmt::format("there is no curve {}", id));
  const model::Curve& curve = model.curves[static_cast<std::size_t>(index)];
  const auto unusable = [&](const std::string& why) {
    refuse(material, "CR-M107", field, fmt::format("curve {} of {} {}", id, field, why));
  };
  if (curve.x.size() < 2) unusable(fmt::format("has {} points, it needs two", curve.x.size()));
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    if (k > 0 && !(curve.x[k] > curve.x[k - 1]))
      unusable(fmt::format("has the abscissa {} after {}, they must increase", curve.x[k], curve.x[k - 1]));
    if (!(curve.y[k] > 0) && !(may_be_zero && curve.y[k] == 0))
      unusable(fmt::format("has the ordinate {}, it must {}", curve.y[k],
                           may_be_zero ? "not be negative" : "be positive"));
  }
  return curve;
}

/// A curve over V as one over 1 - V.
model::Curve over_volumetric_strain(const model::Curve& curve) {
  if (curve.x.front() <= 0) return curve;
  model::Curve turned = curve;
  for (double& x : turned.x) x = 1 - x;
  std::ranges::reverse(turned.x);
  std::ranges::reverse(turned.y);
  return turned;
}

/// The field that gives a curve: itself, or LCA for normal stresses and LCS, then LCA, for shears.
std::string given_curve(const model::Material& material, int k) {
  if (material.field(kCurves[k]) != 0) return kCurves[k];
  return k > 2 && material.field("LCS") != 0 ? "LCS" : "LCA";
}

void read_yield_curves(const model::Model& model, const model::Material& material, OwnedHoneycomb& owned) {
  if (material.field("LCA") == 0) refuse(material, "CR-M103", "LCA", "there is no curve of s_aa");
  for (int k = 0; k < 6; ++k) {
    const model::Curve curve = honeycomb_curve(model, material, given_curve(material, k), true);
    owned.law.curve[k] = owned.keep(owned.law.by_strain ? curve : over_volumetric_strain(curve));
  }
}

void read_rate_curves(const model::Model& model, const model::Material& material, OwnedHoneycomb& owned) {
  const double rate = material.field("LCSR");
  if (rate == -1 && owned.law.by_strain) {
    for (int k = 0; k < 6; ++k)
      if (material.field(kRates[k]) != 0)
        owned.law.own_rate[k] = owned.keep(honeycomb_curve(model, material, kRates[k], false));
  } else if (rate != 0) {
    owned.law.rate = owned.keep(honeycomb_curve(model, material, "LCSR", false));
  }
}

/// What has no published equations.
void refuse_other_surfaces(const model::Material& material) {
  if (material.field("LCA") < 0)
    refuse(material, "CR-M105", "LCA",
           "the second yield surface (LCA < 0), with a yield stress over the angle off the axis a, is not "
           "supported");
  if (material.field("ECCU") < 0)
    refuse(material, "CR-M105", "ECCU", "the third yield surface (ECCU < 0) is not supported");
  for (const char* field : {"VREF", "TREF"})
    if (material.field(field) != 0)
      refuse(material, "CR-M105", field, "elements that become nonlinear springs are not supported");
}

/// The fastest wave of all states: that of the compacted material, or a modulus of the cards.
void set_stiffest(const HoneycombLaw& law, Elastic& elastic) {
  const double compacted = elastic.bulk + 4.0 / 3.0 * elastic.shear;
  const double stiffest = *std::ranges::max_element(law.modulus);
  if (stiffest <= compacted) return;
  const double factor = stiffest / compacted;
  elastic.young *= factor;
  elastic.shear *= factor;
  elastic.bulk *= factor;
}

}  // namespace

Prepared prepare_honeycomb(const model::Model& model, const model::Material& material, bool by_strain) {
  if (by_strain) refuse_other_surfaces(material);
  Prepared prepared = prepare_isotropic(material);
  const auto owned = std::make_shared<OwnedHoneycomb>();
  HoneycombLaw& law = owned->law;
  law.by_strain = by_strain;
  law.compacted = elastic_law(prepared.elastic.young, prepared.elastic.poisson);
  law.yield = positive_field(material, "SIGY");
  const double compacted = material.field("VF");
  if (!(compacted >= 0 && compacted < 1))
    refuse(material, "CR-M108", "VF", fmt::format("VF is {}, it must lie between 0 and 1", compacted));
  law.crushed = 1 - compacted;
  for (int k = 0; k < 6; ++k) law.modulus[k] = positive_field(material, kModuli[k]);
  read_yield_curves(model, material, *owned);
  read_rate_curves(model, material, *owned);
  law.tension = not_negative_field(material, "TSEF");
  law.shear = not_negative_field(material, "SSEF");
  set_stiffest(law, prepared.elastic);
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  prepared.n_history = HoneycombLaw::kHistory;
  prepared.bulk_viscosity = material.field("BULK") == 1;
  return prepared;
}

}  // namespace crumple::materials
