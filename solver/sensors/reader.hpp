// What the readers of sensors, switches and controls share: names of records, words, lists by number.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "deck/nearest_name.hpp"
#include "model/builder.hpp"
#include "sensors/network.hpp"

namespace crumple::sensors {

std::string upper_case(std::string text);

/// A unit vector along x, y or z.
Vec3 axis(int k);

class Reader {
 public:
  Reader(model::Builder& build, Network& network) : build_(build), network_(network) {}

 protected:
  /// Names the keyword of the records that follow.
  void begin(const model::Keyword& k) {
    keyword_ = model::Builder::star(k);
    sets_ = k.name().ends_with("_SET");
  }
  /// Names the record from now on.
  void label(GlobalId id) { label_ = fmt::format("{} {}", keyword_, id); }
  void wrong(const std::string& what, const Place& place) {
    build_.error("CR-D310", fmt::format("{}: {}", label_, what), place);
  }
  void not_supported(const std::string& what, const Place& place) {
    build_.unsupported(fmt::format("{}: {}", label_, what), place);
  }
  /// One of some words in a text field; none and an error with the nearest for another word.
  template <class T>
  std::optional<T> word(const model::Record& r, const char* field, const std::map<std::string, T>& words) {
    constexpr std::size_t kFewEdits = 1;  // of a misspelt word
    const std::string text = upper_case(r.text(field));
    if (const auto found = words.find(text); found != words.end()) return found->second;
    std::string near, names;
    for (const auto& [name, value] : words) {
      if (deck::edits(text, name) <= kFewEdits) near = name;
      if (!name.empty()) names += (names.empty() ? "" : ", ") + name;
    }
    not_supported(
        fmt::format("{} = {} is not supported; {}", field, text.empty() ? "blank" : text,
                    near.empty() ? fmt::format("one of {} is", names) : fmt::format("is {} meant?", near)),
        r.place(field));
    return std::nullopt;
  }
  std::int32_t add(Sensor sensor, std::vector<LocalId> nodes = {}, std::vector<LocalId> others = {},
                   const Place& place = {}) {
    network_.sensors.push_back(sensor);
    network_.nodes.push_back(std::move(nodes));
    network_.others.push_back(std::move(others));
    network_.places.push_back(place);
    return static_cast<std::int32_t>(network_.sensors.size()) - 1;
  }
  template <class T>
  static std::int32_t index_of(const std::vector<T>& list, GlobalId id) {
    const auto at = std::ranges::find(list, id, &T::id);
    return at == list.end() ? -1 : static_cast<std::int32_t>(at - list.begin());
  }
  bool is_new(std::int32_t index, std::string_view what, GlobalId id, const Place& place) {
    if (id > 0 && index < 0) return true;
    if (id <= 0)
      wrong(fmt::format("the number of the {} is {}, it must be positive", what, id), place);
    else
      build_.error("CR-D301", fmt::format("{}: {} {} is defined twice", label_, what, id), place);
    return false;
  }
  bool is_new_sensor(const Sensor& sensor, const model::Record& r) {
    return is_new(index_of(network_.sensors, sensor.id), "sensor", sensor.id, r.place("SENSID"));
  }
  std::int32_t find_switch(GlobalId id, const Place& place) {
    const std::int32_t index = index_of(network_.switches, id);
    if (index < 0)
      build_.missing("CR-D304", "switch", fmt::format("{}: switch {} does not exist", label_, id), place);
    return index;
  }
  /// A *DEFINE_VECTOR by its number as text; an error for others.
  bool vector(const std::string& text, const model::Record& r, Vec3& direction);

  model::Builder& build_;
  Network& network_;
  std::string keyword_, label_;
  bool sets_ = false;
};

/// *SENSOR_DEFINE_ELEMENT, _FORCE and _MISC.
void read_measured(model::Builder& build, Network& network);
/// *SENSOR_CONTROL, once all switches are read.
void read_controls(model::Builder& build, Network& network);

}  // namespace crumple::sensors
