// Solves by our multifrontal factor, with the same bits on any number of ranks and threads, in memory or out
// of core.
//
// Cholesky's factor first, in the precision asked for. Where a pivot is not positive, or zero beside its
// equation's largest entry, L D L' in double precision, which counts signs and names what has no stiffness.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>

#include "base/at_work.hpp"
#include "base/error.hpp"
#include "crumple_phase.h"
#include "implicit/linear/division_json.hpp"
#include "implicit/linear/factor_file.hpp"
#include "implicit/linear/factor_needs.hpp"
#include "implicit/linear/methods.hpp"
#include "implicit/linear/numeric_factor.hpp"
#include "implicit/linear/refine.hpp"
#include "implicit/linear/workers.hpp"

namespace crumple::implicit::linear {

namespace {

constexpr double kRefinedResidual = 1e-11;
/// A factor of single precision that does not get this far is of no use.
constexpr double kTriedResidual = 1e-6;

/// Pivots below this part of their equation's largest entry are rounding: that of a body free to move was
/// found to grow with the equations, 0.15 n epsilon for bricks of 81 to 47 k in both precisions.
double rounding(double epsilon, std::size_t equations) {
  return 4 * epsilon * double(std::max<std::size_t>(64, equations));
}

/// Largest entry of each equation; of the matrix where an equation has none.
std::vector<double> largest_entries(const BlockMatrix& matrix) {
  const BlockPattern& of = *matrix.pattern;
  std::vector<double> largest(static_cast<std::size_t>(of.equations()), 0.0);
  for (std::int32_t row = 0; row < of.rows(); ++row)
    for (std::int64_t b = of.start[row]; b < of.start[row + 1]; ++b) {
      const std::int32_t column = of.column[b], m = of.size(column);
      const double* a = matrix.values.data() + of.value[b];
      for (std::int32_t i = 0; i < of.size(row); ++i)
        for (std::int32_t j = 0; j < m; ++j, ++a) {
          double &one = largest[of.first[row] + i], &two = largest[of.first[column] + j];
          one = std::max(one, std::abs(*a));
          two = std::max(two, std::abs(*a));
        }
    }
  const double all = largest.empty() ? 0.0 : *std::max_element(largest.begin(), largest.end());
  for (double& x : largest)
    if (x == 0) x = all > 0 ? all : 1.0;
  return largest;
}

class Multifrontal : public Solver {
 public:
  explicit Multifrontal(const SolverOptions& options) : options_(options) {
    options_.threads = std::max(1, options.threads);
  }

  Analysis analyse(const BlockPattern& pattern, std::span<const Vec3> positions) override {
    forget(single_), forget(double_);
    divided_.reset();
    const RowGraph graph = row_graph(pattern);
    std::vector<std::int32_t> sizes;
    for (const std::int32_t row : graph.row) sizes.push_back(pattern.size(row));
    symbolic_ = {};
    crumple_phase("ordering", at_work().cycle);
    const auto start = std::chrono::steady_clock::now();
    const std::vector<std::int32_t> order = order_of(graph, positions, options_.ordering);
    const std::chrono::duration<double> ordering = std::chrono::steady_clock::now() - start;
    crumple_phase("symbolic", at_work().cycle);
    symbolic_.fronts = make_fronts(graph, elimination_tree(graph, order, sizes), sizes);
    symbolic_.blocks = front_blocks(pattern, symbolic_.fronts);
    symbolic_.matrix_bytes = pattern.bytes() + bytes_beside(pattern);
    symbolic_.moved_bytes = sizeof(double) * double(options_.vectors_on_disk) * double(pattern.equations());
    equation_.clear();
    for (const std::int32_t row : symbolic_.fronts.row)
      for (std::int32_t e = pattern.first[row]; e < pattern.first[row + 1]; ++e) equation_.push_back(e);
    analysis_ = choose_plan(symbolic_, options_, value_bytes()).is;
    analysis_.ordering_seconds = ordering.count();
    if (options_.workers != nullptr && options_.workers->ranks() > 1) {
      divided_ = std::make_unique<DividedFactors>(*options_.workers, symbolic_, options_, value_bytes());
      take_needs(divided_->needs());
    } else if (options_.predicted_ranks > 1) {
      take_needs(predict_ranks(symbolic_, options_, options_.predicted_ranks, value_bytes()));
    }
    analysis_.vectors_beside =
        options_.vectors_beside - (analysis_.out_of_core ? options_.vectors_on_disk : 0);
    return analysis_;
  }

  void check_room() const override {
    if (options_.elsewhere) return;
    if (analysis_.ranks.empty()) check_memory(analysis_, value_bytes());
    for (std::size_t r = 0; r < analysis_.ranks.size(); ++r)
      check_limit(analysis_.ranks[r], static_cast<int>(r));
    if (analysis_.out_of_core) check_space(options_.folder, analysis_.bytes_on_disk);
  }

  Factored factor(const BlockMatrix& matrix) override {
    try {
      return factored(matrix);
    } catch (const std::bad_alloc&) {
      forget(single_), forget(double_);
      throw Error("CR-I203",
                  fmt::format("no memory for the factor, which takes {:.4g} bytes: in memory {:.4g}, out of "
                              "core {:.4g}, {:.4g} at least",
                              analysis_.bytes, analysis_.bytes_in_core, analysis_.bytes_out_of_core,
                              analysis_.bytes_least),
                  {}, Exit::system);
    }
  }

  Solved solve(std::span<const double> b, std::span<double> x) override {
    if (equation_.empty()) return {};
    if (double_) {
      apply(*double_, b, x);
      return {};
    }
    Solved worst;
    const auto once = [&](std::span<const double> r, std::span<double> z) { apply(*single_, r, z); };
    for (std::size_t first = 0; first < b.size(); first += equation_.size()) {
      const Refined of = refine(*matrix_, positive_, kRefinedResidual, once,
                                b.subspan(first, equation_.size()), x.subspan(first, equation_.size()));
      worst.refinements = std::max(worst.refinements, of.steps - 1);
      worst.residual = std::max(worst.residual, of.residual);
    }
    return worst;
  }

  std::string division(int ranks) const override {
    return division_json(symbolic_, options_, ranks, value_bytes());
  }

  DiskTraffic traffic() const override {
    DiskTraffic sum = earlier_;
    if (single_) add(single_->traffic(), sum);
    if (double_) add(double_->traffic(), sum);
    return sum;
  }

 private:
  double bytes_beside(const BlockPattern& pattern) const {
    return sizeof(double) * (double(options_.vectors_beside) * double(pattern.equations()) +
                             double(options_.matrices_beside) * double(pattern.value.back()));
  }

  static void add(const DiskTraffic& what, DiskTraffic& to) {
    to.written += what.written;
    to.read += what.read;
    to.seconds += what.seconds;
  }

  template <class T>
  void forget(std::unique_ptr<Factor<T>>& factor) {
    if (factor) add(factor->traffic(), earlier_);
    factor.reset();
  }

  Factored factored(const BlockMatrix& matrix) {
    matrix_ = &matrix;
    const std::vector<double> largest = largest_entries(matrix);
    std::vector<double> scale;
    for (const std::int32_t e : equation_) scale.push_back(largest[e]);
    positive_ = false;
    const std::size_t n = equation_.size();
    const double zero = rounding(std::numeric_limits<double>::epsilon(), n);
    if (options_.single_precision) {
      forget(double_);
      const double least = made(single_).cholesky(matrix.values, scale, 0);
      // Rounding can hide a zero pivot of single precision, and make a good one small: a trial tells them
      // apart.
      positive_ = least > rounding(std::numeric_limits<float>::epsilon(), n) || (least > 0 && tried());
      if (!positive_) forget(single_);
    } else {
      positive_ = made(double_).cholesky(matrix.values, scale, zero) > zero;
    }
    if (positive_) return {.bytes = most_bytes()};
    const Signs signs = made(double_).with_signs(matrix.values, scale, zero);
    Factored found;
    found.negative = signs.negative;
    found.zero = signs.zero;
    found.bytes = most_bytes();
    if (signs.first_zero >= 0) found.singular = equation_[signs.first_zero];
    return found;
  }

  std::size_t value_bytes() const { return options_.single_precision ? sizeof(float) : sizeof(double); }

  void check_memory(const Analysis& needs, std::size_t value_bytes) const {
    if (options_.memory_limit <= 0 || needs.bytes <= options_.memory_limit) return;
    throw Error(
        "CR-I203",
        fmt::format(
            "the factor in {} precision needs {:.4g} bytes of memory, and the limit is {:.4g}{}",
            value_bytes == sizeof(float) ? "single" : "double", needs.bytes, options_.memory_limit,
            needs.out_of_core ? "" : fmt::format("; out of core {:.4g} are enough", needs.bytes_least)),
        {}, Exit::system);
  }

  /// Of several ranks: memory of the one with most, the disk of all.
  void take_needs(std::vector<RankNeeds> ranks) {
    Analysis& is = analysis_;
    is.bytes_in_core = is.bytes_out_of_core = is.bytes_least = is.bytes = is.bytes_on_disk = 0;
    is.out_of_core = false;
    for (const RankNeeds& of : ranks) {
      is.bytes_in_core = std::max(is.bytes_in_core, of.bytes_in_core);
      is.bytes_out_of_core = std::max(is.bytes_out_of_core, of.bytes_out_of_core);
      is.bytes_least = std::max(is.bytes_least, of.bytes_least);
      is.bytes = std::max(is.bytes, of.bytes);
      is.bytes_on_disk += of.bytes_on_disk;
      is.out_of_core = is.out_of_core || of.out_of_core;
    }
    is.ranks = std::move(ranks);
  }

  /// Throws Error if the factor needs more memory than the limit.
  template <class T>
  Factor<T>& made(std::unique_ptr<Factor<T>>& factor) {
    if (factor) return *factor;
    if (divided_) {
      factor = divided_->make<T>();
      return *factor;
    }
    ChosenPlan how = choose_plan(symbolic_, options_, sizeof(T));
    check_memory(how.is, sizeof(T));
    factor = std::make_unique<NumericFactor<T>>(symbolic_, std::move(how.plan),
                                                how.is.out_of_core ? options_.folder : "");
    return *factor;
  }

  double most_bytes() const {
    return double(std::max(single_ ? single_->most_bytes() : 0, double_ ? double_->most_bytes() : 0));
  }

  /// Whether the factor of single precision solves for a load on all equations, as a singular matrix cannot.
  bool tried() {
    std::vector<double> b(equation_.size());
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = double(i * 7919 % 1009) / 504.0 - 1.0;
    const auto once = [&](std::span<const double> r, std::span<double> z) { apply(*single_, r, z); };
    return refine(*matrix_, true, kTriedResidual, once, b, b).residual <= kTriedResidual;
  }

  /// x = factor^-1 b, in order of elimination between.
  template <class T>
  void apply(Factor<T>& factor, std::span<const double> b, std::span<double> x) {
    const std::size_t n = equation_.size(), n_rhs = b.size() / n;
    std::vector<T> y(b.size());
    for (std::size_t r = 0; r < n_rhs; ++r)
      for (std::size_t k = 0; k < n; ++k) y[r * n + k] = static_cast<T>(b[r * n + equation_[k]]);
    factor.solve(y, static_cast<std::int64_t>(n_rhs));
    for (std::size_t r = 0; r < n_rhs; ++r)
      for (std::size_t k = 0; k < n; ++k) x[r * n + equation_[k]] = y[r * n + k];
  }

  SolverOptions options_;
  Symbolic symbolic_;
  std::vector<std::int32_t> equation_;  ///< of the matrix, in order of elimination
  Analysis analysis_;
  std::unique_ptr<DividedFactors> divided_;  ///< if other ranks work, too
  std::unique_ptr<Factor<float>> single_;
  std::unique_ptr<Factor<double>> double_;
  const BlockMatrix* matrix_ = nullptr;
  bool positive_ = false;
  DiskTraffic earlier_;  ///< of factors that are gone
};

std::unique_ptr<Solver> make_multifrontal(const SolverOptions& options) {
  return std::make_unique<Multifrontal>(options);
}

const RegisteredMethod registered_multifrontal(Method::multifrontal, make_multifrontal);

}  // namespace

}  // namespace crumple::implicit::linear
