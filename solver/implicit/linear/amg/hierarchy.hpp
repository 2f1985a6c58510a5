// Levels of smoothed aggregation and their V-cycle, which conjugate gradients take as a preconditioner.
//
// Vanek, Mandel and Brezina (1996), with rigid motions as near kernel. Sweeps before and after the correction
// are the same polynomial of Chebyshev in D^-1 A (Adams, Brezina, Hu and Tuminaro 2003, J. Comput. Phys. 188,
// 593-610): the cycle is a symmetric matrix. Cycles are in single precision; the matrices of levels are made
// in double precision before they are rounded, and the coarsest has a direct solver in double precision.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "implicit/linear/amg/fine_rows.hpp"
#include "implicit/linear/amg/level_products.hpp"
#include "implicit/linear/amg/rigid_modes.hpp"
#include "implicit/linear/block_matrix.hpp"
#include "implicit/linear/solver.hpp"

namespace crumple::implicit::linear::amg {

/// Aggregates of a level and the patterns of its products.
struct LevelPatterns {
  int block = 0;
  std::vector<std::int32_t> node;       ///< by row, ascending
  Aggregates aggregates;                ///< none on the coarsest level
  std::vector<std::int32_t> aggregate;  ///< by row
  RowPattern a;                         ///< of the matrix; that of the first level is kept elsewhere
  RowPattern p, ap;
  ColumnBlocks p_columns;

  double bytes() const;
};

class Hierarchy {
 public:
  explicit Hierarchy(const SolverOptions& options);

  /// Levels by the pattern alone, as if all blocks were strong: what memory they take.
  /// @param node of each row
  void predict(const RowPattern& fine, std::span<const std::int32_t> node);
  /// Values of all levels. Aggregates and patterns of earlier values are kept where they are still the same.
  /// False if the matrix is found not to be positive definite: a diagonal block, a direction of conjugate
  /// gradients or a pivot of the coarsest level is not.
  /// @param fine pattern of the first level, kept by reference as are the values: `multiply` takes them
  /// @param changed whether the pattern is not that of the last call
  bool set_values(const RowPattern& fine, bool changed, std::span<const double> values,
                  std::span<const std::int32_t> node, RigidModes modes);

  /// y = A x of the first level; x has kBeyond more numbers.
  void multiply(std::span<const double> x, std::span<double> y) const;
  /// z = M r, one V-cycle.
  /// @param size about that of r: numbers are scaled to it before they are rounded
  void apply(std::span<const double> r, double size, std::span<double> z);

  std::size_t levels() const { return patterns_.size(); }
  /// Blocks' values of all levels over those of the first.
  double complexity() const;
  /// Memory of levels, and what is used beside it while values are set.
  double bytes() const;

 private:
  struct LevelValues {
    std::vector<float> a, p, inverse;
    std::vector<float> r, x, d, e;
    double largest = 0;  ///< eigenvalue of D^-1 A
  };

  void begin(const RowPattern& fine, std::span<const std::int32_t> node);
  void append_level(Aggregates aggregates);
  void set_coarsest();
  const RowPattern& matrix_of(std::size_t level) const { return level == 0 ? *fine_ : patterns_[level].a; }
  std::int32_t nodes_of(std::size_t level) const {
    return patterns_[level].node.empty() ? 0 : patterns_[level].node.back() + 1;
  }
  void set_cycle(std::size_t level, std::span<const double> a, std::span<const double> inverse);
  bool factor_coarsest(std::span<const double> values);
  void cycle(std::size_t level);
  void sweep_before(std::size_t level);
  void sweep_after(std::size_t level);
  void solve_coarsest();

  const RowPattern* fine_ = nullptr;
  Work work_;
  SolverOptions direct_;
  std::vector<LevelPatterns> patterns_;
  std::vector<LevelValues> cycle_;
  BlockPattern coarsest_pattern_;
  BlockMatrix coarsest_;
  std::unique_ptr<Solver> coarsest_solver_;
  double coarsest_bytes_ = 0;
  std::vector<double> coarsest_x_;
  std::span<const double> fine_values_;
};

}  // namespace crumple::implicit::linear::amg
