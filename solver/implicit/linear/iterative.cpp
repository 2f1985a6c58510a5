// Solves by conjugate gradients with smoothed aggregation as preconditioner; by the multifrontal method where
// the matrix is not positive definite, or too many iterations are needed.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/error.hpp"
#include "implicit/linear/amg/conjugate_gradients.hpp"
#include "implicit/linear/amg/fine_rows.hpp"
#include "implicit/linear/amg/hierarchy.hpp"
#include "implicit/linear/methods.hpp"

namespace crumple::implicit::linear {

namespace {

class Iterative : public Solver {
 public:
  explicit Iterative(const SolverOptions& options)
      : options_(options), hierarchy_(options), threads_(std::max(1, options.threads)) {}

  void place(std::span<const Vec3> positions, std::span<const Motion> motions) override {
    positions_.assign(positions.begin(), positions.end());
    motions_.assign(motions.begin(), motions.end());
  }

  Analysis analyse(const BlockPattern& pattern, std::span<const Vec3> positions) override {
    pattern_ = &pattern;
    direct_.reset();
    positions_.assign(positions.begin(), positions.end());
    if (std::ssize(motions_) != pattern.equations()) motions_.clear();
    fine_ = amg::fine_rows(pattern, motions_);
    hierarchy_.predict(fine_.pattern, fine_.node);
    active_ = {};
    Analysis is;
    is.levels = static_cast<int>(hierarchy_.levels());
    is.complexity = hierarchy_.complexity();
    const double fine_values = double(fine_.pattern.blocks()) * amg::kFineBlock * amg::kFineBlock;
    constexpr int vectors = 6;  // of conjugate gradients
    is.bytes_in_core = pattern.bytes() + fine_.bytes() + fine_.pattern.bytes() + hierarchy_.bytes() +
                       (fine_values + vectors * double(fine_.size())) * sizeof(double);
    is.bytes = is.bytes_out_of_core = is.bytes_least = is.bytes_in_core;
    analysis_ = is;
    return is;
  }

  void check_room() const override {
    if (options_.memory_limit <= 0 || analysis_.bytes <= options_.memory_limit) return;
    throw Error("CR-I203",
                fmt::format("conjugate gradients need {:.4g} bytes of memory, and the limit is {:.4g}",
                            analysis_.bytes, options_.memory_limit),
                {}, Exit::system);
  }

  Factored factor(const BlockMatrix& matrix) override {
    matrix_ = &matrix;
    stands_in_.clear();
    if (fine_.size() == 0) return {};
    direct_.reset();
    amg::fill_fine_values(fine_, matrix, threads_, values_);
    const bool changed = amg::drop_zero_blocks(fine_.pattern, values_, active_);
    if (hierarchy_.set_values(active_, changed, values_, fine_.node,
                              amg::fine_modes(fine_, positions_, motions_)))
      return {.bytes = analysis_.bytes};
    return solve_directly("the stiffness is not positive definite");
  }

  Solved solve(std::span<const double> b, std::span<double> x) override {
    if (fine_.size() == 0) return {};
    if (direct_) return direct_->solve(b, x);
    Solved worst;
    const auto n = static_cast<std::size_t>(pattern_->equations());
    std::vector<double> right(fine_.size()), left(fine_.size());
    const amg::Ending ending{options_.relative_tolerance, options_.absolute_tolerance,
                             options_.most_iterations};
    for (std::size_t first = 0; first < b.size(); first += n) {
      fine_.to_rows(b.subspan(first, n), right);
      const amg::Iterated of = amg::conjugate_gradients(hierarchy_, ending, threads_, right, left);
      worst.iterations += of.iterations;
      worst.residual = std::max(worst.residual, of.residual);
      if (of.ended != amg::Ended::converged) {
        worst.late = solve_directly(why(of));
        direct_->solve(b.subspan(first), x.subspan(first));
        return worst;
      }
      fine_.to_equations(left, x.subspan(first, n));
    }
    return worst;
  }

  std::string_view stands_in() const override { return stands_in_; }

 private:
  static std::string why(const amg::Iterated& of) {
    if (of.ended == amg::Ended::negative)
      return fmt::format(
          "conjugate gradients found in iteration {} that the stiffness is not positive definite",
          of.iterations);
    return fmt::format("{} iterations of conjugate gradients were not enough", of.iterations);
  }

  /// Makes a factor of the last matrix, which solves until the next.
  Factored solve_directly(std::string why) {
    stands_in_ = std::move(why);
    SolverOptions how = options_;
    how.method = Method::multifrontal;
    direct_ = make_solver(how);
    direct_->analyse(*pattern_, positions_);
    direct_->check_room();
    return direct_->factor(*matrix_);
  }

  const SolverOptions options_;
  amg::Hierarchy hierarchy_;
  const int threads_;
  const BlockPattern* pattern_ = nullptr;
  const BlockMatrix* matrix_ = nullptr;
  std::vector<Vec3> positions_;
  std::vector<Motion> motions_;
  amg::FineRows fine_;
  amg::RowPattern active_;  ///< of blocks that are not zero
  std::vector<double> values_;
  Analysis analysis_;
  std::unique_ptr<Solver> direct_;
  std::string stands_in_;
};

std::unique_ptr<Solver> make_iterative(const SolverOptions& options) {
  return std::make_unique<Iterative>(options);
}

const RegisteredMethod registered_iterative(Method::conjugate_gradients, make_iterative);

}  // namespace

}  // namespace crumple::implicit::linear
