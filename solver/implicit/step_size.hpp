// The length of the next step (*CONTROL_IMPLICIT_AUTO).
//
// Where the number of iterations lies within ITEWIN of ITEOPT the step stays. With fewer it grows, with more
// it shrinks, by the root of ITEOPT over that number, at most to double or half. A step that has not
// converged is tried at half its length. These factors are ours: the manual gives none.
#pragma once

#include <algorithm>
#include <cmath>

#include "model/implicit_control.hpp"
#include "state/archive.hpp"

namespace crumple::implicit {

class StepSize {
 public:
  explicit StepSize(const model::StepSizes& control) : control_(control), dt_(control.first) {}

  /// The next step from `time`; it reaches `end` exactly.
  double next(double time, double end) const {
    constexpr double rounding = 1e-6;
    return time + (1.0 + rounding) * dt_ >= end ? end - time : dt_;
  }
  /// A step has converged.
  void converged(int iterations) {
    if (!control_.automatic) return;
    const double best = control_.best_iterations, n = std::max(1, iterations);
    if (std::abs(n - best) <= control_.window) return;
    dt_ = std::clamp(dt_ * std::clamp(std::sqrt(best / n), 0.5, 2.0), control_.smallest, control_.largest);
  }
  void archive(state::Archive& archive) { archive.global("step", dt_); }
  /// A step of length dt has not. False if there is no smaller one.
  bool failed(double dt) {
    if (!control_.automatic || dt <= control_.smallest) return false;
    dt_ = std::max(0.5 * dt, control_.smallest);
    return true;
  }

 private:
  model::StepSizes control_;
  double dt_;
};

}  // namespace crumple::implicit
