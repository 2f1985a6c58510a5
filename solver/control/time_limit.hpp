// A run must end, with a dump, before a limit of elapsed time or of processor time.
#pragma once

#include <chrono>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace crumple::control {

/// Seconds of a duration: "8h", "90m", "1h30m", "2d", "45s"; as Slurm writes it "30:00" (minutes and
/// seconds), "7:30:00", "1-12:00:00", "1-12", "1-12:30"; or plain seconds, "5400". Empty for anything else,
/// and for durations that are zero or longer than a thousand years.
std::optional<double> duration_of(std::string_view text);

/// Seconds until Slurm ends the job of this process: by SLURM_JOB_END_TIME, otherwise by squeue, which is
/// given `patience` seconds. Empty outside of a job, if the job has no limit or is past it, and if Slurm does
/// not answer. For rank 0: its environment is that of the job.
std::optional<double> left_of_slurm_job(int patience = 5);

/// When the run must end. There may be several limits: the first that is reached counts. For rank 0, which
/// tells the others.
class TimeLimit {
 public:
  using Clock = std::chrono::steady_clock;

  /// Now, for reached().
  struct Moment {
    Clock::time_point time;
    double processor;  ///< of all threads of this process so far [s]
  };
  static Moment now();

  /// @param start from which elapsed time counts
  explicit TimeLimit(Clock::time_point start = Clock::now()) : start_(start) {}

  /// Adds a limit of elapsed time since the start. @param name for the message: "--walltime 8h"
  void limit_elapsed(double seconds, std::string name);
  /// Adds a limit of elapsed time from `from` on: left_of_slurm_job().
  void limit_elapsed(double seconds, std::string name, Clock::time_point from);
  /// Adds a limit of processor time of this process, all its threads, since it began: CPUTIM.
  void limit_processor(double seconds, std::string name);

  /// Seconds that a dump takes: those of the last one, or an estimate from its size. Without it none.
  void expect_dump(double seconds) { dump_ = seconds; }
  /// Seconds for all else at the end: the cycles until the request is agreed on, the last states, closing of
  /// files. By default 2 % of the limit, one second at least and a minute at most.
  void set_margin(double seconds) { margin_ = seconds; }

  bool any() const { return elapsed_.any() || processor_.any(); }

  /// Whether the dump must begin, so that twice the time of a dump and the margin remain. Costs two calls of
  /// a clock.
  bool reached() const { return any() && reached(now()); }
  bool reached(const Moment& moment) const;

  /// The limit that is reached first by now: "--walltime 8h". Empty if there is none.
  const std::string& name(const Moment& moment = now()) const;

  /// Seconds until the dump must begin, as far as elapsed time limits it; infinite without such a limit.
  double left(const Moment& moment = now()) const;

 private:
  static constexpr double kNone = std::numeric_limits<double>::infinity();
  static constexpr double kSafety = 2.0;  ///< disks are not equally fast at all times

  struct Limit {
    double seconds = kNone;
    std::string name;
    bool any() const { return seconds < kNone; }
    void tighten(double to, std::string&& by);
  };

  /// Seconds that must remain before a limit.
  double reserve(const Limit& limit) const;
  double elapsed(const Moment& moment) const;

  Clock::time_point start_;
  Limit elapsed_, processor_;
  double dump_ = 0.0;
  std::optional<double> margin_;
};

}  // namespace crumple::control
