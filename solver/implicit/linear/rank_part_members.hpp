// The members of a rank's part of the symbolic factor, by which it is packed for its way there.
#pragma once

#include "base/members.hpp"
#include "implicit/linear/rank_division.hpp"

namespace crumple::implicit::linear {

CRUMPLE_MEMBERS(Fronts, row, equation, begin, parent, updates_begin, updates, shape, child_begin, child)
CRUMPLE_MEMBERS(FrontBlocks::Use, value, other, transposed)
CRUMPLE_MEMBERS(FrontBlocks, begin, uses)
CRUMPLE_MEMBERS(Symbolic, fronts, blocks, matrix_bytes, moved_bytes)
CRUMPLE_MEMBERS(IndexRange, begin, end)
CRUMPLE_MEMBERS(RankPart, own, tops, top_blocks, equations, values, rank)

}  // namespace crumple::implicit::linear
