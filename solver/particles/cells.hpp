// Points sorted into cubic cells, to find those near a place.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace crumple::particles {

class Cells {
 public:
  /// Sorts points into cells with sides of `size`.
  void sort(std::span<const Vec3> points, double size) {
    inverse_ = 1.0 / size;
    low_ = points.empty() ? Vec3{} : points[0];
    for (const Vec3& x : points)
      for (int k = 0; k < 3; ++k) low_[k] = std::min(low_[k], x[k]);
    members_.clear();
    for (std::size_t i = 0; i < points.size(); ++i)
      members_.emplace_back(key(cell_of(points[i])), static_cast<std::int32_t>(i));
    std::sort(members_.begin(), members_.end());
  }

  /// Calls visit(index) for the points in the cell of `x` and the 26 around it: at least all within `size`.
  template <class Visit>
  void visit_near(const Vec3& x, Visit&& visit) const {
    const Cell c = cell_of(x);
    for (std::int64_t i = -1; i <= 1; ++i)
      for (std::int64_t j = -1; j <= 1; ++j) {
        const std::int64_t first = key({c.i + i, c.j + j, c.k - 1}), last = first + 2;
        auto at = std::lower_bound(members_.begin(), members_.end(), std::pair{first, std::int32_t{0}});
        for (; at != members_.end() && at->first <= last; ++at) visit(at->second);
      }
  }

 private:
  struct Cell {
    std::int64_t i, j, k;
  };
  /// Cells of an axis beyond this many are one: a key has room for no more.
  static constexpr std::int64_t kMost = (std::int64_t{1} << 20) - 4;
  Cell cell_of(const Vec3& x) const {
    const auto along = [&](int k) {
      const double cell = std::floor((x[k] - low_[k]) * inverse_);
      return static_cast<std::int64_t>(std::clamp(cell, 0.0, static_cast<double>(kMost)));
    };
    return {along(0), along(1), along(2)};
  }
  static std::int64_t key(const Cell& c) { return (((c.i + 1) << 20 | (c.j + 1)) << 20) | (c.k + 1); }

  double inverse_ = 1;
  Vec3 low_;
  std::vector<std::pair<std::int64_t, std::int32_t>> members_;  ///< key, point
};

}  // namespace crumple::particles
