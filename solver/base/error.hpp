// The typed error that every boundary raises: an id, what was found, and where.
#pragma once

#include <stdexcept>
#include <string>

namespace crumple {

/// Where in the input or the model something went wrong. Empty or negative members are not known.
struct Place {
  std::string file;
  long line = -1;
  std::string card;   ///< card of the keyword, e.g. "2"
  std::string field;  ///< field's name in the manual, e.g. "SIGY"

  /// "file:line card 2 field SIGY", leaving out what is unknown.
  std::string text() const;
};

/// Exit statuses of the programs.
enum class Exit : int {
  clean = 0,
  warnings = 1,  ///< `check --strict` found warnings
  input = 2,     ///< the deck or the command line is wrong
  run = 3,       ///< the computation went wrong: negative volume, NaN, energy, step collapse
  system = 4,    ///< disk full, memory, a lost rank
};

/// Error with a stable id ("CR-D101"), shown to the user as `error CR-D101: message (place)`.
class Error : public std::runtime_error {
 public:
  Error(std::string id, std::string message, Place place = {}, Exit status = Exit::input);

  const std::string& id() const { return id_; }
  const std::string& message() const { return message_; }
  const Place& place() const { return place_; }
  Exit status() const { return status_; }

 private:
  std::string id_, message_;
  Place place_;
  Exit status_;
};

}  // namespace crumple
