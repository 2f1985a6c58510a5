// The vectors that laws are compiled for, of this object's instruction set.
#pragma once

#include "simd/dual.hpp"
#include "simd/instruction_set.hpp"
#include "simd/vec.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

using simd::kBytesPerVector;
using Singles = simd::Vec<float, kBytesPerVector / 4>;
using Doubles = simd::Vec<double, kBytesPerVector / 8>;
/// Shells update two points at a time.
using TwoSingles = simd::several_t<Singles, 2>;
using TwoDoubles = simd::several_t<Doubles, 2>;
/// One point with derivatives, for tangents; their number is the fastest one measured
/// (elements/tangent_driver.hpp).
using WithDerivatives = simd::Dual<double, 8>;

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
