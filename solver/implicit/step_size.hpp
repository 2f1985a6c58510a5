// The length of the next step (*CONTROL_IMPLICIT_AUTO).
//
// Where the number of iterations lies within ITEWIN of ITEOPT the step stays. With fewer it grows, with more
// it shrinks, by the root of ITEOPT over that number, at most to double or half. A step that has not
// converged is tried at half its length. These factors are ours: the manual gives none.
//
// Steps reach key points exactly. A curve may give the largest step over time (DTMAX < 0): times of its
// points are key points. Or a curve gives the steps themselves (IAUTO < 0), within the smallest and the
// largest; after one that has not converged it does so again from the next step on.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "model/curve.hpp"
#include "model/implicit_control.hpp"
#include "state/archive.hpp"

namespace crumple::implicit {

class StepSize {
 public:
  /// Curves of the steps and of the largest ones, which live as long as this; null: there are none. Other key
  /// points in any order.
  explicit StepSize(const model::StepSizes& control, const model::Curve* steps = nullptr,
                    const model::Curve* largest = nullptr, std::vector<double> key_points = {})
      : control_(control),
        steps_(steps),
        largest_(largest),
        key_points_(std::move(key_points)),
        dt_(steps ? kNoLimit : control.first) {
    if (largest_ != nullptr) key_points_.insert(key_points_.end(), largest_->x.begin(), largest_->x.end());
    std::ranges::sort(key_points_);
  }

  /// The next step from `time`; it reaches `end`, and key points, exactly.
  double next(double time, double end) const {
    constexpr double rounding = 1e-6;
    const double dt = length(time);
    const auto key = std::ranges::upper_bound(key_points_, time + rounding * dt);
    const double target = key == key_points_.end() ? end : std::min(end, *key);
    return time + (1.0 + rounding) * dt >= target ? target - time : dt;
  }
  /// The step that ended at `time` has converged.
  void converged(int iterations, double time) {
    if (steps_ != nullptr) dt_ = kNoLimit;
    if (steps_ != nullptr || !control_.automatic) return;
    const double best = control_.best_iterations, n = std::max(1, iterations);
    if (std::abs(n - best) <= control_.window) return;
    dt_ = bounded(dt_ * std::clamp(std::sqrt(best / n), 0.5, 2.0), time);
  }
  void archive(state::Archive& archive) { archive.global("step", dt_); }
  /// A step of length dt has not. False if there is no smaller one.
  bool failed(double dt) {
    if (!control_.automatic || dt <= control_.smallest) return false;
    dt_ = std::max(0.5 * dt, control_.smallest);
    return true;
  }

 private:
  static constexpr double kNoLimit = std::numeric_limits<double>::max();

  double bounded(double dt, double time) const {
    const double largest = largest_ != nullptr ? (*largest_)(time) : control_.largest;
    return std::min(std::max(dt, control_.smallest), largest);
  }
  double length(double time) const {
    if (steps_ != nullptr) return std::min(dt_, bounded((*steps_)(time), time));
    return largest_ != nullptr ? std::min(dt_, (*largest_)(time)) : dt_;
  }

  model::StepSizes control_;
  const model::Curve *steps_, *largest_;
  std::vector<double> key_points_;  ///< in their order
  double dt_;
};

}  // namespace crumple::implicit
