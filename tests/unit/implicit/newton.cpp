// Newton's method, BFGS updates and the line search on small equations with known solutions.
#include "implicit/newton.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "implicit/step_size.hpp"

namespace crumple::implicit {
namespace {

/// Springs in series to a wall with f = k (u + c u^3) each, pulled at the end by `load`; with a given motion
/// of the wall. Each unknown is a mass between springs.
class Chain final : public Equations {
 public:
  Chain(std::size_t n, double cubic, double load, double wall = 0.0)
      : cubic_(cubic), load_(load), wall_(wall), u_(n, 0.0), trial_(n, 0.0), rotations_(n, 0) {}

  std::size_t size() const override { return u_.size(); }
  std::span<const char> rotations() const override { return rotations_; }
  bool linearise(bool reuse, std::span<double> r, StiffnessFound& found) override {
    ++(reuse ? reused : factors);
    trial_ = u_;
    residual_of_trial(r);
    if (!reuse) {
      k_.assign(size(), 0.0);
      for (std::size_t i = 0; i < size(); ++i) k_[i] = 1 + 3 * cubic_ * stretch(i) * stretch(i);
      found = {negative, singular};
    }
    if (pending_) {
      r[0] += k_[0] * wall_;
      at_wall_ = wall_;
      pending_ = false;
    }
    return true;
  }
  void solve(std::span<const double> r, std::span<double> d) override {  // forces of springs from the end on
    std::vector<double> force(size());
    double sum = 0;
    for (std::size_t i = size(); i-- > 0;) force[i] = sum += r[i];
    double u = 0;
    for (std::size_t i = 0; i < size(); ++i) d[i] = u += force[i] / k_[i];
  }
  bool residual(double s, std::span<const double> d, std::span<double> r) override {
    ++evaluations;
    for (std::size_t i = 0; i < size(); ++i) trial_[i] = u_[i] + s * d[i];
    if (largest > 0 && std::abs(trial_.back()) > largest) return false;
    residual_of_trial(r);
    return true;
  }
  void keep() override { u_ = trial_; }
  void displacement(bool, std::span<double> u) const override { std::ranges::copy(trial_, u.begin()); }

  const std::vector<double>& solution() const { return u_; }
  int factors = 0, reused = 0, evaluations = 0;
  std::int32_t negative = 0, singular = -1;
  double largest = 0;  ///< beyond it an element is broken

 private:
  double stretch(std::size_t i) const { return trial_[i] - (i == 0 ? at_wall_ : trial_[i - 1]); }
  void residual_of_trial(std::span<double> r) const {
    const auto f = [&](std::size_t i) { return stretch(i) + cubic_ * std::pow(stretch(i), 3); };
    for (std::size_t i = 0; i < size(); ++i) r[i] = -f(i) + (i + 1 < size() ? f(i + 1) : load_);
  }

  double cubic_, load_, wall_, at_wall_ = 0;
  bool pending_ = true;
  std::vector<double> u_, trial_, k_;
  std::vector<char> rotations_;
};

NewtonOptions tight(int between_reforms) {
  NewtonOptions o;
  o.limits.between_reforms = between_reforms;
  o.limits.displacement = 1e-10;
  o.limits.energy = 1e-20;
  o.limits.residual = 1e-10;
  o.limits.absolute = 1e-30;
  o.size = 1;
  return o;
}

struct Solved {
  Outcome outcome;
  std::vector<Iteration> iterations;
};

Solved run(Equations& equations, const NewtonOptions& options, bool reuse = false) {
  Solved solved;
  References references;
  solved.outcome = solve_step(equations, options, reuse, references,
                              [&](const Iteration& i) { solved.iterations.push_back(i); });
  return solved;
}

/// u + c u^3 = load.
double root(double c, double load) {
  double u = 0;
  for (int k = 0; k < 200; ++k) u -= (u + c * u * u * u - load) / (1 + 3 * c * u * u);
  return u;
}

TEST(Newton, SquaresTheErrorOfEachIteration) {
  Chain chain(3, 2.0, 1.0);
  const Solved solved = run(chain, tight(1));
  ASSERT_EQ(solved.outcome.trouble, Trouble::none);
  EXPECT_EQ(solved.outcome.factors, chain.factors);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(chain.solution()[static_cast<std::size_t>(i)], (i + 1) * root(2.0, 1.0), 1e-9);
  const auto& all = solved.iterations;
  for (std::size_t k = 2; k + 1 < all.size(); ++k)
    EXPECT_LT(all[k + 1].residual, 10 * all[k].residual * all[k].residual + 1e-14);
}

/// The spring that is stretched has k = 1 + 3 c u^2: with that of u = 0 the first step ends at u = 5, where
/// its force is 5 + 250.
TEST(Newton, FormsANewStiffnessWhereTheResidualGrows) {
  for (const bool reform : {true, false}) {
    Chain chain(1, 2.0, 5.0);
    NewtonOptions options = tight(11);
    options.limits.line_search = 1e6;
    options.limits.reform_if_divergent = reform;
    const Solved solved = run(chain, options);
    ASSERT_GT(solved.iterations.size(), 2U);
    EXPECT_TRUE(solved.iterations[0].formed);
    EXPECT_NEAR(solved.iterations[0].residual, 250.0 / 5.0, 1e-9);  // it grew
    EXPECT_EQ(solved.iterations[1].formed, reform) << "DIVERG = " << (reform ? 1 : 2);
    if (!reform) continue;
    EXPECT_EQ(solved.outcome.trouble, Trouble::none);
    EXPECT_NEAR(chain.solution().back(), root(2.0, 5.0), 1e-9);
  }
}

TEST(Newton, BfgsFindsTheSameWithFewerFactors) {
  Chain chain(3, 2.0, 1.0);
  const Solved solved = run(chain, tight(11));
  ASSERT_EQ(solved.outcome.trouble, Trouble::none);
  EXPECT_NEAR(chain.solution().back(), 3 * root(2.0, 1.0), 1e-9);
  EXPECT_LE(chain.factors, 2);
  EXPECT_LE(solved.outcome.iterations, 16);  // of a constant stiffness it would take hundreds
}

TEST(Newton, LinearEquationsTakeTwoIterations) {
  Chain chain(4, 0.0, 1.0);
  EXPECT_EQ(run(chain, tight(1)).outcome.iterations, 2);
  EXPECT_NEAR(chain.solution().back(), 4.0, 1e-14);
}

TEST(Newton, GivenMotionIsPartOfTheFirstIteration) {
  Chain chain(4, 0.0, 0.0, 0.5);
  EXPECT_EQ(run(chain, tight(1)).outcome.iterations, 2);
  for (const double u : chain.solution()) EXPECT_NEAR(u, 0.5, 1e-14);
}

TEST(Newton, ABrokenElementShortensTheStep) {
  Chain chain(1, 2.0, 3.0);
  chain.largest = 1.5;  // the first iteration goes to 3
  const Solved solved = run(chain, tight(1));
  ASSERT_EQ(solved.outcome.trouble, Trouble::none);
  EXPECT_LT(solved.iterations[0].step, 1.0);
  EXPECT_NEAR(chain.solution()[0], root(2.0, 3.0), 1e-9);
}

TEST(Newton, LineSearchEndsWhereTheEnergyIsSmall) {
  Chain chain(1, 50.0, 3.0);
  NewtonOptions options = tight(1);
  options.limits.line_search = 0.1;
  const Solved solved = run(chain, options);
  ASSERT_EQ(solved.outcome.trouble, Trouble::none);
  EXPECT_GT(solved.iterations[0].searches, 0);
  // G(s) = d (load - f(s d)), d = load: |G(s)| <= 0.1 G(0)
  const double u = solved.iterations[0].step * 3.0;
  EXPECT_LE(std::abs(3.0 - u - 50 * u * u * u), 0.1 * 3.0);
}

TEST(Newton, ReportsWhatStandsInTheWay) {
  Chain few(3, 1e4, 1.0);
  NewtonOptions options = tight(1);
  options.limits.most_reforms = 1;
  const Solved late = run(few, options);
  EXPECT_EQ(late.outcome.trouble, Trouble::iterations);
  EXPECT_EQ(late.outcome.factors, 2);
  EXPECT_EQ(late.outcome.residual.size(), 3U);

  Chain loose(3, 0.0, 1.0);
  loose.singular = 2;
  const Solved singular = run(loose, tight(1));
  EXPECT_EQ(singular.outcome.trouble, Trouble::singular);
  EXPECT_EQ(singular.outcome.singular, 2);

  Chain unstable(3, 0.0, 1.0);
  unstable.negative = 1;
  EXPECT_EQ(run(unstable, tight(1)).outcome.trouble, Trouble::none);  // NEGEV = 2
  options = tight(1);
  options.stop_if_negative = true;
  Chain stopped(3, 0.0, 1.0);
  stopped.negative = 1;
  EXPECT_EQ(run(stopped, options).outcome.trouble, Trouble::negative);
}

TEST(Newton, AFactorOfAnEarlierStepIsUsed) {
  Chain chain(2, 0.0, 1.0);
  run(chain, tight(11));
  const int factors = chain.factors;
  run(chain, tight(11), true);
  EXPECT_EQ(chain.factors, factors);
  EXPECT_EQ(chain.reused, 1);
}

TEST(Norms, CountWhatNlnormSays) {
  const std::vector<double> q{3, 4, 5, 12};
  const std::vector<char> rotations{0, 0, 1, 1};
  EXPECT_DOUBLE_EQ(norm_of(q, rotations, norm_rule(2), false).first, 5);
  EXPECT_DOUBLE_EQ(norm_of(q, rotations, norm_rule(2), false).second, 0);
  EXPECT_DOUBLE_EQ(norm_of(q, rotations, norm_rule(1), false).second, 13);
  EXPECT_DOUBLE_EQ(norm_of(q, rotations, norm_rule(4), false).first, std::sqrt(25.0 + 169.0));
  EXPECT_DOUBLE_EQ(norm_of(q, rotations, norm_rule(-2), false).first, std::sqrt(25.0 + 4 * 169.0));
  EXPECT_DOUBLE_EQ(norm_of(q, rotations, norm_rule(-2), true).first, std::sqrt(25.0 + 169.0 / 4));
  EXPECT_DOUBLE_EQ(energy_of(q, q, rotations, norm_rule(-2)).first, 25.0 + 169.0);
  EXPECT_DOUBLE_EQ(Norm({1, 6}).over({2, 3}), 2);
  EXPECT_DOUBLE_EQ(Norm({0, 0}).over({0, 3}), 0);
}

TEST(StepSize, GrowsShrinksAndReachesTheEnd) {
  model::StepSizes control{0.1, true, 11, 5, 0.01, 0.3};
  StepSize size(control);
  EXPECT_DOUBLE_EQ(size.next(0.0, 1.0), 0.1);
  size.converged(11, 0.0);
  EXPECT_DOUBLE_EQ(size.next(0.0, 1.0), 0.1);
  size.converged(2, 0.0);
  EXPECT_DOUBLE_EQ(size.next(0.0, 1.0), 0.2);
  size.converged(1, 0.0);
  EXPECT_DOUBLE_EQ(size.next(0.0, 1.0), 0.3);  // DTMAX
  EXPECT_DOUBLE_EQ(size.next(0.9, 1.0), 1.0 - 0.9);
  size.converged(44, 0.0);
  EXPECT_DOUBLE_EQ(size.next(0.0, 1.0), 0.15);
  EXPECT_TRUE(size.failed(0.015));
  EXPECT_DOUBLE_EQ(size.next(0.0, 1.0), 0.01);  // DTMIN
  EXPECT_FALSE(size.failed(0.01));
  control.automatic = false;
  StepSize constant(control);
  constant.converged(1, 0.0);
  EXPECT_DOUBLE_EQ(constant.next(0.0, 1.0), 0.1);
  EXPECT_FALSE(constant.failed(0.1));
  EXPECT_EQ(constant.next(0.9, 1.0 + 1e-12), 1.0 + 1e-12 - 0.9);  // no sliver is left
}

TEST(StepSize, IsLimitedByACurveWhosePointsAreReached) {
  const model::StepSizes control{0.2, true, 11, 5, 0.01, 0.0};
  model::Curve largest;
  largest.x = {0.0, 0.3, 1.0};
  largest.y = {0.2, 0.4, 0.4};
  StepSize size(control, nullptr, &largest);
  EXPECT_DOUBLE_EQ(size.next(0.0, 1.0), 0.2);
  size.converged(1, 0.2);                                // to at most the ordinate, 1 / 3
  EXPECT_DOUBLE_EQ(size.next(0.2, 1.0), 0.3 - 0.2);      // the key point
  EXPECT_DOUBLE_EQ(size.next(0.3, 1.0), 0.2 + 0.4 / 3);  // it is reached: the step goes on
  EXPECT_DOUBLE_EQ(size.next(0.3 - 1e-12, 1.0), 0.2 + 0.4 / 3) << "times are sums of steps";
  EXPECT_DOUBLE_EQ(size.next(0.9, 2.0), 1.0 - 0.9);
}

TEST(StepSize, ReachesKeyPoints) {
  const model::StepSizes control{0.2, false, 11, 5, 0.01, 0.25};
  const StepSize size(control, nullptr, nullptr, {0.5, 0.3});
  EXPECT_DOUBLE_EQ(size.next(0.2, 1.0), 0.3 - 0.2);
  EXPECT_DOUBLE_EQ(size.next(0.3, 1.0), 0.2);
  EXPECT_DOUBLE_EQ(size.next(0.5, 0.6), 0.6 - 0.5);
}

TEST(StepSize, OfACurveComesBackAfterOneThatFailed) {
  const model::StepSizes control{0.2, true, 11, 5, 0.01, 0.25};
  model::Curve steps;
  steps.x = {0.0, 1.0};
  steps.y = {0.1, 0.5};
  StepSize size(control, &steps);
  EXPECT_DOUBLE_EQ(size.next(0.0, 1.0), 0.1);
  EXPECT_DOUBLE_EQ(size.next(0.25, 1.0), 0.2);
  EXPECT_DOUBLE_EQ(size.next(0.5, 1.0), 0.25);  // DTMAX
  EXPECT_TRUE(size.failed(0.2));
  EXPECT_DOUBLE_EQ(size.next(0.25, 1.0), 0.1);
  size.converged(30, 0.35);
  EXPECT_DOUBLE_EQ(size.next(0.25, 1.0), 0.2);
}

}  // namespace
}  // namespace crumple::implicit
