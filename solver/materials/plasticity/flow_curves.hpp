// Piecewise linear curves over plastic strain or strain rate, evaluated for all lanes without branches.
//
// All curves of a set share the union of their breakpoints (which does not change the curves), so that one
// search serves a whole *DEFINE_TABLE. The search starts from a uniform grid of cells, which stores the
// segment at each cell's beginning. Then `steps` comparisons follow, the largest number of breakpoints in one
// cell.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "materials/law.hpp"
#include "model/model.hpp"
#include "simd/math.hpp"

namespace crumple::materials {

/// A curve with so few segments that it fits in registers, in the precision of a kernel; and the same as rows
/// of a segment each, for processors that load these faster.
inline constexpr int kFewSegments = simd::kTableSize;
template <class T>
struct FewSegments {
  alignas(64) T begin[kFewSegments];
  alignas(64) T end[kFewSegments];
  alignas(64) T value[kFewSegments];
  alignas(64) T slope[kFewSegments];
  alignas(64) T row[kFewSegments][4];  ///< begin, end, value, slope
};

/// A set of curves for kernels: plain pointers into a FlowCurveStorage.
struct FlowCurves {
  int n_segments = 0, n_curves = 0, n_cells = 0, steps = 0;
  double first = 0, last = 0;  ///< ends of the abscissa
  double cells_per_unit = 0;
  const double* x = nullptr;              ///< n_segments beginnings, then infinity
  const std::int32_t* cell = nullptr;     ///< n_cells
  const double* value = nullptr;          ///< [curve * n_segments + segment] at the segment's beginning
  const double* slope = nullptr;          ///< same layout
  const double* rate = nullptr;           ///< n_curves increasing strain rates, or their logarithms
  const double* inverse_width = nullptr;  ///< 1 / (rate[k + 1] - rate[k]), then 0
  bool log_rate = false;
  /// The first curve in both precisions; null where it has more segments.
  const FewSegments<double>* few_double = nullptr;
  const FewSegments<float>* few_single = nullptr;

  const FewSegments<double>& few(double) const { return *few_double; }
  const FewSegments<float>& few(float) const { return *few_single; }
};

/// Owner of a set's arrays.
class FlowCurveStorage {
 public:
  /// Curves as the model has them and the strain rate of each (one rate, of any value, for one curve).
  /// If the first rate is negative, all rates are natural logarithms. Beyond its ends a curve is extrapolated
  /// linearly, but never decreases. Preconditions, checked by `checked_curve`: two points or more, increasing
  /// abscissae.
  FlowCurveStorage(std::span<const model::Curve> curves, std::span<const double> rates);
  FlowCurveStorage(const FlowCurveStorage&) = delete;
  FlowCurveStorage& operator=(const FlowCurveStorage&) = delete;

  const FlowCurves& view() const { return view_; }

 private:
  void index_cells();

  std::vector<double> x_, value_, slope_, rate_, inverse_width_;
  std::vector<std::int32_t> cell_;
  FewSegments<double> few_double_;
  FewSegments<float> few_single_;
  FlowCurves view_;
};

inline namespace CRUMPLE_ISA {

/// The segment of each lane on the abscissa.
template <class V>
struct Segment {
  V index;
  V begin, end;  ///< abscissae of its ends; the first and the last segment extend to infinity
};

template <class V>
Segment<V> find_segment(const FlowCurves& c, V x) {
  const V cell = (x - V(c.first)) * V(c.cells_per_unit);
  // max before min: a NaN becomes 0 and stays inside the table.
  V index = simd::lookup<V>(c.cell, simd::min(simd::max(cell, V(0)), V(c.n_cells - 1)));
  for (int k = 0; k < c.steps; ++k) {
    const V next = index + V(1);
    index = simd::select(x >= simd::lookup<V>(c.x, next), next, index);
  }
  return {index, simd::lookup<V>(c.x, index), simd::lookup<V>(c.x, index + V(1))};
}

/// A curve on one segment: value at the segment's beginning and slope.
template <class V>
struct Line {
  V value, slope;
};

/// Curve `curve` (an integer in each lane) on a segment.
template <class V>
Line<V> line_of(const FlowCurves& c, V curve, const Segment<V>& segment) {
  const V i = curve * V(c.n_segments) + segment.index;
  return {simd::lookup<V>(c.value, i), simd::lookup<V>(c.slope, i)};
}

/// A segment of a curve, and the curve's line on it.
template <class V>
struct Stretch {
  Segment<V> segment;
  Line<V> line;
};

/// The segment of the first curve of a set at x, and its line. A curve with few segments is searched by
/// comparison with all breakpoints.
template <class V>
Stretch<V> find_stretch(const FlowCurves& c, V x) {
  if (c.n_segments > kFewSegments) {
    const Segment<V> segment = find_segment(c, x);
    return {segment, line_of(c, V(0), segment)};
  }
  if constexpr (simd::picks_v<V>) {
    const auto& few = c.few(simd::scalar_t<V>());
    const simd::Place<V> place = simd::place_among(few.begin + 1, c.n_segments - 1, x);
    return {{V(0), simd::pick(few.begin, place), simd::pick(few.end, place)},
            {simd::pick(few.value, place), simd::pick(few.slope, place)}};
  } else if constexpr (simd::picks_rows_v<V>) {
    const auto& few = c.few(simd::scalar_t<V>());
    const auto row = simd::pick_row(few.row, simd::place_among(few.begin + 1, c.n_segments - 1, x));
    return {{V(0), row.a, row.b}, {row.c, row.d}};
  }
  Stretch<V> s{{V(0), V(c.x[0]), V(c.x[1])}, {V(c.value[0]), V(c.slope[0])}};
  for (int k = 1; k < c.n_segments; ++k) {
    const simd::mask_t<V> beyond = x >= V(c.x[k]);
    s.segment.begin = simd::select(beyond, V(c.x[k]), s.segment.begin);
    s.segment.end = simd::select(beyond, V(c.x[k + 1]), s.segment.end);
    s.line.value = simd::select(beyond, V(c.value[k]), s.line.value);
    s.line.slope = simd::select(beyond, V(c.slope[k]), s.line.slope);
  }
  return s;
}

/// Interpolates between two lines.
template <class V>
Line<V> blend(const Line<V>& a, const Line<V>& b, V weight) {
  return {a.value + weight * (b.value - a.value), a.slope + weight * (b.slope - a.slope)};
}

/// Two neighbouring curves of a table, and the position of a strain rate between them.
template <class V>
struct RatePosition {
  V curve;         ///< the lower one; the upper is curve + 1
  V weight;        ///< of the upper one, 0 to 1: constant beyond the table's rates
  V weight_slope;  ///< d weight / d rate
};

template <class V>
RatePosition<V> find_rate(const FlowCurves& c, V strain_rate) {
  const V tiny = V(1e-30);
  const V rate = c.log_rate ? simd::log(simd::max(strain_rate, tiny)) : strain_rate;
  V curve = V(0);
  for (int k = 1; k < c.n_curves - 1; ++k) curve = simd::select(rate >= V(c.rate[k]), V(k), curve);
  const V inverse_width = simd::lookup<V>(c.inverse_width, curve);
  const V position = (rate - simd::lookup<V>(c.rate, curve)) * inverse_width;
  const V slope = c.log_rate ? inverse_width / simd::max(strain_rate, tiny) : inverse_width;
  return {curve, simd::min(simd::max(position, V(0)), V(1)),
          simd::select(position > V(0) && position < V(1), slope, V(0))};
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
