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

/// A function of x, y and z: functions of x and y at increasing values of z.
struct TabulatedSpace {
  const Tabulated* planes = nullptr;
  const double* z = nullptr;  ///< of each plane
  int n = 0;
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

  /// The same, or the table of tables with that number.
  TabulatedSpace read_space(const model::Model& model, const model::Material& material,
                            const std::string& field, double id, bool tables);

 private:
  struct Planes {
    std::vector<Tabulated> plane;
    std::vector<double> z;
  };

  std::vector<std::unique_ptr<FlowCurveStorage>> storage_;
  std::vector<std::unique_ptr<Planes>> planes_;
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

/// Its value: each plane counts by a hat function of z, so the planes beside z by their distances.
template <class V>
V value_of(const TabulatedSpace& t, V x, V y, V z) {
  if (t.n == 1) return value_of(t.planes[0], x, y);
  const V inside = simd::min(simd::max(z, V(t.z[0])), V(t.z[t.n - 1]));
  V sum(0);
  for (int k = 0; k < t.n; ++k) {
    V weight(1);
    if (k > 0) weight = simd::min(weight, (inside - V(t.z[k - 1])) * V(1 / (t.z[k] - t.z[k - 1])));
    if (k + 1 < t.n) weight = simd::min(weight, (V(t.z[k + 1]) - inside) * V(1 / (t.z[k + 1] - t.z[k])));
    sum += simd::max(weight, V(0)) * value_of(t.planes[k], x, y);
  }
  return sum;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
