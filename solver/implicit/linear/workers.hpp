// The other ranks of an implicit run: they hold no part of the model, and work for the linear equations of
// rank 0.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "implicit/linear/factor.hpp"
#include "implicit/linear/rank_division.hpp"
#include "implicit/linear/solver.hpp"
#include "parallel/communicator.hpp"

namespace crumple::implicit::linear {

/// What rank 0 knows of the others, and how it ends their work. They work for one solver at a time.
class Workers {
 public:
  explicit Workers(const parallel::Communicator& comm) : comm_(&comm) {}
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  const parallel::Communicator& comm() const { return *comm_; }
  int ranks() const { return comm_->size(); }
  /// Peak memory of each rank so far, in bytes.
  std::vector<double> peak_memory() const;
  /// A profiler on the others is told that this step begins.
  void begin_step(std::int64_t step) const;
  /// The others return from `work` with this status.
  void end(int status) const;

 private:
  friend class DividedFactors;
  const parallel::Communicator* comm_;
  const void* user_ = nullptr;  ///< what they work for
};

struct WorkerOptions {
  int threads = 1;
  double memory_limit = 0;  ///< bytes of this process for its part of the factor; 0: no limit
};

/// Works for rank 0 until that ends. Returns the status that rank 0 gives. Throws Error if there is no memory
/// or no space on disk. On all ranks but 0.
int work(const parallel::Communicator& comm, const WorkerOptions& options);

/// Throws Error CR-I203 if a rank's part takes more than its limit.
void check_limit(const RankNeeds& is, int rank);

/// What each rank will take; nothing is sent.
std::vector<RankNeeds> predict_ranks(const Symbolic& symbolic, const SolverOptions& options, int ranks,
                                     std::size_t value_bytes);

/// The symbolic factor on all ranks, and numeric factors made of it. On rank 0.
class DividedFactors {
 public:
  /// Divides the factor, and sends each rank its part. Keeps references.
  DividedFactors(Workers& workers, const Symbolic& symbolic, const SolverOptions& options,
                 std::size_t value_bytes);
  ~DividedFactors();
  DividedFactors(const DividedFactors&) = delete;
  DividedFactors& operator=(const DividedFactors&) = delete;

  /// What each rank takes.
  const std::vector<RankNeeds>& needs() const { return needs_; }
  /// A factor of double or single precision. At most one is used at a time.
  template <class T>
  std::unique_ptr<Factor<T>> make();

 private:
  template <class T>
  class OnRanks;
  const parallel::Communicator& comm() const { return workers_.comm(); }
  void check_user() const;

  Workers& workers_;
  const SolverOptions options_;
  RankDivision division_;
  RankPart part_;  ///< of rank 0
  std::vector<RankNeeds> needs_;
};

}  // namespace crumple::implicit::linear
