// Work of impulses, counted so that it belongs to whole time steps like the energies it is compared with.
#pragma once

#include "parallel/exact_sum.hpp"

namespace crumple::constraints {

/// Work of impulses J_n = F_n dt_v at t_n, with velocities at half steps.
///
/// J_n adds J_n . (v_{n-1/2} + v_{n+1/2}) / 2 to the kinetic energy between the half steps. Of that the
/// part with v_{n-1/2} is done by t_n, the rest after it; so the sum is, for a constant step, the
/// trapezoidal rule that internal work is counted with. At t = 0, where v is the initial velocity, the
/// whole impulse comes after.
class HalfStepWork {
 public:
  /// Begin t_n: what was left of the last step is done. `first` at t = 0.
  void begin_step(bool first) {
    first_ = first;
    done_.add(after_);
    after_ = {};
  }
  /// One impulse's J . v_{n-1/2} and J . v_{n+1/2}.
  void add(double with_old, double with_new) {
    if (first_) {
      after_ += 0.5 * (with_old + with_new);
    } else {
      done_ += 0.5 * with_old;
      after_ += 0.5 * with_new;
    }
  }
  /// Of many impulses: sums of J . v_{n-1/2} / 2 and J . v_{n+1/2} / 2.
  void add(const parallel::ExactSum& half_with_old, const parallel::ExactSum& half_with_new) {
    (first_ ? after_ : done_).add(half_with_old);
    after_.add(half_with_new);
  }
  /// Work done by t_n, this rank's share.
  const parallel::ExactSum& done() const { return done_; }

 private:
  parallel::ExactSum done_, after_;
  bool first_ = true;
};

}  // namespace crumple::constraints
