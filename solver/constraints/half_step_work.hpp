// Work of impulses, counted at whole time steps like the energies with which it is compared.
#pragma once

#include "parallel/exact_sum.hpp"

namespace crumple::constraints {

/// Work of impulses J_n = F_n dt_v at t_n, with velocities at half steps.
///
/// J_n adds J_n . (v_{n-1/2} + v_{n+1/2}) / 2 to the kinetic energy between the half steps. The part with
/// v_{n-1/2} is done by t_n, the rest after t_n. So for a constant step the sum is the trapezoidal rule, as
/// for internal work. At t = 0, where v is the initial velocity, the whole impulse acts after t_n.
class HalfStepWork {
 public:
  /// Begin t_n: the rest of the last step's work is now done. `first` at t = 0.
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
  /// The same for many impulses: sums of J . v_{n-1/2} / 2 and J . v_{n+1/2} / 2.
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
