// The three passes over nodes.
#include "implicit/linear/amg/aggregates.hpp"

#include <algorithm>

namespace crumple::implicit::linear::amg {

namespace {

constexpr std::int32_t kNone = -1;

/// Nodes with free neighbours, and those.
void take_free_neighbourhoods(const RowPattern& graph, Aggregates& to) {
  for (std::int32_t node = 0; node < graph.rows(); ++node) {
    const auto around = graph.of(node);
    const bool alone = std::ranges::all_of(around, [&](std::int32_t other) { return other == node; });
    const auto taken = [&](std::int32_t other) { return to.of[other] != kNone; };
    if (alone || taken(node) || std::ranges::any_of(around, taken)) continue;
    to.of[node] = to.count;
    for (const std::int32_t other : around) to.of[other] = to.count;
    ++to.count;
  }
}

/// What is left joins the aggregate of the first pass of which it has most neighbours.
void join_neighbours(const RowPattern& graph, Aggregates& to) {
  const std::vector<std::int32_t> before = to.of;
  std::vector<std::int32_t> shared(static_cast<std::size_t>(to.count), 0);
  for (std::int32_t node = 0; node < graph.rows(); ++node) {
    if (before[node] != kNone) continue;
    std::int32_t best = kNone;
    for (const std::int32_t other : graph.of(node)) {
      const std::int32_t a = before[other];
      if (a == kNone) continue;
      ++shared[a];
      if (best == kNone || shared[a] > shared[best] || (shared[a] == shared[best] && a < best)) best = a;
    }
    to.of[node] = best;
    for (const std::int32_t other : graph.of(node))
      if (before[other] != kNone) shared[before[other]] = 0;
  }
}

void take_rest(const RowPattern& graph, Aggregates& to) {
  for (std::int32_t node = 0; node < graph.rows(); ++node) {
    if (to.of[node] != kNone) continue;
    to.of[node] = to.count;
    for (const std::int32_t other : graph.of(node))
      if (to.of[other] == kNone) to.of[other] = to.count;
    ++to.count;
  }
}

}  // namespace

Aggregates aggregates_of(const RowPattern& graph) {
  Aggregates made;
  made.of.assign(static_cast<std::size_t>(graph.rows()), kNone);
  take_free_neighbourhoods(graph, made);
  join_neighbours(graph, made);
  take_rest(graph, made);
  return made;
}

RowPattern node_graph(const RowPattern& rows, std::span<const std::int32_t> node, std::int32_t n_nodes) {
  RowPattern graph;
  graph.columns = n_nodes;
  graph.start.assign(static_cast<std::size_t>(n_nodes) + 1, 0);
  std::vector<std::int32_t> seen(static_cast<std::size_t>(n_nodes), kNone);
  for (std::int32_t row = 0; row < rows.rows();) {
    const std::int32_t of = node[row];
    const auto begin = static_cast<std::ptrdiff_t>(graph.column.size());
    for (; row < rows.rows() && node[row] == of; ++row)
      for (const std::int32_t column : rows.of(row)) {
        if (seen[node[column]] == of) continue;
        seen[node[column]] = of;
        graph.column.push_back(node[column]);
      }
    std::sort(graph.column.begin() + begin, graph.column.end());
    graph.start[of + 1] = static_cast<std::int64_t>(graph.column.size());
  }
  return graph;
}

}  // namespace crumple::implicit::linear::amg
