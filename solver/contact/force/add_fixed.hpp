// Adds a force to a node's fixed-point sum, from one thread or many.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/types.hpp"
#include "parallel/fixed_point.hpp"

namespace crumple::contact {

template <bool kAtomic>
void add_fixed(std::int64_t* sum, const Vec3& f, double scale) {
  for (int c = 0; c < 3; ++c) {
    const std::int64_t term = parallel::to_fixed(f[c], scale);
    if constexpr (kAtomic)
      std::atomic_ref(sum[c]).fetch_add(term, std::memory_order_relaxed);
    else
      sum[c] += term;
  }
}

}  // namespace crumple::contact
