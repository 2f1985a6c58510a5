// Cuts update matrices of children into what each panel of the parent takes.
#include "implicit/linear/top_fronts.hpp"

#include <algorithm>

namespace crumple::implicit::linear {

namespace {

/// Columns of an update matrix that are on one rank.
struct ColumnsOfRank {
  std::int64_t begin, end;
  std::int32_t rank;
};

std::vector<ColumnsOfRank> columns_of_ranks(const std::vector<TopFront>& tops, const TopChild& child) {
  if (child.top < 0) return {{0, child.updated, child.rank}};
  const TopFront& front = tops[static_cast<std::size_t>(child.top)];
  const Tiles tiles(front.shape);
  std::vector<ColumnsOfRank> columns;
  for (std::int64_t t = tiles.pivots; t < tiles.size(); ++t)
    columns.push_back({tiles[t].begin - front.shape.pivots, tiles[t].end - front.shape.pivots,
                       front.rank[static_cast<std::size_t>(t)]});
  return columns;
}

}  // namespace

std::vector<UpdatePiece> update_pieces(const std::vector<TopFront>& tops, std::size_t front) {
  const TopFront& into = tops[front];
  const Tiles tiles(into.shape);
  std::vector<UpdatePiece> pieces;
  for (std::size_t c = 0; c < into.children.size(); ++c) {
    const TopChild& child = into.children[c];
    for (const ColumnsOfRank& part : columns_of_ranks(tops, child))
      for (std::int64_t j = 0; j < tiles.size(); ++j) {
        const std::int64_t begin = std::max(part.begin, columns_before(child.runs, tiles[j].begin)),
                           end = std::min(part.end, columns_before(child.runs, tiles[j].end));
        if (begin < end)
          pieces.push_back(
              {c, j, {child.updated, begin, end}, part.rank, into.rank[static_cast<std::size_t>(j)]});
      }
  }
  return pieces;
}

PanelValues panel_values(const FrontShape& shape, const Tiles& tiles, std::int64_t panel) {
  const bool of_pivots = panel < tiles.pivots;
  const std::int64_t rows = of_pivots ? shape.order : shape.updated(), skipped = of_pivots ? 0 : shape.pivots;
  return {FrontShape::panel(rows, tiles[panel].begin - skipped),
          FrontShape::trapezoid(rows, tiles[panel].end - skipped)};
}

}  // namespace crumple::implicit::linear
