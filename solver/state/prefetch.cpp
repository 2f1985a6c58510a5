// Nodes that no recent block has read, in whole rows for the kernels' prefetches.
#include "state/prefetch.hpp"

#include <numeric>
#include <vector>

namespace crumple::state {

using elements::kLanes;

namespace {

/// Number of previous blocks whose nodes are still in a cache of some hundred kilobytes.
constexpr std::int32_t kBlocksInCache = 32;

/// For each block of a group: its nodes that none of the kBlocksInCache blocks before it has.
///
/// @param last by node: the last block of the pass that has it
/// @param now number of the group's first block in the pass; on return, one more than its last
template <class T>
std::vector<std::vector<std::int32_t>> new_nodes(const ElementGroup<T>& group,
                                                 std::vector<std::int32_t>& last, std::int32_t& now) {
  std::vector<std::vector<std::int32_t>> found(group.blocks());
  const std::int32_t width = group.ready.formulation->n_nodes * kLanes;
  for (std::int32_t b = 0; b < group.blocks(); ++b, ++now)
    for (std::int32_t k = b * width; k < (b + 1) * width; ++k) {
      std::int32_t& before = last[group.nodes[k]];
      if (now - before > kBlocksInCache) found[b].push_back(group.nodes[k]);
      before = now;
    }
  return found;
}

/// Fills whole rows of nodes to prefetch, so that a kernel loads the same number for each row. Nodes that do
/// not fill a row are prefetched with the blocks before.
template <class T>
void fill_prefetch(ElementGroup<T>& group, const std::vector<std::vector<std::int32_t>>& fresh) {
  std::vector<std::int32_t> waiting, backwards;
  group.first_prefetch.assign(fresh.size() + 1, 0);
  for (std::size_t b = fresh.size(); b-- > 0;) {
    waiting.insert(waiting.end(), fresh[b].begin(), fresh[b].end());
    const std::size_t rows = waiting.size() / kLanes;
    const auto end = waiting.begin() + static_cast<std::ptrdiff_t>(rows * kLanes);
    backwards.insert(backwards.end(), waiting.begin(), end);
    waiting.erase(waiting.begin(), end);
    group.first_prefetch[b + 1] = static_cast<std::int32_t>(rows);
  }
  std::partial_sum(group.first_prefetch.begin(), group.first_prefetch.end(), group.first_prefetch.begin());
  group.prefetch.assign(backwards.rbegin(), backwards.rend());
}

/// The groups of one pass, at the border or not.
template <class T>
void list_pass(std::span<ElementGroup<T>> groups, bool border, std::size_t n_nodes) {
  std::vector<std::int32_t> last(n_nodes, -kBlocksInCache - 1);
  std::int32_t now = 0;
  for (ElementGroup<T>& group : groups)
    if (group.border == border) fill_prefetch(group, new_nodes(group, last, now));
}

}  // namespace

template <class T>
void list_prefetch(std::span<ElementGroup<T>> groups, std::size_t n_nodes) {
  for (const bool border : {true, false}) list_pass(groups, border, n_nodes);
}

template void list_prefetch(std::span<ElementGroup<float>>, std::size_t);
template void list_prefetch(std::span<ElementGroup<double>>, std::size_t);

}  // namespace crumple::state
