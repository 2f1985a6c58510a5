// Cuts the tree of fronts for threads, and lays out memory.
#include "implicit/linear/plan.hpp"

#include <algorithm>
#include <numeric>

namespace crumple::implicit::linear {

namespace {

/// Subtrees are cut until the largest has this part of a thread's operations; then threads end nearly
/// together.
constexpr double kPartOfThread = 0.12;
constexpr std::int64_t kChunkValues = std::int64_t(4) << 20;
constexpr std::int64_t kAlignedValues = 16;  // a cache line of floats

std::int64_t aligned(std::int64_t values) {
  return (values + kAlignedValues - 1) / kAlignedValues * kAlignedValues;
}

void cut_into_subtrees(const Fronts& fronts, int threads, Plan& plan) {
  const std::int32_t n = fronts.size();
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
  if (threads <= 1) {
    plan.top.resize(fronts.parent.size());
    std::iota(plan.top.begin(), plan.top.end(), 0);
    return;
  }
  const double limit = kPartOfThread * total / threads;
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

/// Runs through the fronts of a subtree, or of the top, as their elimination does.
class StackLayout {
 public:
  StackLayout(const Fronts& fronts, Plan& plan, std::int64_t (&most)[2])
      : fronts_(fronts), plan_(plan), most_(most) {}

  void add(std::int32_t front, int stack) {
    plan_.stack[front] = static_cast<std::uint8_t>(stack);
    plan_.update_at[front] = used_[stack];
    used_[stack] += aligned(fronts_.shape[front].update_values());
    most_[stack] = std::max(most_[stack], used_[stack]);
    take_children(front);
  }
  void add_root(std::int32_t front) {
    plan_.stack[front] = 2;
    plan_.update_at[front] = plan_.roots;
    plan_.roots += aligned(fronts_.shape[front].update_values());
    take_children(front);
  }

 private:
  void take_children(std::int32_t front) {
    for (const std::int32_t c : fronts_.children_of(front))
      if (plan_.stack[c] != 2) used_[plan_.stack[c]] -= aligned(fronts_.shape[c].update_values());
  }

  const Fronts& fronts_;
  Plan& plan_;
  std::int64_t (&most_)[2];
  std::int64_t used_[2] = {0, 0};
};

void lay_out_stacks(const Fronts& fronts, Plan& plan) {
  std::vector<std::uint8_t> odd(fronts.parent.size(), 0);
  for (std::int32_t f = fronts.size() - 1; f >= 0; --f)
    if (fronts.parent[f] != -1) odd[f] = !odd[fronts.parent[f]];
  plan.stack.assign(fronts.parent.size(), 0);
  plan.update_at.assign(fronts.parent.size(), 0);
  for (const Subtree& subtree : plan.subtrees) {
    StackLayout layout(fronts, plan, plan.subtree_stack);
    for (std::int32_t f = subtree.begin; f + 1 < subtree.end; ++f) layout.add(f, odd[f]);
    layout.add_root(subtree.end - 1);
  }
  StackLayout layout(fronts, plan, plan.top_stack);
  for (const std::int32_t f : plan.top) layout.add(f, odd[f]);
}

/// Chunks in order of fronts; none has fronts of two subtrees, which threads make at the same time.
void lay_out_chunks(const Fronts& fronts, Plan& plan) {
  std::vector<std::int32_t> maker(fronts.parent.size(), -1);
  for (std::size_t s = 0; s < plan.subtrees.size(); ++s)
    for (std::int32_t f = plan.subtrees[s].begin; f < plan.subtrees[s].end; ++f)
      maker[f] = static_cast<std::int32_t>(s);
  for (std::int32_t f = 0; f < fronts.size(); ++f) {
    const std::int64_t values = aligned(fronts.shape[f].factor_values());
    if (f == 0 || maker[f] != maker[f - 1] || plan.chunks.back().values + values > kChunkValues)
      plan.chunks.push_back({f, f, 0});
    Chunk& chunk = plan.chunks.back();
    plan.chunk_of.push_back(static_cast<std::int32_t>(plan.chunks.size()) - 1);
    plan.factor_at.push_back(chunk.values);
    chunk.values += values;
    chunk.end = f + 1;
  }
}

}  // namespace

std::int64_t Plan::largest_chunk() const {
  std::int64_t most = 0;
  for (const Chunk& chunk : chunks) most = std::max(most, chunk.values);
  return most;
}

std::int64_t Plan::factor_values() const {
  std::int64_t sum = 0;
  for (const Chunk& chunk : chunks) sum += chunk.values;
  return sum;
}

std::int64_t Plan::update_values(int threads) const {
  const std::int64_t below = subtrees.empty() ? 0 : threads * (subtree_stack[0] + subtree_stack[1]);
  return roots + std::max(below, top_stack[0] + top_stack[1]);
}

Plan make_plan(const Fronts& fronts, int threads) {
  Plan plan;
  cut_into_subtrees(fronts, threads, plan);
  lay_out_stacks(fronts, plan);
  lay_out_chunks(fronts, plan);
  return plan;
}

}  // namespace crumple::implicit::linear
