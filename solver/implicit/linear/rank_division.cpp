// Divides the tree, and lists what each rank gets.
#include "implicit/linear/rank_division.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace crumple::implicit::linear {

namespace {

/// A rank whose part of the line a front only touches by this much does not take part in it.
constexpr double kTouched = 0.1;
/// Subtrees of less than this part of a rank's operations are not divided.
constexpr double kWhole = 0.15;

/// Part of the line of ranks.
struct Part {
  double begin = 0, end = 0;
};

/// The part of the next child, or root, by its operations.
/// @param all operations of all of them
/// @param before those of children before it; with this one at the end
Part next_part(const Part& whole, double flops, double all, double& before) {
  const double width = all > 0 ? (whole.end - whole.begin) / all : 0.0;
  Part part;
  part.begin = whole.begin + width * before;
  before += flops;
  part.end = whole.begin + width * before;
  return part;
}

/// Ranks [begin, end) of a part of the line, of those of its parent.
IndexRange group_of(const Part& part, const IndexRange& within) {
  const IndexRange group{std::max(within.begin, static_cast<std::int64_t>(std::floor(part.begin + kTouched))),
                         std::min(within.end, static_cast<std::int64_t>(std::ceil(part.end - kTouched)))};
  if (part.end - part.begin >= kWhole && group.end > group.begin) return group;
  const auto middle = static_cast<std::int64_t>(std::floor(0.5 * (part.begin + part.end)));
  const std::int64_t rank = std::clamp(middle, within.begin, within.end - 1);
  return {rank, rank + 1};
}

/// Cost of bringing a panel up to date and of its factor: multiplications and additions.
double panel_flops(const FrontShape& shape, const TileRange& panel, bool of_pivots) {
  const auto rows = double(shape.order - panel.begin), columns = double(panel.size());
  return of_pivots ? rows * columns * (2.0 * double(panel.begin) + columns)
                   : 2.0 * rows * columns * double(shape.pivots);
}

}  // namespace

RankDivision::RankDivision(const Symbolic& whole, int ranks, const DivisionOptions& options)
    : whole_(&whole), flops_(static_cast<std::size_t>(std::max(1, ranks)), 0.0) {
  std::vector<IndexRange> groups;  // of ranks, of each front
  assign(options.worth_rank, groups);
  list_tops();
  share_panels(groups, options.worth_sharing);
  list_blocks();
}

void RankDivision::assign(double worth_rank, std::vector<IndexRange>& groups) {
  const Fronts& fronts = whole_->fronts;
  const std::int32_t n = fronts.size();
  std::vector<double> flops(fronts.parent.size(), 0.0), of_children(flops), taken(flops);
  double total = 0, taken_by_roots = 0;
  for (std::int32_t f = 0; f < n; ++f) {
    flops[f] = of_children[f] + fronts.shape[f].flops();
    (fronts.parent[f] == -1 ? total : of_children[fronts.parent[f]]) += flops[f];
  }
  double line = double(ranks());
  if (worth_rank > 0) line = std::clamp(std::floor(total / worth_rank), 1.0, line);
  rank_.assign(fronts.parent.size(), -1);
  groups.assign(fronts.parent.size(), {});
  std::vector<Part> parts(fronts.parent.size());
  for (std::int32_t f = n - 1; f >= 0; --f) {
    const std::int32_t p = fronts.parent[f];
    if (p != -1 && rank_[p] >= 0) {
      rank_[f] = rank_[p];
    } else {
      parts[f] = p == -1 ? next_part({0, line}, flops[f], total, taken_by_roots)
                         : next_part(parts[p], flops[f], of_children[p], taken[p]);
      groups[f] = group_of(parts[f], p == -1 ? IndexRange{0, static_cast<std::int64_t>(line)} : groups[p]);
      if (groups[f].end - groups[f].begin == 1) rank_[f] = static_cast<std::int32_t>(groups[f].begin);
    }
    if (rank_[f] >= 0) flops_[rank_[f]] += fronts.shape[f].flops();
  }
  number_.assign(fronts.parent.size(), 0);
  std::vector<std::int32_t> next(flops_.size(), 0);
  for (std::int32_t f = 0; f < n; ++f) {
    number_[f] = rank_[f] >= 0 ? next[rank_[f]]++ : static_cast<std::int32_t>(front_.size());
    if (rank_[f] < 0) front_.push_back(f);
  }
}

void RankDivision::list_tops() {
  const Fronts& fronts = whole_->fronts;
  FrontRows rows(fronts.row.size());
  std::int64_t scale = 0;
  for (const std::int32_t f : front_) {
    TopFront& top = tops_.emplace_back();
    top.shape = fronts.shape[f];
    top.parent = fronts.parent[f] == -1 ? -1 : number_[fronts.parent[f]];
    top.equation = fronts.equation[fronts.begin[f]];
    top.scale = scale;
    scale += top.shape.pivots;
    rows.set(fronts, f);
    for (const std::int32_t c : fronts.children_of(f)) {
      TopChild& child = top.children.emplace_back();
      child.top = rank_[c] >= 0 ? -1 : number_[c];
      child.rank = std::max(0, rank_[c]);
      child.front = number_[c];
      child.updated = fronts.shape[c].updated();
      child.runs = row_runs(fronts, c, rows);
    }
  }
}

void RankDivision::share_panels(const std::vector<IndexRange>& groups, double worth_sharing) {
  for (std::size_t t = 0; t < tops_.size(); ++t) {
    TopFront& top = tops_[t];
    const Tiles tiles(top.shape);
    const IndexRange group = groups[front_[t]];
    const auto idlest = [&] {
      return static_cast<std::int32_t>(
          std::min_element(flops_.begin() + group.begin, flops_.begin() + group.end) - flops_.begin());
    };
    std::vector<double> cost;
    for (std::int64_t j = 0; j < tiles.size(); ++j)
      cost.push_back(panel_flops(top.shape, tiles[j], j < tiles.pivots));
    std::vector<std::size_t> order(cost.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return cost[a] > cost[b]; });
    top.rank.assign(cost.size(), 0);
    const bool shared = top.shape.flops() >= worth_sharing;
    std::int32_t rank = idlest();
    for (const std::size_t j : order) {
      if (shared) rank = idlest();
      top.rank[j] = rank;
      flops_[rank] += cost[j];
    }
  }
}

void RankDivision::list_blocks() {
  const Fronts& fronts = whole_->fronts;
  const auto size = [&](std::int32_t k) {
    return static_cast<std::int16_t>(fronts.equation[k + 1] - fronts.equation[k]);
  };
  FrontRows rows(fronts.row.size());
  blocks_.resize(tops_.size());
  for (std::size_t t = 0; t < tops_.size(); ++t) {
    rows.set(fronts, front_[t]);
    for (std::int32_t k = fronts.begin[front_[t]]; k < fronts.begin[front_[t] + 1]; ++k)
      for (std::int64_t u = whole_->blocks.begin[k]; u < whole_->blocks.begin[k + 1]; ++u) {
        const FrontBlocks::Use& use = whole_->blocks.uses[u];
        blocks_[t].push_back(
            {use.value, rows[k], rows[use.other], size(k), size(use.other), use.transposed ? 1 : 0});
      }
  }
}

bool RankDivision::is_of(const TopFront& top, const TopBlock& block, int rank) {
  // Panels of pivots begin at multiples of kTile, and a block is never on more than two.
  return top.rank[static_cast<std::size_t>(block.column / kTile)] == rank ||
         top.rank[static_cast<std::size_t>((block.column + block.columns - 1) / kTile)] == rank;
}

std::int64_t RankPart::own_equations() const {
  std::int64_t n = 0;
  for (const IndexRange& range : equations) n += range.end - range.begin;
  return n;
}

std::int64_t RankPart::all_equations() const {
  std::int64_t n = own_equations();
  for (const TopFront& top : tops)
    if (top.first_rank() == rank) n += top.shape.pivots;
  return n;
}

/// Fronts of a rank by their own numbers and places; returns the place there of each place of the whole, or
/// -1.
std::vector<std::int32_t> RankDivision::list_fronts(int rank, Fronts& fronts) const {
  const Fronts& whole = whole_->fronts;
  std::vector<std::int32_t> place(whole.row.size(), -1), above;
  fronts.equation.assign(1, 0);
  fronts.begin.assign(1, 0);
  fronts.child_begin.assign(1, 0);
  const auto add_place = [&](std::int32_t k) {
    place[k] = static_cast<std::int32_t>(fronts.row.size());
    fronts.row.push_back(whole.row[k]);
    fronts.equation.push_back(fronts.equation.back() + whole.equation[k + 1] - whole.equation[k]);
  };
  for (std::int32_t f = 0; f < whole.size(); ++f) {
    if (rank_[f] != rank) continue;
    const std::int32_t p = whole.parent[f];
    const bool is_root = p == -1 || rank_[p] < 0;
    fronts.parent.push_back(is_root ? -1 : number_[p]);
    fronts.shape.push_back(whole.shape[f]);
    for (std::int32_t k = whole.begin[f]; k < whole.begin[f + 1]; ++k) add_place(k);
    fronts.begin.push_back(static_cast<std::int32_t>(fronts.row.size()));
    for (const std::int32_t c : whole.children_of(f)) fronts.child.push_back(number_[c]);
    fronts.child_begin.push_back(static_cast<std::int32_t>(fronts.child.size()));
    const auto updates = whole.updates_of(f);
    if (is_root) above.insert(above.end(), updates.begin(), updates.end());
  }
  std::sort(above.begin(), above.end());
  above.erase(std::unique(above.begin(), above.end()), above.end());
  for (const std::int32_t k : above) add_place(k);
  fronts.updates_begin.assign(1, 0);
  for (std::int32_t f = 0; f < whole.size(); ++f) {
    if (rank_[f] != rank) continue;
    for (const std::int32_t k : whole.updates_of(f)) fronts.updates.push_back(place[k]);
    fronts.updates_begin.push_back(static_cast<std::int64_t>(fronts.updates.size()));
  }
  return place;
}

RankPart RankDivision::part(int rank, bool packed) const {
  const Fronts& whole = whole_->fronts;
  RankPart part;
  part.rank = rank;
  part.tops = tops_;
  part.equations = own_equations(rank);
  const std::vector<std::int32_t> place = list_fronts(rank, part.own.fronts);
  const auto number_value = [&](std::int64_t& first, std::int64_t values) {
    if (packed) first = part.values;
    part.values += values;
  };
  FrontBlocks& blocks = part.own.blocks;
  blocks.begin.assign(1, 0);
  for (std::int32_t f = 0; f < whole.size(); ++f) {
    if (rank_[f] != rank) continue;
    for (std::int32_t k = whole.begin[f]; k < whole.begin[f + 1]; ++k) {
      for (std::int64_t u = whole_->blocks.begin[k]; u < whole_->blocks.begin[k + 1]; ++u) {
        FrontBlocks::Use& use = blocks.uses.emplace_back(whole_->blocks.uses[u]);
        number_value(use.value, size_of(k) * size_of(use.other));
        use.other = place[use.other];
      }
      blocks.begin.push_back(static_cast<std::int64_t>(blocks.uses.size()));
    }
  }
  blocks.begin.resize(part.own.fronts.row.size() + 1, static_cast<std::int64_t>(blocks.uses.size()));
  for (std::size_t t = 0; t < tops_.size(); ++t) {
    auto& list = part.top_blocks.emplace_back();
    for (const TopBlock& block : blocks_[t]) {
      if (!is_of(tops_[t], block, rank)) continue;
      list.push_back(block);
      number_value(list.back().value, std::int64_t(block.columns) * block.rows);
    }
  }
  return part;
}

std::vector<IndexRange> RankDivision::own_equations(int rank) const {
  const Fronts& fronts = whole_->fronts;
  std::vector<IndexRange> ranges;
  for (std::int32_t f = 0; f < fronts.size(); ++f) {
    if (rank_[f] != rank) continue;
    const std::int64_t begin = fronts.equation[fronts.begin[f]], end = fronts.equation[fronts.begin[f + 1]];
    if (!ranges.empty() && ranges.back().end == begin)
      ranges.back().end = end;
    else
      ranges.push_back({begin, end});
  }
  return ranges;
}

std::vector<IndexRange> RankDivision::equations(int rank) const {
  std::vector<IndexRange> ranges = own_equations(rank);
  for (const TopFront& top : tops_)
    if (top.first_rank() == rank) ranges.push_back({top.equation, top.equation + top.shape.pivots});
  return ranges;
}

}  // namespace crumple::implicit::linear
