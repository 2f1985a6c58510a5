// Divides the blocks into shares, and finds the nodes to which several threads add forces.
#include "explicit/block_shares.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace crumple::explicit_dynamics {

namespace {

using state::ElementGroup;

struct Block {
  std::size_t group;
  std::int32_t number;
  double cost;
  int thread = 0;
  bool apart = false;
};

/// Padding lanes repeat the last element, so they have no other nodes.
template <class T>
std::span<const std::int32_t> nodes_of(const ElementGroup<T>& group, std::int32_t block) {
  const auto width = static_cast<std::size_t>(group.ready.formulation->n_nodes) * elements::kLanes;
  return std::span(group.nodes).subspan(static_cast<std::size_t>(block) * width, width);
}

template <class T>
std::vector<Block> choose(std::span<const ElementGroup<T>> groups, bool border,
                          std::span<const std::vector<double>> costs) {
  std::vector<Block> blocks;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::int32_t b = 0; groups[g].border == border && b < groups[g].blocks(); ++b)
      blocks.push_back({g, b, costs.empty() ? groups[g].ready.formulation->cost : costs[g][b]});
  return blocks;
}

/// Consecutive blocks of about equal cost for each thread.
void cut(std::vector<Block>& blocks, int threads) {
  double total = 0.0, before = 0.0;
  for (const Block& block : blocks) total += block.cost;
  for (Block& block : blocks) {
    block.thread = std::min(threads - 1, static_cast<int>((before + 0.5 * block.cost) / total * threads));
    before += block.cost;
  }
}

/// Marks blocks of threads above 0 that share a node with blocks of another thread. Returns the nodes of the
/// marked blocks.
template <class T>
std::vector<LocalId> set_apart(std::vector<Block>& blocks, std::span<const ElementGroup<T>> groups,
                               std::size_t n_nodes) {
  constexpr int nobody = -1, several = -2;
  std::vector<int> at(n_nodes, nobody);
  for (const Block& block : blocks)
    for (const std::int32_t n : nodes_of(groups[block.group], block.number))
      at[n] = at[n] == nobody || at[n] == block.thread ? block.thread : several;
  std::vector<LocalId> joined;
  for (Block& block : blocks) {
    const auto nodes = nodes_of(groups[block.group], block.number);
    block.apart =
        block.thread > 0 && std::ranges::any_of(nodes, [&](std::int32_t n) { return at[n] == several; });
    if (block.apart) joined.insert(joined.end(), nodes.begin(), nodes.end());
  }
  std::ranges::sort(joined);
  joined.erase(std::unique(joined.begin(), joined.end()), joined.end());
  joined.shrink_to_fit();
  return joined;
}

[[maybe_unused]] std::size_t blocks_in(const BlockShares& shares) {
  std::size_t n = 0;
  for (const auto& ranges : shares.of_thread)
    for (const auto& range : ranges) n += static_cast<std::size_t>(range.end - range.begin);
  return n;
}

}  // namespace

template <class T>
BlockShares share_blocks(std::span<const ElementGroup<T>> groups, bool border, std::size_t n_nodes,
                         int threads, std::span<const std::vector<double>> costs) {
  BlockShares shares;
  std::vector<Block> blocks = choose(groups, border, costs);
  cut(blocks, threads);
  if (threads > 1) shares.joined = set_apart(blocks, groups, n_nodes);
  shares.of_thread.resize(static_cast<std::size_t>(threads));
  for (const Block& block : blocks) {
    auto& ranges = shares.of_thread[static_cast<std::size_t>(block.thread)];
    if (!ranges.empty() && ranges.back().group == block.group && ranges.back().end == block.number &&
        ranges.back().apart == block.apart)
      ++ranges.back().end;
    else
      ranges.push_back({block.group, block.number, block.number + 1, block.apart});
  }
  CRUMPLE_ASSERT(blocks_in(shares) == blocks.size(), blocks_in(shares), blocks.size(), threads);
  return shares;
}

template BlockShares share_blocks(std::span<const ElementGroup<float>>, bool, std::size_t, int,
                                  std::span<const std::vector<double>>);
template BlockShares share_blocks(std::span<const ElementGroup<double>>, bool, std::size_t, int,
                                  std::span<const std::vector<double>>);

}  // namespace crumple::explicit_dynamics
