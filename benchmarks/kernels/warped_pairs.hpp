// Pairs of points and warped segments, all within reach: of a benchmark, and of the count of its operations.
#pragma once

#include <cstdint>
#include <vector>

#include "contact/geometry/closest_pairs.hpp"

namespace crumple::bench {

struct WarpedPairs {
  AlignedVector<Vec3> x;
  std::vector<contact::SeekerAndSegment> pairs;

  explicit WarpedPairs(std::int32_t n) {
    for (std::int32_t i = 0; i < n; ++i) {
      const auto u = [&](int k) { return double((i * 31 + k) * 7919 % 1009) / 1009; };
      pairs.push_back(
          {{5 * u(4) - 0.5, 5 * u(5) - 0.5, 1.0, 9.0}, {4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3}, i});
      for (const Vec3& corner :
           {Vec3{0, 0, 0.1 * u(0)}, Vec3{4, 0, 0.1 * u(1)}, Vec3{4, 4, 0.1 * u(2)}, Vec3{0, 4, 0.1 * u(3)}})
        x.push_back(corner);
    }
  }
};

}  // namespace crumple::bench
