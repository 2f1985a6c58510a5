// Checks the steps of a whole block of elements at once: in nearly all blocks nothing else is needed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "elements/kernel.hpp"

namespace crumple::explicit_dynamics {

/// The smallest of a block's steps if no element is deleted and all steps are positive numbers, else 0.
template <class T>
T least_step_of_living(const T* step, const T* alive) {
  using Pack [[gnu::vector_size(16)]] = T;  // every x86-64 and aarch64 has registers of this size
  constexpr std::size_t n = sizeof(Pack) / sizeof(T), packs = elements::kLanes / n;
  static_assert(packs % 2 == 0);
  const auto load = [](const T* from, std::size_t k) {
    Pack p;
    std::memcpy(&p, from + k * n, sizeof p);
    return p;
  };
  const Pack zero{};
  Pack least[2] = {load(step, 0), load(step, 1)};  // two chains: each minimum waits for the last
  auto plain = (least[0] > zero) & (load(alive, 0) != zero);
  plain &= (least[1] > zero) & (load(alive, 1) != zero);
  for (std::size_t k = 2; k < packs; ++k) {
    const Pack s = load(step, k);
    plain &= (s > zero) & (load(alive, k) != zero);
    least[k % 2] = s < least[k % 2] ? s : least[k % 2];
  }
  const Pack both = least[0] < least[1] ? least[0] : least[1];
  T smallest = both[0];
  for (std::size_t l = 0; l < n; ++l) {
    if (plain[l] == 0) return T(0);
    smallest = std::min(smallest, both[l]);
  }
  return smallest;
}

}  // namespace crumple::explicit_dynamics
