// Which particles may be within reach of which: lists that hold for some cycles.
//
// A list has all pairs within h_i + h_j and a margin, in ascending order of their places in the whole model.
// It is made anew once particles have moved or grown by half of the margin. Who sums over a list looks at the
// distance itself, so that sums do not depend on when lists were made.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "particles/cells.hpp"

namespace crumple::particles {

class Neighbours {
 public:
  /// Makes the lists of `own` particles if the present ones may miss a pair, at the positions `x` or half a
  /// step before.
  /// @param present by particle: whether it is there
  /// @param drift upper bound of what positions differ from `x` between now and half a step before, beside a
  /// common motion
  void update(std::span<const Vec3> x, std::span<const double> length, std::span<const char> present,
              std::span<const std::int32_t> own, double drift, int threads);
  std::span<const std::int32_t> of(std::size_t own) const { return lists_[own]; }

 private:
  bool hold(std::span<const Vec3> x, std::span<const double> length, std::span<const char> present,
            double drift) const;
  void make(std::span<const std::int32_t> own, int threads);

  Cells cells_;
  double margin_ = 0;
  std::vector<Vec3> x_;         ///< when the lists were made
  std::vector<double> length_;  ///< likewise
  std::vector<char> present_;
  std::vector<std::vector<std::int32_t>> lists_;  ///< of own particles
};

}  // namespace crumple::particles
