// Puts the curves of a set on their common breakpoints and indexes these for the search.
#include "materials/plasticity/flow_curves.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/curve.hpp"

namespace crumple::materials {

namespace {

constexpr int kMostCells = 4096;

/// Value of a curve with linear extrapolation, constant instead of decreasing beyond the right end.
double extended(const model::Curve& c, double x) {
  const std::size_t n = c.x.size();
  std::size_t k = std::upper_bound(c.x.begin(), c.x.end(), x) - c.x.begin();
  const bool beyond = k == n;
  k = std::clamp<std::size_t>(k, 1, n - 1);
  const double slope = (c.y[k] - c.y[k - 1]) / (c.x[k] - c.x[k - 1]);
  if (beyond) return c.y[n - 1] + std::max(slope, 0.0) * (x - c.x[n - 1]);
  return c.y[k - 1] + slope * (x - c.x[k - 1]);
}

/// Finds the segment at the beginning of each of n cells; returns the largest number of breakpoints in a
/// cell.
int fill_cells(const std::vector<double>& x, std::size_t n_segments, double width,
               std::vector<std::int32_t>& cell) {
  int most = 0;
  for (std::size_t c = 0, segment = 0; c < cell.size(); ++c) {
    const double begin = x[0] + width * double(c), end = x[0] + width * double(c + 1);
    while (segment + 1 < n_segments && x[segment + 1] <= begin) ++segment;
    cell[c] = static_cast<std::int32_t>(segment);
    std::size_t last = segment;
    while (last + 1 < n_segments && x[last + 1] < end) ++last;
    most = std::max(most, static_cast<int>(last - segment));
  }
  return most;
}

/// The first curve of a view.
template <class T>
FewSegments<T> few_segments(const FlowCurves& c) {
  FewSegments<T> few{};
  for (int k = 0; k < c.n_segments; ++k) {
    few.begin[k] = static_cast<T>(c.x[k]);
    few.end[k] = static_cast<T>(c.x[k + 1]);
    few.value[k] = static_cast<T>(c.value[k]);
    few.slope[k] = static_cast<T>(c.slope[k]);
    const T row[4] = {few.begin[k], few.end[k], few.value[k], few.slope[k]};
    std::copy_n(row, 4, few.row[k]);
  }
  return few;
}

}  // namespace

FlowCurveStorage::FlowCurveStorage(std::span<const model::Curve> curves, std::span<const double> rates)
    : rate_(rates.begin(), rates.end()) {
  std::vector<double> points;
  for (const model::Curve& c : curves) points.insert(points.end(), c.x.begin(), c.x.end());
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  // One more point, so that the last segment is the extrapolation beyond all curves.
  points.push_back(points.back() + (points.back() - points.front()));
  const std::size_t n = points.size() - 1;
  for (const model::Curve& c : curves)
    for (std::size_t k = 0; k < n; ++k) {
      const double begin = extended(c, points[k]), end = extended(c, points[k + 1]);
      value_.push_back(begin);
      slope_.push_back((end - begin) / (points[k + 1] - points[k]));
    }
  x_.assign(points.begin(), points.end() - 1);
  x_.push_back(std::numeric_limits<double>::infinity());
  for (std::size_t k = 0; k + 1 < rate_.size(); ++k) inverse_width_.push_back(1 / (rate_[k + 1] - rate_[k]));
  inverse_width_.push_back(0);

  view_.n_segments = static_cast<int>(n);
  view_.n_curves = static_cast<int>(curves.size());
  view_.first = points.front();
  view_.last = points[n - 1];
  view_.log_rate = rate_.front() < 0;
  index_cells();
  view_.x = x_.data();
  view_.cell = cell_.data();
  view_.value = value_.data();
  view_.slope = slope_.data();
  view_.rate = rate_.data();
  view_.inverse_width = inverse_width_.data();
  if (view_.n_segments > kFewSegments) return;
  few_double_ = few_segments<double>(view_);
  few_single_ = few_segments<float>(view_);
  view_.few_double = &few_double_;
  view_.few_single = &few_single_;
}

/// The coarsest grid with at most one breakpoint per cell, else the finest allowed.
void FlowCurveStorage::index_cells() {
  const std::size_t n = static_cast<std::size_t>(view_.n_segments);
  const double range = view_.last - view_.first;
  for (int cells = 1;; cells *= 2) {
    cell_.assign(static_cast<std::size_t>(cells), 0);
    view_.steps = fill_cells(x_, n, range / cells, cell_);
    if (view_.steps <= 1 || cells == kMostCells) break;
  }
  view_.cells_per_unit = double(cell_.size()) / range;
  cell_.push_back(view_.n_segments - 1);  // everything beyond the last point
  view_.n_cells = static_cast<int>(cell_.size());
}

}  // namespace crumple::materials
