// The graph of rows of blocks, and the choice of an ordering of it.
#include <algorithm>
#include <numeric>

#include "implicit/linear/ordering.hpp"

namespace crumple::implicit::linear {

RowGraph row_graph(const BlockPattern& pattern) {
  RowGraph graph;
  std::vector<std::int32_t> vertex(static_cast<std::size_t>(pattern.rows()), -1);
  for (std::int32_t row = 0; row < pattern.rows(); ++row)
    if (pattern.size(row) > 0) {
      vertex[row] = graph.size();
      graph.row.push_back(row);
    }
  const auto for_each_edge = [&](auto&& act) {
    for (std::int32_t v = 0; v < graph.size(); ++v)
      for (std::int64_t b = pattern.start[graph.row[v]] + 1; b < pattern.start[graph.row[v] + 1]; ++b)
        if (const std::int32_t w = vertex[pattern.column[b]]; w >= 0) act(v, w);
  };
  graph.begin.assign(graph.row.size() + 1, 0);
  for_each_edge([&](std::int32_t v, std::int32_t w) { ++graph.begin[v + 1], ++graph.begin[w + 1]; });
  std::partial_sum(graph.begin.begin(), graph.begin.end(), graph.begin.begin());
  graph.neighbours.resize(static_cast<std::size_t>(graph.begin.back()));
  // Edges come in ascending order of v: lower neighbours of a vertex come before, and in order; so do higher
  // ones.
  std::vector<std::int64_t> next(graph.begin.begin(), graph.begin.end() - 1);
  for_each_edge([&](std::int32_t v, std::int32_t w) { graph.neighbours[next[w]++] = v; });
  for_each_edge([&](std::int32_t v, std::int32_t w) { graph.neighbours[next[v]++] = w; });
  return graph;
}

std::vector<std::int32_t> order_of(const RowGraph& graph, std::span<const Vec3> positions,
                                   Ordering ordering) {
  return ordering == Ordering::metis ? metis_order(graph) : geometric_order(graph, positions);
}

}  // namespace crumple::implicit::linear
