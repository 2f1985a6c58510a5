// Adds a force to a node's fixed-point sum, from one thread or many.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/types.hpp"
#include "parallel/load_sum.hpp"

namespace crumple::contact {

template <bool kAtomic>
void add_fixed(parallel::FixedVector& to, const Vec3& f) {
  if constexpr (kAtomic) {
    for (int c = 0; c < 3; ++c)
      std::atomic_ref(to.sum[c]).fetch_add(parallel::to_fixed(f[c], to.scale), std::memory_order_relaxed);
  } else {
    to.add(f);
  }
}

}  // namespace crumple::contact
