// Reads and checks normalised curves of cohesive laws.
#include "materials/cohesive/normalised_curve.hpp"

#include <algorithm>
#include <cmath>

#include "materials/discrete/force_curve_fields.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

NormalisedCurve normalised_curve(const model::Model& model, const model::Material& material,
                                 const std::string& field) {
  NormalisedCurve out;
  out.curve = force_curve_of(model, material, field);
  const auto& [x, y] = std::tie(out.curve.x, out.curve.y);
  constexpr double close = 1e-6;
  const auto is = [](double value, double wanted) { return std::abs(value - wanted) < close; };
  const auto [lowest, peak] = std::ranges::minmax(y);
  if (x.size() < 3 || !is(x.front(), 0) || !is(y.front(), 0) || !is(x.back(), 1) || !is(y.back(), 0) ||
      !is(peak, 1) || lowest < -close)
    refuse(material, "CR-M107", field,
           fmt::format("curve {} of {} must be normalised: from (0, 0) by a peak of 1 to (1, 0)",
                       out.curve.id, field));
  for (std::size_t k = 0; k + 1 < x.size(); ++k) {
    out.area += 0.5 * (x[k + 1] - x[k]) * (y[k] + y[k + 1]);
    out.steepest = std::max(out.steepest, (y[k + 1] - y[k]) / (x[k + 1] - x[k]));
  }
  out.first_slope = (y[1] - y[0]) / (x[1] - x[0]);
  if (!(out.first_slope > 0))
    refuse(material, "CR-M107", field,
           fmt::format("curve {} of {} must rise from its start", out.curve.id, field));
  return out;
}

}  // namespace crumple::materials
