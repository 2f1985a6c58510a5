// The operator, restarts, and the count.
#include "implicit/eigen/buckling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "implicit/eigen/lanczos.hpp"

namespace crumple::implicit::eigen {

namespace {

using linear::BlockMatrix;

/// -K^-1 K_s, by the factor of K that the solver has.
class BucklingOperator final : public Operator {
 public:
  BucklingOperator(const BlockMatrix& stress, linear::Solver& solver)
      : stress_(stress), solver_(solver), n_(static_cast<std::size_t>(stress.pattern->equations())) {}
  double shift() const override { return 0.0; }
  void apply(std::span<double> x) const override {
    std::vector<double> of_x(x.size());
    for (std::size_t k = 0; k < x.size(); k += n_)
      stress_.multiply(x.subspan(k, n_), std::span(of_x).subspan(k, n_));
    for (double& value : of_x) value = -value;
    solver_.solve(of_x, x);
  }

 private:
  const BlockMatrix& stress_;
  linear::Solver& solver_;
  std::size_t n_;
};

/// Eigenvalues 1 / lambda below this share of the largest are those of no stress at all.
constexpr double kNoStress = 1e-10;

class BucklingSearch {
 public:
  BucklingSearch(const BlockMatrix& stiffness, const BlockMatrix& stress, linear::Solver& solver,
                 const std::function<void()>& between)
      : stiffness_(stiffness),
        stress_(stress),
        solver_(solver),
        between_(between),
        diagonal_(stiffness.diagonal()),
        pencil_{&stress, diagonal_, &solver, &stiffness} {
    found_.rows = pencil_.size();
  }

  BucklingModes operator()(std::size_t count) {
    const linear::Factored factored = solver_.factor(stiffness_);
    if (factored.singular >= 0 || factored.negative > 0)
      throw Error(
          "CR-I305",
          "buckling: the stiffness without stress is not positive definite: the structure has a rigid "
          "motion or a mechanism",
          {}, Exit::run);
    find(count);
    BucklingModes result = take(count);
    if (!result.modes.empty()) check(result);
    return result;
  }

 private:
  void find(std::size_t count) {
    const BucklingOperator op(stress_, solver_);
    constexpr std::size_t block = 8;
    Vectors start;
    for (int restart = 0; restart < 30; ++restart) {
      LanczosOptions options;
      options.block = block;
      options.most = 3 * (count - std::min(count, values_.size())) + 12 * block;
      options.seed = static_cast<unsigned>(restart) + 1;
      const std::size_t before = values_.size();
      const auto enough = [&](const std::vector<Ritz>& ritz) {
        if (between_) between_();
        std::size_t n = before;
        for (const Ritz& r : ritz) {
          if (!counts(r.value)) break;  // the others are no modes
          if (!r.converged) return false;
          if (++n >= count) return true;
        }
        return n >= count;
      };
      const LanczosResult got = lanczos(pencil_, op, found_, start, options, enough);
      bool complete = true;  // whether all that is left is no mode
      for (std::size_t k = 0, column = 0; k < got.ritz.size(); ++k) {
        if (!got.ritz[k].converged) {
          complete = complete && !counts(got.ritz[k].value);
          continue;
        }
        if (counts(got.ritz[k].value)) {
          found_.append(got.vectors.column(column));
          values_.push_back(got.ritz[k].value);
        }
        ++column;
      }
      if (values_.size() >= count || complete) return;
      start = got.next;
    }
    throw Error("CR-I302",
                fmt::format("{} of {} buckling modes have not converged", count - values_.size(), count), {},
                Exit::run);
  }

  /// Whether a factor is not infinite as far as rounding can tell.
  bool counts(double factor) {
    if (!std::isfinite(factor)) return false;
    if (least_ == 0.0 || std::abs(factor) < least_) least_ = std::abs(factor);
    return std::abs(factor) * kNoStress < least_;
  }

  BucklingModes take(std::size_t count) const {
    std::vector<std::size_t> order(values_.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::ranges::stable_sort(
        order, [&](std::size_t a, std::size_t b) { return std::abs(values_[a]) < std::abs(values_[b]); });
    order.resize(std::min(count, order.size()));
    BucklingModes result;
    for (const std::size_t k : order) {
      const std::span<const double> x = found_.column(k);
      BucklingMode mode{0.0, {x.begin(), x.end()}, 0.0};
      finish(mode);
      result.modes.push_back(std::move(mode));
    }
    return result;
  }

  /// The factor by Rayleigh's quotient, and what it leaves.
  void finish(BucklingMode& mode) const {
    const std::size_t n = mode.shape.size();
    std::vector<double> kx(n), sx(n);
    stiffness_.multiply(mode.shape, kx);
    stress_.multiply(mode.shape, sx);
    double k = 0.0, s = 0.0, rest = 0.0, size = 0.0;
    for (std::size_t i = 0; i < n; ++i) k += mode.shape[i] * kx[i], s += mode.shape[i] * sx[i];
    mode.factor = -k / s;
    for (std::size_t i = 0; i < n; ++i) {
      const double r = kx[i] + mode.factor * sx[i];
      rest += r * r;
      size += kx[i] * kx[i];
    }
    mode.residual = std::sqrt(rest / size);
  }

  std::size_t negative_at(double factor) {
    BlockMatrix sum = stiffness_;
    for (std::size_t i = 0; i < sum.values.size(); ++i) sum.values[i] += factor * stress_.values[i];
    return static_cast<std::size_t>(solver_.factor(sum).negative);
  }

  void check(BucklingModes& result) {
    constexpr double margin = 1e-4;
    result.within = (1.0 + margin) * std::abs(result.modes.back().factor);
    result.counted = negative_at(result.within) + negative_at(-result.within);
  }

  const BlockMatrix& stiffness_;
  const BlockMatrix& stress_;
  linear::Solver& solver_;
  const std::function<void()>& between_;
  std::vector<double> diagonal_;
  Pencil pencil_;
  Vectors found_;
  std::vector<double> values_;  ///< of `found_`
  double least_ = 0.0;
};

}  // namespace

BucklingModes find_buckling(const BlockMatrix& stiffness, const BlockMatrix& stress, linear::Solver& solver,
                            std::size_t count, const std::function<void()>& between) {
  if (stiffness.pattern->equations() == 0) return {};
  return BucklingSearch(stiffness, stress, solver, between)(count);
}

}  // namespace crumple::implicit::eigen
