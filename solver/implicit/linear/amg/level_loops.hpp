// Loops over rows of blocks, which are compiled once per instruction set: those of cycles in single
// precision, those of the setup and of conjugate gradients in double precision.
//
// A loop works on rows [begin, end). Vectors have kBeyond more numbers than a matrix needs: whole registers
// are loaded.
#pragma once

#include <cstdint>

#include "elements/kernel.hpp"

namespace crumple::implicit::linear::amg {

inline constexpr std::size_t kBeyond = 8;

/// Blocks of a matrix row by row; or of its transpose, where `block` says which they are.
template <class T>
struct Blocks {
  const std::int64_t* start = nullptr;
  const std::int32_t* column = nullptr;
  T* values = nullptr;
  const std::int64_t* block = nullptr;
};

/// A step of Chebyshev's method.
struct ChebyshevStep {
  const float* inverse = nullptr;  ///< of diagonal blocks
  const float* d = nullptr;        ///< the last change of x
  float *r = nullptr, *x = nullptr, *next = nullptr;
  float keep = 0, add = 0;
};

/// Smoothed prolongation P = (I - weight D^-1 A) P0.
struct Smoothing {
  const double *inverse = nullptr, *base = nullptr;  ///< of diagonal blocks; P0
  const std::int32_t* aggregate = nullptr;
  double weight = 0;
  Blocks<double> p;
};

/// Functions for blocks of one size; P has blocks (size, 6).
struct LoopsOfBlock {
  /// y = A x
  void (*multiply)(const Blocks<const double>& a, const double* x, double* y, std::int32_t begin,
                   std::int32_t end);
  /// z = D x
  void (*multiply_diagonal)(const double* d, const double* x, double* z, std::int32_t begin,
                            std::int32_t end);
  /// next = add D^-1 r; x = next
  void (*begin_chebyshev)(const ChebyshevStep&, std::int32_t begin, std::int32_t end);
  /// r -= A d; next = keep d + add D^-1 r; x += next
  void (*chebyshev)(const Blocks<const float>& a, const ChebyshevStep&, std::int32_t begin, std::int32_t end);
  /// r -= A d; next = add D^-1 r; x += d + next
  void (*chebyshev_after)(const Blocks<const float>& a, const ChebyshevStep&, std::int32_t begin,
                          std::int32_t end);
  /// r -= A d
  void (*subtract)(const Blocks<const float>& a, const float* d, float* r, std::int32_t begin,
                   std::int32_t end);
  /// e = P x
  void (*prolong)(const Blocks<const float>& p, const float* x, float* e, std::int32_t begin,
                  std::int32_t end);
  /// x = P' r; rows are those of the next level
  void (*restrict_to)(const Blocks<const float>& p, const float* r, float* x, std::int32_t begin,
                      std::int32_t end);
  /// @param place (n_columns of P), working memory
  /// @param sums (most blocks of a row of P, block, 6), working memory
  void (*smooth)(const Blocks<const double>& a, const Smoothing&, std::int64_t* place, double* sums,
                 std::int32_t begin, std::int32_t end);
  /// A P, whose values are zero before.
  void (*times_p)(const Blocks<const double>& a, const Blocks<const double>& p, const Blocks<double>& ap,
                  std::int64_t* place, std::int32_t begin, std::int32_t end);
  /// Blocks of P' (A P) from the diagonal on, whose values are zero before.
  void (*galerkin)(const Blocks<const double>& p_columns, const Blocks<const double>& ap,
                   const Blocks<double>& coarse, std::int64_t* place, std::int32_t begin, std::int32_t end);
};

struct LevelLoops {
  LoopsOfBlock three, six;
  const LoopsOfBlock& of(int block) const { return block == 3 ? three : six; }
};

/// For an instruction set, or for the best one below it that was compiled.
const LevelLoops& level_loops(elements::Isa isa);

namespace detail {
struct RegisterLevelLoops {
  RegisterLevelLoops(elements::Isa isa, const LevelLoops& loops);
};
}  // namespace detail

}  // namespace crumple::implicit::linear::amg
