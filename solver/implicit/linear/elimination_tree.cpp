// Builds elimination trees, and counts the entries of columns.
#include "implicit/linear/elimination_tree.hpp"

#include <algorithm>
#include <numeric>

namespace crumple::implicit::linear {

namespace {

void set_places(EliminationTree& tree) {
  tree.place.resize(tree.order.size());
  for (std::size_t k = 0; k < tree.order.size(); ++k)
    tree.place[tree.order[k]] = static_cast<std::int32_t>(k);
}

/// Parents by Liu's algorithm: `above` leads from a place to the root of the tree so far by short ways.
void set_parents(const RowGraph& graph, EliminationTree& tree) {
  const auto n = static_cast<std::int32_t>(tree.order.size());
  tree.parent.assign(tree.order.size(), -1);
  std::vector<std::int32_t> above(tree.order.size(), -1);
  for (std::int32_t k = 0; k < n; ++k)
    for (const std::int32_t neighbour : graph.of(tree.order[k])) {
      std::int32_t node = tree.place[neighbour];
      if (node > k) continue;
      while (above[node] != -1 && above[node] != k) node = std::exchange(above[node], k);
      if (above[node] == -1 && node != k) above[node] = tree.parent[node] = k;
    }
}

/// Finds, for each row i of the factor, leaves of the subtree of columns that have an entry in it.
class RowSubtrees {
 public:
  explicit RowSubtrees(const std::vector<std::int32_t>& parent)
      : parent_(parent),
        first_(parent.size(), -1),
        last_leaf_(parent.size(), -1),
        largest_first_(parent.size(), -1),
        set_(parent.size()) {
    std::iota(set_.begin(), set_.end(), 0);
    for (std::int32_t j = 0; j < static_cast<std::int32_t>(parent.size()); ++j)
      for (std::int32_t up = j; up != -1 && first_[up] == -1; up = parent[up]) first_[up] = j;
  }

  bool is_leaf_of_tree(std::int32_t j) const { return first_[j] == j; }

  /// Calls leaf() if column j is a new leaf in row i, and meet(q) with the column where its branch meets the
  /// last.
  template <class Leaf, class Meet>
  void visit(std::int32_t i, std::int32_t j, Leaf leaf, Meet meet) {
    if (first_[j] <= largest_first_[i]) return;
    largest_first_[i] = first_[j];
    const std::int32_t last = std::exchange(last_leaf_[i], j);
    leaf();
    if (last == -1) return;
    std::int32_t root = last;
    while (set_[root] != root) root = set_[root];
    for (std::int32_t node = last; node != root;) node = std::exchange(set_[node], root);
    meet(root);
  }

  /// Column j has been looked at: it is one with its parent from now on.
  void join(std::int32_t j) {
    if (parent_[j] != -1) set_[j] = parent_[j];
  }

 private:
  const std::vector<std::int32_t>& parent_;
  std::vector<std::int32_t> first_;  ///< first place of the subtree below a place
  std::vector<std::int32_t> last_leaf_, largest_first_, set_;
};

void set_counts(const RowGraph& graph, std::span<const std::int32_t> sizes, EliminationTree& tree) {
  const auto n = static_cast<std::int32_t>(tree.order.size());
  tree.count.assign(tree.order.size(), 0);
  RowSubtrees subtrees(tree.parent);
  for (std::int32_t j = 0; j < n; ++j) {
    const std::int64_t own = sizes[tree.order[j]];
    if (subtrees.is_leaf_of_tree(j)) tree.count[j] += own;
    if (tree.parent[j] != -1) tree.count[tree.parent[j]] -= own;
    for (const std::int32_t neighbour : graph.of(tree.order[j])) {
      const std::int32_t i = tree.place[neighbour];
      if (i <= j) continue;
      const std::int64_t size = sizes[neighbour];
      subtrees.visit(
          i, j, [&] { tree.count[j] += size; }, [&](std::int32_t q) { tree.count[q] -= size; });
    }
    subtrees.join(j);
  }
  for (std::int32_t j = 0; j < n; ++j)
    if (tree.parent[j] != -1) tree.count[tree.parent[j]] += tree.count[j];
}

}  // namespace

std::vector<std::int32_t> postorder(std::span<const std::int32_t> parent, std::span<const double> rank) {
  const auto n = static_cast<std::int32_t>(parent.size());
  std::vector<std::int32_t> by_rank(parent.size());
  std::iota(by_rank.begin(), by_rank.end(), 0);
  if (!rank.empty())
    std::stable_sort(by_rank.begin(), by_rank.end(), [&](auto a, auto b) { return rank[a] < rank[b]; });
  // Lists of children: the one of highest rank is put in first, so that the lowest is at the head.
  std::vector<std::int32_t> head(parent.size() + 1, -1), next(parent.size(), -1);
  const auto list_of = [&](std::int32_t node) { return node == -1 ? n : node; };
  for (auto node = by_rank.rbegin(); node != by_rank.rend(); ++node)
    next[*node] = std::exchange(head[list_of(parent[*node])], *node);
  std::vector<std::int32_t> order, path;
  order.reserve(parent.size());
  std::int32_t node = head[n];
  while (node != -1 || !path.empty()) {
    for (; node != -1; node = head[node]) path.push_back(node);
    order.push_back(path.back());
    node = next[path.back()];
    path.pop_back();
  }
  return order;
}

EliminationTree elimination_tree(const RowGraph& graph, std::vector<std::int32_t> order,
                                 std::span<const std::int32_t> sizes) {
  EliminationTree tree;
  tree.order = std::move(order);
  set_places(tree);
  set_parents(graph, tree);
  const std::vector<std::int32_t> post = postorder(tree.parent);
  std::vector<std::int32_t> new_place(post.size()), new_order(post.size()), new_parent(post.size());
  for (std::size_t k = 0; k < post.size(); ++k) new_place[post[k]] = static_cast<std::int32_t>(k);
  for (std::size_t k = 0; k < post.size(); ++k) {
    new_order[k] = tree.order[post[k]];
    const std::int32_t parent = tree.parent[post[k]];
    new_parent[k] = parent == -1 ? -1 : new_place[parent];
  }
  tree.order = std::move(new_order);
  tree.parent = std::move(new_parent);
  set_places(tree);
  set_counts(graph, sizes, tree);
  return tree;
}

}  // namespace crumple::implicit::linear
