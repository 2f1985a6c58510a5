// Makes fronts of columns: supernodes, which of them are joined, and the rows of each.
#include "implicit/linear/fronts.hpp"

#include <algorithm>
#include <numeric>

namespace crumple::implicit::linear {

namespace {

/// A front before its rows are known.
struct Draft {
  std::vector<std::int32_t> children;
  std::vector<std::int32_t> places;  ///< of the tree, that it eliminates
  FrontShape shape;
  double entries = 0;  ///< that are not zero
  bool joined = false;
};

/// Joining fronts is worth it while the share of zeros in them is below a limit that falls with their pivots:
/// small fronts cost calls more than operations.
bool worth_joining(const FrontShape& joined, double entries) {
  const double zeros = 1.0 - entries / joined.entries();
  if (joined.pivots <= 24) return zeros < 0.7;
  if (joined.pivots <= 64) return zeros < 0.2;
  if (joined.pivots <= 192) return zeros < 0.08;
  return zeros < 0.03;
}

/// Places of the same column but for the diagonal follow each other.
std::vector<Draft> supernodes(const EliminationTree& tree, std::span<const std::int32_t> sizes,
                              std::vector<std::int32_t>& parent) {
  const auto n = static_cast<std::int32_t>(tree.order.size());
  std::vector<Draft> drafts;
  std::vector<std::int32_t> of(tree.order.size());
  for (std::int32_t j = 0; j < n; ++j) {
    const bool goes_on =
        j > 0 && tree.parent[j - 1] == j && tree.count[j - 1] == tree.count[j] + sizes[tree.order[j - 1]];
    if (!goes_on) {
      drafts.emplace_back();
      drafts.back().shape.order = tree.count[j];
    }
    drafts.back().places.push_back(j);
    drafts.back().shape.pivots += sizes[tree.order[j]];
    of[j] = static_cast<std::int32_t>(drafts.size()) - 1;
  }
  parent.assign(drafts.size(), -1);
  for (std::size_t s = 0; s < drafts.size(); ++s) {
    drafts[s].entries = drafts[s].shape.entries();
    const std::int32_t up = tree.parent[drafts[s].places.back()];
    if (up == -1) continue;
    parent[s] = of[up];
    drafts[parent[s]].children.push_back(static_cast<std::int32_t>(s));
  }
  return drafts;
}

FrontShape joined_shape(const FrontShape& child, const FrontShape& parent) {
  return {child.pivots + parent.order, child.pivots + parent.pivots};
}

/// Joins children to their parents, from below: of each parent, those first that bring the fewest zeros.
void join_children(std::vector<Draft>& drafts, std::vector<std::int32_t>& parent) {
  for (std::size_t s = 0; s < drafts.size(); ++s) {
    Draft& into = drafts[s];
    std::vector<std::int32_t> candidates = into.children;
    const auto zeros = [&](std::int32_t c) {
      const Draft& of = drafts[c];
      return joined_shape(of.shape, into.shape).entries() - of.entries - into.entries;
    };
    std::vector<std::pair<double, std::int32_t>> ranked;
    for (const std::int32_t c : candidates) ranked.emplace_back(zeros(c), c);
    std::sort(ranked.begin(), ranked.end());
    std::vector<std::int32_t> children;
    for (const auto& [unused, c] : ranked) {
      Draft& child = drafts[c];
      const FrontShape shape = joined_shape(child.shape, into.shape);
      if (!worth_joining(shape, child.entries + into.entries)) {
        children.push_back(c);
        continue;
      }
      into.shape = shape;
      into.entries += child.entries;
      into.places.insert(into.places.end(), child.places.begin(), child.places.end());
      for (const std::int32_t below : child.children) parent[below] = static_cast<std::int32_t>(s);
      children.insert(children.end(), child.children.begin(), child.children.end());
      child = {};
      child.joined = true;
    }
    into.children = std::move(children);
    std::sort(into.places.begin(), into.places.end());
  }
}

/// Rank of each front among its siblings: those that need much more to be made than they leave come first.
std::vector<double> ranks_by_memory(const std::vector<Draft>& drafts) {
  std::vector<double> peak(drafts.size(), 0.0), rank(drafts.size(), 0.0);
  for (std::size_t s = 0; s < drafts.size(); ++s) {
    if (drafts[s].joined) continue;
    std::vector<std::int32_t> children = drafts[s].children;
    std::sort(children.begin(), children.end(),
              [&](auto a, auto b) { return rank[a] < rank[b] || (rank[a] == rank[b] && a < b); });
    double kept = 0, most = 0;
    for (const std::int32_t c : children) {
      most = std::max(most, kept + peak[c]);
      kept += double(drafts[c].shape.update_values());
    }
    const auto own = double(drafts[s].shape.update_values());
    peak[s] = std::max(most, kept + own);
    rank[s] = own - peak[s];
  }
  return rank;
}

/// Parents and shapes of the fronts that are left, in postorder, and places and equations in their order.
Fronts number_fronts(const RowGraph& graph, const EliminationTree& tree, std::span<const std::int32_t> sizes,
                     const std::vector<Draft>& drafts, std::vector<std::int32_t> parent) {
  Fronts fronts;
  std::vector<std::int32_t> front_of(drafts.size(), -1);
  fronts.begin.assign(1, 0);
  fronts.equation.assign(1, 0);
  for (const std::int32_t s : postorder(parent, ranks_by_memory(drafts))) {
    if (drafts[s].joined) continue;
    front_of[s] = fronts.size();
    fronts.parent.push_back(parent[s]);  // a draft yet
    for (const std::int32_t place : drafts[s].places) {
      const std::int32_t vertex = tree.order[place];
      fronts.row.push_back(graph.row[vertex]);
      fronts.equation.push_back(fronts.equation.back() + sizes[vertex]);
    }
    fronts.begin.push_back(static_cast<std::int32_t>(fronts.row.size()));
  }
  for (std::int32_t& p : fronts.parent)
    if (p != -1) p = front_of[p];
  return fronts;
}

void list_children(Fronts& fronts) {
  fronts.child_begin.assign(fronts.parent.size() + 1, 0);
  for (const std::int32_t p : fronts.parent)
    if (p != -1) ++fronts.child_begin[p + 1];
  std::partial_sum(fronts.child_begin.begin(), fronts.child_begin.end(), fronts.child_begin.begin());
  fronts.child.resize(static_cast<std::size_t>(fronts.child_begin.back()));
  std::vector<std::int32_t> next(fronts.child_begin.begin(), fronts.child_begin.end() - 1);
  for (std::int32_t f = 0; f < fronts.size(); ++f)
    if (fronts.parent[f] != -1) fronts.child[next[fronts.parent[f]]++] = f;
}

/// Rows that a front changes: those next to its own in the graph, and those its children change.
void set_updates(const RowGraph& graph, Fronts& fronts) {
  std::vector<std::int32_t> vertex_of(fronts.row.size()), place(fronts.row.size());
  std::vector<std::int32_t> vertex_of_row(graph.row.empty() ? 0 : graph.row.back() + 1, -1);
  for (std::int32_t v = 0; v < graph.size(); ++v) vertex_of_row[graph.row[v]] = v;
  for (std::size_t k = 0; k < fronts.row.size(); ++k) {
    vertex_of[k] = vertex_of_row[fronts.row[k]];
    place[vertex_of[k]] = static_cast<std::int32_t>(k);
  }
  std::vector<std::int32_t> seen(fronts.row.size(), -1);
  fronts.updates_begin.assign(1, 0);
  for (std::int32_t f = 0; f < fronts.size(); ++f) {
    const auto first = static_cast<std::ptrdiff_t>(fronts.updates.size());
    const auto add = [&](std::int32_t k) {
      if (k < fronts.begin[f + 1] || seen[k] == f) return;
      seen[k] = f;
      fronts.updates.push_back(k);
    };
    for (std::int32_t k = fronts.begin[f]; k < fronts.begin[f + 1]; ++k)
      for (const std::int32_t neighbour : graph.of(vertex_of[k])) add(place[neighbour]);
    for (const std::int32_t c : fronts.children_of(f))
      for (std::int64_t i = fronts.updates_begin[c]; i < fronts.updates_begin[c + 1]; ++i)
        add(fronts.updates[i]);
    std::sort(fronts.updates.begin() + first, fronts.updates.end());
    fronts.updates_begin.push_back(static_cast<std::int64_t>(fronts.updates.size()));
    FrontShape shape;
    shape.pivots = fronts.equation[fronts.begin[f + 1]] - fronts.equation[fronts.begin[f]];
    shape.order = shape.pivots;
    for (const std::int32_t k : fronts.updates_of(f))
      shape.order += fronts.equation[k + 1] - fronts.equation[k];
    fronts.shape.push_back(shape);
  }
}

}  // namespace

Fronts make_fronts(const RowGraph& graph, const EliminationTree& tree, std::span<const std::int32_t> sizes) {
  std::vector<std::int32_t> parent;
  std::vector<Draft> drafts = supernodes(tree, sizes, parent);
  join_children(drafts, parent);
  Fronts fronts = number_fronts(graph, tree, sizes, drafts, std::move(parent));
  list_children(fronts);
  set_updates(graph, fronts);
  return fronts;
}

}  // namespace crumple::implicit::linear
