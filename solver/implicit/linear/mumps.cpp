// Solves by MUMPS (Amestoy, Duff, L'Excellent and Koster 2001, "A fully asynchronous multifrontal solver
// using distributed dynamic scheduling"), on one rank and with our ordering: a second opinion of the
// multifrontal method.
//
// Cholesky's way first (SYM = 1, no pivoting); where a pivot is not positive, again with pivoting (SYM = 2).
#include <dmumps_c.h>
#include <fmt/format.h>
#include <mpi.h>
#include <smumps_c.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <numeric>

#include "base/error.hpp"
#include "implicit/linear/methods.hpp"
#include "implicit/linear/ordering.hpp"
#include "implicit/linear/refine.hpp"

namespace crumple::implicit::linear {

namespace {

struct DoubleMumps {
  using Instance = DMUMPS_STRUC_C;
  using Real = double;
  static void call(Instance& of) { dmumps_c(&of); }
};

struct SingleMumps {
  using Instance = SMUMPS_STRUC_C;
  using Real = float;
  static void call(Instance& of) { smumps_c(&of); }
};

enum class MumpsJob : int { start = -1, end = -2, analyse = 1, factor = 2, solve = 3 };
enum class MumpsSymmetry : int { definite = 1, indefinite = 2 };

/// Numbers in MUMPS's guide start with 1.
constexpr int in_guide(int number) { return number - 1; }

constexpr double kSinglePrecisionResidual = 1e-11;

[[noreturn]] void mumps_failed(int code, int detail, const SolverOptions& options) {
  if (code == -90)
    throw Error("CR-I204",
                fmt::format("MUMPS could not write or read its files in {}: no space left?", options.folder),
                {}, Exit::system);
  if (code == -13 || code == -9 || code == -8 || code == -19)
    throw Error(
        "CR-I203",
        fmt::format(
            "not enough memory for the factor of MUMPS (its error {}, {}; limit {:.3g} bytes): solve out "
            "of core, or on a machine with more",
            code, detail, options.memory_limit),
        {}, Exit::system);
  throw Error("CR-I205", fmt::format("MUMPS failed with its error {}, {}", code, detail), {}, Exit::run);
}

/// One matrix in MUMPS, from its creation to its end.
template <class Mumps>
class MumpsInstance {
 public:
  using Real = typename Mumps::Real;

  MumpsInstance(MumpsSymmetry symmetry, const SolverOptions& options)
      : options_(options), symmetry_(symmetry) {
    int started = 0;
    MPI_Initialized(&started);
    if (!started) throw Error("CR-I205", "MUMPS needs MPI, which was not started", {}, Exit::run);
    of_.sym = static_cast<int>(symmetry);
    of_.par = 1;
    of_.comm_fortran = MPI_Comm_c2f(MPI_COMM_SELF);
    call(MumpsJob::start);
    for (const int output : {1, 2, 3}) of_.icntl[in_guide(output)] = -1;
    of_.icntl[in_guide(4)] = 0;
    of_.icntl[in_guide(6)] = 0;   // no permutation for large diagonals
    of_.icntl[in_guide(7)] = 1;   // ordering is given
    of_.icntl[in_guide(10)] = 0;  // refinement is done here
    of_.icntl[in_guide(12)] = 1;  // no compressed ordering
    of_.icntl[in_guide(13)] = 1;  // no ScaLAPACK at the root
    of_.icntl[in_guide(24)] = 1;  // find pivots that are zero
    of_.cntl[in_guide(3)] = static_cast<Real>(kZero);
    of_.icntl[in_guide(35)] = 0;  // no block low rank
    if (options.out_of_core) {
      if (options.folder.size() >= sizeof of_.ooc_tmpdir)
        throw Error("CR-I204", fmt::format("MUMPS cannot use so long a path: {}", options.folder), {},
                    Exit::system);
      std::strcpy(of_.ooc_tmpdir, options.folder.c_str());
      std::strcpy(of_.ooc_prefix, "factor");
      of_.icntl[in_guide(22)] = 1;
    }
  }
  MumpsInstance(const MumpsInstance&) = delete;
  MumpsInstance& operator=(const MumpsInstance&) = delete;
  ~MumpsInstance() { call(MumpsJob::end); }

  void analyse(int equations, std::vector<int>& rows, std::vector<int>& columns, std::vector<int>& places) {
    of_.n = equations;
    of_.nnz = static_cast<MUMPS_INT8>(rows.size());
    of_.irn = rows.data();
    of_.jcn = columns.data();
    of_.perm_in = places.data();
    checked(MumpsJob::analyse);
    // Work space beyond what analysis asks for; the limit is of all.
    if (options_.memory_limit > 0)
      of_.icntl[in_guide(23)] = static_cast<int>(std::min(2e9, options_.memory_limit / 1e6));
  }

  Analysis analysis() const {
    const auto count = [](int given) { return given < 0 ? -1e6 * given : double(given); };
    Analysis is;
    is.flops = of_.rinfog[in_guide(1)];
    is.entries = count(of_.infog[in_guide(20)]);
    is.bytes_in_core = 1e6 * of_.infog[in_guide(16)];
    is.bytes_out_of_core = 1e6 * of_.infog[in_guide(26)];
    is.bytes_least = is.bytes_out_of_core;
    is.out_of_core = options_.out_of_core;
    is.bytes = is.out_of_core ? is.bytes_out_of_core : is.bytes_in_core;
    is.bytes_on_disk = is.entries * sizeof(Real);
    is.largest_front = of_.infog[in_guide(5)];
    return is;
  }

  /// False if a pivot was not positive and must be.
  bool factor(std::vector<Real>& values, Factored& found) {
    of_.a = values.data();
    for (of_.icntl[in_guide(14)] = 20;; of_.icntl[in_guide(14)] *= 2) {
      call(MumpsJob::factor);
      const int code = of_.infog[in_guide(1)];
      // Pivoting fills more than was foreseen: again with more room.
      const bool too_small = code == -8 || code == -9 || code == -19;
      if (too_small && options_.memory_limit <= 0 && of_.icntl[in_guide(14)] < 1000) continue;
      if (symmetry_ == MumpsSymmetry::definite && (code == -10 || code == -40)) return false;
      if (code < 0) mumps_failed(code, of_.infog[in_guide(2)], options_);
      break;
    }
    found = {};
    found.negative = of_.infog[in_guide(12)];
    // Without pivoting no pivot is found to be zero; the smallest and the largest are told.
    const double smallest = of_.rinfog[in_guide(19)], largest = of_.rinfog[in_guide(21)];
    if (symmetry_ == MumpsSymmetry::definite) return found.negative == 0 && smallest > kZero * largest;
    found.zero = of_.infog[in_guide(28)];
    if (found.zero > 0) found.singular = of_.pivnul_list[0] - 1;
    return true;
  }

  void solve(std::vector<Real>& x) {
    of_.rhs = x.data();
    of_.nrhs = static_cast<int>(x.size()) / of_.n;
    of_.lrhs = of_.n;
    checked(MumpsJob::solve);
  }

 private:
  /// A pivot is zero if it is smaller than this part of the matrix.
  static constexpr double kZero = sizeof(Real) == sizeof(float) ? 1e-6 : 1e-12;

  void call(MumpsJob job) {
    of_.job = static_cast<int>(job);
    Mumps::call(of_);
  }
  void checked(MumpsJob job) {
    call(job);
    if (of_.infog[in_guide(1)] < 0) mumps_failed(of_.infog[in_guide(1)], of_.infog[in_guide(2)], options_);
  }

  const SolverOptions& options_;
  const MumpsSymmetry symmetry_;
  typename Mumps::Instance of_{};
};

template <class Mumps>
class MumpsSolver : public Solver {
 public:
  using Real = typename Mumps::Real;
  explicit MumpsSolver(const SolverOptions& options) : options_(options) {}

  Analysis analyse(const BlockPattern& pattern, std::span<const Vec3> positions) override {
    instance_.reset();
    const RowGraph graph = row_graph(pattern);
    places_.assign(static_cast<std::size_t>(pattern.equations()), 0);
    int place = 0;
    for (const std::int32_t v : order_of(graph, positions, options_.ordering))
      for (std::int32_t e = pattern.first[graph.row[v]]; e < pattern.first[graph.row[v] + 1]; ++e)
        places_[e] = ++place;
    list_entries(pattern);
    if (places_.empty()) return {};
    start(MumpsSymmetry::definite);
    return instance_->analysis();
  }

  Factored factor(const BlockMatrix& matrix) override {
    matrix_ = &matrix;
    if (places_.empty()) return {};
    values_.resize(value_.size());
    for (std::size_t i = 0; i < value_.size(); ++i) values_[i] = static_cast<Real>(matrix.values[value_[i]]);
    if (symmetry_ == MumpsSymmetry::indefinite) start(MumpsSymmetry::definite);
    Factored found;
    if (instance_->factor(values_, found)) return found;
    start(MumpsSymmetry::indefinite);
    instance_->factor(values_, found);
    return found;
  }

  Solved solve(std::span<const double> b, std::span<double> x) override {
    if (places_.empty()) return {};
    const auto apply = [&](std::span<const double> r, std::span<double> z) {
      std::vector<Real> some(r.begin(), r.end());
      instance_->solve(some);
      std::copy(some.begin(), some.end(), z.begin());
    };
    if (!options_.single_precision) {
      apply(b, x);
      return {};
    }
    Solved worst;
    for (std::size_t first = 0; first < b.size(); first += places_.size()) {
      const Refined of = refine(*matrix_, symmetry_ == MumpsSymmetry::definite, kSinglePrecisionResidual,
                                apply, b.subspan(first, places_.size()), x.subspan(first, places_.size()));
      worst.refinements = std::max(worst.refinements, of.steps - 1);
      worst.residual = std::max(worst.residual, of.residual);
    }
    return worst;
  }

 private:
  void start(MumpsSymmetry symmetry) {
    instance_.reset();
    instance_ = std::make_unique<MumpsInstance<Mumps>>(symmetry, options_);
    symmetry_ = symmetry;
    instance_->analyse(static_cast<int>(places_.size()), rows_, columns_, places_);
  }

  /// Entries of the upper triangle, and where their values are in the matrix.
  void list_entries(const BlockPattern& pattern) {
    rows_.clear(), columns_.clear(), value_.clear();
    for (std::int32_t row = 0; row < pattern.rows(); ++row)
      for (std::int64_t b = pattern.start[row]; b < pattern.start[row + 1]; ++b) {
        const std::int32_t column = pattern.column[b], m = pattern.size(column);
        for (std::int32_t i = 0; i < pattern.size(row); ++i)
          for (std::int32_t j = column == row ? i : 0; j < m; ++j) {
            rows_.push_back(pattern.first[row] + i + 1);
            columns_.push_back(pattern.first[column] + j + 1);
            value_.push_back(pattern.value[b] + std::int64_t(i) * m + j);
          }
      }
  }

  const SolverOptions options_;
  std::unique_ptr<MumpsInstance<Mumps>> instance_;
  MumpsSymmetry symmetry_ = MumpsSymmetry::definite;
  std::vector<int> rows_, columns_, places_;  ///< counted from 1
  std::vector<std::int64_t> value_;
  std::vector<Real> values_;
  const BlockMatrix* matrix_ = nullptr;
};

std::unique_ptr<Solver> make_mumps(const SolverOptions& options) {
  if (options.single_precision) return std::make_unique<MumpsSolver<SingleMumps>>(options);
  return std::make_unique<MumpsSolver<DoubleMumps>>(options);
}

const RegisteredMethod registered_mumps(Method::mumps, make_mumps);

}  // namespace

}  // namespace crumple::implicit::linear
