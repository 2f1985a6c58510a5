// Work of impulses, counted at whole time steps like the energies with which it is compared.
#pragma once

#include <concepts>
#include <type_traits>

#include "base/members.hpp"
#include "parallel/exact_sum.hpp"

namespace crumple::constraints {

/// Work of impulses J_n = F_n dt_v at t_n, with velocities at half steps.
///
/// J_n adds J_n . (v_{n-1/2} + v_{n+1/2}) / 2 to the kinetic energy between the half steps. The part with
/// v_{n-1/2} is done by t_n, the rest after t_n. So for a constant step the sum is the trapezoidal rule, as
/// for internal work. At t = 0, where v is the initial velocity, the whole impulse acts after t_n.
class HalfStepWork {
 public:
  /// What is carried from step to step.
  struct Sums {
    parallel::ExactSum done;   ///< by t_n
    parallel::ExactSum after;  ///< by the last impulses, between t_n and t_{n+1}
  };
  /// Begin t_n: the rest of the last step's work is now done. `first` at t = 0.
  void begin_step(bool first) {
    first_ = first;
    sums_.done.add(sums_.after);
    sums_.after = {};
  }
  /// One impulse's J . v_{n-1/2} and J . v_{n+1/2}.
  void add(double with_old, double with_new) {
    if (first_) {
      sums_.after += 0.5 * (with_old + with_new);
    } else {
      sums_.done += 0.5 * with_old;
      sums_.after += 0.5 * with_new;
    }
  }
  /// The same for many impulses: sums of J . v_{n-1/2} / 2 and J . v_{n+1/2} / 2.
  void add(const parallel::ExactSum& half_with_old, const parallel::ExactSum& half_with_new) {
    (first_ ? sums_.after : sums_.done).add(half_with_old);
    sums_.after.add(half_with_new);
  }
  /// Work done by t_n, this rank's share.
  const parallel::ExactSum& done() const { return sums_.done; }
  /// For archives (state/archive.hpp).
  Sums& sums() { return sums_; }
  const Sums& sums() const { return sums_; }

 private:
  Sums sums_;
  bool first_ = true;  ///< in this step
};
CRUMPLE_MEMBERS(HalfStepWork::Sums, done, after)

/// As a member of another struct that is archived.
template <class Visit, class Work>
requires std::same_as<std::remove_const_t<Work>, HalfStepWork>
constexpr void members(Visit&& visit, Work& work) { members(visit, work.sums()); }

}  // namespace crumple::constraints
