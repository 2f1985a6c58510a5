// Where a rank is, kept so that a crash can say so: phase, cycle, and the elements that were computed last.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.hpp"

namespace crumple {

/// Plain numbers, as the handler of a signal reads them and as `crumple run` finds them in a file
/// (crumple/at_work.py has the same layout).
struct AtWork {
  static constexpr std::int64_t kNoPhase = -1;
  std::int64_t asked_to_end = 0;  ///< by SIGTERM or SIGINT
  std::int64_t ended = 0;         ///< in order
  std::int64_t cycle = -1;        ///< before the first: -1
  std::int64_t phase = kNoPhase;  ///< Phase of base/timers.hpp
  std::int64_t kind = 0;          ///< ElementKind of the elements that follow
  std::int64_t part = 0, first = 0, last = 0;
};

namespace detail {
inline AtWork own_at_work;
inline AtWork* where_at_work = &own_at_work;
}  // namespace detail

/// Of this rank; the elements are those of the main thread.
inline AtWork& at_work() { return *detail::where_at_work; }

/// Keeps at_work() from now on in a file of the folder that the variable CRUMPLE_AT_WORK names, named by the
/// rank, which is still there when the process was killed. Does nothing without the variable.
void keep_at_work(int rank);

/// SIGSEGV, SIGFPE, SIGBUS, SIGILL and SIGABRT say on stderr where the rank is before they do what they did
/// until now.
/// @param phases their names, which must stay
void tell_of_crashes(int rank, std::span<const char* const> phases);

/// What the calling thread is about to compute; called for every few blocks of elements.
/// @param kind ElementKind, and its name
void note_elements(bool main_thread, int kind, const char* kind_name, GlobalId part, GlobalId first,
                   GlobalId last);

}  // namespace crumple
