// Solves K x = b for a symmetric matrix of blocks: analyse once, factor for each matrix, solve for each right
// hand side. What solves it is chosen by name (methods register themselves).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/members.hpp"
#include "base/types.hpp"
#include "elements/kernel.hpp"
#include "implicit/linear/block_matrix.hpp"

namespace crumple::implicit::linear {

enum class Method { multifrontal, mumps, conjugate_gradients };
enum class Ordering { metis, geometric };

class Workers;

/// When equations are worth dividing among ranks. Results do not depend on it.
struct DivisionOptions {
  /// Operations that are worth a rank, and that are worth several ranks for one front.
  double worth_rank = 1e6, worth_sharing = 2e7;
};

struct SolverOptions {
  Method method = Method::multifrontal;
  Ordering ordering = Ordering::metis;
  bool single_precision = false;  ///< of the factor; solutions are then refined
  bool out_of_core = false;
  bool out_of_core_if_needed = false;  ///< where the factor is more than the limit
  std::string folder = ".";            ///< of the factor's files, out of core
  /// Bytes of this process for the matrix and its factor; 0: no limit. Results do not depend on it.
  double memory_limit = 0;
  /// What its user keeps beside it, in double precision, within the same limit: vectors of all equations, and
  /// values of matrices with the same pattern.
  std::size_t vectors_beside = 0, matrices_beside = 0;
  std::size_t vectors_on_disk = 0;  ///< of these vectors, how many its user moves to disk with the factor
  int threads = 1;
  elements::Isa isa = elements::Isa::baseline;  ///< of the loops of iterative methods
  // Of iterative methods: the first of both tolerances ends them.
  double relative_tolerance =
      1e-8;                       ///< of the residual beside the right hand side, in the norm of the method
  double absolute_tolerance = 0;  ///< of the norm of the residual
  int most_iterations = 500;
  Workers* workers = nullptr;  ///< the other ranks, of the methods that can use them
  int predicted_ranks = 1;     ///< for how many ranks the analysis tells what they take, without workers
  bool elsewhere = false;      ///< they have other machines: none of their room is checked
  DivisionOptions division{};
};

/// How an equation moves its row: along an axis, or about it.
struct Motion {
  Vec3 axis;
  bool turn = false;
};

/// What the factor's part on one of several ranks takes, as Analysis tells it.
struct RankNeeds {
  double flops = 0;
  double bytes_in_core = 0, bytes_out_of_core = 0, bytes_least = 0;
  double bytes = 0, bytes_on_disk = 0;
  double memory_limit = 0;  ///< bytes; 0: none
  bool out_of_core = false;
};
CRUMPLE_MEMBERS(RankNeeds, flops, bytes_in_core, bytes_out_of_core, bytes_least, bytes, bytes_on_disk,
                memory_limit, out_of_core)

/// What the symbolic phase knows. Memory is that of the matrix and its factor, with one right hand side; of
/// several ranks that of the one with most, and the disk of all.
struct Analysis {
  double flops = 0;              ///< of one factor
  double entries = 0;            ///< of the factor
  double bytes_in_core = 0;      ///< largest memory of a factor that stays in memory
  double bytes_out_of_core = 0;  ///< largest memory of one that goes to disk, without a limit
  double bytes_least = 0;        ///< out of core, of the lowest limit that is possible
  bool out_of_core = false;      ///< what the options lead to, and its memory and room on disk
  double bytes = 0;
  double bytes_on_disk = 0;
  std::int32_t largest_front = 0;
  std::size_t vectors_beside = 0;  ///< which are in `bytes`, too; those on disk in `bytes_on_disk`
  double ordering_seconds = 0;     ///< of the analysis
  int levels = 0;                  ///< of multigrid; 0: a direct method
  double complexity = 0;           ///< entries of all levels over those of the first
  std::vector<RankNeeds> ranks;    ///< if they are several
};

/// What went through the factor's file since the solver was made.
struct DiskTraffic {
  double written = 0, read = 0;  ///< bytes
  double seconds = 0;            ///< of writing and reading, most of it beside the computation
};

/// What a factor found.
struct Factored {
  std::int32_t negative = 0;  ///< negative pivots: eigenvalues below zero, by Sylvester's law of inertia
  /// Equation of the first pivot that is zero beside the matrix's size; -1: none. The matrix has no inverse.
  std::int32_t singular = -1;
  /// Such pivots, which count as neither sign; each was held by a spring of its equation's size. Where a
  /// whole body is free they are at most its 6 motions: rounding hides those that the springs hold by a short
  /// arm.
  std::int32_t zero = 0;
  double bytes = 0;  ///< of fronts, update matrices and the factor at once; 0: not known
};

/// How well equations were solved, for the worst right hand side.
struct Solved {
  int refinements = 0;  ///< steps after the first solution
  int iterations = 0;   ///< of an iterative method, for all right hand sides
  double residual = 0;  ///< |b - K x| / |b|; 0 if it was not looked at
  /// What a direct factor found that stands in for an iterative method from this solution on.
  std::optional<Factored> late;
};

class Solver {
 public:
  virtual ~Solver() = default;
  /// Where rows of blocks are and how equations move them, for methods that take rigid motions. Before
  /// analyse, and before a factor where rows have moved. Without a call, rows are where analyse had them, and
  /// the equations of a row are displacements, then turns, along global axes.
  /// @param positions (n_rows)
  /// @param motions (n_equations); displacements of a row before its turns
  virtual void place([[maybe_unused]] std::span<const Vec3> positions,
                     [[maybe_unused]] std::span<const Motion> motions) {}
  /// Ordering and symbolic factor.
  /// @param positions of rows of blocks; (n_rows)
  virtual Analysis analyse(const BlockPattern& pattern, std::span<const Vec3> positions) = 0;
  /// Throws Error if the last analysis has found that the factor needs more memory than the limit (CR-I203)
  /// or more space than the disk has (CR-I204). A factor may still need more: in double precision where
  /// single precision does not do.
  virtual void check_room() const {}
  /// Throws Error if there is no memory or no space on disk.
  virtual Factored factor(const BlockMatrix& matrix) = 0;
  /// @param b right hand sides, one after the other; (n_rhs, n_equations)
  /// @param x may be b
  /// @pre the matrix of the last factor is still there and the same: a factor of single precision is refined
  /// with it
  virtual Solved solve(std::span<const double> b, std::span<double> x) = 0;
  virtual DiskTraffic traffic() const { return {}; }
  /// What each of several ranks would do, as JSON; empty: the method works on rank 0 alone. After analyse.
  virtual std::string division([[maybe_unused]] int ranks) const { return {}; }
  /// Why a direct method solves with the last matrix in place of an iterative one; empty: it does not.
  virtual std::string_view stands_in() const { return {}; }
};

/// Throws Error if this build does not have the method.
std::unique_ptr<Solver> make_solver(const SolverOptions& options);

}  // namespace crumple::implicit::linear
