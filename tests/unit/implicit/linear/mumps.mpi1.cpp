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

TEST(Mumps, AgreesWithTheMultifrontalSolver) {
  for (const double shift : {0.0, 3.0, 60.0}) {
    Problem problem;
    make_brick(problem, 15, 11, 9, true, shift);
    const auto b = random_numbers(at(problem.pattern.equations()));
    const auto other = mumps();
    if (!other) GTEST_SKIP() << "no MUMPS in this build";
    const auto ours = make_solver({});
    std::vector<double> x(b.size()), y(b.size());
    const Analysis one = ours->analyse(problem.pattern, problem.positions);
    const Analysis two = other->analyse(problem.pattern, problem.positions);
    EXPECT_EQ(ours->factor(problem.matrix).negative, other->factor(problem.matrix).negative) << shift;
    ours->solve(b, x);
    other->solve(b, y);
    double size = 0, difference = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      size = std::max(size, std::abs(y[i]));
      difference = std::max(difference, std::abs(x[i] - y[i]));
    }
    EXPECT_LT(difference, 1e-9 * size) << shift;
    // The same ordering; both join fronts by their own rules.
    EXPECT_NEAR(one.flops / two.flops, 1.0, 0.25);
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
