// The instruction set that this object is compiled for, as a number and as the size of its vectors.
//
// CRUMPLE_ISA is its name, defined on the command line of files that are compiled once per instruction set.
#pragma once

#ifndef CRUMPLE_ISA
#define CRUMPLE_ISA baseline
#endif

#define CRUMPLE_ISA_IS_baseline 0
#define CRUMPLE_ISA_IS_avx2 1
#define CRUMPLE_ISA_IS_avx512 2
#define CRUMPLE_CAT2(a, b) a##b
#define CRUMPLE_CAT(a, b) CRUMPLE_CAT2(a, b)
#define CRUMPLE_ISA_NUMBER CRUMPLE_CAT(CRUMPLE_ISA_IS_, CRUMPLE_ISA)

namespace crumple::simd {
inline namespace CRUMPLE_ISA {

inline constexpr int kIsaNumber = CRUMPLE_ISA_NUMBER;
inline constexpr int kBytesPerVector = 16 << kIsaNumber;

}  // namespace CRUMPLE_ISA
}  // namespace crumple::simd
