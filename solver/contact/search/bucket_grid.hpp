// A uniform grid of buckets over points: which points lie in a box.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/types.hpp"

namespace crumple::contact {

struct Box {
  Vec3 low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};

  void add(const Vec3& p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  void join(const Box& b) {
    low = {std::min(low.x, b.low.x), std::min(low.y, b.low.y), std::min(low.z, b.low.z)};
    high = {std::max(high.x, b.high.x), std::max(high.y, b.high.y), std::max(high.z, b.high.z)};
  }
  Box grown(double by) const {
    return {{low.x - by, low.y - by, low.z - by}, {high.x + by, high.y + by, high.z + by}};
  }
  bool empty() const { return !(low.x <= high.x && low.y <= high.y && low.z <= high.z); }
  bool overlaps(const Box& b) const {
    return low.x <= b.high.x && b.low.x <= high.x && low.y <= b.high.y && b.low.y <= high.y &&
           low.z <= b.high.z && b.low.z <= high.z;
  }
  /// Squared distance of a point from the box, 0 inside.
  double distance2(const Vec3& p) const {
    const Vec3 d{std::max({low.x - p.x, p.x - high.x, 0.0}), std::max({low.y - p.y, p.y - high.y, 0.0}),
                 std::max({low.z - p.z, p.z - high.z, 0.0})};
    return dot(d, d);
  }
};

/// Cells of a box divided into equal bricks. A point outside belongs to the nearest cell.
class CellRange {
 public:
  using Cell = std::array<std::int32_t, 3>;

  CellRange() = default;
  CellRange(const Box& box, Cell count) : box_(box), count_(count) {
    for (int k = 0; k < 3; ++k) {
      const double extent = box.high[k] - box.low[k];
      inverse_[k] = extent > 0.0 ? count[k] / extent : 0.0;
    }
  }
  /// Cells of about `size`, at most `max_cells`.
  static CellRange of_size(const Box& box, double size, double max_cells) {
    Vec3 extent = box.high - box.low;
    const double least = 1e-9 * (extent.x + extent.y + extent.z);
    size = std::max(size, least > 0.0 ? least : 1.0);
    const auto cells = [&](double s) {
      double n = 1.0;
      for (int k = 0; k < 3; ++k) n *= std::floor(extent[k] / s) + 1.0;
      return n;
    };
    while (cells(size) > max_cells) size *= 1.25;
    Cell count{};
    for (int k = 0; k < 3; ++k) count[k] = static_cast<std::int32_t>(extent[k] / size) + 1;
    return CellRange(box, count);
  }

  const Box& box() const { return box_; }
  std::size_t size() const { return std::size_t(count_[0]) * count_[1] * count_[2]; }
  Cell cell(const Vec3& p) const {
    Cell c{};
    for (int k = 0; k < 3; ++k) {
      const double at = (p[k] - box_.low[k]) * inverse_[k];
      c[k] = at > 0.0 ? std::min(static_cast<std::int32_t>(std::min(at, 2.0e9)), count_[k] - 1) : 0;
    }
    return c;
  }
  std::size_t index(const Cell& c) const { return (std::size_t(c[2]) * count_[1] + c[1]) * count_[0] + c[0]; }
  std::size_t index(const Vec3& p) const { return index(cell(p)); }

  /// Calls `visit(first, last)` for each row of neighbouring cells that the box overlaps.
  template <class Visit>
  void for_each_row(const Box& b, Visit visit) const {
    const Cell from = cell(b.low), to = cell(b.high);
    for (std::int32_t z = from[2]; z <= to[2]; ++z)
      for (std::int32_t y = from[1]; y <= to[1]; ++y)
        visit(index(Cell{from[0], y, z}), index(Cell{to[0], y, z}));
  }

 private:
  Box box_;
  Cell count_{1, 1, 1};
  Vec3 inverse_;
};

/// Points sorted into cells.
class BucketGrid {
 public:
  /// Buckets of about `size`; memory is at most a few times the number of points. Keeps a reference to the
  /// points.
  void build(std::span<const Vec3> points, double size);

  /// The points in the order of the cells: neighbours in space are near each other in memory.
  std::span<const std::int32_t> order() const { return item_; }

  /// Calls `visit(k)`, with k an index into `order()`, for all points nearer to a box than `distance`, and
  /// for few others: four points at a time are tested in floats, with a tolerance for rounding.
  template <class Visit>
  void for_each_within(double distance, const Box& box, Visit visit) const {
    const Box grown = box.grown(distance);
    if (item_.empty() || !grown.overlaps(cells_.box())) return;
    const Vec3& origin = cells_.box().low;
    const Vec3 low = box.low - origin, high = box.high - origin, end = cells_.box().high - origin;
    double most = 0.0;
    for (int k = 0; k < 3; ++k) most = std::max({most, std::abs(low[k]), std::abs(high[k]), end[k]});
    const double reach = (distance + 1e-6 * most) * (1.0 + 1e-6);
    const auto reach2 = static_cast<float>(reach * reach);
    const auto beside = [](const Four& at, double from, double to) {
      const Four below = static_cast<float>(from) - at, above = at - static_cast<float>(to), none{};
      const Four out = below > above ? below : above;
      return out > none ? out : none;
    };
    cells_.for_each_row(grown, [&](std::size_t first, std::size_t last) {
      const std::int32_t to = begin_[last + 1];
      for (std::int32_t k = begin_[first]; k < to; k += kFour) {
        const Four x = beside(load(0, k), low.x, high.x), y = beside(load(1, k), low.y, high.y),
                   z = beside(load(2, k), low.z, high.z);
        const auto far = x * x + y * y + z * z > reach2;
        const Pair halves = (Pair)far;  // the same bits
        if ((halves[0] & halves[1]) == -1) continue;
        for (std::int32_t l = 0; l < std::min(kFour, to - k); ++l)
          if (far[l] == 0) visit(k + l);
      }
    });
  }

  /// Calls `visit(point, position)` for the points in all cells that the box overlaps; these include all
  /// points inside.
  template <class Visit>
  void for_each_near(const Box& box, Visit visit) const {
    if (item_.empty() || !box.overlaps(cells_.box())) return;
    cells_.for_each_row(box, [&](std::size_t first, std::size_t last) {
      for (std::int32_t k = begin_[first]; k < begin_[last + 1]; ++k) visit(item_[k], points_[item_[k]]);
    });
  }

 private:
  using Four [[gnu::vector_size(16)]] = float;  ///< every x86-64 and aarch64 has registers of this size
  using Pair [[gnu::vector_size(16)]] = std::int64_t;
  static constexpr std::int32_t kFour = 4;

  Four load(int component, std::int32_t k) const {
    Four four;
    std::memcpy(&four, &at_[component][k], sizeof four);
    return four;
  }

  CellRange cells_;
  std::vector<std::int32_t> begin_, fill_, cell_of_;
  std::span<const Vec3> points_;
  std::vector<std::int32_t> item_;        ///< indices of points, cell by cell
  std::array<std::vector<float>, 3> at_;  ///< positions of item_ relative to the grid's corner; padded
};

}  // namespace crumple::contact
