// How long a solver's analyses, factors and solutions took.
#pragma once

#include <chrono>
#include <memory>
#include <utility>

#include "implicit/linear/solver.hpp"

namespace crumple::implicit::linear {

/// Calls of one kind.
struct Calls {
  double seconds = 0;  ///< elapsed time
  std::int64_t count = 0;
};

/// Elapsed time on this rank, which waits for the others in each call.
struct SolverTimes {
  Calls analyses, factors, solutions;
  double flops = 0;  ///< of all factors
};

/// A solver whose calls are measured.
class Measured final : public Solver {
 public:
  explicit Measured(std::unique_ptr<Solver> solver) : solver_(std::move(solver)) {}

  Analysis analyse(const BlockPattern& pattern, std::span<const Vec3> positions) override {
    const Timer timer(times_.analyses);
    const Analysis is = solver_->analyse(pattern, positions);
    flops_ = is.flops;
    return is;
  }
  void check_room() const override { solver_->check_room(); }
  Factored factor(const BlockMatrix& matrix) override {
    const Timer timer(times_.factors);
    times_.flops += flops_;
    return solver_->factor(matrix);
  }
  Solved solve(std::span<const double> b, std::span<double> x) override {
    const Timer timer(times_.solutions);
    return solver_->solve(b, x);
  }
  const SolverTimes& times() const { return times_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Timer {
    explicit Timer(Calls& calls) : of(calls) {}
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;
    ~Timer() {
      of.seconds += std::chrono::duration<double>(Clock::now() - start).count();
      ++of.count;
    }
    Calls& of;
    Clock::time_point start = Clock::now();
  };

  std::unique_ptr<Solver> solver_;
  SolverTimes times_;
  double flops_ = 0;  ///< of one factor
};

}  // namespace crumple::implicit::linear
