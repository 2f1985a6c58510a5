// Fields of MAT_005 and MAT_014: the curve of pressure by LCID or by ten pairs.
#include "materials/foam/soil_and_foam_fields.hpp"

#include <algorithm>
#include <cmath>

#include "materials/foam/foam_fields.hpp"
#include "materials/foam/soil_and_foam_failure.hpp"
#include "materials/foam/soil_point.hpp"

namespace crumple::materials {

namespace {

/// EPS1-10 and P1-10 up to the last pair that is not all zero; strains without their sign.
model::Curve pairs_of(const model::Material& material) {
  model::Curve curve;
  int last = 0;
  for (int k = 1; k <= 10; ++k)
    if (material.field(fmt::format("EPS{}", k)) != 0 || material.field(fmt::format("P{}", k)) != 0) last = k;
  for (int k = 1; k <= last; ++k) {
    curve.x.push_back(std::abs(material.field(fmt::format("EPS{}", k))));
    curve.y.push_back(material.field(fmt::format("P{}", k)));
  }
  return curve;
}

/// Of the field LCID; signs of strains have no meaning, and the points are in the order of compression.
model::Curve curve_of(const model::Model& model, const model::Material& material) {
  const auto id = static_cast<GlobalId>(material.field("LCID"));
  const LocalId at = model.curve_index(id);
  if (at == model::kNone) refuse(material, "CR-M106", "LCID", fmt::format("there is no curve {}", id));
  model::Curve curve = model.curves[static_cast<std::size_t>(at)];
  if (curve.x.front() < 0) {
    std::ranges::reverse(curve.x);
    std::ranges::reverse(curve.y);
  }
  for (double& strain : curve.x) strain = std::abs(strain);
  return curve;
}

void check(const model::Material& material, const std::string& field, model::Curve& curve) {
  const auto unusable = [&](const std::string& why) {
    refuse(material, "CR-M107", field, fmt::format("the curve of pressure {}", why));
  };
  if (!curve.x.empty() && curve.x.front() > 0) {
    curve.x.insert(curve.x.begin(), 0.0);
    curve.y.insert(curve.y.begin(), 0.0);
  }
  if (curve.x.size() < 2) unusable(fmt::format("has {} points, it needs two", curve.x.size()));
  for (std::size_t k = 1; k < curve.x.size(); ++k) {
    if (!(curve.x[k] > curve.x[k - 1]))
      unusable(fmt::format("has strain {} after {}, they must increase in compression", curve.x[k],
                           curve.x[k - 1]));
    if (curve.y[k] < curve.y[k - 1]) unusable(fmt::format("falls from {} to {}", curve.y[k - 1], curve.y[k]));
  }
  if (curve.y.front() < 0) unusable("begins with tension");
}

/// All but the parameters; `curves` are those that `law` points to.
Prepared read_soil(const model::Model& model, const model::Material& material, SoilAndFoamLaw& law,
                   std::unique_ptr<FoamCurveStorage>& curves) {
  const bool by_curve = material.field("LCID") != 0;
  model::Curve curve = by_curve ? curve_of(model, material) : pairs_of(material);
  check(material, by_curve ? "LCID" : "EPS1", curve);
  const double no_rate[] = {0.0};
  curves = std::make_unique<FoamCurveStorage>(std::span(&curve, 1), no_rate);
  law.curve = curves->view();
  law.shear = positive_field(material, "G");
  law.unloading = positive_field(material, "KUN");
  for (int k = 0; k < 3; ++k) law.strength[k] = material.field(fmt::format("A{}", k));
  if (law.strength[0] < 0) not_negative_field(material, "A0");
  law.cutoff = material.field("PC");
  if (law.cutoff > 0)
    refuse(material, "CR-M108", "PC",
           fmt::format("PC is {}, it must not be positive: tension is", law.cutoff));
  const double vcr = material.field("VCR");
  if (vcr != 0 && vcr != 1)
    refuse(material, "CR-M105", "VCR", fmt::format("VCR = {} is neither 0 nor 1", vcr));
  law.crushes = vcr == 0;
  Prepared prepared;
  prepared.density = checked_density(material);
  const double bulk = std::max(law.unloading, curves->steepest());
  const double young = 9 * bulk * law.shear / (3 * bulk + law.shear);
  prepared.elastic = elastic_constants(young, checked_poisson(material, young / (2 * law.shear) - 1));
  return prepared;
}

}  // namespace

Prepared prepare_soil_and_foam(const model::Model& model, const model::Material& material) {
  const auto owned = std::make_shared<OwnedFoam<SoilAndFoamLaw>>();
  Prepared prepared = read_soil(model, material, owned->law, owned->curves);
  prepared.n_history = 1;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

Prepared prepare_soil_and_foam_failure(const model::Model& model, const model::Material& material) {
  const auto owned = std::make_shared<OwnedFoam<SoilAndFoamFailureLaw>>();
  Prepared prepared = read_soil(model, material, owned->law.soil, owned->curves);
  prepared.n_history = 2;
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  return prepared;
}

}  // namespace crumple::materials
