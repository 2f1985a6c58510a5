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

/// Cost of bringing a panel up to date and of its factor: multiplications and additions.
double panel_flops(const FrontShape& shape, const TileRange& panel, bool of_pivots) {
  const auto rows = double(shape.order - panel.begin), columns = double(panel.size());
  return of_pivots ? rows * columns * (2.0 * double(panel.begin) + columns)
                   : 2.0 * rows * columns * double(shape.pivots);
}

}  // namespace

RankDivision::RankDivision(const Symbolic& whole, int ranks, const DivisionOptions& options)
    : whole_(&whole), flops_(static_cast<std::size_t>(std::max(1, ranks)), 0.0) {
  std::vector<EquationRange> groups;  // of ranks, of each front
  assign(options.worth_rank, groups);
  list_tops();
  share_panels(groups, options.worth_sharing);
  list_blocks();
}

void RankDivision::assign(double worth_rank, std::vector<EquationRange>& groups) {
  const Fronts& fronts = whole_->fronts;
  const std::int32_t n = fronts.size();
  std::vector<double> flops(fronts.parent.size(), 0.0), of_children(flops), taken(flops);
  double total = 0, taken_by_roots = 0;
  for (std::int32_t f = 0; f < n; ++f) {
    flops[f] = of_children[f] + fronts.shape[f].flops();
    (fronts.parent[f] == -1 ? total : of_children[fronts.parent[f]]) += flops[f];
  }
  const double most = worth_rank > 0 ? std::max(1.0, std::floor(total / worth_rank)) : double(ranks());
  const double line = std::min(double(ranks()), most);
  rank_.assign(fronts.parent.size(), -1);
  groups.assign(fronts.parent.size(), {});
  std::vector<Part> parts(fronts.parent.size());
  for (std::int32_t f = n - 1; f >= 0; --f) {
    const std::int32_t p = fronts.parent[f];
    if (p != -1 && rank_[p] >= 0) {
      rank_[f] = rank_[p];
      flops_[rank_[f]] += fronts.shape[f].flops();
      continue;
    }
    const Part whole = p == -1 ? Part{0, line} : parts[p];
    double& before = p == -1 ? taken_by_roots : taken[p];
    const double all = p == -1 ? total : of_children[p], width = whole.end - whole.begin;
    Part& part = parts[f];
    part.begin = whole.begin + (all > 0 ? width * before / all : 0.0);
    before += flops[f];
    part.end = whole.begin + (all > 0 ? width * before / all : 0.0);
    const EquationRange within = p == -1 ? EquationRange{0, static_cast<std::int64_t>(line)} : groups[p];
    const double middle = 0.5 * (part.begin + part.end);
    EquationRange& group = groups[f];
    group = {std::max(within.begin, static_cast<std::int64_t>(std::floor(part.begin + kTouched))),
             std::min(within.end, static_cast<std::int64_t>(std::ceil(part.end - kTouched)))};
    if (part.end - part.begin < kWhole || group.end <= group.begin) {
      group.begin = std::clamp(static_cast<std::int64_t>(std::floor(middle)), within.begin, within.end - 1);
      group.end = group.begin + 1;
    }
    if (group.end - group.begin > 1) continue;
    rank_[f] = static_cast<std::int32_t>(group.begin);
    flops_[rank_[f]] += fronts.shape[f].flops();
  }
  number_.assign(fronts.parent.size(), 0);
  std::vector<std::int32_t> next(flops_.size(), 0);
  for (std::int32_t f = 0; f < n; ++f) {
    if (rank_[f] >= 0) {
      number_[f] = next[rank_[f]]++;
    } else {
      number_[f] = static_cast<std::int32_t>(front_.size());
      front_.push_back(f);
    }
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

void RankDivision::share_panels(const std::vector<EquationRange>& groups, double worth_sharing) {
  for (std::size_t t = 0; t < tops_.size(); ++t) {
    TopFront& top = tops_[t];
    const Tiles tiles(top.shape);
    const EquationRange group = groups[front_[t]];
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
  for (const EquationRange& range : equations) n += range.end - range.begin;
  return n;
}

std::int64_t RankPart::all_equations() const {
  std::int64_t n = own_equations();
  for (const TopFront& top : tops)
    if (top.first_rank() == rank) n += top.shape.pivots;
  return n;
}

RankPart RankDivision::part(int rank, bool packed) const {
  const Fronts& whole = whole_->fronts;
  RankPart part;
  part.tops = tops_;
  Fronts& fronts = part.own.fronts;
  std::vector<std::int32_t> place(whole.row.size(), -1);  // among those of this rank
  fronts.equation.assign(1, 0);
  const auto add_place = [&](std::int32_t k) {
    place[k] = static_cast<std::int32_t>(fronts.row.size());
    fronts.row.push_back(whole.row[k]);
    fronts.equation.push_back(fronts.equation.back() + whole.equation[k + 1] - whole.equation[k]);
  };
  std::vector<std::int32_t> above;  // places of fronts above
  fronts.begin.assign(1, 0);
  for (std::int32_t f = 0; f < whole.size(); ++f) {
    if (rank_[f] != rank) continue;
    const std::int32_t p = whole.parent[f];
    const bool is_root = p == -1 || rank_[p] < 0;
    fronts.parent.push_back(is_root ? -1 : number_[p]);
    fronts.shape.push_back(whole.shape[f]);
    for (std::int32_t k = whole.begin[f]; k < whole.begin[f + 1]; ++k) add_place(k);
    fronts.begin.push_back(static_cast<std::int32_t>(fronts.row.size()));
    const auto updates = whole.updates_of(f);
    if (is_root) above.insert(above.end(), updates.begin(), updates.end());
  }
  part.equations = own_equations(rank);
  part.rank = rank;
  std::sort(above.begin(), above.end());
  above.erase(std::unique(above.begin(), above.end()), above.end());
  for (const std::int32_t k : above) add_place(k);

  FrontBlocks& blocks = part.own.blocks;
  blocks.begin.assign(1, 0);
  fronts.updates_begin.assign(1, 0);
  fronts.child_begin.assign(1, 0);
  for (std::int32_t f = 0; f < whole.size(); ++f) {
    if (rank_[f] != rank) continue;
    for (const std::int32_t k : whole.updates_of(f)) fronts.updates.push_back(place[k]);
    fronts.updates_begin.push_back(static_cast<std::int64_t>(fronts.updates.size()));
    for (const std::int32_t c : whole.children_of(f)) fronts.child.push_back(number_[c]);
    fronts.child_begin.push_back(static_cast<std::int32_t>(fronts.child.size()));
    for (std::int32_t k = whole.begin[f]; k < whole.begin[f + 1]; ++k) {
      const std::int64_t n = whole.equation[k + 1] - whole.equation[k];
      for (std::int64_t u = whole_->blocks.begin[k]; u < whole_->blocks.begin[k + 1]; ++u) {
        FrontBlocks::Use use = whole_->blocks.uses[u];
        const std::int64_t values = n * (whole.equation[use.other + 1] - whole.equation[use.other]);
        if (packed) use.value = part.values;
        use.other = place[use.other];
        part.values += values;
        blocks.uses.push_back(use);
      }
      blocks.begin.push_back(static_cast<std::int64_t>(blocks.uses.size()));
    }
  }
  blocks.begin.resize(fronts.row.size() + 1, static_cast<std::int64_t>(blocks.uses.size()));
  for (std::size_t t = 0; t < tops_.size(); ++t) {
    auto& list = part.top_blocks.emplace_back();
    for (TopBlock block : blocks_[t]) {
      if (!is_of(tops_[t], block, rank)) continue;
      if (packed) block.value = part.values;
      part.values += std::int64_t(block.columns) * block.rows;
      list.push_back(block);
    }
  }
  return part;
}

std::vector<EquationRange> RankDivision::own_equations(int rank) const {
  const Fronts& fronts = whole_->fronts;
  std::vector<EquationRange> ranges;
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

std::vector<EquationRange> RankDivision::equations(int rank) const {
  std::vector<EquationRange> ranges = own_equations(rank);
  for (const TopFront& top : tops_)
    if (top.first_rank() == rank) ranges.push_back({top.equation, top.equation + top.shape.pivots});
  return ranges;
}

}  // namespace crumple::implicit::linear
