// The iterations of a step along the path.
#include "implicit/arc_length.hpp"

#include <cmath>
#include <optional>

#include "implicit/convergence.hpp"

namespace crumple::implicit {

namespace {

class ArcStep {
 public:
  ArcStep(LoadedEquations& equations, const NewtonOptions& options, PathPoint& point, References& references,
          const std::function<void(const Iteration&)>& report)
      : equations_(equations),
        options_(options),
        point_(point),
        report_(report),
        convergence_(equations, options, references),
        load_(point.load),
        speed_(point.speed),
        r_(equations.size()),
        r_next_(r_),
        rate_(r_),
        by_load_(r_),
        by_residual_(r_),
        correction_(r_),
        increment_(r_) {}

  Outcome operator()(double time, double factor) {
    equations_.load_to(load_);
    while (outcome_.trouble == Trouble::none) {
      if (!form()) break;
      if (speed_ == 0.0) speed_ = factor * std::sqrt(translations(by_load_, by_load_));
      const std::optional<double> further = load_step(speed_ * time);
      if (!further) return end(Trouble::iterations);
      load_ += *further;
      for (std::size_t i = 0; i < r_.size(); ++i) {
        r_[i] += *further * rate_[i];
        correction_[i] = by_residual_[i] + *further * by_load_[i];
        increment_[i] += correction_[i];
      }
      convergence_.formed(r_);
      equations_.load_to(load_);
      if (!equations_.residual(1.0, correction_, r_next_)) return end(Trouble::broken);
      now_.number = ++outcome_.iterations;
      const bool good = convergence_.reached(correction_, r_, r_next_, now_);
      report_(now_);
      equations_.keep();
      if (!good) continue;
      point_ = {load_, speed_, increment_};
      break;
    }
    return end(outcome_.trouble);
  }

 private:
  Outcome end(Trouble trouble) {
    outcome_.trouble = trouble;
    outcome_.residual = std::move(r_next_);
    return std::move(outcome_);
  }

  /// The stiffness of here, and what the residual and the loads move with it.
  bool form() {
    if (outcome_.factors > options_.limits.most_reforms) return outcome_.trouble = Trouble::iterations, false;
    StiffnessFound found;
    if (!equations_.linearise(false, r_, found)) return outcome_.trouble = Trouble::broken, false;
    ++outcome_.factors;
    outcome_.singular = found.singular;
    if (found.singular >= 0) return outcome_.trouble = Trouble::singular, false;
    now_.formed = true;
    now_.negative = found.negative;
    equations_.solve(r_, by_residual_);
    StiffnessFound late = equations_.found_by_solution();
    equations_.load_rate(rate_);
    equations_.solve(rate_, by_load_);
    if (late.negative == 0 && late.singular < 0) late = equations_.found_by_solution();
    now_.negative = std::max(now_.negative, late.negative);
    outcome_.singular = late.singular;
    if (late.singular >= 0) return outcome_.trouble = Trouble::singular, false;
    return true;
  }

  double translations(const std::vector<double>& a, const std::vector<double>& b) const {
    const std::span<const char> rotations = equations_.rotations();
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += rotations[i] ? 0.0 : a[i] * b[i];
    return sum;
  }

  /// The change of the load with which the increment has its length. None where its correction by the
  /// residual alone leads too far away.
  std::optional<double> load_step(double length) const {
    std::vector<double> moved(increment_);
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += by_residual_[i];
    const double a = translations(by_load_, by_load_), b = translations(moved, by_load_);
    const double c = translations(moved, moved) - length * length;
    const double root = b * b - a * c;
    if (!(a > 0.0) || !(root >= 0.0)) return std::nullopt;
    // The increment in the first iteration is that of the last step.
    const std::vector<double>& along = outcome_.iterations > 0 ? increment_ : point_.last;
    const double forward = along.empty() || translations(along, by_load_) > 0.0 ? 1.0 : -1.0;
    return (-b + forward * std::sqrt(root)) / a;
  }

  LoadedEquations& equations_;
  const NewtonOptions& options_;
  PathPoint& point_;
  const std::function<void(const Iteration&)>& report_;
  Convergence convergence_;
  double load_, speed_;
  std::vector<double> r_;  ///< at the old load, then at the new one
  std::vector<double> r_next_, rate_, by_load_, by_residual_, correction_, increment_;
  Iteration now_;
  Outcome outcome_;
};

}  // namespace

Outcome solve_arc_step(LoadedEquations& equations, const NewtonOptions& options, double length, double factor,
                       PathPoint& point, References& references,
                       const std::function<void(const Iteration&)>& report) {
  return ArcStep(equations, options, point, references, report)(length, factor);
}

}  // namespace crumple::implicit
