// Requests to a running job: the sense switches of the file d3kil, and signals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crumple::control {

/// By priority: the highest of all ranks counts. `show` is not a switch: a line of progress is due.
enum class Request : std::int64_t {
  none,
  show,
  status,         ///< sw2: a line of progress
  plot,           ///< sw4: a plot state
  dump,           ///< sw3, SIGUSR1: a dump; the run goes on
  stop,           ///< stop: a last plot state; the run ends
  stop_with_dump  ///< sw1, SIGTERM, SIGINT, a limit of time: a dump and a last plot state; the run ends
};

/// The request in the text of d3kil. Case, blanks around the word and a period at its end do not matter:
/// "sw1", " SW1." and "Sw1" are the same. Empty if the word is none of sw1, sw2, sw3, sw4 and stop.
std::optional<Request> request_of(std::string_view text);

/// The file d3kil, or D3KIL, in the folder of the results.
class SenseSwitches {
 public:
  explicit SenseSwitches(std::string directory) : directory_(std::move(directory)) {}

  /// The request in the file, `none` if there is no file. The file is removed after reading; a word that is
  /// not a switch is reported on the screen. Local.
  Request read();

 private:
  Request read_file(const char* name);

  std::string directory_;
  std::string unfinished_;  ///< an invalid word without end of line, from the last check
};

/// From now on SIGTERM and SIGINT ask for stop_with_dump, and SIGUSR1 for a dump; a second SIGINT ends the
/// process at once. Signals that are ignored when the process starts (nohup, a job in the background) remain
/// ignored.
///
/// What reaches the ranks when mpirun gets the signal (tried with Open MPI 4.1.4 and MPICH 4.0.2):
///
///   signal   Open MPI                                        MPICH
///   SIGUSR1  passed on to all ranks                          passed on to all ranks
///   SIGTERM  SIGTERM to the ranks after a second, SIGKILL    passed on to all ranks; mpirun waits for them
///            after another one (odls_base_sigkill_timeout)
///
/// One second may be too short for a dump, and the other one passes before the ranks hear of it: both are
/// odls_base_sigkill_timeout, which mpirun waits in full. So SIGTERM is sent to a rank, as `crumple run`
/// does, or the dump is asked for before: SIGUSR1, --walltime.
void listen_to_signals();

/// The request by signals so far: none, dump or stop_with_dump. Local.
Request signalled();

/// For searches that nothing else ends, between two of their parts. Local.
/// @throws Error CR-I308 once SIGTERM or SIGINT has come
void end_search_if_asked();

/// Forgets SIGUSR1. To be called on all ranks when the dump has been written: mpirun passes the signal to all
/// ranks, and some may have received it after the request was agreed on. Local.
void forget_dump_signal();

}  // namespace crumple::control
