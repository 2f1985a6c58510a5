// Nested dissection with planes (George 1973, "Nested dissection of a regular finite element mesh"; with a
// mesh's positions in place of its graph, as Heath and Raghavan 1995): the vertices of a part are cut in two
// at the median of the longest axis; those of one half that are next to the other separate them, and are
// eliminated last. The order depends on the graph and the positions alone.
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "implicit/linear/ordering.hpp"

namespace crumple::implicit::linear {

namespace {

using Vertices = std::span<std::int32_t>;

/// A part of at most this many vertices is not cut: it becomes one dense front in any case.
constexpr std::size_t kLeaf = 12;

class Dissection {
 public:
  Dissection(const RowGraph& graph, std::span<const Vec3> positions)
      : graph_(graph), positions_(positions), half_(graph.row.size(), -1) {}

  /// Puts the vertices of a part in order of elimination.
  void dissect(Vertices part) {
    if (part.size() <= kLeaf) {
      std::sort(part.begin(), part.end());
      return;
    }
    const auto low = static_cast<std::ptrdiff_t>(cut(part));
    const std::int32_t mark = next_mark_;
    next_mark_ += 2;
    for (const std::int32_t v : part.first(low)) half_[v] = mark;
    for (const std::int32_t v : part.subspan(low)) half_[v] = mark + 1;
    // The separator is of the half that has fewer vertices next to the other.
    const auto next_to_low = [&](std::int32_t v) { return touches(v, mark); };
    const auto next_to_high = [&](std::int32_t v) { return touches(v, mark + 1); };
    const Vertices lower = part.first(low), higher = part.subspan(low);
    if (std::count_if(lower.begin(), lower.end(), next_to_high) <
        std::count_if(higher.begin(), higher.end(), next_to_low)) {
      std::rotate(part.begin(), part.begin() + low, part.end());
      split(part, static_cast<std::ptrdiff_t>(higher.size()), next_to_high);
    } else {
      split(part, low, next_to_low);
    }
  }

 private:
  double coordinate(std::int32_t v, int axis) const { return positions_[graph_.row[v]][axis]; }

  bool touches(std::int32_t v, std::int32_t mark) const {
    const auto next = graph_.of(v);
    return std::any_of(next.begin(), next.end(), [&](std::int32_t w) { return half_[w] == mark; });
  }

  /// The first `whole` vertices stay; of the rest, those for which `separates` holds go to the end.
  template <class Separates>
  void split(Vertices part, std::ptrdiff_t whole, Separates separates) {
    const auto separator = std::stable_partition(part.begin() + whole, part.end(),
                                                 [&](std::int32_t v) { return !separates(v); });
    const auto halves = separator - part.begin();
    dissect(part.first(whole));
    dissect(part.subspan(whole, halves - whole));
    dissect_separator(part.subspan(halves));
  }

  /// A separator is dense in the end; near vertices follow each other in it, so that index maps have long
  /// runs.
  void dissect_separator(Vertices part) {
    if (part.size() <= kLeaf) {
      std::sort(part.begin(), part.end());
      return;
    }
    const std::size_t low = cut(part);
    dissect_separator(part.first(low));
    dissect_separator(part.subspan(low));
  }

  int longest_axis(Vertices part) const {
    std::array<double, 3> length{};
    for (int axis = 0; axis < 3; ++axis) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (const std::int32_t v : part) {
        low = std::min(low, coordinate(v, axis));
        high = std::max(high, coordinate(v, axis));
      }
      length[axis] = high - low;
    }
    return static_cast<int>(std::max_element(length.begin(), length.end()) - length.begin());
  }

  /// Moves the lower half to the front; returns how many it has. Vertices in one plane stay together if both
  /// parts have a quarter then; else equal coordinates are told apart by number.
  std::size_t cut(Vertices part) const {
    const int axis = longest_axis(part);
    const std::size_t half = part.size() / 2;
    const auto before = [&](std::int32_t a, std::int32_t b) {
      const double x = coordinate(a, axis), y = coordinate(b, axis);
      return x < y || (x == y && a < b);
    };
    std::nth_element(part.begin(), part.begin() + half, part.end(), before);
    const double middle = coordinate(part[half], axis);
    const auto below = static_cast<std::size_t>(std::count_if(
        part.begin(), part.end(), [&](std::int32_t v) { return coordinate(v, axis) < middle; }));
    const auto up_to = static_cast<std::size_t>(std::count_if(
        part.begin(), part.end(), [&](std::int32_t v) { return coordinate(v, axis) <= middle; }));
    const bool with_plane = up_to - half < half - below;
    const std::size_t plane = with_plane ? up_to : below;
    if (std::min(plane, part.size() - plane) * 4 < part.size()) return half;
    std::partition(part.begin(), part.end(), [&](std::int32_t v) {
      return with_plane ? coordinate(v, axis) <= middle : coordinate(v, axis) < middle;
    });
    return plane;
  }

  const RowGraph& graph_;
  std::span<const Vec3> positions_;
  std::vector<std::int32_t> half_;  ///< mark of the half that a vertex was in last
  std::int32_t next_mark_ = 0;
};

}  // namespace

std::vector<std::int32_t> geometric_order(const RowGraph& graph, std::span<const Vec3> positions) {
  std::vector<std::int32_t> order(graph.row.size());
  std::iota(order.begin(), order.end(), 0);
  Dissection(graph, positions).dissect(order);
  return order;
}

}  // namespace crumple::implicit::linear
