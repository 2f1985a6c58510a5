// Reads a curve of shear stress over shear strain as one over plastic strain.
#include "materials/orthotropic/shear_curve.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "materials/prepare.hpp"

namespace crumple::materials {

namespace {

/// Stress over plastic strain, from no plastic strain on.
model::Curve over_plastic_strain(const model::Material& material, const model::Curve& total, double modulus) {
  const auto unusable = [&](const std::string& why) {
    refuse(material, "CR-M107", "LCSS", fmt::format("the curve of the shear {}", why));
  };
  constexpr double kSteeper = 1.01;  // as points of a measured curve may be
  model::Curve h;
  h.x = {0.0};
  h.y = {0.0};
  double strain = 0, stress = 0;
  for (std::size_t k = 0; k < total.x.size(); ++k) {
    if (total.x[k] < 0) continue;
    if (!(total.y[k] >= stress)) unusable(fmt::format("falls to {}", total.y[k]));
    if (total.y[k] - stress > kSteeper * modulus * (total.x[k] - strain))
      unusable(fmt::format("rises faster than GAB = {} at the strain {}", modulus, total.x[k]));
    strain = total.x[k], stress = total.y[k];
    const double plastic = strain - stress / modulus;
    if (plastic <= h.x.back() + 1e-9 * strain) {
      h.y.back() = stress;
      continue;
    }
    h.x.push_back(plastic);
    h.y.push_back(stress);
  }
  if (h.x.size() < 2) unusable("never leaves the line of GAB");
  return h;
}

/// The curve, but `yield` where it is lower; it does not fall.
model::Curve raised(const model::Curve& h, double yield) {
  if (yield <= h.y.front()) return h;
  model::Curve to;
  to.x = {0.0};
  to.y = {yield};
  for (std::size_t k = 1; k < h.x.size(); ++k) {
    if (h.y[k] <= yield) continue;
    if (h.y[k - 1] <= yield) {
      const double part = (yield - h.y[k - 1]) / (h.y[k] - h.y[k - 1]);
      to.x.push_back(h.x[k - 1] + part * (h.x[k] - h.x[k - 1]));
      to.y.push_back(yield);
    }
    to.x.push_back(h.x[k]);
    to.y.push_back(h.y[k]);
  }
  if (to.x.size() < 2) {
    to.x.push_back(std::max(h.x.back(), 1.0));
    to.y.push_back(yield);
  }
  return to;
}

}  // namespace

ShearCurve read_shear_curve(const model::Model& model, const model::Material& material, double modulus,
                            ShearCurveStorage& storage) {
  ShearCurve read;
  const auto id = static_cast<GlobalId>(std::llround(material.field("LCSS")));
  const double beta = material.field("BETA"), yield = not_negative_field(material, "SIGY");
  if (!(beta >= 0 && beta <= 1)) refuse(material, "CR-M108", "BETA", "BETA must lie between 0 and 1");
  if (id == 0) {
    if (yield > 0)
      refuse(material, "CR-M105", "SIGY", "SIGY without a curve LCSS of the shear stress is not supported");
    return read;
  }
  if (model.table_index(id) != model::kNone)
    refuse(material, "CR-M105", "LCSS", "a table over strain rates is not supported");
  const LocalId at = model.curve_index(id);
  if (at == model::kNone) refuse(material, "CR-M106", "LCSS", fmt::format("there is no curve {}", id));
  if (beta < 1 && !(yield > 0))
    refuse(material, "CR-M108", "SIGY", "with BETA < 1 the shear needs SIGY > 0, where yielding begins");
  const model::Curve& total = model.curves[static_cast<std::size_t>(at)];
  const model::Curve h = raised(over_plastic_strain(material, total, modulus), beta < 1 ? yield : 0.0);
  model::Curve inverse = h;
  for (std::size_t k = 0; k < h.x.size(); ++k) {
    inverse.x[k] = h.y[k] + modulus * h.x[k];
    inverse.y[k] = h.x[k];
  }
  const double no_rate[] = {0.0};
  storage.stress = std::make_unique<FlowCurveStorage>(std::span(&h, 1), no_rate);
  storage.inverse = std::make_unique<FlowCurveStorage>(std::span(&inverse, 1), no_rate);
  read.stress = storage.stress->view();
  read.inverse = storage.inverse->view();
  read.first = h.y.front();
  read.isotropic = beta;
  read.yields = true;
  return read;
}

}  // namespace crumple::materials
