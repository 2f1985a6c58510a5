// The fields of MAT_181: from the curve of a strip to the function of principal stretches.
#include "materials/rubber/simplified_rubber_fields.hpp"

#include <algorithm>
#include <cmath>

#include "materials/foam/foam_fields.hpp"
#include "materials/rubber/simplified_rubber.hpp"

namespace crumple::materials {

namespace {

constexpr int kPoints = 400;

void refuse_simplified_options(const model::Material& material) {
  const std::pair<const char*, const char*> options[] = {
      {"SIGF", "damping that does not depend on the frequency is not supported"},
      {"LCUNLD", "a curve of unloading is not supported; HU is"},
      {"VISCO", "the viscoelastic formulation is not supported"}};
  for (const auto& [field, why] : options)
    if (material.field(field) != 0) refuse(material, "CR-M105", field, why);
  check_reference_geometry(material);
}

/// Nominal stress of the strip over its nominal strain.
class Strip {
 public:
  Strip(const model::Model& model, const model::Material& material) {
    const auto id = static_cast<GlobalId>(std::llround(material.field("LC/TBID")));
    const LocalId index = model.curve_index(id);
    if (index == model::kNone && model.table_index(id) != model::kNone)
      refuse(material, "CR-M105", "LC/TBID", "a table over strain rates is not supported; a curve is");
    if (index == model::kNone)
      refuse(material, "CR-M106", "LC/TBID", fmt::format("there is no curve {}", id));
    const model::Curve& curve = model.curves[static_cast<std::size_t>(index)];
    const double length = positive_field(material, "SGL");
    const double area = positive_field(material, "SW") * positive_field(material, "ST");
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      strain_.push_back(curve.x[k] / length);
      stress_.push_back(curve.y[k] / area);
    }
    check(material, id);
  }

  double first() const { return strain_.front(); }
  double last() const { return strain_.back(); }
  /// Straight beyond the ends.
  double operator()(double strain) const {
    const auto above = std::ranges::upper_bound(strain_, strain) - strain_.begin();
    const auto k = static_cast<std::size_t>(
        std::clamp<std::ptrdiff_t>(above, 1, static_cast<std::ptrdiff_t>(strain_.size()) - 1));
    const double slope = (stress_[k] - stress_[k - 1]) / (strain_[k] - strain_[k - 1]);
    return stress_[k - 1] + slope * (strain - strain_[k - 1]);
  }

 private:
  void check(const model::Material& material, GlobalId id) const {
    const auto unusable = [&](const char* why) {
      refuse(material, "CR-M107", "LC/TBID", fmt::format("curve {} of LC/TBID {}", id, why));
    };
    if (strain_.size() < 2) unusable("needs two points");
    for (std::size_t k = 1; k < strain_.size(); ++k)
      if (!(strain_[k] > strain_[k - 1])) unusable("must have increasing elongations");
    if (!(first() < 0 && last() > 0)) unusable("must have compression, negative, and tension");
    if (!(first() > -1)) unusable("must have no elongation below -SGL");
    if (std::abs((*this)(0.0)) > 1e-6 * std::ranges::max(stress_))
      unusable("must have no force without elongation");
  }

  std::vector<double> strain_, stress_;
};

/// h over ln l.
model::Curve principal_function(const Strip& strip, double ratio) {
  const auto test = [&](double x) { return std::exp(x) * strip(std::expm1(x)); };
  const auto at = [&](double x) {
    double sum = 0;
    for (double y = x; std::abs(y) > 1e-14; y *= -ratio) sum += test(y);
    return sum;
  };
  const double low = std::log1p(strip.first()), high = std::log1p(strip.last());
  model::Curve h;
  for (int k = 0; k <= kPoints; ++k) h.x.push_back(low + (high - low) * k / kPoints);
  h.x.push_back(0.0);  // so that there is no stress at rest
  std::ranges::sort(h.x);
  const auto equal = [&](double a, double b) { return b - a < 1e-9 * (high - low); };
  const auto [from, to] = std::ranges::unique(h.x, equal);
  h.x.erase(from, to);
  for (double& x : h.x) {
    if (std::abs(x) < 1e-9 * (high - low)) x = 0;
    h.y.push_back(at(x));
  }
  return h;
}

/// Steepest slope of h, divided by exp(x) of its lower end if `by_stretch`.
double steepest_of(const model::Curve& h, bool by_stretch) {
  double most = 0;
  for (std::size_t k = 1; k < h.x.size(); ++k) {
    const double slope = (h.y[k] - h.y[k - 1]) / (h.x[k] - h.x[k - 1]);
    most = std::max(most, by_stretch ? slope * std::exp(-h.x[k - 1]) : slope);
  }
  return most;
}

}  // namespace

Prepared prepare_simplified_rubber(const model::Model& model, const model::Material& material) {
  refuse_simplified_options(material);
  const double poisson = material.field("PR/BETA");
  if (poisson < 0 || poisson >= 0.5)
    refuse(material, "CR-M105", "PR/BETA", "viscosity BETA is not supported; 0 is rubber, up to 0.5 foam");
  const auto owned = std::make_shared<OwnedFoam<SimplifiedRubberLaw>>();
  SimplifiedRubberLaw& law = owned->law;
  const model::Curve h = principal_function(Strip(model, material), poisson == 0 ? 0.5 : poisson);
  const double no_rate[] = {0.0};
  owned->curves = std::make_unique<FoamCurveStorage>(std::span(&h, 1), no_rate);
  law.curve = owned->curves->view();
  law.unloading = foam_unloading(material);
  Prepared prepared;
  if (poisson == 0) {
    law.bulk = positive_field(material, "KM");
    const double shear = 0.5 * steepest_of(h, false);
    const double young = 9 * law.bulk * shear / (3 * law.bulk + shear);
    prepared.elastic = {young, young / (2 * shear) - 1, shear, law.bulk};
  } else {
    law.lateral = poisson / (1 - 2 * poisson);
    prepared.elastic = elastic_constants((1 + poisson) * steepest_of(h, true), poisson);
  }
  if (!(prepared.elastic.shear > 0)) refuse(material, "CR-M107", "LC/TBID", "the curve gives no stiffness");
  prepared.parameters = std::shared_ptr<const void>(owned, &owned->law);
  prepared.density = checked_density(material);
  prepared.damping = foam_damping(material, "MU");
  prepared.n_history = 7;
  return prepared;
}

}  // namespace crumple::materials
