// MUMPS behind the interface of linear solvers. One rank.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "brick.hpp"

namespace crumple::implicit::linear {

namespace {

/// Null where the build has no MUMPS.
std::unique_ptr<Solver> mumps(SolverOptions options = {}) {
  options.method = Method::mumps;
  try {
    return make_solver(options);
  } catch (const Error& error) {
    if (error.id() != "CR-I201") throw;
    return nullptr;
  }
}

}  // namespace

TEST(Mumps, SolvesABrickInBothPrecisionsAndOrderings) {
  Problem problem;
  make_brick(problem, 8, 6, 5);
  const auto b = random_numbers(3 * at(problem.pattern.equations()));
  for (const Ordering ordering : {Ordering::metis, Ordering::geometric})
    for (const bool single : {false, true})
      for (const bool out_of_core : {false, true}) {
        SolverOptions options;
        options.ordering = ordering;
        options.single_precision = single;
        options.out_of_core = out_of_core;
        const auto solver = mumps(options);
        if (!solver) GTEST_SKIP() << "no MUMPS in this build";
        const Analysis analysis = solver->analyse(problem.pattern, problem.positions);
        EXPECT_GT(analysis.flops, 1e6);
        EXPECT_GT(analysis.entries, problem.pattern.equations());
        const Factored factored = solver->factor(problem.matrix);
        EXPECT_EQ(factored.negative, 0);
        EXPECT_EQ(factored.singular, -1);
        std::vector<double> x(b.size());
        solver->solve(b, x);
        EXPECT_LT(residual(problem.matrix, b, x), 1e-10);
      }
}

TEST(Mumps, CountsNegativePivotsAndFindsAFreeBody) {
  Problem shifted, free;
  make_brick(shifted, 4, 3, 3, true, 40.0);
  const auto solver = mumps();
  if (!solver) GTEST_SKIP() << "no MUMPS in this build";
  solver->analyse(shifted.pattern, shifted.positions);
  EXPECT_GT(solver->factor(shifted.matrix).negative, 0);
  std::vector<double> b = random_numbers(at(shifted.pattern.equations())), x = b;
  solver->solve(x, x);
  EXPECT_LT(residual(shifted.matrix, b, x), 1e-10);

  make_brick(free, 4, 3, 3, false);
  solver->analyse(free.pattern, free.positions);
  const Factored found = solver->factor(free.matrix);
  EXPECT_EQ(found.zero, 6);
  EXPECT_GE(found.singular, 0);
}

}  // namespace crumple::implicit::linear
