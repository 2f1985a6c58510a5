// Tests for messages; between tests yields, or sleeps where a yield does not help.
#include "parallel/waiting.hpp"

#include <dlfcn.h>
#include <sched.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <ctime>

namespace crumple::parallel {

namespace {

using namespace std::chrono_literals;

constexpr auto kTestedOnly = 20us;  ///< at first: most messages are there, or about to come
constexpr timespec kNap{.tv_sec = 0, .tv_nsec = 50'000};
/// A yield to another program takes a tick of the system, 1 to 4 ms, and the rank that waits for this one
/// then waits as long.
constexpr auto kLongYield = 900us;
constexpr auto kCounted = 100ms;  ///< time over which long yields are added up,
constexpr auto kTooMuch = 25ms;   ///< and from which on it naps for kSleeping
constexpr auto kSleeping = 1s;
constexpr unsigned long kTimerSlack = 1'000;  ///< ns; the usual 50 us would double a nap

}  // namespace

Waiting::Waiting() : Waiting(static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN))) {}

Waiting::Waiting(int cores)
    : demand_(cores), left_to_mpi_(::dlsym(RTLD_DEFAULT, "crumple_profiler_phase") != nullptr) {}

void Waiting::set_neighbours(int threads, bool together) {
  demand_.set_own(threads);
  together_ = together;
  ::prctl(PR_SET_TIMERSLACK, kTimerSlack);
}

void Waiting::look() {
  if (left_to_mpi_) return;
  const auto now = Clock::now();
  demand_.look(now);
  if (demand_.short_of_cores() && binding_.bound()) {
    binding_.release();
    pinned_again_ = now + pause_;
    pause_ *= 2;
  } else if (!demand_.short_of_cores() && !binding_.bound() && now >= pinned_again_) {
    binding_.bind();
  }
}

void Waiting::until_complete(std::span<MPI_Request> requests, std::span<MPI_Status> statuses) {
  const int n = static_cast<int>(requests.size());
  MPI_Status* const all = statuses.empty() ? MPI_STATUSES_IGNORE : statuses.data();
  look();
  if (left_to_mpi_ || !demand_.short_of_cores()) {
    MPI_Waitall(n, requests.data(), all);
    return;
  }
  const auto start = Clock::now();
  for (int complete = 0; true;) {
    MPI_Testall(n, requests.data(), &complete, all);
    if (complete != 0) return;
    if (Clock::now() - start > kTestedOnly) leave_core();
  }
}

/// A rank that yields keeps its claim on the core, one that sleeps loses it but lets the system move another
/// thread there. Measurements: docs/log/2026-11-26-waiting.md.
void Waiting::leave_core() {
  const auto start = Clock::now();
  if (!together_ || start < sleeping_until_) {
    ::nanosleep(&kNap, nullptr);
    return;
  }
  ::sched_yield();
  const auto now = Clock::now();
  demand_.look(now);
  if (now - start < kLongYield || !demand_.others()) return;
  if (now - counted_from_ > kCounted) {
    counted_from_ = start;
    given_away_ = {};
  }
  given_away_ += now - start;
  if (given_away_ > kTooMuch) sleeping_until_ = now + kSleeping;
}

}  // namespace crumple::parallel
