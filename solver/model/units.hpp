// Names of a deck's units. Numbers stay as they are: units only say what to print behind them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace crumple::model {

/// A consistent system of units: mass, length and time, and what follows from them.
struct Units {
  std::string name;  ///< "kg-mm-ms"
  std::string mass, length, time;
  std::string force, energy, stress, speed;
  double kilograms = 1.0, metres = 1.0, seconds = 1.0;  ///< that one unit is

  double density() const { return kilograms / (metres * metres * metres); }  ///< in kg/m^3
  double metres_per_second() const { return metres / seconds; }
};

/// The system of a name such as "t-mm-s": units of mass, length and time in any order, joined by hyphens. In
/// the place of mass a unit of force may stand, as in "lbf-in-s". Nothing for a name that is none.
std::optional<Units> find_units(std::string_view name);

/// The system of *CONTROL_UNITS by the words it has. Nothing for words that it has not.
std::optional<Units> units_of_deck(std::string_view mass, std::string_view length, std::string_view time);

/// Names of the common systems.
std::span<const std::string_view> common_units();
/// They as one text, for messages.
std::string list_of_units();

/// "mass kg, length mm, ...": all labels, for a line of its own.
std::string labels(const Units& units);

/// A blank and the label if the system is known, else nothing: what goes behind a number.
std::string behind(const std::string& units, std::string Units::*label);

}  // namespace crumple::model
