// Setup of levels, and the V-cycle.
#include "implicit/linear/amg/hierarchy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "implicit/linear/amg/part_sums.hpp"
#include "implicit/linear/amg/strong_graph.hpp"

namespace crumple::implicit::linear::amg {

namespace {

/// Rows of the level that is solved directly, at most.
constexpr std::int32_t kCoarsestRows = 300;
constexpr std::size_t kMostLevels = 12;
/// Below this reduction of nodes another level does not help.
constexpr double kLeastReduction = 0.8;
/// Sweeps of Chebyshev's method before a correction, and after it. Half as many take as long in all for
/// bricks with one point, whose hourglass modes are soft and on no other level, and longer for shells.
constexpr int kSweeps = 4;
/// The part of the spectrum that sweeps damp: from its upper end down to this part of it.
constexpr double kDamped = 0.02;
constexpr double kProlongationWeight = 4.0 / 3.0;

template <class T>
double bytes_of(const std::vector<T>& values) {
  return double(values.size()) * sizeof(T);
}

std::vector<float> rounded(std::span<const double> values) {
  std::vector<float> made(values.size());
  std::transform(values.begin(), values.end(), made.begin(), [](double x) { return static_cast<float>(x); });
  return made;
}

Blocks<const float> blocks_of(const RowPattern& pattern, const std::vector<float>& values) {
  return {pattern.start.data(), pattern.column.data(), values.data(), nullptr};
}

/// Factors of Chebyshev's method for eigenvalues in [low, high] (Saad 2003, algorithm 12.1): of the last
/// change, and of the residual.
class ChebyshevFactors {
 public:
  ChebyshevFactors(double low, double high)
      : middle_(0.5 * (high + low)), half_(0.5 * (high - low)), rho_(half_ / middle_) {}
  float first() const { return static_cast<float>(1 / middle_); }
  std::pair<float, float> next() {
    const double rho = 1 / (2 * middle_ / half_ - rho_);
    const std::pair made{static_cast<float>(rho * rho_), static_cast<float>(2 * rho / half_)};
    rho_ = rho;
    return made;
  }

 private:
  double middle_, half_, rho_;
};

}  // namespace

double LevelPatterns::bytes() const {
  return a.bytes() + p.bytes() + ap.bytes() + p_columns.bytes() + bytes_of(node) + bytes_of(aggregate) +
         bytes_of(aggregates.of);
}

Hierarchy::Hierarchy(const SolverOptions& options)
    : work_{&level_loops(options.isa), std::max(1, options.threads)} {
  direct_.threads = work_.threads;
}

void Hierarchy::begin(const RowPattern& fine, std::span<const std::int32_t> node) {
  fine_ = &fine;
  patterns_.clear();
  patterns_.reserve(kMostLevels);  // levels stay where they are
  patterns_.emplace_back();
  patterns_[0].block = kFineBlock;
  patterns_[0].node.assign(node.begin(), node.end());
}

/// Behind the last one.
void Hierarchy::append_level(Aggregates aggregates) {
  LevelPatterns& level = patterns_.back();
  const RowPattern& a = matrix_of(patterns_.size() - 1);
  const std::int32_t count = aggregates.count;
  level.aggregates = std::move(aggregates);
  level.aggregate.clear();
  for (const std::int32_t n : level.node) level.aggregate.push_back(level.aggregates.of[n]);
  level.p = aggregated_pattern(a, level.aggregate, count, work_.threads);
  level.p_columns = column_blocks(level.p);
  level.ap = product_pattern(a, level.p, work_.threads);
  LevelPatterns next;
  next.block = kModes;
  next.a = galerkin_pattern(level.p_columns, level.ap, work_.threads);
  next.node.resize(static_cast<std::size_t>(count));
  std::iota(next.node.begin(), next.node.end(), 0);
  patterns_.push_back(std::move(next));
}

void Hierarchy::set_coarsest() {
  const LevelPatterns& last = patterns_.back();
  const RowPattern& a = matrix_of(patterns_.size() - 1);
  coarsest_pattern_ = {};
  coarsest_pattern_.start.assign(1, 0);
  coarsest_pattern_.value.assign(1, 0);
  for (std::int32_t row = 0; row < a.rows(); ++row) {
    coarsest_pattern_.first.push_back(row * last.block);
    for (const std::int32_t column : a.of(row)) {
      if (column < row) continue;
      coarsest_pattern_.column.push_back(column);
      coarsest_pattern_.value.push_back(coarsest_pattern_.value.back() + last.block * last.block);
    }
    coarsest_pattern_.start.push_back(std::ssize(coarsest_pattern_.column));
  }
  coarsest_pattern_.first.push_back(a.rows() * last.block);
  coarsest_.pattern = &coarsest_pattern_;
  coarsest_solver_ = make_solver(direct_);
  const std::vector<Vec3> none(static_cast<std::size_t>(a.rows()));  // METIS orders without positions
  coarsest_bytes_ = coarsest_solver_->analyse(coarsest_pattern_, none).bytes;
}

void Hierarchy::predict(const RowPattern& fine, std::span<const std::int32_t> node) {
  begin(fine, node);
  for (;;) {
    const std::size_t level = patterns_.size() - 1;
    if (matrix_of(level).rows() <= kCoarsestRows || patterns_.size() == kMostLevels) break;
    Aggregates aggregates =
        aggregates_of(node_graph(matrix_of(level), patterns_[level].node, nodes_of(level)));
    if (aggregates.count > kLeastReduction * nodes_of(level)) break;
    append_level(std::move(aggregates));
  }
  set_coarsest();
}

bool Hierarchy::set_values(const RowPattern& fine, bool changed, std::span<const double> values,
                           std::span<const std::int32_t> node, RigidModes modes) {
  fine_values_ = values;
  cycle_.clear();
  if (changed || patterns_.empty()) begin(fine, node);
  fine_ = &fine;
  std::vector<double> of_level;
  std::span<const double> a = values;
  for (std::size_t l = 0;; ++l) {
    const LevelMatrix matrix{&matrix_of(l), patterns_[l].block, a};
    if (matrix.pattern->rows() <= kCoarsestRows || l + 1 == kMostLevels) break;
    std::vector<double> inverse;
    if (!invert_diagonal(matrix, work_.threads, inverse)) return false;
    Aggregates aggregates =
        aggregates_of(strong_graph(matrix, inverse, patterns_[l].node, nodes_of(l), work_.threads));
    if (aggregates.count > kLeastReduction * nodes_of(l)) break;
    if (l + 1 == patterns_.size() || aggregates.of != patterns_[l].aggregates.of) {
      patterns_.resize(l + 1);
      append_level(std::move(aggregates));
      changed = true;
    }
    const LevelPatterns& level = patterns_[l];
    cycle_.emplace_back();
    cycle_[l].largest = largest_eigenvalue(matrix, inverse, work_);
    if (!(cycle_[l].largest > 0)) return false;
    AggregatedModes aggregated =
        aggregate_modes(modes, level.block, level.node, level.aggregates, work_.threads);
    const std::vector<double> p =
        smoothed_prolongation(matrix, inverse, aggregated.base, level.aggregate,
                              kProlongationWeight / cycle_[l].largest, level.p, work_);
    cycle_[l].p = rounded(p);
    set_cycle(l, a, inverse);
    std::vector<double> next =
        galerkin_product(matrix, level.p, p, level.p_columns, level.ap, patterns_[l + 1].a, work_);
    of_level = std::move(next);
    a = of_level;
    modes = std::move(aggregated.next);
  }
  changed = changed || patterns_.size() != cycle_.size() + 1;
  patterns_.resize(cycle_.size() + 1);
  cycle_.emplace_back();
  if (changed) set_coarsest();
  return factor_coarsest(a);
}

void Hierarchy::set_cycle(std::size_t level, std::span<const double> a, std::span<const double> inverse) {
  LevelValues& to = cycle_[level];
  to.a = rounded(a);
  to.inverse = rounded(inverse);
  const std::size_t n =
      static_cast<std::size_t>(matrix_of(level).rows()) * static_cast<std::size_t>(patterns_[level].block);
  for (std::vector<float>* const vector : {&to.r, &to.x, &to.d, &to.e}) vector->assign(n + kBeyond, 0.0f);
}

bool Hierarchy::factor_coarsest(std::span<const double> values) {
  const LevelPatterns& last = patterns_.back();
  const RowPattern& a = matrix_of(patterns_.size() - 1);
  const std::size_t n = static_cast<std::size_t>(last.block) * static_cast<std::size_t>(last.block);
  coarsest_.values.clear();
  for (std::int32_t row = 0; row < a.rows(); ++row)
    for (std::int64_t b = a.start[row]; b < a.start[row + 1]; ++b) {
      if (a.column[b] < row) continue;
      const double* const block = values.data() + static_cast<std::size_t>(b) * n;
      coarsest_.values.insert(coarsest_.values.end(), block, block + n);
    }
  const Factored found = coarsest_solver_->factor(coarsest_);
  LevelValues& to = cycle_.back();
  const std::size_t size = static_cast<std::size_t>(a.rows()) * static_cast<std::size_t>(last.block);
  to.r.assign(size + kBeyond, 0.0f);
  to.x.assign(size + kBeyond, 0.0f);
  coarsest_x_.resize(size);
  return found.negative == 0 && found.singular < 0;
}

void Hierarchy::multiply(std::span<const double> x, std::span<double> y) const {
  const LevelPatterns& fine = patterns_[0];
  const Blocks<const double> a{fine_->start.data(), fine_->column.data(), fine_values_.data(), nullptr};
  each_rows(fine_->rows(), kRowsOfPart, work_.threads, [&](std::int32_t begin, std::int32_t end) {
    work_.loops->of(fine.block).multiply(a, x.data(), y.data(), begin, end);
  });
}

void Hierarchy::apply(std::span<const double> r, double size, std::span<double> z) {
  LevelValues& fine = cycle_[0];
  const double scale = std::exp2(-std::ilogb(size));  // exact
  each_part(r.size(), work_.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) fine.r[i] = static_cast<float>(scale * r[i]);
  });
  cycle(0);
  each_part(z.size(), work_.threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) z[i] = fine.x[i] / scale;
  });
}

void Hierarchy::cycle(std::size_t level) {
  if (level + 1 == patterns_.size()) return solve_coarsest();
  const LevelPatterns& of = patterns_[level];
  LevelValues &at = cycle_[level], &next = cycle_[level + 1];
  const LoopsOfBlock& loops = work_.loops->of(of.block);
  sweep_before(level);
  const Blocks<const float> columns{of.p_columns.start.data(), of.p_columns.row.data(), at.p.data(),
                                    of.p_columns.block.data()};
  each_rows(of.p.columns, kCoarseRowsOfPart, work_.threads, [&](std::int32_t begin, std::int32_t end) {
    loops.restrict_to(columns, at.r.data(), next.r.data(), begin, end);
  });
  cycle(level + 1);
  each_rows(matrix_of(level).rows(), kRowsOfPart, work_.threads, [&](std::int32_t begin, std::int32_t end) {
    loops.prolong(blocks_of(of.p, at.p), next.x.data(), at.d.data(), begin, end);
  });
  sweep_after(level);
}

/// From zero; leaves the residual in r.
void Hierarchy::sweep_before(std::size_t level) {
  const LevelPatterns& of = patterns_[level];
  LevelValues& at = cycle_[level];
  const LoopsOfBlock& loops = work_.loops->of(of.block);
  const Blocks<const float> a = blocks_of(matrix_of(level), at.a);
  ChebyshevFactors factors(kDamped * at.largest, at.largest);
  ChebyshevStep step{at.inverse.data(), nullptr, at.r.data(), at.x.data(), at.d.data(), 0, factors.first()};
  each_rows(matrix_of(level).rows(), kRowsOfPart, work_.threads,
            [&](std::int32_t begin, std::int32_t end) { loops.begin_chebyshev(step, begin, end); });
  for (int sweep = 1; sweep < kSweeps; ++sweep) {
    std::tie(step.keep, step.add) = factors.next();
    step.d = at.d.data();
    step.next = at.e.data();
    each_rows(matrix_of(level).rows(), kRowsOfPart, work_.threads,
              [&](std::int32_t begin, std::int32_t end) { loops.chebyshev(a, step, begin, end); });
    at.d.swap(at.e);
  }
  each_rows(matrix_of(level).rows(), kRowsOfPart, work_.threads, [&](std::int32_t begin, std::int32_t end) {
    loops.subtract(a, at.d.data(), at.r.data(), begin, end);
  });
}

/// After the correction, which is in d.
void Hierarchy::sweep_after(std::size_t level) {
  const LevelPatterns& of = patterns_[level];
  LevelValues& at = cycle_[level];
  const LoopsOfBlock& loops = work_.loops->of(of.block);
  const Blocks<const float> a = blocks_of(matrix_of(level), at.a);
  ChebyshevFactors factors(kDamped * at.largest, at.largest);
  ChebyshevStep step{at.inverse.data(), at.d.data(), at.r.data(),    at.x.data(),
                     at.e.data(),       0,           factors.first()};
  each_rows(matrix_of(level).rows(), kRowsOfPart, work_.threads,
            [&](std::int32_t begin, std::int32_t end) { loops.chebyshev_after(a, step, begin, end); });
  at.d.swap(at.e);
  for (int sweep = 1; sweep < kSweeps; ++sweep) {
    std::tie(step.keep, step.add) = factors.next();
    step.d = at.d.data();
    step.next = at.e.data();
    each_rows(matrix_of(level).rows(), kRowsOfPart, work_.threads,
              [&](std::int32_t begin, std::int32_t end) { loops.chebyshev(a, step, begin, end); });
    at.d.swap(at.e);
  }
}

void Hierarchy::solve_coarsest() {
  LevelValues& at = cycle_.back();
  std::copy_n(at.r.begin(), coarsest_x_.size(), coarsest_x_.begin());
  coarsest_solver_->solve(coarsest_x_, coarsest_x_);
  std::transform(coarsest_x_.begin(), coarsest_x_.end(), at.x.begin(),
                 [](double x) { return static_cast<float>(x); });
}

double Hierarchy::complexity() const {
  double all = 0;
  for (std::size_t l = 0; l < patterns_.size(); ++l)
    all += double(matrix_of(l).blocks()) * patterns_[l].block * patterns_[l].block;
  return all > 0 ? all / (double(fine_->blocks()) * kFineBlock * kFineBlock) : 1.0;
}

double Hierarchy::bytes() const {
  double kept = coarsest_bytes_, beside = 0;
  for (std::size_t l = 0; l + 1 < patterns_.size(); ++l) {
    const LevelPatterns& level = patterns_[l];
    const RowPattern &a = matrix_of(l), &next = matrix_of(l + 1);
    const double rows = a.rows(), block = level.block, values = double(a.blocks()) * block * block;
    const double p = double(level.p.blocks()) * block * kModes;
    kept += level.bytes() + (values + p + rows * block * block + 4 * rows * block) * sizeof(float);
    const double here = (l > 0 ? values : 0.0) + p + double(level.ap.blocks()) * block * kModes +
                        rows * block * (block + 2 * kModes) + double(next.blocks()) * kModes * kModes;
    beside = std::max(beside, here * sizeof(double));
  }
  return kept + beside;
}

}  // namespace crumple::implicit::linear::amg
