// What an implicit run tells of its progress: a record for each iteration and step in convergence.jsonl, the
// time that is left, and at the end a table of the parts of the run.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "control/options.hpp"
#include "implicit/solver.hpp"
#include "output/file.hpp"

namespace crumple::control {

class ImplicitProgress {
 public:
  /// Creates the file. Keeps references. Throws Error (CR-O101, CR-O102).
  /// @param writes whether this rank has the file
  /// @param goes_on behind the records of an earlier part of the run, if there are any
  /// @param tell is given each line, too
  ImplicitProgress(implicit::Solver& solver, const Options& options, bool writes, bool goes_on,
                   std::function<void(const std::string&)> tell = {});

  /// A step of this length is tried.
  void begin(double dt);
  void iteration(const implicit::Iteration& i);
  /// The step has ended, converged or not. Collective.
  void end(const implicit::StepResult& result);
  /// The time that the rest of the run takes at the speed so far, as a clock shows it; empty before the first
  /// step and at the end.
  std::string left() const;
  /// Of the whole run; it is also the last record. Seconds of output up to now.
  std::string table();

 private:
  using Clock = std::chrono::steady_clock;
  void equations();
  void append(const std::string& record);
  std::string seconds_since(const implicit::WorkDone& before);
  double rate_of_products() const;

  implicit::Solver& solver_;
  const Options& options_;
  double end_time_ = 0, dt_ = 0;
  output::File file_;
  std::function<void(const std::string&)> tell_;
  implicit::WorkDone at_record_, at_step_;  ///< at the last record, and when the step began
  implicit::linear::DiskTraffic disk_at_step_;
  std::int64_t equations_ = -1;  ///< of the last record of them, and their operations
  double flops_ = -1;
  int tries_ = 0;  ///< of this step
  Clock::time_point start_ = Clock::now();
};

}  // namespace crumple::control
