// Loads that are functions of time and place (*DEFINE_FUNCTION).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "deck/function_text.hpp"
#include "model/functions_tables.hpp"

namespace crumple::loads {

/// Arguments of such a function, of which a load gives the first seven or all.
inline std::array<double, 10> arguments_at(double time, const Vec3& x, const Vec3& x0, const Vec3& v = {}) {
  return {time, x[0], x[1], x[2], x0[0], x0[1], x0[2], v[0], v[1], v[2]};
}

/// The functions among the curves of a model.
class PlaceFunctions {
 public:
  explicit PlaceFunctions(const model::Model& model) : of_curve_(model.curves.size()) {
    for (const model::PlaceFunction& function : model.features.of<model::PlaceFunction>())
      of_curve_[static_cast<std::size_t>(function.curve)].emplace(function.text);
  }

  /// Null for a curve of points.
  const deck::FunctionText* of(LocalId curve) const {
    if (curve == model::kNone) return nullptr;
    const auto& found = of_curve_[static_cast<std::size_t>(curve)];
    return found ? &*found : nullptr;
  }

 private:
  std::vector<std::optional<deck::FunctionText>> of_curve_;
};

/// Largest magnitude over the run at a place at rest, for the scales of sums: these have room beyond it.
inline double largest_value(const deck::FunctionText& function, const Vec3& x, double end) {
  constexpr int kTimes = 256;
  double largest = 0.0;
  for (int k = 0; k <= kTimes; ++k) {
    const double value = std::abs(function(arguments_at(end * k / kTimes, x, x)));
    if (std::isfinite(value)) largest = std::max(largest, value);
  }
  return largest;
}

}  // namespace crumple::loads
