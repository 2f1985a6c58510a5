// Which rank makes which fronts.
//
// Ranks are a line from 0 to their number. The whole tree has all of it, and each subtree the part of its
// parent's that its operations are of those of all the parent's children (Pothen and Sun 1993, "A mapping
// algorithm for parallel sparse Cholesky factorization"). A subtree within one rank's part of the line is
// that rank's alone. The fronts above are made by panels: each goes to the rank that has had the fewest
// operations so far, of those on whose part the front is. Nothing here depends on how fast ranks are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "implicit/linear/numeric_factor.hpp"
#include "implicit/linear/solver.hpp"
#include "implicit/linear/top_fronts.hpp"

namespace crumple::implicit::linear {

/// [begin, end): equations in order of elimination, or ranks.
struct IndexRange {
  std::int64_t begin = 0, end = 0;
};

/// What one rank has of the symbolic factor.
struct RankPart {
  Symbolic own;                ///< fronts that it makes alone; rows above them are behind its own places
  std::vector<TopFront> tops;  ///< all, children before parents
  std::vector<std::vector<TopBlock>> top_blocks;  ///< of each, for the panels on this rank
  std::vector<IndexRange> equations;              ///< those that its own fronts eliminate
  std::int64_t values = 0;                        ///< of the matrix that come to this rank
  std::int32_t rank = 0;

  std::int64_t own_equations() const;
  /// With pivots of top fronts that begin on this rank: a right hand side's part here.
  std::int64_t all_equations() const;
};

class RankDivision {
 public:
  /// Keeps a reference.
  RankDivision(const Symbolic& whole, int ranks, const DivisionOptions& options = {});

  int ranks() const { return static_cast<int>(flops_.size()); }
  const std::vector<TopFront>& tops() const { return tops_; }
  /// Of a rank's fronts, and of its panels.
  const std::vector<double>& flops() const { return flops_; }

  /// @param packed values of the matrix are one after the other as `pack` writes them; else where they are
  RankPart part(int rank, bool packed) const;
  /// Values of the matrix for a rank, in pieces of at least one value.
  /// @param send called with each piece in turn
  template <class Send>
  void pack(int rank, std::span<const double> values, std::size_t piece, Send send) const {
    std::vector<double> packed;
    packed.reserve(piece + kMostOfBlock);
    for_each_block(rank, [&](std::int64_t value, std::int64_t n) {
      packed.insert(packed.end(), values.begin() + value, values.begin() + value + n);
      if (packed.size() >= piece) send(packed), packed.clear();
    });
    if (!packed.empty()) send(packed);
  }
  /// Equations of a rank: those its own fronts eliminate, then pivots of top fronts that begin there.
  std::vector<IndexRange> equations(int rank) const;
  /// Of them, those of its own fronts.
  std::vector<IndexRange> own_equations(int rank) const;

 private:
  static constexpr std::size_t kMostOfBlock = 36;
  /// Visits blocks in the order in which they are packed: act(first value, values).
  template <class Act>
  void for_each_block(int rank, Act act) const {
    const Fronts& fronts = whole_->fronts;
    for (std::int32_t f = 0; f < fronts.size(); ++f) {
      if (rank_[f] != rank) continue;
      for (std::int32_t k = fronts.begin[f]; k < fronts.begin[f + 1]; ++k)
        for (std::int64_t u = whole_->blocks.begin[k]; u < whole_->blocks.begin[k + 1]; ++u)
          act(whole_->blocks.uses[u].value, size_of(k) * size_of(whole_->blocks.uses[u].other));
    }
    for (std::size_t t = 0; t < tops_.size(); ++t)
      for (const TopBlock& block : blocks_[t])
        if (is_of(tops_[t], block, rank)) act(block.value, std::int64_t(block.columns) * block.rows);
  }
  /// Equations of a place.
  std::int64_t size_of(std::int32_t place) const {
    return whole_->fronts.equation[place + 1] - whole_->fronts.equation[place];
  }
  std::vector<std::int32_t> list_fronts(int rank, Fronts& fronts) const;
  static bool is_of(const TopFront& top, const TopBlock& block, int rank);
  void assign(double worth_rank, std::vector<IndexRange>& groups);
  void list_tops();
  void share_panels(const std::vector<IndexRange>& groups, double worth_sharing);
  void list_blocks();

  const Symbolic* whole_;
  std::vector<std::int32_t> rank_;    ///< of each front; -1: a top front
  std::vector<std::int32_t> number_;  ///< of each front, among those of its rank or the top fronts
  std::vector<double> flops_;
  std::vector<std::int32_t> front_;  ///< of each top front
  std::vector<TopFront> tops_;
  std::vector<std::vector<TopBlock>> blocks_;  ///< of each top front; values of the whole matrix
};

}  // namespace crumple::implicit::linear
