// The multifrontal solver against dense factors, closed forms, and itself on other numbers of threads and on
// disk.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <cstring>

#include "base/error.hpp"
#include "brick.hpp"

namespace crumple::implicit::linear {

namespace {

std::vector<double> dense_of(const BlockMatrix& matrix) {
  const auto n = static_cast<std::size_t>(matrix.pattern->equations());
  std::vector<double> dense(n * n), unit(n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    unit[j] = 1;
    matrix.multiply(unit, std::span(dense).subspan(j * n, n));
    unit[j] = 0;
  }
  return dense;
}

/// Eigenvalues of a symmetric matrix by Jacobi's rotations (Golub and Van Loan 2013, 8.5).
std::vector<double> eigenvalues(std::vector<double> a, std::size_t n) {
  for (int sweep = 0; sweep < 30; ++sweep)
    for (std::size_t p = 0; p + 1 < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        if (std::abs(a[p * n + q]) < 1e-300) continue;
        const double tau = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
        const double t = (tau >= 0 ? 1.0 : -1.0) / (std::abs(tau) + std::sqrt(1 + tau * tau));
        const double c = 1 / std::sqrt(1 + t * t), s = t * c;
        for (std::size_t k = 0; k < n; ++k) {
          const double x = a[p * n + k], y = a[q * n + k];
          a[p * n + k] = c * x - s * y, a[q * n + k] = s * x + c * y;
        }
        for (std::size_t k = 0; k < n; ++k) {
          const double x = a[k * n + p], y = a[k * n + q];
          a[k * n + p] = c * x - s * y, a[k * n + q] = s * x + c * y;
        }
      }
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = a[i * n + i];
  return values;
}

/// Rows of 0 to 6 equations, joined at random; positive if `diagonal` is large.
void make_mixed(Problem& problem, std::int32_t rows, double diagonal) {
  std::mt19937 generator(5);
  std::vector<std::uint8_t> sizes;
  std::vector<std::int64_t> begin{0};
  std::vector<std::int32_t> joined;
  for (std::int32_t row = 0; row < rows; ++row) {
    sizes.push_back(static_cast<std::uint8_t>(generator() % 7));
    problem.positions.push_back({double(generator() % 100), double(generator() % 100), 0.0});
    for (int k = 0; k < 2; ++k) {
      joined.push_back(row);
      joined.push_back(static_cast<std::int32_t>(generator() % static_cast<unsigned>(rows)));
      begin.push_back(static_cast<std::int64_t>(joined.size()));
    }
  }
  problem.pattern = pattern_of(sizes, begin, joined);
  problem.matrix = {&problem.pattern,
                    random_numbers(static_cast<std::size_t>(problem.pattern.value.back()), 9)};
  for (std::int32_t row = 0; row < rows; ++row) {
    const auto block = problem.matrix.block(row, row);
    const std::size_t n = sizes[row];
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) block[i * n + j] = block[j * n + i];
      block[i * n + i] += diagonal;
    }
  }
}

struct Solution {
  Analysis analysis;
  Factored factored;
  Solved solved;
  std::vector<double> x;
};

Solution solution_of(const Problem& problem, std::span<const double> b, const SolverOptions& options = {}) {
  const auto solver = make_solver(options);
  Solution of;
  of.analysis = solver->analyse(problem.pattern, problem.positions);
  of.factored = solver->factor(problem.matrix);
  of.x.resize(b.size());
  of.solved = solver->solve(b, of.x);
  return of;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace

TEST(Multifrontal, SolvesMixedBlocksWithEmptyRowsForThreeRightHandSides) {
  for (const Ordering ordering : {Ordering::metis, Ordering::geometric})
    for (const double diagonal : {60.0, 0.0}) {
      Problem problem;
      make_mixed(problem, 60, diagonal);
      SolverOptions options;
      options.ordering = ordering;
      const auto b = random_numbers(3 * at(problem.pattern.equations()));
      const Solution of = solution_of(problem, b, options);
      EXPECT_LT(residual(problem.matrix, b, of.x), diagonal > 0 ? 1e-13 : 1e-9);
      const auto n = at(problem.pattern.equations());
      const auto values = eigenvalues(dense_of(problem.matrix), n);
      EXPECT_EQ(of.factored.negative,
                std::count_if(values.begin(), values.end(), [](double x) { return x < 0; }));
      EXPECT_EQ(of.factored.singular, -1);
    }
}

TEST(Multifrontal, EntriesAndOperationsAreThoseOfADenseFactorForOneElement) {
  Problem problem;
  make_brick(problem, 1, 1, 1, false, -1.0);
  const auto solver = make_solver({});
  const Analysis analysis = solver->analyse(problem.pattern, problem.positions);
  EXPECT_EQ(analysis.largest_front, 24);
  EXPECT_EQ(analysis.entries, 24 * 25 / 2);
  double flops = 24 * 25 / 2;
  for (int m = 0; m < 24; ++m) flops += m * (m + 1);
  EXPECT_NEAR(analysis.flops, flops, 1e-6);
}

TEST(Multifrontal, SolvesBricksInBothPrecisions) {
  for (const int n : {6, 13, 20}) {
    Problem problem;
    make_brick(problem, n, n, n);
    const auto b = random_numbers(at(problem.pattern.equations()));
    for (const bool single : {false, true})
      for (const Ordering ordering : {Ordering::metis, Ordering::geometric}) {
        SolverOptions options;
        options.single_precision = single;
        options.ordering = ordering;
        const Solution of = solution_of(problem, b, options);
        EXPECT_EQ(of.factored.negative, 0);
        EXPECT_EQ(of.factored.singular, -1);
        EXPECT_LT(residual(problem.matrix, b, of.x), 1e-10);
        EXPECT_EQ(of.solved.residual < 1e-11, true);
      }
  }
}

TEST(Multifrontal, SameBitsOnAnyNumberOfThreadsAndOutOfCore) {
  for (const double shift : {0.0, 5.0}) {
    Problem problem;
    make_brick(problem, 17, 14, 12, true, shift);
    const auto b = random_numbers(2 * at(problem.pattern.equations()));
    for (const bool single : {false, true}) {
      SolverOptions options;
      options.single_precision = single;
      const Solution one = solution_of(problem, b, options);
      for (const int threads : {1, 2, 4})
        for (const bool out_of_core : {false, true}) {
          options.threads = threads;
          options.out_of_core = out_of_core;
          options.folder = testing::TempDir();
          const Solution other = solution_of(problem, b, options);
          EXPECT_TRUE(same_bits(one.x, other.x)) << threads << " threads";
          EXPECT_EQ(one.factored.negative, other.factored.negative);
        }
    }
  }
}

TEST(Multifrontal, FactorsAndSolvesAgainWithTheSameBits) {
  Problem problem;
  make_brick(problem, 8, 7, 6);
  const auto b = random_numbers(at(problem.pattern.equations()));
  const auto solver = make_solver({});
  solver->analyse(problem.pattern, problem.positions);
  std::vector<double> x(b.size()), y = b;
  solver->factor(problem.matrix);
  solver->solve(b, x);
  for (double& value : problem.matrix.values) value *= 2;
  solver->factor(problem.matrix);
  for (double& value : problem.matrix.values) value /= 2;
  solver->factor(problem.matrix);
  solver->solve(y, y);
  EXPECT_TRUE(same_bits(x, y));
}

TEST(Multifrontal, CountsWhatGoesThroughItsFile) {
  Problem problem;
  make_brick(problem, 5, 5, 5);
  SolverOptions options;
  options.out_of_core = true;
  const auto solver = make_solver(options);
  double entries = 0;
  DiskTraffic before;
  for (int k = 0; k < 2; ++k) {  // an analysis begins another file; what went through the first still counts
    entries = solver->analyse(problem.pattern, problem.positions).entries;
    solver->factor(problem.matrix);
    DiskTraffic now = solver->traffic();
    EXPECT_GE(now.written - before.written, 8 * entries);
    EXPECT_LE(now.written - before.written, 1.5 * 8 * entries);
    EXPECT_EQ(now.read, before.read);
    EXPECT_GT(now.seconds, before.seconds);
    auto x = random_numbers(static_cast<std::size_t>(problem.pattern.equations()));
    solver->solve(x, x);
    before = solver->traffic();
    EXPECT_EQ(before.written, now.written);
    EXPECT_GE(before.read - now.read, 2 * 8 * entries);
  }
  options.out_of_core = false;
  const auto in_core = make_solver(options);
  in_core->analyse(problem.pattern, problem.positions);
  in_core->factor(problem.matrix);
  EXPECT_EQ(in_core->traffic().written, 0.0);
}

TEST(Multifrontal, CountsEigenvaluesBelowAShift) {
  Problem problem;
  make_brick(problem, 4, 3, 2);
  const auto n = at(problem.pattern.equations());
  const auto values = eigenvalues(dense_of(problem.matrix), n);
  for (const double shift : {1.0, 20.0, 100.0, 300.0, 1e4}) {
    Problem shifted;
    make_brick(shifted, 4, 3, 2, true, shift);
    const auto b = random_numbers(n);
    const Solution of = solution_of(shifted, b);
    EXPECT_EQ(of.factored.negative,
              std::count_if(values.begin(), values.end(), [&](double x) { return x < shift; }))
        << shift;
    EXPECT_LT(residual(shifted.matrix, b, of.x), 1e-10);
  }
}

TEST(Multifrontal, FindsMotionsOfAFreeBody) {
  for (const bool single : {false, true})
    for (const int n : {2, 9, 16}) {
      Problem problem;
      make_brick(problem, n, n, n, false);
      SolverOptions options;
      options.single_precision = single;
      const auto solver = make_solver(options);
      solver->analyse(problem.pattern, problem.positions);
      const Factored found = solver->factor(problem.matrix);
      // Of large bodies some rotations are hidden (solver.hpp).
      EXPECT_GE(found.zero, n == 16 ? 4 : 6) << n;
      EXPECT_LE(found.zero, 6) << n;
      EXPECT_EQ(found.negative, 0) << n;
      EXPECT_GE(found.singular, 0);
    }
}

TEST(Multifrontal, PassesFromSingleToDoublePrecisionWhereThatIsNeeded) {
  Problem slender;
  make_brick(slender, 500, 2, 2);  // its condition is beyond single precision
  SolverOptions options;
  options.single_precision = true;
  const auto b = random_numbers(at(slender.pattern.equations()));
  const Solution of = solution_of(slender, b, options);
  EXPECT_EQ(of.factored.singular, -1);
  EXPECT_EQ(of.factored.negative, 0);
  // Beside |A| |x|, which is what rounding of a solution of double precision leaves (Wilkinson 1963).
  double size = 0, load = 0;
  for (const double x : of.x) size += x * x;
  for (const double x : b) load += x * x;
  EXPECT_LT(residual(slender.matrix, b, of.x) * std::sqrt(load / size) / 210.0, 1e-14);
}

TEST(Multifrontal, NamesTheEquationWithoutStiffness) {
  Problem problem;
  make_brick(problem, 5, 4, 3);
  const std::int32_t row = 70, equation = problem.pattern.first[row] + 1;
  ASSERT_EQ(problem.pattern.size(row), 3);
  for (std::int32_t other = 0; other < problem.pattern.rows(); ++other) {
    const auto block = problem.matrix.block(std::min(row, other), std::max(row, other));
    for (std::size_t k = 0; k < block.size(); ++k)
      if ((other >= row && k / 3 == 1) || (other <= row && k % 3 == 1)) block[k] = 0;
  }
  const Solution of = solution_of(problem, random_numbers(at(problem.pattern.equations())));
  EXPECT_EQ(of.factored.singular, equation);
  EXPECT_EQ(of.factored.zero, 1);
}

TEST(Multifrontal, RespectsTheLimitOfMemory) {
  Problem problem;
  make_brick(problem, 12, 12, 12);
  SolverOptions options;
  const Analysis needs = make_solver(options)->analyse(problem.pattern, problem.positions);
  EXPECT_GT(needs.bytes_in_core, 8 * needs.entries);
  options.memory_limit = 0.9 * needs.bytes_in_core;
  const auto solver = make_solver(options);
  solver->analyse(problem.pattern, problem.positions);
  try {
    solver->factor(problem.matrix);
    FAIL() << "more memory than the limit";
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "CR-I203");
    EXPECT_EQ(error.status(), Exit::system);
  }
}

TEST(Multifrontal, GoesOutOfCoreOnlyWhereTheLimitAsksForItWithTheSameBits) {
  Problem problem;
  make_brick(problem, 17, 14, 12);
  const auto b = random_numbers(at(problem.pattern.equations()));
  SolverOptions options;
  options.out_of_core_if_needed = true;
  options.folder = testing::TempDir();
  const Solution free = solution_of(problem, b, options);
  const Analysis& needs = free.analysis;
  EXPECT_FALSE(needs.out_of_core);
  EXPECT_EQ(needs.bytes, needs.bytes_in_core);
  EXPECT_LT(needs.bytes_least, needs.bytes_out_of_core);
  EXPECT_LT(needs.bytes_least, needs.bytes_in_core);
  for (const double limit : {needs.bytes_in_core, 0.999 * needs.bytes_in_core, needs.bytes_least}) {
    options.memory_limit = limit;
    const Solution of = solution_of(problem, b, options);
    EXPECT_EQ(of.analysis.out_of_core, limit < needs.bytes_in_core);
    EXPECT_LE(of.analysis.bytes, limit);
    EXPECT_LE(of.factored.bytes, limit);
    EXPECT_GT(of.factored.bytes, 0);
    EXPECT_TRUE(same_bits(of.x, free.x));
  }
}

TEST(Multifrontal, RefusesBeforeAFactorWhatHasNoRoom) {
  Problem problem;
  make_brick(problem, 12, 12, 12);
  SolverOptions options;
  options.out_of_core_if_needed = true;
  const Analysis needs = make_solver(options)->analyse(problem.pattern, problem.positions);
  const auto id_of = [&] {
    const auto solver = make_solver(options);
    solver->analyse(problem.pattern, problem.positions);
    try {
      solver->check_room();
    } catch (const Error& error) {
      return error.id();
    }
    return std::string();
  };
  EXPECT_EQ(id_of(), "");
  options.memory_limit = needs.bytes_least;
  EXPECT_EQ(id_of(), "");
  options.memory_limit = 0.99 * needs.bytes_least;
  EXPECT_EQ(id_of(), "CR-I203");
}

TEST(Multifrontal, SaysThatTheDiskIsFull) {
  Problem problem;
  make_brick(problem, 12, 12, 12);
  SolverOptions options;
  options.out_of_core = true;
  options.folder = testing::TempDir();
  const auto solver = make_solver(options);
  solver->analyse(problem.pattern, problem.positions);
  // A limit of the size of files stands for a full disk.
  struct rlimit before {};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small { 1 << 20, before.rlim_max };
  setrlimit(RLIMIT_FSIZE, &small);
  std::string id;
  try {
    solver->factor(problem.matrix);
  } catch (const Error& error) {
    id = error.id();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(id, "CR-I204");
  options.folder = testing::TempDir() + "/not/there";
  const auto other = make_solver(options);
  other->analyse(problem.pattern, problem.positions);
  EXPECT_THROW(other->factor(problem.matrix), Error);
}

TEST(Multifrontal, NoEquationsAreSolved) {
  Problem problem;
  problem.pattern = pattern_of(std::vector<std::uint8_t>{0, 0}, std::vector<std::int64_t>{0, 2},
                               std::vector<std::int32_t>{0, 1});
  problem.matrix.pattern = &problem.pattern;
  problem.positions.resize(2);
  const Solution of = solution_of(problem, {});
  EXPECT_EQ(of.factored.negative, 0);
  EXPECT_TRUE(of.x.empty());
}

}  // namespace crumple::implicit::linear
