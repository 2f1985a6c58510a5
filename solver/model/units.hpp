// Names of a deck's units. Numbers are not converted: units are only printed after them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace crumple::model {

/// A consistent system of units: mass, length and time, and derived units.
struct Units {
  std::string name;  ///< "kg-mm-ms"
  std::string mass, length, time;
  std::string force, energy, stress, speed;
  double kilograms = 1.0, metres = 1.0, seconds = 1.0;  ///< SI values of one unit

  double density() const { return kilograms / (metres * metres * metres); }  ///< in kg/m^3
  double metres_per_second() const { return metres / seconds; }
};

/// The system of a name such as "t-mm-s": units of mass, length and time in any order, joined by hyphens. A
/// unit of force may replace that of mass, as in "lbf-in-s". Empty for an unknown name.
std::optional<Units> find_units(std::string_view name);

/// The system of *CONTROL_UNITS from its words. Empty for unknown words.
std::optional<Units> units_of_deck(std::string_view mass, std::string_view length, std::string_view time);

/// Names of the common systems.
std::span<const std::string_view> common_units();
/// These names as one text, for messages.
std::string list_of_units();

/// "mass kg, length mm, ...": all labels, as a separate line.
std::string labels(const Units& units);

/// A blank and the label if the system is known, else empty: the text after a number.
std::string behind(const std::string& units, std::string Units::*label);

}  // namespace crumple::model
