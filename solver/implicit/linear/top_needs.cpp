// Runs through the top fronts as their elimination does.
#include "implicit/linear/top_needs.hpp"

#include <algorithm>

namespace crumple::implicit::linear {

namespace {

/// Whether a rank has panels to the right of panel k.
bool needs_panel(const TopFront& top, std::int64_t k, std::int32_t rank) {
  return std::find(top.rank.begin() + k + 1, top.rank.end(), rank) != top.rank.end();
}

}  // namespace

TopNeeds top_needs(const std::vector<TopFront>& tops, std::int32_t rank) {
  TopNeeds needs;
  std::int64_t updates = 0, widest = 0;
  std::vector<std::int64_t> update(tops.size(), 0);
  for (std::size_t t = 0; t < tops.size(); ++t) {
    const TopFront& top = tops[t];
    const Tiles tiles(top.shape);
    std::int64_t pivots = 0, coming = 0;
    for (std::int64_t j = 0; j < tiles.size(); ++j) {
      const std::int64_t n = panel_values(top.shape, tiles, j).size();
      if (top.rank[static_cast<std::size_t>(j)] == rank) {
        (j < tiles.pivots ? pivots : update[t]) += n;
        if (j < tiles.pivots) widest = std::max(widest, n);
      } else if (j < tiles.pivots && needs_panel(top, j, rank)) {
        coming = std::max(coming, n);
      }
    }
    for (const UpdatePiece& piece : update_pieces(tops, t))
      if (piece.to == rank && piece.from != rank) coming = std::max(coming, piece.values());
    updates += update[t];
    needs.most = std::max(needs.most, updates + 2 * coming);
    needs.most_out_of_core = std::max(needs.most_out_of_core, pivots + updates + 2 * coming + 2 * widest);
    needs.factor += pivots;
    for (const TopChild& child : top.children)
      if (child.top >= 0) updates -= update[static_cast<std::size_t>(child.top)];
  }
  needs.most += needs.factor;  // panels of an earlier factor are there from the begin
  needs.read = 2 * widest;
  return needs;
}

}  // namespace crumple::implicit::linear
