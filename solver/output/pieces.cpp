// Rows of nodes or elements in pieces.
#include "output/pieces.hpp"

namespace crumple::output {

std::vector<Range> pieces_of(std::size_t rows, std::size_t piece) {
  std::vector<Range> pieces;
  for (std::size_t first = 0; first < rows; first += piece)
    pieces.push_back({first, std::min(rows, first + piece)});
  return pieces;
}

Range rows_in(std::span<const GlobalId> order, Range piece) {
  const auto place = [&](std::size_t of) {
    return std::size_t(std::ranges::lower_bound(order, GlobalId(of)) - order.begin());
  };
  return {place(piece.first), place(piece.last)};
}

std::vector<std::int32_t> rows_by_piece(std::span<const GlobalId> order, std::size_t pieces,
                                        std::size_t piece) {
  std::vector<std::int32_t> rows(pieces, 0);
  for (const GlobalId at : order) ++rows[std::size_t(at) / piece];
  return rows;
}

}  // namespace crumple::output
