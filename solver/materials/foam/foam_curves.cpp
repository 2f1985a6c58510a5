// Reads and checks curves of foams; work of a curve by segments.
#include "materials/foam/foam_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "materials/prepare.hpp"

namespace crumple::materials {

namespace {

const model::Curve& checked_foam_curve(const model::Material& material, const std::string& field,
                                       const model::Curve& curve, bool from_origin) {
  const auto unusable = [&](const std::string& why) {
    refuse(material, "CR-M107", field, fmt::format("curve {} of {} {}", curve.id, field, why));
  };
  if (curve.x.size() < 2) unusable(fmt::format("has {} points, it needs two", curve.x.size()));
  double most = 0;
  for (std::size_t k = 0; k < curve.x.size(); ++k) {
    if (k > 0 && !(curve.x[k] > curve.x[k - 1]))
      unusable(fmt::format("has strain {} after {}, they must increase", curve.x[k], curve.x[k - 1]));
    if (curve.x[k] > 0 && curve.y[k] < 0)
      unusable(
          fmt::format("has the stress {} at strain {}: compression is positive", curve.y[k], curve.x[k]));
    most = std::max(most, curve.y[k]);
  }
  if (!(most > 0)) unusable("has no stress");
  if (!from_origin) {
    if (curve.x[0] < 0 || curve.y[0] < 0) unusable("must have no negative strain and no negative stress");
    return curve;
  }
  if (curve.x[0] > 0 || std::abs(curve(0.0)) > 1e-6 * most) unusable("must have no stress without strain");
  return curve;
}

}  // namespace

FoamCurveStorage::FoamCurveStorage(std::span<const model::Curve> curves, std::span<const double> rates)
    : flow_(curves, rates) {
  const FlowCurves& c = flow_.view();
  double sum = 0, at_zero = 0;
  for (int k = 0; k < c.n_segments; ++k) {
    const auto to = [&](double x) { return (x - c.x[k]) * (c.value[k] + 0.5 * c.slope[k] * (x - c.x[k])); };
    work_.push_back(sum);
    if (c.x[k] <= 0) at_zero = sum + to(0.0);
    if (k + 1 < c.n_segments) sum += to(c.x[k + 1]);
  }
  for (double& work : work_) work -= at_zero;
}

double FoamCurveStorage::steepest() const {
  const FlowCurves& c = flow_.view();
  double most = 0;
  for (int curve = 0; curve < c.n_curves; ++curve)
    for (int k = 0; k < c.n_segments; ++k)
      if (c.x[k] < 1) most = std::max(most, c.slope[curve * c.n_segments + k]);
  return most;
}

double FoamCurveStorage::last_slope() const {
  const FlowCurves& c = flow_.view();
  return c.slope[c.n_segments - 1];
}

namespace {

std::unique_ptr<FoamCurveStorage> read_curves_of(const model::Model& model, const model::Material& material,
                                                 const std::string& field, bool tables, bool from_origin) {
  const auto id = static_cast<GlobalId>(std::llround(material.field(field)));
  const auto curve_at = [&](LocalId index) -> const model::Curve& {
    return checked_foam_curve(material, field, model.curves.at(static_cast<std::size_t>(index)), from_origin);
  };
  const LocalId table_index = model.table_index(id), curve_index = model.curve_index(id);
  std::vector<model::Curve> curves;
  std::vector<double> rates;
  if (table_index != model::kNone) {
    if (!tables) refuse(material, "CR-M105", field, "a table over strain rates is not supported");
    const model::Table& table = model.tables[static_cast<std::size_t>(table_index)];
    rates = table.value;
    for (const LocalId index : table.curve) curves.push_back(curve_at(index));
    if (curves.empty()) refuse(material, "CR-M107", field, fmt::format("table {} has no curves", id));
    if (!std::ranges::is_sorted(rates, std::ranges::less_equal()))
      refuse(material, "CR-M107", field, fmt::format("the rates of table {} do not increase", id));
  } else if (curve_index != model::kNone) {
    curves = {curve_at(curve_index)};
    rates = {0.0};
  } else {
    refuse(material, "CR-M106", field, fmt::format("there is no curve{} {}", tables ? " or table" : "", id));
  }
  return std::make_unique<FoamCurveStorage>(curves, rates);
}

}  // namespace

std::unique_ptr<FoamCurveStorage> read_foam_curves(const model::Model& model, const model::Material& material,
                                                   const std::string& field, bool tables) {
  return read_curves_of(model, material, field, tables, true);
}

std::unique_ptr<FoamCurveStorage> read_yield_curve(const model::Model& model, const model::Material& material,
                                                   const std::string& field) {
  return read_curves_of(model, material, field, false, false);
}

std::unique_ptr<FoamCurveStorage> read_yield_table(const model::Model& model, const model::Material& material,
                                                   const std::string& field) {
  return read_curves_of(model, material, field, true, false);
}

}  // namespace crumple::materials
