// The number that means "no limit" on a time step.
#pragma once

namespace crumple {

/// Longer than any step, and also a number in single precision, so that a minimum can be taken without a
/// test.
inline constexpr double kNoLimit = 1e30;

/// Whether a step limits anything. One of `kNoLimit` that was scaled since (TSSFAC, mass scaling) does not.
inline bool limits(double step) { return step < 1e29; }

}  // namespace crumple
