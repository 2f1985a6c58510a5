// The loop over iterations.
#include "implicit/newton.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "implicit/convergence.hpp"

namespace crumple::implicit {

namespace {

using Vector = std::vector<double>;

double product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

void add(double scale, const Vector& what, std::span<double> to) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += scale * what[i];
}

/// K^-1 with updates: K^-1 = (I + w_n v_n') ... (I + w_1 v_1') K_0^-1 (I + v_1 w_1') ... (I + v_n w_n').
class UpdatedInverse {
 public:
  explicit UpdatedInverse(Equations& equations) : equations_(equations) {}
  void clear() { updates_.clear(); }
  Vector solve(Vector r) const {
    for (auto u = updates_.rbegin(); u != updates_.rend(); ++u) add(product(u->w, r), u->v, r);
    Vector d(r.size());
    equations_.solve(r, d);
    for (const Update& u : updates_) add(product(u.v, d), u.w, d);
    return d;
  }
  /// After an increment s d, d = K^-1 r_before, the residual is r_after. Without effect where the secant is
  /// not positive or changes the stiffness too much (Matthies and Strang, section 4: condition of 1e5).
  void update(double s, const Vector& d, const Vector& r_before, const Vector& r_after) {
    constexpr double most = 1e5;
    Vector gamma(r_before);
    add(-1.0, r_after, gamma);
    const double by_secant = s * product(d, gamma), by_stiffness = s * s * product(d, r_before);
    if (!(by_secant > 0.0) || !(by_stiffness > 0.0)) return;
    const double c = std::sqrt(by_secant / by_stiffness);
    if (c > most || c < 1.0 / most) return;
    Update u{d, gamma};
    for (double& w : u.w) w *= s / by_secant;
    for (std::size_t i = 0; i < u.v.size(); ++i) u.v[i] = -c * s * r_before[i] - gamma[i];
    updates_.push_back(std::move(u));
  }

 private:
  struct Update {
    Vector w, v;
  };
  Equations& equations_;
  std::vector<Update> updates_;
};

class StepSolution {
 public:
  StepSolution(Equations& equations, const NewtonOptions& options, References& references,
               const std::function<void(const Iteration&)>& report)
      : equations_(equations),
        options_(options),
        limits_(options.limits),
        report_(report),
        convergence_(equations, options, references),
        inverse_(equations),
        r_(equations.size()),
        r_next_(equations.size()) {}

  Outcome operator()(bool reuse) {
    if (!form(reuse)) return end();
    if (limits_.method == model::StepMethod::linear) return linear_solution();
    while (outcome_.trouble == Trouble::none) {
      const Vector d = inverse_.solve(r_);
      if (!definite_enough()) break;
      if (!search(d)) {
        if (since_formed_ == 0) return end(Trouble::broken);
        if (!form(false)) break;  // of an old stiffness: once more with that of here
        continue;
      }
      const bool good = converged(d);
      report_(now_);
      equations_.keep();
      if (good) return end();
      ++since_formed_;
      const bool grows = limits_.reform_if_divergent && now_.force.first > formed_force_.first;
      if (since_formed_ >= limits_.between_reforms || grows) {
        if (!form(false)) break;
      } else {
        inverse_.update(now_.step, d, r_, r_next_);
        r_.swap(r_next_);
        now_.formed = false;
      }
    }
    return end();
  }

 private:
  Outcome end(Trouble trouble) {
    outcome_.trouble = trouble;
    return end();
  }
  Outcome end() {
    outcome_.residual = std::move(r_next_);
    return std::move(outcome_);
  }

  /// Stiffness and right hand side of here.
  bool form(bool reuse) {
    if (outcome_.factors > limits_.most_reforms) return outcome_.trouble = Trouble::iterations, false;
    StiffnessFound found;
    inverse_.clear();
    if (!equations_.linearise(reuse, r_, found)) return outcome_.trouble = Trouble::broken, false;
    outcome_.factors += !reuse;
    outcome_.singular = found.singular;
    if (found.singular >= 0) return outcome_.trouble = Trouble::singular, false;
    if (found.negative > 0 && options_.stop_if_negative) return outcome_.trouble = Trouble::negative, false;
    since_formed_ = 0;
    now_.formed = !reuse;
    now_.negative = found.negative;
    formed_force_ = convergence_.formed(r_);
    r_next_ = r_;
    return true;
  }

  /// Whether a solution has found nothing of the stiffness that ends the step.
  bool definite_enough() {
    const StiffnessFound late = equations_.found_by_solution();
    now_.negative = std::max(now_.negative, late.negative);
    outcome_.singular = late.singular;
    if (late.singular >= 0) return outcome_.trouble = Trouble::singular, false;
    if (late.negative > 0 && options_.stop_if_negative) return outcome_.trouble = Trouble::negative, false;
    return true;
  }

  Outcome linear_solution() {
    const Vector d = inverse_.solve(r_);
    if (!definite_enough()) return end();
    if (!equations_.residual(1.0, d, r_next_)) return end(Trouble::broken);
    converged(d);
    report_(now_);
    equations_.keep();
    return end();
  }

  bool converged(const Vector& d) {
    now_.number = ++outcome_.iterations;
    return convergence_.reached(d, r_, r_next_, now_);
  }

  /// Finds the step along d: the first with |G(s)| <= LSTOL |G(0)|, at first 1. A step that breaks an element
  /// is halved. False if no step is good.
  bool search(const Vector& d) {
    constexpr int most = 10;
    constexpr double least = 0.05, furthest = 1.0;
    const double g0 = product(d, r_);
    double s = 1.0, low = 0.0, g_low = g0;
    double high = 0.0, g_high = 0.0;  // where G has changed its sign
    bool bracketed = false;
    now_.searches = 0;
    for (int k = 0; k < most; ++k) {
      now_.searches = k;
      now_.step = s;
      if (!equations_.residual(s, d, r_next_)) {
        bracketed = false;
        s = low + 0.5 * (s - low);
        if (s < least * 0.1) return false;
        continue;
      }
      const double g = product(d, r_next_);
      if (std::abs(g) <= limits_.line_search * std::abs(g0) || g0 == 0.0) return true;
      if ((g > 0.0) == (g0 > 0.0)) {  // the zero is further on
        if (!bracketed) return true;
        low = s, g_low = g;
      } else {
        high = s, g_high = g;
        bracketed = true;
      }
      const double secant = low + (high - low) * g_low / (g_low - g_high);
      s = std::clamp(secant, low + 0.1 * (high - low), low + 0.9 * (high - low));
      s = std::clamp(s, least, furthest);
    }
    return true;  // the last one: the iteration goes on from there
  }

  Equations& equations_;
  const NewtonOptions& options_;
  const model::Iterations& limits_;
  const std::function<void(const Iteration&)>& report_;
  Convergence convergence_;
  UpdatedInverse inverse_;
  Vector r_, r_next_;
  Norm formed_force_;
  Iteration now_;
  int since_formed_ = 0;
  Outcome outcome_;
};

}  // namespace

Outcome solve_step(Equations& equations, const NewtonOptions& options, bool reuse, References& references,
                   const std::function<void(const Iteration&)>& report) {
  return StepSolution(equations, options, references, report)(reuse);
}

}  // namespace crumple::implicit
