// A number, a curve, or curves at increasing values of a second quantity: limits and factors of failure
// models.
//
// Linear between points and between curves, constant beyond the ends of both: a limit is never extrapolated.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "materials/plasticity/flow_curves.hpp"

namespace crumple::model {
struct Material;
struct Model;
}  // namespace crumple::model

namespace crumple::materials {

/// A function of x and, where it is a table, y.
struct Tabulated {
  double constant = 0;   ///< where it has no curves
  FlowCurves curves;     ///< over x; none: the constant
  double first_row = 0;  ///< y of the first curve; those of `curves.rate` are relative to it
};

/// What ordinates must be.
enum class Ordinates { positive, fraction };

/// Owner of the curves of a law.
class TabulatedStorage {
 public:
  /// The curve with the number |id|, or the table if `tables`, which the field of a keyword names. Throws
  /// CR-M106 if there is none and CR-M107 if it cannot be used, with the field's name.
  Tabulated read(const model::Model& model, const model::Material& material, const std::string& field,
                 double id, bool tables, Ordinates ordinates = Ordinates::positive);

 private:
  std::vector<std::unique_ptr<FlowCurveStorage>> storage_;
};

/// Whether the number |id| is that of a table.
bool is_table(const model::Model& model, double id);

inline namespace CRUMPLE_ISA {

/// Its value; `y` is used by tables only.
template <class V>
V value_of(const Tabulated& t, V x, V y) {
  const FlowCurves& c = t.curves;
  if (c.n_curves == 0) return V(t.constant);
  const V inside = simd::min(simd::max(x, V(c.first)), V(c.last));
  const Segment<V> segment = find_segment(c, inside);
  if (c.n_curves == 1) {
    const Line<V> line = line_of(c, V(0), segment);
    return line.value + line.slope * (inside - segment.begin);
  }
  const RatePosition<V> row = find_rate(c, y - V(t.first_row));
  const Line<V> line =
      blend(line_of(c, row.curve, segment), line_of(c, row.curve + V(1), segment), row.weight);
  return line.value + line.slope * (inside - segment.begin);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
