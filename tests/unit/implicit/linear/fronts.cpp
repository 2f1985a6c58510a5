// Counts of columns, rows of fronts and places of update matrices, against elimination done entry by entry.
#include "implicit/linear/fronts.hpp"

#include <gtest/gtest.h>

#include <set>

#include "brick.hpp"
#include "implicit/linear/assembly.hpp"
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

namespace {

/// Checks places of update matrices that are there at the same time. Returns the most values of those in
/// memory.
std::int64_t check_places(const Fronts& fronts, const Plan& plan, std::span<const std::int32_t> order,
                          std::int64_t room_in_memory, std::int64_t room_on_disk) {
  std::set<std::int32_t> alive;
  std::int64_t most = 0;
  for (const std::int32_t f : order) {
    const std::int64_t begin = plan.update_at[f], end = begin + fronts.shape[f].update_values();
    std::int64_t values = plan.on_disk[f] ? 0 : end - begin;
    if (plan.stack[f] != 2) {
      EXPECT_GE(begin, 0);
      EXPECT_LE(end, plan.on_disk[f] ? room_on_disk : room_in_memory);
    }
    for (const std::int32_t other : alive) {
      const std::int64_t size = fronts.shape[other].update_values();
      if (!plan.on_disk[other]) values += size;
      const bool apart = plan.update_at[other] + size <= begin || plan.update_at[other] >= end;
      EXPECT_TRUE(plan.on_disk[other] != plan.on_disk[f] || plan.stack[f] == 2 || apart);
    }
    most = std::max(most, values);
    for (const std::int32_t child : fronts.children_of(f)) alive.erase(child);
    if (plan.stack[f] != 2) alive.insert(f);
  }
  return most;
}

}  // namespace

TEST(Plan, UpdateMatricesDoNotOverlapAndLeaveLittleBetween) {
  Problem problem;
  make_brick(problem, 12, 11, 10);
  const Analysed of = analysed(problem, Ordering::metis);
  const Plan plan = make_plan(of.fronts, {});
  const std::int64_t most = check_places(of.fronts, plan, plan.top, plan.memory.top, 0);
  EXPECT_GE(plan.update_values(), most);
  EXPECT_LT(double(plan.update_values()), 1.02 * double(most));
}

TEST(Plan, StaysBelowTheLimitWithUpdateMatricesOnDisk) {
  Problem problem;
  make_brick(problem, 26, 24, 22);
  const Analysed of = analysed(problem, Ordering::metis);
  for (const int threads : {1, 3}) {
    const auto plan_for = [&](std::int64_t most) {
      return make_plan(of.fronts,
                       {.threads = threads, .out_of_core = true, .most_values = most, .chunk_values = 50000});
    };
    const std::int64_t without = plan_for(0).values_of_factor(of.fronts);
    const std::int64_t least = plan_for(1).values_of_factor(of.fronts);
    EXPECT_LT(least, 0.8 * double(without));
    std::int64_t last_on_disk = 0;
    for (const double part : {1.0, 0.9, 0.6, 0.3, 0.1, 0.0}) {
      const std::int64_t limit = least + std::int64_t(part * double(without - least));
      const Plan plan = plan_for(limit);
      EXPECT_LE(plan.values_of_factor(of.fronts), limit);
      const std::int64_t on_disk = std::count(plan.on_disk.begin(), plan.on_disk.end(), 1);
      EXPECT_EQ(on_disk == 0, part == 1.0);
      EXPECT_GE(on_disk, last_on_disk);
      last_on_disk = on_disk;
      check_places(of.fronts, plan, plan.top, plan.memory.top, plan.disk.top);
      for (const Subtree& subtree : plan.subtrees) {
        std::vector<std::int32_t> order;
        for (std::int32_t f = subtree.begin; f < subtree.end; ++f) order.push_back(f);
        check_places(of.fronts, plan, order, plan.memory.subtree, 0);
      }
    }
  }
}

TEST(Plan, SubtreesAndTheTopMakeEachFrontOnceAndChunksHoldAll) {
  Problem problem;
  make_brick(problem, 12, 11, 10);
  const Analysed of = analysed(problem, Ordering::geometric);
  const Plan plan = make_plan(of.fronts, {.threads = 3});
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

TEST(Assembly, FindsColumnsOfAChildThatBelongBeforeARowOfTheParent) {
  // Child's columns 0-2 are rows 1-3 of the parent, 3-6 are 10-13.
  const std::vector<RowRun> runs{{0, 1, 3}, {3, 10, 4}};
  const std::int64_t rows[] = {0, 1, 2, 4, 5, 10, 11, 14, 20};
  const std::int64_t columns[] = {0, 0, 1, 3, 3, 3, 4, 7, 7};
  for (std::size_t k = 0; k < std::size(rows); ++k) EXPECT_EQ(columns_before(runs, rows[k]), columns[k]) << k;
  EXPECT_EQ(columns_before({}, 3), 0);
}

}  // namespace crumple::implicit::linear
