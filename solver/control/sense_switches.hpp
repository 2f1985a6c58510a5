// Requests to a running job: the sense switches of the file d3kil, and signals that ask it to end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crumple::control {

/// By priority: the highest of all ranks counts. `show` is not a switch: a line of progress is due.
enum class Switch : std::int64_t { none, show, status, plot, dump, stop, stop_with_dump };

/// The request in the text of d3kil. Case, blanks around the word and a period at its end do not matter:
/// "sw1", " SW1." and "Stop" are the same. Empty if the word is none of sw1, sw2, sw4 and stop.
std::optional<Switch> switch_of(std::string_view text);

/// The file d3kil, or D3KIL, in the folder of the results.
class SenseSwitches {
 public:
  explicit SenseSwitches(std::string directory) : directory_(std::move(directory)) {}

  /// The request in the file, `none` if there is no file. The file is removed after reading; a word that is
  /// not a switch is reported on the screen. Local.
  Switch read();

 private:
  Switch read_file(const char* name);

  std::string directory_;
  std::string unfinished_;  ///< an invalid word without end of line, from the last check
};

/// SIGTERM and SIGINT become a request to stop; a second SIGINT ends the process at once. Signals that are
/// ignored when the process starts (nohup, a job in the background) remain ignored.
void listen_to_signals();

/// Whether one of these signals has been received.
bool stop_signalled();

}  // namespace crumple::control
