// One line that compiles a kernel template for this object's instruction set and registers it.
//
// Each *_kernel.cpp is compiled once per instruction set with CRUMPLE_ISA set to its name.
#pragma once

#include "elements/kernel.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {

#define CRUMPLE_ISA_IS_baseline 0
#define CRUMPLE_ISA_IS_avx2 1
#define CRUMPLE_ISA_IS_avx512 2
#define CRUMPLE_CAT2(a, b) a##b
#define CRUMPLE_CAT(a, b) CRUMPLE_CAT2(a, b)
#define CRUMPLE_ISA_NUMBER CRUMPLE_CAT(CRUMPLE_ISA_IS_, CRUMPLE_ISA)

#if CRUMPLE_CAT(CRUMPLE_ISA_IS_, CRUMPLE_ISA) == 2
constexpr int kBytesPerVector = 64;
#elif CRUMPLE_CAT(CRUMPLE_ISA_IS_, CRUMPLE_ISA) == 1
constexpr int kBytesPerVector = 32;
#else
constexpr int kBytesPerVector = 16;
#endif

/// KERNEL is a function template `template <class V> void KERNEL(const KernelArguments<scalar_t<V>>&)`.
#define CRUMPLE_REGISTER_KERNEL(KIND, ELFORM, KERNEL)                                                 \
  namespace {                                                                                         \
  const ::crumple::elements::detail::RegisterKernel CRUMPLE_CAT(registered_, __COUNTER__)(            \
      static_cast<::crumple::elements::Isa>(CRUMPLE_ISA_NUMBER), ::crumple::model::ElementKind::KIND, \
      ELFORM, &KERNEL<::crumple::simd::Vec<float, kBytesPerVector / 4>>,                              \
      &KERNEL<::crumple::simd::Vec<double, kBytesPerVector / 8>>);                                    \
  }

}  // namespace crumple::elements
