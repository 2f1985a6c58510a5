// Hanging nodes among interpolations (*CONSTRAINED_ADAPTIVITY).
#pragma once

#include <cstdint>

namespace crumple::model {

/// In the mask of an interpolation: translations and spin are the weighted means of those of the other nodes.
inline constexpr std::uint8_t kHanging = 0b1000000;

}  // namespace crumple::model
