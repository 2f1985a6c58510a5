// The partition of a whole model by the method asked for.
#include "decomposition/partition.hpp"

#include <fmt/format.h>

namespace crumple::decomposition {

Partition partition(const model::Model& model, int ranks, Method method) {
  const std::vector<Point> points = element_points(model);
  if (static_cast<std::size_t>(ranks) > points.size())
    throw Error("CR-P010", fmt::format("{} ranks for {} elements: use at most one rank per element", ranks,
                                       points.size()));
  std::vector<int> rank(points.size(), 0);
  if (ranks > 1) rank = method == Method::metis ? metis(model, points, ranks) : bisect(points, ranks);

  Partition result;
  result.ranks = ranks;
  auto next = rank.begin();
  const auto take = [&next](std::vector<int>& to, std::size_t n) {
    to.assign(next, next + static_cast<std::ptrdiff_t>(n));
    next += static_cast<std::ptrdiff_t>(n);
  };
  take(result.shells, model.shells.size());
  take(result.solids, model.solids.size());
  take(result.beams, model.beams.size());
  take(result.discretes, model.discretes.size());
  return result;
}

}  // namespace crumple::decomposition
