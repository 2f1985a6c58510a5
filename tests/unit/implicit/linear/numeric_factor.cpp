// Factors out of core with limits of memory: the same bits as in memory, within the limit.
#include "implicit/linear/numeric_factor.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstring>

#include "base/error.hpp"
#include "cylinders.hpp"
#include "implicit/linear/ordering.hpp"

namespace crumple::implicit::linear {

namespace {

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

/// Solution, and what was found and used on the way.
template <class T>
struct Result {
  std::vector<T> x;
  double least = 0;
  Signs signs;
  std::int64_t most_bytes = 0, allowed_bytes = 0, on_disk = 0;
};

/// @param options out of core if a limit is given
template <class T>
Result<T> result_of(const Problem& problem, const Symbolic& symbolic, const PlanOptions& options,
                    bool with_signs) {
  const Plan plan = make_plan(symbolic.fronts, options);
  Result<T> of;
  of.allowed_bytes = plan.values_of_factor(symbolic.fronts) * std::int64_t(sizeof(T));
  of.on_disk = std::count(plan.on_disk.begin(), plan.on_disk.end(), 1);
  NumericFactor<T> factor(symbolic, plan, options.out_of_core ? testing::TempDir() : "");
  const std::vector<double> scale(at(problem.pattern.equations()), 100.0);
  for (int twice = 0; twice < 2; ++twice) {  // the second time with memory of the first
    if (with_signs)
      of.signs = factor.with_signs(problem.matrix.values, scale, 1e-14);
    else
      of.least = factor.cholesky(problem.matrix.values, scale, 0);
  }
  of.most_bytes = factor.most_bytes();
  for (const double b : random_numbers(2 * scale.size())) of.x.push_back(static_cast<T>(b));
  factor.solve(of.x, 2);
  return of;
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Small chunks, so that fronts of small problems are written and read panel by panel.
PlanOptions options_for(int threads, std::int64_t most_values) {
  return {.threads = threads, .out_of_core = true, .most_values = most_values, .chunk_values = 40000};
}

/// Compares factors within limits from none to the least with one in memory.
template <class T>
void expect_same_bits_within_limits(const Problem& problem, bool with_signs) {
  const Symbolic symbolic = symbolic_of(problem);
  const Result<T> in_memory = result_of<T>(problem, symbolic, {}, with_signs);
  EXPECT_LE(in_memory.most_bytes, in_memory.allowed_bytes);
  for (const int threads : {1, 3}) {
    const auto values = [&](std::int64_t most) {
      return make_plan(symbolic.fronts, options_for(threads, most)).values_of_factor(symbolic.fronts);
    };
    const std::int64_t least = values(1), without = values(0);
    ASSERT_LT(least, without);
    for (const double part : {1.0, 0.5, 0.2, 0.0}) {
      const std::int64_t limit = least + std::int64_t(part * double(without - least));
      const Result<T> of = result_of<T>(problem, symbolic, options_for(threads, limit), with_signs);
      EXPECT_TRUE(same_bits(of.x, in_memory.x)) << threads << " threads, part " << part;
      EXPECT_EQ(of.least, in_memory.least);
      EXPECT_EQ(of.signs.negative, in_memory.signs.negative);
      EXPECT_LE(of.most_bytes, limit * std::int64_t(sizeof(T))) << threads << " threads, part " << part;
      EXPECT_GT(of.most_bytes, of.allowed_bytes / 3);
      EXPECT_EQ(of.on_disk > 0, part < 1.0);
    }
  }
}

}  // namespace

TEST(NumericFactor, SameBitsWithinAnyLimitForABrick) {
  Problem problem;
  make_brick(problem, 18, 15, 14);
  expect_same_bits_within_limits<double>(problem, false);
  expect_same_bits_within_limits<float>(problem, false);
}

TEST(NumericFactor, SameBitsAndSignsWithinAnyLimit) {
  Problem problem;
  make_brick(problem, 17, 14, 12, true, 5.0);
  expect_same_bits_within_limits<double>(problem, true);
}

TEST(NumericFactor, SameBitsWithinAnyLimitForTiedCylinders) {
  Problem problem;
  make_cylinders(problem, 0.15, true);
  expect_same_bits_within_limits<float>(problem, false);
}

TEST(NumericFactor, GoesOnAfterAMatrixThatIsNotPositive) {
  Problem problem, indefinite;
  make_brick(problem, 12, 11, 10);
  make_brick(indefinite, 12, 11, 10, true, 40.0);
  const Symbolic symbolic = symbolic_of(problem);
  const std::vector<double> scale(at(problem.pattern.equations()), 100.0);
  const auto x_of = [&](NumericFactor<double>& factor) {
    factor.cholesky(problem.matrix.values, scale, 0);
    std::vector<double> x = random_numbers(scale.size());
    factor.solve(x, 1);
    return x;
  };
  NumericFactor<double> in_memory(symbolic, make_plan(symbolic.fronts, {}), "");
  NumericFactor<double> on_disk(symbolic, make_plan(symbolic.fronts, options_for(2, 1)), testing::TempDir());
  EXPECT_EQ(on_disk.cholesky(indefinite.matrix.values, scale, 0), 0.0);
  EXPECT_TRUE(same_bits(x_of(on_disk), x_of(in_memory)));
}

TEST(NumericFactor, SaysThatThereIsNoSpaceForUpdateMatrices) {
  Problem problem;
  make_brick(problem, 12, 12, 12);
  const Symbolic symbolic = symbolic_of(problem);
  const std::vector<double> scale(at(problem.pattern.equations()), 100.0);
  for (const int threads : {1, 3}) {
    const Plan plan = make_plan(symbolic.fronts, options_for(threads, 1));
    NumericFactor<double> factor(symbolic, plan, testing::TempDir());
    // A limit of the size of files stands for a full disk: it is behind the factor, where update matrices
    // are.
    struct rlimit before {};
    getrlimit(RLIMIT_FSIZE, &before);
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    const struct rlimit small {
      static_cast<rlim_t>(plan.factor_values() * std::int64_t(sizeof(double))), before.rlim_max
    };
    setrlimit(RLIMIT_FSIZE, &small);
    std::string id;
    try {
      factor.cholesky(problem.matrix.values, scale, 0);
    } catch (const Error& error) {
      id = error.id();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    EXPECT_EQ(id, "CR-I204") << threads;
  }
  EXPECT_THROW(check_space(testing::TempDir(), 1e21), Error);
  EXPECT_NO_THROW(check_space(testing::TempDir(), 1.0));
}

}  // namespace crumple::implicit::linear
