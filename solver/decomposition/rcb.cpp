// Recursive coordinate bisection (Berger and Bokhari 1987, IEEE Trans. Comput. C-36, 570).
#include <algorithm>
#include <numeric>
#include <span>

#include "decomposition/partition.hpp"

namespace crumple::decomposition {

namespace {

int longest_axis(const std::vector<Point>& points, std::span<const int> items) {
  Vec3 low = points[items[0]].centre, high = low;
  for (const int i : items)
    for (int k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], points[i].centre[k]);
      high[k] = std::max(high[k], points[i].centre[k]);
    }
  const Vec3 extent = high - low;
  return extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
}

void cut(const std::vector<Point>& points, std::span<int> items, int first_rank, int ranks,
         std::vector<int>& rank) {
  if (ranks == 1 || items.empty()) {
    for (const int i : items) rank[i] = first_rank;
    return;
  }
  const int axis = longest_axis(points, items);
  std::sort(items.begin(), items.end(), [&](int a, int b) {
    const double xa = points[a].centre[axis], xb = points[b].centre[axis];
    return xa != xb ? xa < xb : points[a].order < points[b].order;
  });
  const int left = ranks / 2;
  double total = 0.0;
  for (const int i : items) total += points[i].cost;
  const double target = total * left / ranks;
  // Each side keeps at least one element per rank.
  const std::size_t least = static_cast<std::size_t>(left);
  const std::size_t most = items.size() - static_cast<std::size_t>(ranks - left);
  std::size_t at = 0;
  for (double sum = 0.0; at < most; ++at) {
    sum += points[items[at]].cost;
    if (at >= least && sum > target) break;
  }
  at = std::max(at, least);
  cut(points, items.first(at), first_rank, left, rank);
  cut(points, items.subspan(at), first_rank + left, ranks - left, rank);
}

}  // namespace

std::vector<int> bisect(const std::vector<Point>& points, int ranks) {
  std::vector<int> items(points.size()), rank(points.size(), 0);
  std::iota(items.begin(), items.end(), 0);
  cut(points, items, 0, ranks, rank);
  return rank;
}

}  // namespace crumple::decomposition
