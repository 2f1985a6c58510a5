// Points of formulas, by bisection where these are not straight.
#include "model/formula_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "base/error.hpp"
#include "deck/expression.hpp"
#include "deck/function_text.hpp"

namespace crumple::model {

namespace {

constexpr std::size_t kFirstPieces = 4096;     ///< what is narrower than a quarter of one is not seen
constexpr std::size_t kMostPoints = 1u << 20;  ///< about 16 MB
constexpr double kTolerance = 1e-8;            ///< of the range of values
constexpr double kShortest = 1e-10;            ///< piece, of the end time
constexpr double kBeyond = 0.01;               ///< of the end time: the last step may go so far

class FormulaSampler {
 public:
  FormulaSampler(const std::function<double(double)>& formula, double end, Curve& curve)
      : value_(formula), end_(end), curve_(curve) {}

  /// Time at which the formula has no value, or there are too many points; negative: it is all right.
  double sample() {
    const std::vector<double> values = scan(0, end_, kFirstPieces);
    if (!all_finite(values)) return where_not_finite(values);
    const auto [least, most] = std::ranges::minmax(values);
    tolerance_ = std::max(kTolerance * (most - least), 1e-15 * std::max(std::abs(least), std::abs(most)));
    push(0, values[0]);
    if (!add(0, end_, values)) return failed_at_;
    const std::vector<double> beyond = scan(end_, (1 + kBeyond) * end_, kFirstPieces / 64);
    if (all_finite(beyond)) add(end_, (1 + kBeyond) * end_, beyond);
    return -1;
  }

 private:
  double at(double time) const { return value_(time); }
  std::vector<double> scan(double from, double to, std::size_t pieces) const {
    std::vector<double> values(pieces + 1);
    for (std::size_t k = 0; k <= pieces; ++k) values[k] = at(time_of(from, to, k, pieces));
    return values;
  }
  static double time_of(double from, double to, std::size_t k, std::size_t pieces) {
    return k == pieces ? to : from + (to - from) * static_cast<double>(k) / static_cast<double>(pieces);
  }
  static bool all_finite(const std::vector<double>& values) {
    return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
  }
  double where_not_finite(const std::vector<double>& values) const {
    const auto bad = std::ranges::find_if(values, [](double v) { return !std::isfinite(v); });
    return time_of(0, end_, static_cast<std::size_t>(bad - values.begin()), kFirstPieces);
  }
  void push(double time, double value) {
    curve_.x.push_back(time);
    curve_.y.push_back(value);
  }
  bool add(double from, double to, const std::vector<double>& values) {
    const std::size_t pieces = values.size() - 1;
    for (std::size_t k = 0; k < pieces; ++k)
      if (!piece(time_of(from, to, k, pieces), values[k], time_of(from, to, k + 1, pieces), values[k + 1]))
        return false;
    return true;
  }
  /// Adds the points after `a` up to `b`.
  bool piece(double a, double value_a, double b, double value_b) {
    bool straight = true;
    const double middle = at(0.5 * (a + b));
    for (const double share : {0.5, 0.25, 0.75}) {
      const double value = share == 0.5 ? middle : at(a + share * (b - a));
      straight = straight && std::abs(value - (value_a + share * (value_b - value_a))) <= tolerance_;
    }
    if (straight || b - a <= kShortest * end_) return push(b, value_b), true;
    if (!std::isfinite(middle) || curve_.x.size() > kMostPoints) return failed_at_ = a, false;
    return piece(a, value_a, 0.5 * (a + b), middle) && piece(0.5 * (a + b), middle, b, value_b);
  }

  const std::function<double(double)>& value_;
  double end_, tolerance_ = 0, failed_at_ = 0;
  Curve& curve_;
};

}  // namespace

namespace {

FormulaProblem sample(const std::function<double(double)>& value, double end, Curve& curve) {
  const double failed = FormulaSampler(value, end, curve).sample();
  if (failed >= 0)
    return {fmt::format("the formula has no finite value, or changes too often, at time {:g}", failed)};
  curve.formula_until = end;
  return {};
}

const char* const kNeedsEnd = "a formula needs an end time (ENDTIM of *CONTROL_TERMINATION)";

}  // namespace

FormulaProblem sample_formula(std::string_view formula, double end, Curve& curve) {
  if (!(end > 0)) return {kNeedsEnd, true};
  try {
    const deck::Expression expression(formula, deck::Functions::of_curves);
    for (const std::string& name : expression.names())
      if (name != "TIME" && name != "DTOR" && name != "RTOD")
        return {fmt::format("{} in the formula is not supported; TIME, PI, DTOR and RTOD are", name), true};
    const auto value = [&](double time) {
      return expression.evaluate([&](std::size_t k) {
        const std::string& name = expression.names()[k];
        return name == "TIME" ? time : name == "DTOR" ? std::numbers::pi / 180 : 180 / std::numbers::pi;
      });
    };
    return sample(value, end, curve);
  } catch (const Error& error) {
    const bool unknown = error.message().starts_with("unknown function");
    const char* const why = "; functions of nodes, elements, sensors and curves are not supported";
    return {error.message() + (unknown ? why : ""), unknown};
  }
}

FormulaProblem sample_function(std::string_view text, double end, Curve& curve, bool& over_place) {
  try {
    const deck::FunctionText function(text);
    if (function.arguments() == 0) return {"a function needs an argument"};
    over_place = false;
    for (std::size_t k = 1; k < function.arguments(); ++k) over_place = over_place || function.uses(k);
    if (over_place) {
      curve.x = {0, 1}, curve.y = {0, 0};
      return {};
    }
    if (!(end > 0)) return {kNeedsEnd, true};
    std::array<double, deck::FunctionText::kMostVariables> given{};
    const auto value = [&](double time) {
      given[0] = time;
      return function(given);
    };
    return sample(value, end, curve);
  } catch (const Error& error) {
    const bool unknown = error.message().starts_with("unknown function");
    const char* const why = "; functions of curves and other functions are not supported";
    return {error.message() + (unknown ? why : ""), unknown || error.id() == "CR-D320"};
  }
}

}  // namespace crumple::model
