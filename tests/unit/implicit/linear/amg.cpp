// Conjugate gradients with smoothed aggregation: rigid motions, products of levels, symmetry, bits, and
// solutions beside those of the direct solver.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "base/error.hpp"
#include "cylinders.hpp"
#include "implicit/linear/amg/conjugate_gradients.hpp"
#include "implicit/linear/amg/hierarchy.hpp"
#include "implicit/linear/amg/tridiagonal.hpp"

namespace crumple::implicit::linear {

namespace {

using amg::kFineBlock;
using amg::kModes;

/// The first level and the products of its setup.
struct TwoLevels {
  amg::FineRows rows;
  std::vector<double> a, inverse, p, coarse;
  amg::RigidModes modes;
  amg::Aggregates aggregates;
  std::vector<std::int32_t> aggregate;
  amg::AggregatedModes next;
  amg::RowPattern p_pattern, ap_pattern, coarse_pattern;

  TwoLevels(const Problem& problem, std::span<const Motion> motions) {
    const amg::Work work{&amg::level_loops(elements::best_isa()), 2};
    rows = amg::fine_rows(problem.pattern, motions);
    amg::fill_fine_values(rows, problem.matrix, 2, a);
    modes = amg::fine_modes(rows, problem.positions, motions);
    aggregates = amg::aggregates_of(amg::node_graph(rows.pattern, rows.node, rows.nodes()));
    for (const std::int32_t n : rows.node) aggregate.push_back(aggregates.of[n]);
    p_pattern = amg::aggregated_pattern(rows.pattern, aggregate, aggregates.count, 2);
    const amg::ColumnBlocks columns = amg::column_blocks(p_pattern);
    ap_pattern = amg::product_pattern(rows.pattern, p_pattern, 2);
    coarse_pattern = amg::galerkin_pattern(columns, ap_pattern, 2);
    const amg::LevelMatrix matrix{&rows.pattern, kFineBlock, a};
    EXPECT_TRUE(amg::invert_diagonal(matrix, 2, inverse));
    next = amg::aggregate_modes(modes, kFineBlock, rows.node, aggregates, 2);
    const double weight = 4.0 / 3.0 / amg::largest_eigenvalue(matrix, inverse, work);
    p = amg::smoothed_prolongation(matrix, inverse, next.base, aggregate, weight, p_pattern, work);
    coarse = amg::galerkin_product(matrix, p_pattern, p, columns, ap_pattern, coarse_pattern, work);
  }

  /// P x, x of the next level.
  std::vector<double> prolong(std::span<const double> x) const {
    std::vector<double> y(rows.size(), 0.0);
    for (std::int32_t r = 0; r < p_pattern.rows(); ++r)
      for (std::int64_t b = p_pattern.start[r]; b < p_pattern.start[r + 1]; ++b)
        for (int i = 0; i < kFineBlock; ++i)
          for (int j = 0; j < kModes; ++j)
            y[at(r) * kFineBlock + std::size_t(i)] +=
                p[std::size_t(b) * kFineBlock * kModes + std::size_t(i * kModes + j)] *
                x[at(p_pattern.column[b]) * kModes + std::size_t(j)];
    return y;
  }
  std::vector<double> multiply(std::span<const double> x) const {
    std::vector<double> y(rows.size(), 0.0);
    const amg::RowPattern& of = rows.pattern;
    for (std::int32_t r = 0; r < of.rows(); ++r)
      for (std::int64_t b = of.start[r]; b < of.start[r + 1]; ++b)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            y[at(r) * 3 + std::size_t(i)] +=
                a[std::size_t(9 * b + 3 * i + j)] * x[at(of.column[b]) * 3 + std::size_t(j)];
    return y;
  }
};

/// Motions of the unknowns of a level by a displacement and a turn about the origin.
std::vector<double> moved(const amg::RigidModes& modes, int block, std::span<const std::int32_t> node,
                          const Vec3& u, const Vec3& turn) {
  std::vector<double> q;
  for (std::size_t r = 0; r < node.size(); ++r) {
    const Vec3 here = u + cross(turn, modes.centre[at(node[r])]);
    for (int i = 0; i < block; ++i) {
      const double* const of = modes.value.data() + (r * std::size_t(block) + std::size_t(i)) * kModes;
      q.push_back(of[0] * here.x + of[1] * here.y + of[2] * here.z + of[3] * turn.x + of[4] * turn.y +
                  of[5] * turn.z);
    }
  }
  return q;
}

double norm_of(std::span<const double> x) {
  return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
}

Motion along(const Vec3& axis, bool turn = false) { return {axis, turn}; }

/// A frame of springs that resist nothing rigid: nodes of 3 and of 6 unknowns with skew axes, joined when
/// near. Each spring holds the stretch between its nodes, and the turns of nodes about it beside each other.
struct Frame {
  Problem problem;
  std::vector<Motion> motions;
};

void make_frame(Frame& frame, int n, bool held) {
  std::vector<std::uint8_t> sizes;
  std::vector<std::int64_t> begin{0};
  std::vector<std::int32_t> rows;
  Problem& problem = frame.problem;
  const auto numbers = random_numbers(std::size_t(n) * 9, 3);
  for (int k = 0; k < n; ++k) {
    const double* const of = numbers.data() + 9 * k;
    problem.positions.push_back(
        {double(k % 7) + 0.1 * of[0], double(k / 7 % 6) + 0.1 * of[1], double(k / 42) + 0.1 * of[2]});
    Vec3 a{of[3] + 2, of[4], of[5]};
    a *= 1 / norm(a);
    Vec3 b = cross(a, Vec3{0.3, 1, 0.2});
    b *= 1 / norm(b);
    const Vec3 c = cross(a, b);
    const int turns = k % 3 == 0 ? 0 : held && k % 3 == 2 ? 1 : 3;
    const int moves = held && k % 5 == 0 ? k % 3 : 3;
    const Vec3 axes[] = {a, b, c};
    for (int i = 0; i < moves; ++i) frame.motions.push_back(along(axes[i]));
    for (int i = 0; i < turns; ++i) frame.motions.push_back(along(axes[i], true));
    sizes.push_back(static_cast<std::uint8_t>(moves + turns));
    for (int other = 0; other < k; ++other)
      if (norm(problem.positions[std::size_t(k)] - problem.positions[std::size_t(other)]) < 1.9) {
        rows.push_back(other), rows.push_back(k);
        begin.push_back(std::ssize(rows));
      }
  }
  problem.pattern = pattern_of(sizes, begin, rows);
  problem.matrix.pattern = &problem.pattern;
  problem.matrix.values.assign(std::size_t(problem.pattern.value.back()), 0.0);
  const auto add = [&](const std::vector<std::pair<std::int32_t, double>>& along_equations, std::int32_t p,
                       std::int32_t q, double stiffness) {
    for (const auto& [i, x] : along_equations)
      for (const auto& [j, y] : along_equations) {
        const auto row_of = [&](std::int32_t e) {
          return e >= problem.pattern.first[q] && e < problem.pattern.first[q + 1] ? q : p;
        };
        const std::int32_t r = row_of(i), c = row_of(j);
        if (r > c) continue;
        problem.matrix.block(r, c)[std::size_t((i - problem.pattern.first[r]) * problem.pattern.size(c) + j -
                                               problem.pattern.first[c])] += stiffness * x * y;
      }
  };
  for (std::size_t e = 0; e + 1 < begin.size(); ++e) {
    const std::int32_t p = rows[std::size_t(begin[e])], q = rows[std::size_t(begin[e]) + 1];
    const Vec3 arm = problem.positions[at(q)] - problem.positions[at(p)];
    // u_q - u_p - turn x arm, with the turn of p where it is free, and of q likewise; and the stretch.
    for (int i = 0; i < 4; ++i) {
      for (const std::int32_t pivot : {p, q}) {
        std::vector<std::pair<std::int32_t, double>> combination;
        Vec3 direction;
        direction[i % 3] = 1;
        int turns = 0;
        for (std::int32_t k = problem.pattern.first[pivot]; k < problem.pattern.first[pivot + 1]; ++k)
          turns += frame.motions[std::size_t(k)].turn;
        if (i == 3 || turns < 3) {
          if (i < 3) continue;
          direction = arm;
        }
        for (const std::int32_t node : {p, q})
          for (std::int32_t k = problem.pattern.first[node]; k < problem.pattern.first[node + 1]; ++k) {
            const Motion& m = frame.motions[std::size_t(k)];
            if (!m.turn)
              combination.push_back({k, (node == q ? 1 : -1) * dot(direction, m.axis)});
            else if (node == pivot && i < 3)
              combination.push_back({k, -dot(direction, cross(m.axis, arm))});
          }
        add(combination, p, q, 1.0 + 0.1 * i);
      }
    }
    std::vector<std::pair<std::int32_t, double>> turns;
    for (const std::int32_t node : {p, q})
      for (std::int32_t k = problem.pattern.first[node]; k < problem.pattern.first[node + 1]; ++k)
        if (frame.motions[std::size_t(k)].turn && problem.pattern.size(p) == 6 &&
            problem.pattern.size(q) == 6)
          turns.push_back({k, (node == q ? 1 : -1) * dot(arm, frame.motions[std::size_t(k)].axis)});
    add(turns, p, q, 0.3);
  }
}

/// Adds springs to the ground so that all is held.
void hold(Problem& problem, double stiffness) {
  for (std::int32_t row = 0; row < problem.pattern.rows(); ++row) {
    const int n = problem.pattern.size(row);
    if (n == 0) continue;
    const auto block = problem.matrix.block(row, row);
    for (int i = 0; i < n; ++i) block[std::size_t(i * n + i)] += stiffness;
  }
}

struct Answer {
  Analysis analysis;
  Factored factored;
  Solved solved;
  std::string stands_in;
  std::vector<double> x;
};

Answer answer_of(const Problem& problem, std::span<const double> b, SolverOptions options,
                 std::span<const Motion> motions = {}) {
  options.isa = elements::best_isa();
  const auto solver = make_solver(options);
  solver->place(problem.positions, motions);
  Answer of;
  of.analysis = solver->analyse(problem.pattern, problem.positions);
  of.factored = solver->factor(problem.matrix);
  of.x.resize(b.size());
  of.solved = solver->solve(b, of.x);
  of.stands_in = solver->stands_in();
  return of;
}

SolverOptions iterative() {
  SolverOptions options;
  options.method = Method::conjugate_gradients;
  return options;
}

double difference(std::span<const double> a, std::span<const double> b) {
  double most = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return most / size;
}

}  // namespace

TEST(Aggregation, RigidMotionsArePassedOnExactly) {
  Frame frame;
  make_frame(frame, 210, true);
  hold(frame.problem, 1e-3);
  const TwoLevels of(frame.problem, frame.motions);
  // P0 alone: rows of `base` times the motion of their aggregate.
  const std::vector<std::int32_t> nodes = [&] {
    std::vector<std::int32_t> n(at(of.aggregates.count));
    std::iota(n.begin(), n.end(), 0);
    return n;
  }();
  for (const auto& [u, turn] :
       {std::pair(Vec3{1, 0, 0}, Vec3{}), std::pair(Vec3{0.1, 0.7, -1}, Vec3{}),
        std::pair(Vec3{}, Vec3{1, 0, 0}), std::pair(Vec3{2, 1, 0}, Vec3{0.2, -1, 3})}) {
    const auto fine = moved(of.modes, kFineBlock, of.rows.node, u, turn);
    const auto coarse = moved(of.next.next, kModes, nodes, u, turn);
    double worst = 0;
    for (std::size_t r = 0; r < of.rows.node.size(); ++r)
      for (std::size_t i = 0; i < kFineBlock; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < kModes; ++j)
          sum += of.next.base[(r * kFineBlock + i) * kModes + j] * coarse[at(of.aggregate[r]) * kModes + j];
        worst = std::max(worst, std::abs(sum - fine[r * kFineBlock + i]));
      }
    EXPECT_LT(worst, 1e-12 * (norm(u) + 7 * norm(turn)));
  }
}

TEST(Aggregation, SmoothedProlongationHasTheRigidMotionsOfAFreeBody) {
  Problem brick;
  make_brick(brick, 9, 7, 8, false, -1e-11);
  Frame frame;
  make_frame(frame, 252, false);
  hold(frame.problem, 1e-13);
  std::vector<Motion> none;
  for (const auto& [problem, motions] :
       {std::pair(&brick, &none), std::pair(&frame.problem, &frame.motions)}) {
    const TwoLevels of(*problem, *motions);
    std::vector<std::int32_t> nodes(at(of.aggregates.count));
    std::iota(nodes.begin(), nodes.end(), 0);
    EXPECT_GT(of.aggregates.count, 5);
    for (int mode = 0; mode < kModes; ++mode) {
      Vec3 u, turn;
      (mode < 3 ? u : turn)[mode % 3] = 1;
      const auto fine = moved(of.modes, kFineBlock, of.rows.node, u, turn);
      const auto prolonged = of.prolong(moved(of.next.next, kModes, nodes, u, turn));
      EXPECT_LT(difference(prolonged, fine), 1e-12) << mode;
    }
  }
}

TEST(Aggregation, TheNextLevelIsTheProductOfBothSides) {
  Frame frame;
  make_frame(frame, 210, true);
  hold(frame.problem, 0.1);
  const TwoLevels of(frame.problem, frame.motions);
  const auto n = at(of.coarse_pattern.rows()) * kModes;
  const auto x = random_numbers(n, 4), y = random_numbers(n, 5);
  const auto px = of.prolong(x), py = of.prolong(y);
  const auto apx = of.multiply(px);
  double by_coarse = 0, by_fine = std::inner_product(py.begin(), py.end(), apx.begin(), 0.0);
  for (std::int32_t r = 0; r < of.coarse_pattern.rows(); ++r)
    for (std::int64_t b = of.coarse_pattern.start[r]; b < of.coarse_pattern.start[r + 1]; ++b)
      for (std::size_t i = 0; i < kModes; ++i)
        for (std::size_t j = 0; j < kModes; ++j) {
          const std::size_t row = at(r) * kModes + i, column = at(of.coarse_pattern.column[b]) * kModes + j;
          // What an aggregate cannot do has a one on the diagonal, and no motion.
          if (row == column && of.next.next.value[row * kModes + j] == 0.0 &&
              norm_of(std::span(of.next.next.value).subspan(row * kModes, kModes)) == 0.0)
            continue;
          by_coarse += y[row] * of.coarse[std::size_t(b) * 36 + i * kModes + j] * x[column];
        }
  EXPECT_NEAR(by_coarse / by_fine, 1.0, 1e-12);
}

TEST(Aggregation, TakesLineOfNodesByThrees) {
  amg::RowPattern line;
  line.columns = 9;
  line.start = {0};
  for (std::int32_t i = 0; i < 9; ++i) {
    for (std::int32_t j = std::max(0, i - 1); j <= std::min(8, i + 1); ++j) line.column.push_back(j);
    line.start.push_back(std::ssize(line.column));
  }
  const amg::Aggregates of = amg::aggregates_of(line);
  EXPECT_EQ(of.of, (std::vector<std::int32_t>{0, 0, 1, 1, 1, 2, 2, 2, 2}));
}

TEST(Aggregation, LargestEigenvalueOfATridiagonalMatrix) {
  // 2 - 2 cos(n pi / (n + 1)) of the second difference.
  const std::vector<double> diagonal(12, 2.0), beside(11, -1.0);
  EXPECT_NEAR(amg::largest_of_tridiagonal(diagonal, beside), 2 - 2 * std::cos(12 * std::numbers::pi / 13),
              1e-11);
}

TEST(Aggregation, CycleIsSymmetricAndPositive) {
  Problem problem;
  make_brick(problem, 30, 9, 14);
  const auto rows = amg::fine_rows(problem.pattern, {});
  std::vector<double> values;
  amg::fill_fine_values(rows, problem.matrix, 1, values);
  SolverOptions options = iterative();
  options.isa = elements::best_isa();
  amg::Hierarchy hierarchy(options);
  ASSERT_TRUE(hierarchy.set_values(rows.pattern, true, values, rows.node,
                                   amg::fine_modes(rows, problem.positions, {})));
  ASSERT_GE(hierarchy.levels(), 2u);
  const auto u = random_numbers(rows.size(), 7), v = random_numbers(rows.size(), 8);
  std::vector<double> mu(u.size()), mv(v.size());
  hierarchy.apply(u, 1.0, mu);
  hierarchy.apply(v, 1.0, mv);
  const double umv = std::inner_product(u.begin(), u.end(), mv.begin(), 0.0);
  const double vmu = std::inner_product(v.begin(), v.end(), mu.begin(), 0.0);
  const double umu = std::inner_product(u.begin(), u.end(), mu.begin(), 0.0);
  EXPECT_GT(umu, 0.0);
  EXPECT_NEAR(umv, vmu, 1e-6 * umu);  // single precision
}

TEST(Iterative, SolvesAsTheDirectSolver) {
  for (const bool held_by_faces : {true, false}) {
    Frame frame;
    Problem brick;
    make_frame(frame, 2100, true);
    hold(frame.problem, 1e-2);
    make_brick(brick, 24, 12, 10);
    const Problem& problem = held_by_faces ? brick : frame.problem;
    const std::vector<Motion> motions = held_by_faces ? std::vector<Motion>{} : frame.motions;
    const auto b = random_numbers(2 * at(problem.pattern.equations()));
    const Answer direct = answer_of(problem, b, {});
    const Answer of = answer_of(problem, b, iterative(), motions);
    EXPECT_LT(difference(of.x, direct.x), 1e-6);
    EXPECT_GT(of.solved.iterations, 2);
    EXPECT_FALSE(of.solved.late);
    EXPECT_EQ(of.stands_in, "");
    EXPECT_GE(of.analysis.levels, 2);
    EXPECT_LT(of.analysis.complexity, 1.6);
  }
}

TEST(Iterative, IterationsHardlyGrow) {
  int first = 0;
  for (const int n : {10, 20, 32}) {
    Problem problem;
    make_brick(problem, n, n, n);
    const auto b = random_numbers(at(problem.pattern.equations()));
    const Answer of = answer_of(problem, b, iterative());
    if (first == 0) first = of.solved.iterations;
    EXPECT_LE(of.solved.iterations, 40) << n;
    EXPECT_LE(of.solved.iterations, 2 * first) << n;
  }
}

TEST(Iterative, SameBitsOnAnyNumberOfThreads) {
  Problem problem;
  make_cylinders(problem, 0.12, true);
  const auto b = random_numbers(at(problem.pattern.equations()));
  SolverOptions options = iterative();
  const Answer one = answer_of(problem, b, options);
  for (const int threads : {2, 3}) {
    options.threads = threads;
    const Answer other = answer_of(problem, b, options);
    EXPECT_EQ(one.solved.iterations, other.solved.iterations);
    EXPECT_EQ(std::memcmp(one.x.data(), other.x.data(), b.size() * sizeof(double)), 0) << threads;
  }
}

TEST(Iterative, SolvesAgainWithTheSameBitsAfterOtherValues) {
  Problem problem;
  make_brick(problem, 20, 9, 11);
  const auto b = random_numbers(at(problem.pattern.equations()));
  const auto solver = make_solver(iterative());
  solver->analyse(problem.pattern, problem.positions);
  std::vector<double> x(b.size()), y = b;
  solver->factor(problem.matrix);
  solver->solve(b, x);
  for (double& value : problem.matrix.values) value *= 2;
  solver->factor(problem.matrix);
  for (double& value : problem.matrix.values) value /= 2;
  solver->factor(problem.matrix);
  solver->solve(y, y);
  EXPECT_EQ(std::memcmp(x.data(), y.data(), x.size() * sizeof(double)), 0);
}

TEST(Iterative, DirectSolverStandsInWhereTheMatrixIsIndefinite) {
  for (const double shift : {0.2, 3.0, 1e4}) {
    Problem problem;
    make_brick(problem, 20, 9, 11, true, shift);
    const auto b = random_numbers(2 * at(problem.pattern.equations()));
    const Answer direct = answer_of(problem, b, {});
    ASSERT_GT(direct.factored.negative, 0);
    const Answer of = answer_of(problem, b, iterative());
    EXPECT_NE(of.stands_in, "") << shift;
    const Factored found = of.solved.late.value_or(of.factored);
    EXPECT_EQ(found.negative, direct.factored.negative) << shift;
    EXPECT_LT(residual(problem.matrix, b, of.x), 1e-9);
  }
}

TEST(Iterative, DirectSolverStandsInAndNamesWhatIsFree) {
  Problem problem;
  make_brick(problem, 16, 9, 11, false);
  const auto b = random_numbers(at(problem.pattern.equations()));
  const Answer of = answer_of(problem, b, iterative());
  EXPECT_NE(of.stands_in, "");
  EXPECT_GE(of.solved.late.value_or(of.factored).singular, 0);
}

TEST(Iterative, DirectSolverStandsInAfterTheMostIterations) {
  Problem problem;
  make_brick(problem, 20, 9, 11);
  const auto b = random_numbers(at(problem.pattern.equations()));
  SolverOptions options = iterative();
  options.most_iterations = 4;
  const Answer of = answer_of(problem, b, options);
  ASSERT_TRUE(of.solved.late);
  EXPECT_EQ(of.solved.late->negative, 0);
  EXPECT_EQ(of.solved.iterations, 4);
  EXPECT_NE(of.stands_in.find("4 iterations"), std::string::npos);
  EXPECT_LT(residual(problem.matrix, b, of.x), 1e-11);
}

TEST(Iterative, RefusesBeforeAFactorWhatHasNoRoom) {
  Problem problem;
  make_brick(problem, 12, 12, 12);
  SolverOptions options = iterative();
  const Analysis needs = make_solver(options)->analyse(problem.pattern, problem.positions);
  options.memory_limit = 0.99 * needs.bytes;
  const auto solver = make_solver(options);
  solver->analyse(problem.pattern, problem.positions);
  EXPECT_THROW(solver->check_room(), Error);
}

TEST(Iterative, NoEquationsAreSolved) {
  Problem problem;
  problem.pattern = pattern_of(std::vector<std::uint8_t>{0, 0}, std::vector<std::int64_t>{0, 2},
                               std::vector<std::int32_t>{0, 1});
  problem.matrix.pattern = &problem.pattern;
  problem.positions.resize(2);
  const Answer of = answer_of(problem, {}, iterative());
  EXPECT_TRUE(of.x.empty());
}

}  // namespace crumple::implicit::linear
