// Counts of columns, rows of fronts and places of update matrices, against elimination done entry by entry.
#include "implicit/linear/fronts.hpp"

#include <gtest/gtest.h>

#include <set>

#include "brick.hpp"
#include "implicit/linear/plan.hpp"

namespace crumple::implicit::linear {

namespace {

struct Analysed {
  RowGraph graph;
  std::vector<std::int32_t> sizes;
  EliminationTree tree;
  Fronts fronts;
};

Analysed analysed(const Problem& problem, Ordering ordering) {
  Analysed of;
  of.graph = row_graph(problem.pattern);
  for (const std::int32_t row : of.graph.row) of.sizes.push_back(problem.pattern.size(row));
  of.tree = elimination_tree(of.graph, order_of(of.graph, problem.positions, ordering), of.sizes);
  of.fronts = make_fronts(of.graph, of.tree, of.sizes);
  return of;
}

/// A brick without some nodes' equations, so that blocks have 0 to 3.
void make_uneven(Problem& problem) {
  make_brick(problem, 6, 5, 4);
  std::vector<std::uint8_t> sizes;
  std::vector<std::int64_t> begin{0};
  std::vector<std::int32_t> rows;
  for (std::int32_t row = 0; row < problem.pattern.rows(); ++row) {
    sizes.push_back(static_cast<std::uint8_t>(row * 5 % 4));
    for (std::int64_t b = problem.pattern.start[row]; b < problem.pattern.start[row + 1]; ++b) {
      rows.push_back(row);
      rows.push_back(problem.pattern.column[b]);
      begin.push_back(static_cast<std::int64_t>(rows.size()));
    }
  }
  problem.pattern = pattern_of(sizes, begin, rows);
}

/// Places below each place in the factor's column, by elimination.
std::vector<std::set<std::int32_t>> columns_of(const RowGraph& graph, const EliminationTree& tree) {
  std::vector<std::set<std::int32_t>> columns(tree.order.size());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    for (const std::int32_t neighbour : graph.of(tree.order[k]))
      if (tree.place[neighbour] > static_cast<std::int32_t>(k)) columns[k].insert(tree.place[neighbour]);
    for (std::size_t j = 0; j < k; ++j)
      if (!columns[j].empty() && *columns[j].begin() == static_cast<std::int32_t>(k))
        columns[k].insert(std::next(columns[j].begin()), columns[j].end());
  }
  return columns;
}

}  // namespace

TEST(EliminationTree, ParentsAndCountsAreThoseOfElimination) {
  for (const Ordering ordering : {Ordering::metis, Ordering::geometric}) {
    Problem problem;
    make_uneven(problem);
    const Analysed of = analysed(problem, ordering);
    const auto columns = columns_of(of.graph, of.tree);
    for (std::size_t k = 0; k < columns.size(); ++k) {
      EXPECT_EQ(of.tree.parent[k], columns[k].empty() ? -1 : *columns[k].begin());
      std::int64_t count = of.sizes[of.tree.order[k]];
      for (const std::int32_t i : columns[k]) count += of.sizes[of.tree.order[i]];
      EXPECT_EQ(of.tree.count[k], count) << k;
    }
  }
}

TEST(Fronts, HoldTheFactorWithFewZeros) {
  for (const Ordering ordering : {Ordering::metis, Ordering::geometric}) {
    Problem problem;
    make_brick(problem, 9, 8, 7);
    const Analysed of = analysed(problem, ordering);
    const Fronts& fronts = of.fronts;
    double entries = 0, least = 0;
    for (std::size_t k = 0; k < of.tree.order.size(); ++k) {
      const double n = of.sizes[of.tree.order[k]], m = double(of.tree.count[k]) - n;
      least += n * (n + 1) / 2 + n * m;
    }
    for (std::int32_t f = 0; f < fronts.size(); ++f) {
      entries += fronts.shape[f].entries();
      EXPECT_LT(fronts.begin[f], fronts.begin[f + 1]);
      const std::int32_t parent = fronts.parent[f];
      if (parent == -1) {
        EXPECT_TRUE(fronts.updates_of(f).empty());
        continue;
      }
      ASSERT_GT(parent, f);
      const auto above = fronts.updates_of(parent);
      for (const std::int32_t place : fronts.updates_of(f))
        EXPECT_TRUE((place >= fronts.begin[parent] && place < fronts.begin[parent + 1]) ||
                    std::binary_search(above.begin(), above.end(), place));
    }
    EXPECT_GE(entries, least);
    EXPECT_LT(entries, 1.25 * least);
  }
}

TEST(Plan, UpdateMatricesDoNotOverlapAndLeaveLittleBetween) {
  Problem problem;
  make_brick(problem, 12, 11, 10);
  const Analysed of = analysed(problem, Ordering::metis);
  const Plan plan = make_plan(of.fronts, 1);
  std::set<std::int32_t> alive;
  std::int64_t most = 0;
  for (std::int32_t f = 0; f < of.fronts.size(); ++f) {
    const std::int64_t begin = plan.update_at[f], end = begin + of.fronts.shape[f].update_values();
    std::int64_t values = end - begin;
    for (const std::int32_t other : alive) {
      const std::int64_t size = of.fronts.shape[other].update_values();
      values += size;
      EXPECT_TRUE(plan.stack[other] != plan.stack[f] || plan.update_at[other] + size <= begin ||
                  plan.update_at[other] >= end);
    }
    EXPECT_LE(end, plan.top_stack[plan.stack[f]]);
    most = std::max(most, values);
    for (const std::int32_t child : of.fronts.children_of(f)) alive.erase(child);
    alive.insert(f);
  }
  EXPECT_GE(plan.update_values(1), most);
  EXPECT_LT(double(plan.update_values(1)), 1.3 * double(most));
}

TEST(Plan, SubtreesAndTheTopMakeEachFrontOnceAndChunksHoldAll) {
  Problem problem;
  make_brick(problem, 12, 11, 10);
  const Analysed of = analysed(problem, Ordering::geometric);
  const Plan plan = make_plan(of.fronts, 3);
  std::vector<int> made(of.fronts.parent.size(), 0);
  for (const Subtree& subtree : plan.subtrees)
    for (std::int32_t f = subtree.begin; f < subtree.end; ++f) ++made[f];
  for (const std::int32_t f : plan.top) ++made[f];
  EXPECT_EQ(std::count(made.begin(), made.end(), 1), of.fronts.size());
  std::int32_t next = 0;
  for (const Chunk& chunk : plan.chunks) {
    EXPECT_EQ(chunk.begin, next);
    for (std::int32_t f = chunk.begin; f < chunk.end; ++f)
      EXPECT_LE(plan.factor_at[f] + of.fronts.shape[f].factor_values(), chunk.values);
    next = chunk.end;
  }
  EXPECT_EQ(next, of.fronts.size());
}

}  // namespace crumple::implicit::linear
