// When copies are due, whether they fit, and which one is good.
#include "control/last_good.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <new>
#include <utility>

#include "base/free_memory.hpp"
#include "control/energy_watch.hpp"

namespace crumple::control {

namespace {

double seconds_from(std::chrono::steady_clock::time_point start, std::chrono::steady_clock::time_point end) {
  return std::chrono::duration<double>(end - start).count();
}

}  // namespace

void LastGood::begin(std::int64_t cycle) {
  wait_from(cycle);
  since_ = Clock::now();
  since_cycle_ = cycle;
}

/// The next copy is due one cycle after a multiple of the interval between checks of energies, or of what the
/// user asks for.
void LastGood::wait_from(std::int64_t cycle) {
  const std::int64_t step = std::max<std::int64_t>(1, asked_.value_or(EnergyWatch::kCycles));
  const std::int64_t least = asked_ ? std::max<std::int64_t>(cycle + 1, 2) : cycle + interval_;
  next_ = (least - 1 + step - 1) / step * step + 1;
}

void LastGood::take(const restart::Index& index, std::int64_t cycle, const restart::Say& say) {
  if (!looked_ && !fits(say)) return;
  const Clock::time_point start = Clock::now();
  const double each = seconds_from(since_, start) / static_cast<double>(cycle - since_cycle_);
  if (!both_ && std::exchange(has_good_, false)) std::swap(good_, new_);  // its memory is used again
  std::array<double, 2> all{0.0, 0.0};  // cycles that the copy takes, and whether it failed
  try {
    new_.copy.take(say);
  } catch (const std::bad_alloc&) {
    all[1] = 1.0;
  }
  begin(cycle);
  all[0] = by_clock_ && each > 0.0 ? seconds_from(start, since_) / each : 0.0;
  comm_->max(all);
  if (all[1] > 0.0) return give_up("there is not enough memory for a copy of the state");
  if (by_clock_) interval_ = std::max(kLeast, static_cast<std::int64_t>(std::min(all[0] / kOfTime, 1e9)));
  wait_from(cycle);
  new_.index = index;
  has_new_ = true;
}

/// Whether all ranks have the memory for copies.
bool LastGood::fits(const restart::Say& say) {
  looked_ = true;
  const std::int64_t here = comm_->sum_on_machine(restart::StateCopy::size_of(say));
  const double part = comm_->max(static_cast<double>(here) / std::max(1.0, available_memory()));
  both_ = 2.0 * part <= (asked_ ? kOfMemory : kLittleMemory);
  if (part <= kOfMemory) return true;
  give_up(fmt::format("a copy of the state would take {:.0f} % of the memory that a machine has left",
                      100.0 * part));
  return false;
}

void LastGood::give_up(const std::string& why) {
  off_ = true;
  has_good_ = has_new_ = false;
  good_ = Moment();
  new_ = Moment();
  if (!comm_->root()) return;
  fmt::print("warning CR-T013: an error that ends the run will leave no dump: {}\n", why);
  std::fflush(stdout);
}

void LastGood::written(std::int64_t cycle) {
  replaced_ = true;
  if (!off_) wait_from(cycle);
}

void LastGood::passed() {
  if (std::exchange(has_new_, false)) {
    std::swap(good_, new_);
    has_good_ = true;
  }
  if (std::exchange(replaced_, false)) has_good_ = false;
}

}  // namespace crumple::control
