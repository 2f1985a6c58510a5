// Curves that are formulas of the time: *DEFINE_CURVE_FUNCTION, and *DEFINE_FUNCTION.
#pragma once

#include <string>
#include <string_view>

#include "model/curve.hpp"

namespace crumple::model {

/// What is wrong with a formula; empty if nothing is.
struct FormulaProblem {
  std::string text;
  bool unsupported = false;  ///< else it is no formula, or has no value somewhere
};

/// Fills the points of `curve` with the values of a formula from time 0 to `end`, and a little beyond:
/// between points the formula is straight within 1e-8 of its range. A jump is a ramp of 1e-10 of `end`.
FormulaProblem sample_formula(std::string_view formula, double end, Curve& curve);

/// The same for a function in C whose value depends on its first argument only, the time. `over_place` is set
/// for another one, of which the curve has no points of meaning.
FormulaProblem sample_function(std::string_view text, double end, Curve& curve, bool& over_place);

}  // namespace crumple::model
