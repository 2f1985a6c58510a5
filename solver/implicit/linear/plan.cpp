// Cuts the tree of fronts for threads, and lays out factors.
#include "implicit/linear/plan.hpp"

#include <algorithm>
#include <numeric>

#include "implicit/linear/update_places.hpp"

namespace crumple::implicit::linear {

namespace {

/// Subtrees are cut until the largest has this part of a thread's operations; then threads end nearly
/// together.
constexpr double kPartOfThread = 0.12;
/// Where memory is short, parts and chunks become smaller by this factor, at most so many times: less is then
/// in the memory of each thread, and on the way to the file.
constexpr std::int64_t kSmaller = 4;
constexpr int kTimesSmaller = 6;

/// @param part of a thread's operations; 0: no subtrees
void cut_into_subtrees(const Fronts& fronts, double part, Plan& plan) {
  const std::int32_t n = fronts.size();
  plan.subtrees.clear();
  plan.top.clear();
  std::vector<double> flops(fronts.parent.size());
  std::vector<std::int32_t> first(fronts.parent.size());
  std::iota(first.begin(), first.end(), 0);
  std::vector<std::int32_t> roots;
  double total = 0;
  for (std::int32_t f = 0; f < n; ++f) {
    flops[f] += fronts.shape[f].flops();
    const std::int32_t p = fronts.parent[f];
    if (p == -1) {
      roots.push_back(f);
      total += flops[f];
      continue;
    }
    flops[p] += flops[f];
    first[p] = std::min(first[p], first[f]);
  }
  if (plan.threads <= 1 || part <= 0) {
    plan.top.resize(fronts.parent.size());
    std::iota(plan.top.begin(), plan.top.end(), 0);
    return;
  }
  const double limit = part * total / plan.threads;
  while (!roots.empty()) {
    const std::int32_t f = roots.back();
    roots.pop_back();
    if (flops[f] <= limit) {
      plan.subtrees.push_back({first[f], f + 1, flops[f]});
    } else {
      plan.top.push_back(f);
      const auto children = fronts.children_of(f);
      roots.insert(roots.end(), children.begin(), children.end());
    }
  }
  std::sort(plan.top.begin(), plan.top.end());
  std::sort(plan.subtrees.begin(), plan.subtrees.end(), [](const Subtree& a, const Subtree& b) {
    return a.flops > b.flops || (a.flops == b.flops && a.begin < b.begin);
  });
}

/// Subtree of each front; -1 of those above.
std::vector<std::int32_t> makers(const Plan& plan, std::int32_t n_fronts) {
  std::vector<std::int32_t> maker(static_cast<std::size_t>(n_fronts), -1);
  for (std::size_t s = 0; s < plan.subtrees.size(); ++s)
    for (std::int32_t f = plan.subtrees[s].begin; f < plan.subtrees[s].end; ++f)
      maker[f] = static_cast<std::int32_t>(s);
  return maker;
}

/// Chunks in order of fronts; none has fronts of two subtrees, which threads make at the same time.
void lay_out_chunks(const Fronts& fronts, Plan& plan) {
  const std::vector<std::int32_t> maker = makers(plan, fronts.size());
  plan.chunks.clear();
  plan.chunk_of.clear();
  plan.factor_at.clear();
  for (std::int32_t f = 0; f < fronts.size(); ++f) {
    const std::int64_t values = aligned_values(fronts.shape[f].factor_values());
    if (f == 0 || maker[f] != maker[f - 1] || plan.chunks.back().values + values > plan.chunk_values)
      plan.chunks.push_back({f, f, 0, plan.out_of_core && maker[f] == -1 && values > plan.chunk_values});
    Chunk& chunk = plan.chunks.back();
    plan.chunk_of.push_back(static_cast<std::int32_t>(plan.chunks.size()) - 1);
    plan.factor_at.push_back(chunk.values);
    chunk.values += values;
    chunk.end = f + 1;
  }
}

/// Values of the largest chunks of each kind.
struct LargestChunks {
  std::int64_t of_subtrees = 0, of_top = 0, by_panels = 0;
};

LargestChunks largest_chunks(const Fronts& fronts, const Plan& plan) {
  const std::vector<std::int32_t> maker = makers(plan, fronts.size());
  LargestChunks largest;
  for (const Chunk& chunk : plan.chunks) {
    std::int64_t& of = chunk.by_panels            ? largest.by_panels
                       : maker[chunk.begin] == -1 ? largest.of_top
                                                  : largest.of_subtrees;
    of = std::max(of, chunk.values);
  }
  return largest;
}

/// Values beside update matrices: factors that are made, and blocks on their way to and from the file.
BesideUpdates beside_updates(const Fronts& fronts, const Plan& plan) {
  if (!plan.out_of_core) return {};
  const LargestChunks largest = largest_chunks(fronts, plan);
  std::int64_t panel_of_roots = 0, panel = 0;
  for (std::int32_t f = 0; f < fronts.size(); ++f) {
    if (!plan.on_disk[f]) continue;
    const std::int64_t updated = fronts.shape[f].updated();
    std::int64_t& most = plan.stack[f] == 2 ? panel_of_roots : panel;
    most = std::max(most, FrontShape::trapezoid(updated, std::min(updated, kTile)));
  }
  // What each thread fills, one block that waits and one that is written; two that are read.
  BesideUpdates beside;
  if (!plan.subtrees.empty())
    beside.subtrees = plan.threads * (largest.of_subtrees + panel_of_roots) +
                      2 * std::max(largest.of_subtrees, panel_of_roots);
  const std::int64_t read = 2 * std::max(panel, panel_of_roots);
  beside.top = largest.by_panels + largest.of_top + panel +
               2 * std::max({largest.of_top, panel, largest.of_subtrees, panel_of_roots}) + read;
  return beside;
}

}  // namespace

std::int64_t Plan::factor_values() const {
  std::int64_t sum = 0;
  for (const Chunk& chunk : chunks) sum += chunk.values;
  return sum;
}

std::int64_t Plan::update_values() const {
  return memory.kept + memory.roots + std::max(subtrees.empty() ? 0 : threads * memory.subtree, memory.top);
}

std::int64_t Plan::values_of_factor(const Fronts& fronts) const {
  if (!out_of_core) return factor_values() + update_values();
  const BesideUpdates beside = beside_updates(fronts, *this);
  return memory.kept + memory.roots +
         std::max(subtrees.empty() ? 0 : threads * memory.subtree + beside.subtrees, memory.top + beside.top);
}

std::int64_t Plan::values_of_solve(const Fronts& fronts) const {
  if (!out_of_core) return factor_values();
  std::int64_t most = 0;
  for (const Chunk& chunk : chunks) {
    const std::int64_t panel = FrontShape::trapezoid(fronts.shape[chunk.begin].order,
                                                     std::min(fronts.shape[chunk.begin].pivots, kTile));
    most = std::max(most, read_by_panels(chunk) ? panel : chunk.values);
  }
  return 2 * most;
}

std::int64_t Plan::values_on_disk() const {
  return out_of_core ? factor_values() + disk.top + disk.roots : 0;
}

Plan make_plan(const Fronts& fronts, const PlanOptions& options) {
  Plan plan;
  plan.threads = std::max(1, options.threads);
  plan.out_of_core = options.out_of_core;
  plan.chunk_values = options.chunk_values;
  double part = kPartOfThread;
  for (int tried = 0;; ++tried, part /= double(kSmaller), plan.chunk_values /= kSmaller) {
    cut_into_subtrees(fronts, tried < kTimesSmaller ? part : 0, plan);
    lay_out_chunks(fronts, plan);
    place_updates(fronts, plan, options.out_of_core ? options.most_values : 0,
                  [&] { return beside_updates(fronts, plan); });
    if (!options.out_of_core || options.most_values == 0 || tried == kTimesSmaller ||
        plan.values_of_factor(fronts) <= options.most_values)
      return plan;
  }
}

}  // namespace crumple::implicit::linear
