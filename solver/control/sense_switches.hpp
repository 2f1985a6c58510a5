// Requests to a running job: the sense switches of the file d3kil, and signals that ask it to end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace crumple::control {

/// By weight: the heaviest of all ranks counts. `show` is a line of progress that is due, and no switch.
enum class Switch : std::int64_t { none, show, status, plot, stop };

/// What the text of d3kil asks for. Case, blanks around the word and a period behind it do not matter:
/// "sw1", " SW1." and "Stop" are the same. Nothing where the word is none of sw1, sw2, sw4 and stop.
std::optional<Switch> switch_of(std::string_view text);

/// The file d3kil, or D3KIL, in the folder of the results.
class SenseSwitches {
 public:
  explicit SenseSwitches(std::string directory) : directory_(std::move(directory)) {}

  /// The request that somebody has written, none without. The file is removed once it is read; a word that
  /// is no switch is said on the screen. Local.
  Switch read();

 private:
  Switch read_file(const char* name);

  std::string directory_;
  std::string unfinished_;  ///< a word without the end of its line that made no sense when it was read last
};

/// SIGTERM and SIGINT become a request to stop; a second SIGINT ends the process at once. What is ignored
/// when the process starts (nohup, a job in the background) stays so.
void listen_to_signals();

/// Whether one of these signals has come.
bool stop_signalled();

}  // namespace crumple::control
