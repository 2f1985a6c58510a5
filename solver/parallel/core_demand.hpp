// Whether others want the cores on which this rank runs.
#pragma once

#include <chrono>

namespace crumple::parallel {

/// A look at the machine every few milliseconds, by the main thread.
class CoreDemand {
 public:
  using Clock = std::chrono::steady_clock;

  /// @param cores of the machine
  explicit CoreDemand(int cores) : cores_(cores) {}
  CoreDemand(const CoreDemand&) = delete;
  CoreDemand& operator=(const CoreDemand&) = delete;
  ~CoreDemand();

  /// The number of threads of the run on this machine; default: 1.
  void set_own(int threads) { own_ = threads; }
  /// Looks, if the last look was a while ago; that takes some microseconds.
  void look(Clock::time_point now);
  /// Whether cores were short in the last kHeld: more threads were runnable than there are cores, or the
  /// system kept this thread waiting for its core.
  bool short_of_cores() const { return looked_ < short_until_; }
  /// Whether cores were short in that time because of other programs.
  bool others() const { return looked_ < others_until_; }

  static constexpr std::chrono::milliseconds kBetween{10}, kHeld{200};
  static constexpr double kKeptWaiting = 0.05;  ///< fraction of the time between looks

  /// Runnable threads in the text of /proc/loadavg; 0 if it has another form.
  static int runnable(const char* text);
  /// Nanoseconds that a thread waited for a core, in the text of its schedstat; 0 if it has another form.
  static long long kept_waiting(const char* text);

 private:
  void open_files();
  bool was_kept_waiting(Clock::time_point now);

  int cores_, own_ = 1;
  int load_ = -1, delay_ = -1;  ///< open files
  long long waited_ = 0;        ///< ns, at the last look
  Clock::time_point next_{}, last_{}, looked_{}, short_until_{}, others_until_{};
};

}  // namespace crumple::parallel
