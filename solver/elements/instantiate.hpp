// One line that compiles a kernel template for this object's instruction set and registers it.
//
// Each *_kernel.cpp is compiled once per instruction set with CRUMPLE_ISA set to its name.
#pragma once

#include "elements/explicit_driver.hpp"
#include "elements/kernel.hpp"
#include "simd/instruction_set.hpp"
#include "simd/vec.hpp"

namespace crumple::elements {

using simd::kBytesPerVector;

/// FORMULATION is as explicit_driver.hpp describes it.
#define CRUMPLE_REGISTER_KERNEL(KIND, ELFORM, FORMULATION)                                            \
  namespace {                                                                                         \
  const ::crumple::elements::detail::RegisterKernel CRUMPLE_CAT(registered_, __COUNTER__)(            \
      static_cast<::crumple::elements::Isa>(CRUMPLE_ISA_NUMBER), ::crumple::model::ElementKind::KIND, \
      ELFORM, (&explicit_kernel<FORMULATION, ::crumple::simd::Vec<float, kBytesPerVector / 4>>),      \
      (&explicit_kernel<FORMULATION, ::crumple::simd::Vec<double, kBytesPerVector / 8>>));            \
  }

}  // namespace crumple::elements
