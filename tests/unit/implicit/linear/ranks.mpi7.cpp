// Linear equations on 1, 2, 3, 4 and 7 of 7 ranks: the same bits as on one rank without others.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <span>

#include "base/error.hpp"
#include "cylinders.hpp"
#include "implicit/linear/ordering.hpp"
#include "implicit/linear/workers.hpp"

namespace crumple::implicit::linear {

namespace {

constexpr int kRanks[] = {1, 2, 3, 4, 7};
/// Every front is shared that can be.
constexpr DivisionOptions kShareAll{0, 0};

int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

/// Calls act(workers) on rank 0 while the first n ranks work for it. Collective.
template <class Act>
void with_ranks(int n, Act act, int threads = 1) {
  MPI_Comm some = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() < n ? 0 : MPI_UNDEFINED, world_rank(), &some);
  if (some != MPI_COMM_NULL) {
    const parallel::Communicator comm(some);
    if (comm.root()) {
      Workers workers(comm);
      act(workers);
      workers.end(5);
    } else {
      EXPECT_EQ(work(comm, {threads, 0}), 5);
    }
    MPI_Comm_free(&some);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

struct Solution {
  Analysis analysis;
  Factored factored;
  Solved solved;
  std::vector<double> x;
};

/// Two factors, since the second finds memory of the first, and a solution.
Solution solution_of(const Problem& problem, const SolverOptions& options, int n_rhs = 2) {
  const auto solver = make_solver(options);
  Solution of;
  of.analysis = solver->analyse(problem.pattern, problem.positions);
  for (int twice = 0; twice < 2; ++twice) of.factored = solver->factor(problem.matrix);
  of.x = random_numbers(static_cast<std::size_t>(problem.pattern.equations() * n_rhs));
  of.solved = solver->solve(of.x, of.x);
  return of;
}

void expect_same(const Solution& of, const Solution& one) {
  ASSERT_EQ(of.x.size(), one.x.size());
  EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(of.x)), std::as_bytes(std::span(one.x))));
  EXPECT_EQ(of.factored.negative, one.factored.negative);
  EXPECT_EQ(of.factored.zero, one.factored.zero);
  EXPECT_EQ(of.factored.singular, one.factored.singular);
  EXPECT_EQ(of.solved.refinements, one.solved.refinements);
  EXPECT_EQ(of.solved.residual, one.solved.residual);
  EXPECT_EQ(of.analysis.flops, one.analysis.flops);
}

/// Compares with one rank, on all numbers of ranks.
void expect_same_on_ranks(const Problem& problem, SolverOptions options, int threads = 1) {
  Solution one;
  if (world_rank() == 0) one = solution_of(problem, options);
  options.threads = threads;
  options.folder = testing::TempDir();
  for (const DivisionOptions& division : {DivisionOptions{}, kShareAll})
    for (const int ranks : kRanks) {
      SCOPED_TRACE(testing::Message()
                   << ranks << " ranks, " << threads << " threads, shared from " << division.worth_sharing);
      with_ranks(
          ranks,
          [&](Workers& workers) {
            options.workers = &workers;
            options.division = division;
            const Solution of = solution_of(problem, options);
            expect_same(of, one);
            EXPECT_EQ(of.analysis.ranks.size(), ranks > 1 ? static_cast<std::size_t>(ranks) : 0);
            EXPECT_LE(of.factored.bytes, of.analysis.bytes);
          },
          threads);
    }
}

Symbolic symbolic_of(const Problem& problem) {
  const RowGraph graph = row_graph(problem.pattern);
  std::vector<std::int32_t> sizes;
  for (const std::int32_t row : graph.row) sizes.push_back(problem.pattern.size(row));
  Symbolic symbolic;
  symbolic.fronts = make_fronts(
      graph, elimination_tree(graph, order_of(graph, problem.positions, Ordering::metis), sizes), sizes);
  symbolic.blocks = front_blocks(problem.pattern, symbolic.fronts);
  return symbolic;
}

}  // namespace

TEST(Ranks, SameBitsForABrick) {
  Problem problem;
  make_brick(problem, 12, 12, 12);
  expect_same_on_ranks(problem, {});
  expect_same_on_ranks(problem, {.ordering = Ordering::geometric}, 2);
}

TEST(Ranks, SameBitsInSinglePrecision) {
  Problem problem;
  make_brick(problem, 12, 10, 10);
  expect_same_on_ranks(problem, {.single_precision = true});
}

TEST(Ranks, SameBitsOutOfCore) {
  Problem problem;
  make_brick(problem, 12, 10, 10);
  expect_same_on_ranks(problem, {.out_of_core = true});
  expect_same_on_ranks(problem, {.single_precision = true, .out_of_core = true}, 2);
}

TEST(Ranks, SameBitsForTiedCylinders) {
  Problem problem;
  make_cylinders(problem, 0.08, true);
  expect_same_on_ranks(problem, {});
}

TEST(Ranks, SameSignsOfAShiftedBrick) {
  Problem problem;
  make_brick(problem, 12, 10, 10, true, 30.0);
  expect_same_on_ranks(problem, {});
  expect_same_on_ranks(problem, {.single_precision = true, .out_of_core = true});
}

TEST(Ranks, SameMotionsOfAFreeBody) {
  Problem problem;
  make_brick(problem, 9, 8, 8, false);
  expect_same_on_ranks(problem, {});
}

/// Without stiffness in an equation of each rank's part, in turn.
TEST(Ranks, NameTheSameEquationWithoutStiffness) {
  for (const std::int32_t row : {55, 303, 607, 908}) {
    Problem problem;
    make_brick(problem, 9, 9, 9);
    const std::int32_t third = problem.pattern.size(row) - 1;
    ASSERT_GE(third, 0);
    for (std::int32_t r = 0; r < problem.pattern.rows(); ++r)
      for (std::int64_t b = problem.pattern.start[r]; b < problem.pattern.start[r + 1]; ++b) {
        const std::int32_t c = problem.pattern.column[b];
        const auto block = problem.matrix.block(r, c);
        for (std::int32_t i = 0; i < problem.pattern.size(r); ++i)
          for (std::int32_t j = 0; j < problem.pattern.size(c); ++j)
            if ((r == row && i == third) || (c == row && j == third))
              block[i * problem.pattern.size(c) + j] = 0;
      }
    expect_same_on_ranks(problem, {});
  }
}

TEST(Ranks, FewEquationsOrNone) {
  Problem one, none;
  make_brick(one, 1, 1, 1);
  expect_same_on_ranks(one, {});
  none.pattern = pattern_of(std::vector<std::uint8_t>(4, 0), std::vector<std::int64_t>{0}, {});
  none.positions.resize(4);
  none.matrix = {&none.pattern, {}};
  expect_same_on_ranks(none, {});
}

TEST(Ranks, MemoryBeyondTheLimitIsRefusedByRank) {
  Problem problem;
  make_brick(problem, 12, 10, 10);
  with_ranks(3, [&](Workers& workers) {
    SolverOptions options{.memory_limit = 1e5, .workers = &workers};
    const auto solver = make_solver(options);
    const Analysis is = solver->analyse(problem.pattern, problem.positions);
    ASSERT_EQ(is.ranks.size(), 3u);
    for (const RankNeeds& rank : is.ranks) EXPECT_GT(rank.bytes, 1e5);
    try {
      solver->check_room();
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.id(), "CR-I203");
    }
    // What a check without ranks predicts is what these say.
    options.workers = nullptr;
    options.predicted_ranks = 3;
    const Analysis predicted = make_solver(options)->analyse(problem.pattern, problem.positions);
    ASSERT_EQ(predicted.ranks.size(), 3u);
    for (std::size_t r = 0; r < 3; ++r) EXPECT_EQ(predicted.ranks[r].bytes, is.ranks[r].bytes);
  });
}

TEST(RankDivision, EachColumnOfAnUpdateMatrixGoesToOnePanelAndWorkIsEven) {
  if (world_rank() != 0) return;
  Problem problem;
  make_brick(problem, 16, 16, 16);
  const Symbolic symbolic = symbolic_of(problem);
  double total = 0;
  for (const FrontShape& shape : symbolic.fronts.shape) total += shape.flops();
  for (const int ranks : kRanks) {
    const RankDivision division(symbolic, ranks);
    std::int32_t made = std::ssize(division.tops());
    std::int64_t equations = 0;
    for (int r = 0; r < ranks; ++r) {
      const RankPart part = division.part(r, true);
      made += part.own.fronts.size();
      equations += part.all_equations();
    }
    EXPECT_EQ(made, symbolic.fronts.size());
    EXPECT_EQ(equations, problem.pattern.equations());
    for (std::size_t t = 0; t < division.tops().size(); ++t) {
      const TopFront& top = division.tops()[t];
      std::vector<std::int64_t> next(top.children.size(), 0);
      for (const UpdatePiece& piece : update_pieces(division.tops(), t)) {
        EXPECT_EQ(piece.columns.begin, next[piece.child]);
        EXPECT_EQ(piece.to, top.rank[static_cast<std::size_t>(piece.panel)]);
        next[piece.child] = piece.columns.end;
      }
      for (std::size_t c = 0; c < next.size(); ++c) EXPECT_EQ(next[c], top.children[c].updated);
    }
    const std::vector<double>& flops = division.flops();
    EXPECT_LT(*std::max_element(flops.begin(), flops.end()), (ranks < 4 ? 1.15 : 1.5) * total / ranks)
        << ranks << " ranks";
  }
}

}  // namespace crumple::implicit::linear
