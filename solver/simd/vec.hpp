// The one vocabulary of SIMD types and functions: Vec<T, W>, masks, load, gather, select.
//
// Kernels are templates on a vector type V, which is Vec<float, W>, Vec<double, W>, or plain float or double
// (the scalar reference), or several vectors as one, or a number with its derivatives. Everything a kernel
// may use is declared in this header's parts and in math.hpp. All of it lies in an inline namespace named
// after the instruction set it is compiled for, so that the linker can never use AVX-512 code in the baseline
// build. Include this header, not its parts: templates must see all of them.
#pragma once

#include "simd/dual.hpp"
#include "simd/one_vector.hpp"
#include "simd/several.hpp"
