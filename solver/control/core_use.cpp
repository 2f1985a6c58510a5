// Counts cores, ranks of a node, and the processor time of the main thread.
#include "control/core_use.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>

#include "base/processor_time.hpp"
#include "parallel/machine_ranks.hpp"

namespace crumple::control {

namespace {

int cores_of_process(int otherwise) {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : otherwise;
}

std::string plural(int n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

}  // namespace

CoreUse::CoreUse(const parallel::Communicator& comm, int threads)
    : ranks_here_(parallel::MachineRanks(comm.mpi()).size()),
      threads_(threads),
      cores_(std::max(1, static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)))),
      cores_of_rank_(comm.pinned() ? threads : cores_of_process(cores_)),
      alone_(comm.size() == 1),
      processor_(processor_time()) {}

std::string CoreUse::why_waiting(const Timers& timers) const {
  double all = 0;
  for (int p = 0; p < static_cast<int>(Phase::count); ++p) all += timers.seconds(static_cast<Phase>(p));
  const double share = all > 0 ? timers.seconds(Phase::exchange) / all : 0;
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  if (alone_ || elapsed < kLeast || share < kMost) return {};
  const std::string what = fmt::format("exchange takes {:.0f} % of the time of rank 0: ", 100 * share);
  const std::string ranks = fmt::format("{} of {}", plural(ranks_here_, "rank"), plural(threads_, "thread"));
  if (ranks_here_ * threads_ > cores_)
    return what + fmt::format("{} each share the {} of this machine, and wait for each other to get one",
                              ranks, plural(cores_, "core"));
  if (threads_ > cores_of_rank_)
    return what + fmt::format("{} of a rank may use {} only, as mpirun binds it: try --bind-to none",
                              plural(threads_, "thread"), plural(cores_of_rank_, "core"));
  const double got = (processor_time() - processor_) / elapsed;
  if (got < kWholeCore)
    return what + fmt::format(
                      "it had its core for {:.0f} % of the time only, so other programs run on this "
                      "machine's {}",
                      100 * got, plural(cores_, "core"));
  return {};
}

}  // namespace crumple::control
