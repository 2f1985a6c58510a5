// A solid point that is led through principal stretches, with its volume, for tests of foams and rubbers.
#pragma once

#include <cmath>

#include "one_point.hpp"

namespace crumple::materials::testing_ {

/// Moves along the logarithm of the stretches, in steps of equal time.
class StretchedPoint {
 public:
  explicit StretchedPoint(const Prepared& law) : solid(law) { solid.point.volume_ratio = 1; }

  void to(double x, double y, double z, double time = 1, int count = 1000) {
    const double target[3] = {x, y, z};
    double d[6] = {};
    for (int i = 0; i < 3; ++i) d[i] = std::log(target[i] / stretch[i]) / count;
    for (int k = 0; k < count; ++k) {
      for (int i = 0; i < 3; ++i) work += 0.5 * solid.point.volume_ratio * solid.point.s[i] * d[i];
      for (int i = 0; i < 3; ++i) stretch[i] *= std::exp(d[i]);
      solid.point.volume_ratio = stretch[0] * stretch[1] * stretch[2];
      solid.step({d[0], d[1], d[2], 0, 0, 0}, time / count);
      for (int i = 0; i < 3; ++i) work += 0.5 * solid.point.volume_ratio * solid.point.s[i] * d[i];
    }
  }
  /// Force per initial area along direction i, positive in tension.
  double nominal(int i) const { return solid.point.s[i] * solid.point.volume_ratio / stretch[i]; }

  Solid<double> solid;
  double stretch[3] = {1, 1, 1};
  double work = 0;  ///< per initial volume
};

}  // namespace crumple::materials::testing_
