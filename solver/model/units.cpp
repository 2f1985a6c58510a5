// Tables of units, and the names of derived units.
#include "model/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace crumple::model {

namespace {

enum class Kind { mass, length, time, force };

struct Unit {
  std::string_view word;
  Kind kind;
  double size;  ///< in kg, m, s or N
  std::string_view label;
};

constexpr double kPound = 0.45359237, kGravity = 9.80665, kInch = 0.0254;

// Exact, except for the slug (ISO 80000; NIST Special Publication 811, 2008, appendix B).
constexpr auto kUnits = std::to_array<Unit>({
    {"kg", Kind::mass, 1.0, "kg"},
    {"g", Kind::mass, 1e-3, "g"},
    {"mg", Kind::mass, 1e-6, "mg"},
    {"t", Kind::mass, 1e3, "t"},
    {"ton", Kind::mass, 1e3, "t"},
    {"tonne", Kind::mass, 1e3, "t"},
    {"lb", Kind::mass, kPound, "lb"},
    {"lbm", Kind::mass, kPound, "lb"},
    {"oz", Kind::mass, kPound / 16.0, "oz"},
    {"uston", Kind::mass, 2000.0 * kPound, "US ton"},
    {"slug", Kind::mass, kPound* kGravity / (12.0 * kInch), "slug"},
    {"slinch", Kind::mass, kPound* kGravity / kInch, "slinch"},
    {"m", Kind::length, 1.0, "m"},
    {"cm", Kind::length, 1e-2, "cm"},
    {"mm", Kind::length, 1e-3, "mm"},
    {"in", Kind::length, kInch, "in"},
    {"ft", Kind::length, 12.0 * kInch, "ft"},
    {"yd", Kind::length, 36.0 * kInch, "yd"},
    {"mile", Kind::length, 63360.0 * kInch, "mile"},
    {"s", Kind::time, 1.0, "s"},
    {"sec", Kind::time, 1.0, "s"},
    {"ms", Kind::time, 1e-3, "ms"},
    {"us", Kind::time, 1e-6, "µs"},
    {"min", Kind::time, 60.0, "min"},
    {"hr", Kind::time, 3600.0, "h"},
    {"n", Kind::force, 1.0, "N"},
    {"kn", Kind::force, 1e3, "kN"},
    {"lbf", Kind::force, kPound* kGravity, "lbf"},
});

/// Words of *CONTROL_UNITS for the units above.
constexpr auto kDeckWords =
    std::to_array<std::pair<std::string_view, std::string_view>>({{"mtrc_ton", "t"},
                                                                  {"ton", "uston"},
                                                                  {"mil", "mile"},
                                                                  {"msec", "ms"},
                                                                  {"millisec", "ms"},
                                                                  {"micro_s", "us"},
                                                                  {"microsec", "us"}});

constexpr auto kCommon = std::to_array<std::string_view>(
    {"kg-m-s", "t-mm-s", "kg-mm-ms", "g-mm-ms", "kg-mm-s", "g-cm-us", "g-cm-s", "lbf-in-s", "slug-ft-s"});

struct Name {
  double size;
  std::string_view label;
};
constexpr auto kForces = std::to_array<Name>({{1.0, "N"},
                                              {1e3, "kN"},
                                              {1e6, "MN"},
                                              {1e-3, "mN"},
                                              {1e-6, "µN"},
                                              {1e-5, "dyn"},
                                              {kPound * kGravity, "lbf"}});
constexpr auto kEnergies = std::to_array<Name>({{1.0, "J"},
                                                {1e3, "kJ"},
                                                {1e6, "MJ"},
                                                {1e-3, "mJ"},
                                                {1e-6, "µJ"},
                                                {1e-9, "nJ"},
                                                {1e-7, "erg"},
                                                {kPound * kGravity * kInch, "in lbf"},
                                                {kPound * kGravity * 12.0 * kInch, "ft lbf"}});
constexpr auto kStresses = std::to_array<Name>({{1.0, "Pa"},
                                                {1e3, "kPa"},
                                                {1e6, "MPa"},
                                                {1e9, "GPa"},
                                                {1e11, "Mbar"},
                                                {0.1, "dyn/cm²"},
                                                {kPound * kGravity / (kInch * kInch), "psi"},
                                                {kPound * kGravity / (144.0 * kInch * kInch), "psf"}});

std::string name_of(std::span<const Name> names, double size, std::string otherwise) {
  for (const Name& n : names)
    if (std::abs(size - n.size) < 1e-6 * n.size) return std::string(n.label);
  return otherwise;
}

std::string lower(std::string_view text) {
  std::string low(text);
  std::transform(low.begin(), low.end(), low.begin(), [](unsigned char c) { return std::tolower(c); });
  return low;
}

/// The first unit with this word.
const Unit* find(std::string_view word) {
  const auto at = std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& u) { return u.word == word; });
  if (at == kUnits.end()) return nullptr;
  return std::find_if(kUnits.begin(), at, [&](const Unit& u) { return u.label == at->label; });
}

/// @param mass a unit of mass or of force
Units make(const Unit& mass, const Unit& length, const Unit& time) {
  Units u;
  u.metres = length.size;
  u.seconds = time.size;
  u.length = length.label;
  u.time = time.label;
  const double acceleration = u.metres / (u.seconds * u.seconds);
  const bool of_force = mass.kind == Kind::force;
  u.kilograms = of_force ? mass.size / acceleration : mass.size;
  u.mass = std::string(mass.label);
  if (of_force) u.mass += " " + u.time + "²/" + u.length;
  u.speed = u.length + "/" + u.time;
  const double force = u.kilograms * acceleration;
  const std::string product = u.mass + " " + u.length + "/" + u.time + "²";
  u.force = of_force ? std::string(mass.label) : name_of(kForces, force, product);
  u.energy = name_of(kEnergies, force * u.metres, u.force + " " + u.length);
  u.stress = name_of(kStresses, force / (u.metres * u.metres), u.force + "/" + u.length + "²");
  for (const std::string_view word : {mass.word, length.word, time.word})
    u.name += (u.name.empty() ? "" : "-") + std::string(word);
  return u;
}

}  // namespace

std::optional<Units> find_units(std::string_view name) {
  std::array<const Unit*, 3> found{};  // mass or force, length, time
  std::string rest = lower(name) + "-";
  for (std::size_t end = 0; (end = rest.find('-')) != rest.npos; rest.erase(0, end + 1)) {
    const Unit* unit = find(std::string_view(rest).substr(0, end));
    if (unit == nullptr) return {};
    const Unit*& place = found[unit->kind == Kind::length ? 1 : unit->kind == Kind::time ? 2 : 0];
    if (place != nullptr) return {};
    place = unit;
  }
  if (std::find(found.begin(), found.end(), nullptr) != found.end()) return {};
  return make(*found[0], *found[1], *found[2]);
}

std::optional<Units> units_of_deck(std::string_view mass, std::string_view length, std::string_view time) {
  std::array<const Unit*, 3> found{};
  const std::array<std::pair<std::string_view, Kind>, 3> asked{
      {{mass, Kind::mass}, {length, Kind::length}, {time, Kind::time}}};
  for (std::size_t k = 0; k < 3; ++k) {
    std::string word = lower(asked[k].first);
    for (const auto& [deck, own] : kDeckWords)
      if (word == deck) {
        word = own;
        break;
      }
    found[k] = find(word);
    if (found[k] == nullptr || found[k]->kind != asked[k].second) return {};
  }
  return make(*found[0], *found[1], *found[2]);
}

std::span<const std::string_view> common_units() { return kCommon; }

std::string list_of_units() {
  std::string text;
  for (const std::string_view name : kCommon) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::string labels(const Units& u) {
  return fmt::format("mass {}, length {}, time {}, force {}, energy {}, stress {}, speed {}", u.mass,
                     u.length, u.time, u.force, u.energy, u.stress, u.speed);
}

std::string behind(const std::string& units, std::string Units::*label) {
  const std::optional<Units> known = find_units(units);
  return known ? " " + (*known).*label : std::string();
}

}  // namespace crumple::model
