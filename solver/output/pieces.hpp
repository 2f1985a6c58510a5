// Rows of nodes or elements in pieces of consecutive positions in the whole model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "output/results.hpp"

namespace crumple::output {

/// Rows of nodes or elements that a rank has in memory at a time, where all ranks write a state.
inline constexpr std::size_t kPiece = 16384;

inline std::size_t size_of(Range range) { return range.last - range.first; }

/// All rows in pieces of `piece`; the last one may be smaller.
std::vector<Range> pieces_of(std::size_t rows, std::size_t piece);

/// The size of pieces of at most `most` rows that leaves the least of the last one empty.
inline std::size_t even_piece(std::size_t rows, std::size_t most) {
  const std::size_t pieces = (rows + most - 1) / most;
  return pieces == 0 ? 1 : (rows + pieces - 1) / pieces;
}

/// Indices of a piece in a list of ascending positions.
Range rows_in(std::span<const GlobalId> order, Range piece);

/// Number of rows in each of `pieces` pieces, from ascending positions.
std::vector<std::int32_t> rows_by_piece(std::span<const GlobalId> order, std::size_t pieces,
                                        std::size_t piece);

}  // namespace crumple::output
