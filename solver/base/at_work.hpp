// Where a rank is, kept so that a crash can report it: phase, cycle, and the elements that were computed
// last.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.hpp"

namespace crumple {

/// Plain numbers: the signal handler reads them, and `crumple run` reads them in a file (crumple/at_work.py
/// has the same layout).
struct AtWork {
  static constexpr std::int64_t kNoPhase = -1;
  std::int64_t asked_to_end = 0;  ///< by SIGTERM or SIGINT
  std::int64_t ended = 0;         ///< 1 and the exit status, if it ended by itself
  std::int64_t cycle = -1;        ///< -1 before the first
  std::int64_t phase = kNoPhase;  ///< Phase of base/timers.hpp
  std::int64_t kind = 0;          ///< ElementKind of the elements that follow
  std::int64_t part = 0, first = 0, last = 0;
};

namespace detail {
inline AtWork own_at_work;
inline AtWork* where_at_work = &own_at_work;
}  // namespace detail

/// The numbers of this rank; the elements are those of the main thread.
inline AtWork& at_work() { return *detail::where_at_work; }

/// Keeps at_work() from now on in a file, which remains when the process is killed. The environment variable
/// CRUMPLE_AT_WORK names its folder, the rank is its name. Does nothing without the variable.
void keep_at_work(int rank);

/// From now on SIGSEGV, SIGFPE, SIGBUS, SIGILL and SIGABRT first report on stderr where the rank is; then
/// their previous handlers run.
/// @param phases names of the phases; must stay valid until the process ends
void report_crashes(int rank, std::span<const char* const> phases);

/// Notes what the calling thread is about to compute; called for every few blocks of elements.
/// @param kind ElementKind; `kind_name` is its name
void note_elements(bool main_thread, int kind, const char* kind_name, GlobalId part, GlobalId first,
                   GlobalId last);

}  // namespace crumple
