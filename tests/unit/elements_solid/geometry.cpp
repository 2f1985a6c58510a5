// The cube root of a volume that has changed in a step.
#include "elements/solid/geometry.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace crumple::test {
namespace {

TEST(CubeRoot, FromTheLastStepsRoot) {
  for (const double volume : {1e-12, 0.7, 3e5})
    for (const double change : {-0.1, -1e-3, 0.0, 1e-3, 0.1}) {
      const double root = std::cbrt(volume), start = std::cbrt(volume * (1 + change));
      EXPECT_NEAR(elements::cube_root_near(1 / volume, start) / root, 1.0, 4e-16) << volume << ' ' << change;
      const float single =
          elements::cube_root_near(static_cast<float>(1 / volume), static_cast<float>(start));
      EXPECT_NEAR(single / root, 1.0, 3e-7) << volume << ' ' << change;
    }
}

TEST(CubeRoot, FromAnyStartInSomeSteps) {
  for (const double times : {1e-9, 1e-2, 0.25, 2.0, 1e2, 1e9}) {
    double root = std::cbrt(times);
    for (int step = 0; step < 30; ++step) root = elements::cube_root_near(1.0, root);
    EXPECT_NEAR(root, 1.0, 4e-16) << "from a volume " << times << " times as large";
  }
}

}  // namespace
}  // namespace crumple::test
