// When the rows of a history, or plot states, are due.
#pragma once

#include <algorithm>
#include <cmath>

namespace crumple::output {

/// The times that belong to a cycle: all up to `until`, where the next cycle begins; including `until` if
/// `closed`.
struct Stretch {
  double until = 0;
  double step = 0;  ///< length of the cycle
  bool closed = false;
};

/// The multiples of an interval: each is due in the last cycle that begins at or before it, as the times of
/// LS-DYNA's glstat, rwforc and d3plot. If a cycle passes several multiples, they count as one.
///
/// A time and a multiple are equal if they are within a millionth of the step: times are sums of steps and
/// differ from products by rounding. The cost of a call does not depend on the step. Local.
class Series {
 public:
  /// Never due with an interval of 0.
  explicit Series(double interval = 0.0) : interval_(interval) {}

  bool due(const Stretch& times) const {
    const double edge = edge_of(times), next = next_ * interval_;
    return interval_ > 0.0 && (times.closed ? next <= edge : next < edge);
  }
  /// To be called after the due results of that cycle have been written.
  void done(const Stretch& times) {
    if (!due(times)) return;
    const double edge = edge_of(times), passed = std::floor(edge / interval_);
    const bool on_edge = !times.closed && passed * interval_ >= edge;
    next_ = std::max(next_ + 1.0, on_edge ? passed : passed + 1.0);
  }
  double interval() const { return interval_; }
  /// All multiples before a cycle of length `step` that begins at `time` are past.
  void begin_at(double time, double step) {
    if (interval_ > 0.0) next_ = std::ceil((time - 1e-6 * std::min(step, interval_)) / interval_);
  }
  /// The multiple that is due next, for archives.
  double& next() { return next_; }

 private:
  double edge_of(const Stretch& times) const {
    const double rounding = 1e-6 * std::min(times.step, interval_);
    return times.closed ? times.until + rounding : times.until - rounding;
  }

  double interval_;
  double next_ = 0.0;  ///< multiple
};

}  // namespace crumple::output
