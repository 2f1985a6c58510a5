// The bounding box of many displacements.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "base/types.hpp"
#include "contact/search/bucket_grid.hpp"

namespace crumple::contact {

/// Processes several nodes at a time, because in a single chain each comparison would wait for the last.
class DisplacementBox {
 public:
  static constexpr std::size_t kNodes = 4;

  DisplacementBox() {
    for (std::size_t j = 0; j < kPairs; ++j) {
      low_[j] = Pair{HUGE_VAL, HUGE_VAL};
      high_[j] = -low_[j];
    }
  }
  /// Add `kNodes` consecutive nodes.
  void add(const Vec3* x, const Vec3* from) {
    for (std::size_t j = 0; j < kPairs; ++j) {
      const Pair u = load(x, j) - load(from, j);
      low_[j] = u < low_[j] ? u : low_[j];
      high_[j] = u > high_[j] ? u : high_[j];
    }
  }
  void join_to(Box& box) const {
    for (int k = 0; k < static_cast<int>(3 * kNodes); ++k) {
      const double low = low_[k / 2][k % 2], high = high_[k / 2][k % 2];
      box.low[k % 3] = std::min(box.low[k % 3], low);
      box.high[k % 3] = std::max(box.high[k % 3], high);
    }
  }

 private:
  using Pair [[gnu::vector_size(16)]] = double;  ///< every x86-64 and aarch64 has registers of this size
  static constexpr std::size_t kPairs = 3 * kNodes / 2;

  static Pair load(const Vec3* x, std::size_t j) {
    Pair p;
    std::memcpy(&p, reinterpret_cast<const char*>(x) + j * sizeof p, sizeof p);
    return p;
  }
  Pair low_[kPairs], high_[kPairs];
};

}  // namespace crumple::contact
