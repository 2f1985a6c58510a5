// Sensors, switches that compare them with a value, and what the switches do: *SENSOR_DEFINE_NODE and
// _CALC-MATH, *SENSOR_SWITCH, *SENSOR_CONTROL, *TERMINATION_NODE, _BODY, _CONTACT, _CURVE, _DELETED_SHELLS,
// _DELETED_SOLIDS and _SENSOR.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"
#include "model/fields.hpp"

namespace crumple::sensors {

enum class Kind : std::int32_t {
  nodes,
  body,
  math,
  contact,  ///< size of the force between the sides of a contact, 0 below a threshold
  deleted   ///< number of deleted elements of a part
};
enum class Quantity : std::int32_t { coordinate, velocity, acceleration };
/// Of the values of the nodes of a set, or of the sensors that a formula has.
enum class Operation : std::int32_t {
  sum,
  average,
  least,
  greatest,
  sum_of_magnitudes,
  greatest_magnitude,  ///< the value that has it, with its sign
  least_magnitude,
  product,
  sum_of_squares,
  root_of_squares,
  difference
};

constexpr std::size_t kMostOperands = 6;

/// A value over time.
struct Sensor {
  GlobalId id = 0;  ///< 0: of a *TERMINATION keyword
  Kind kind = Kind::nodes;
  Quantity quantity = Quantity::coordinate;  ///< of nodes
  Operation operation = Operation::sum;
  bool magnitude = false;       ///< else the component along `direction`
  Vec3 direction;               ///< a unit vector
  LocalId body = model::kNone;  ///< displacement of its centre of mass
  GlobalId contact = 0;
  double threshold = 0;         ///< smaller forces of a contact are none
  LocalId part = model::kNone;  ///< whose elements are counted
  std::array<std::int32_t, kMostOperands> of{-1, -1, -1, -1, -1, -1};  ///< earlier sensors, -1: none
};

struct Switch {
  GlobalId id = 0;           ///< 0: of a *TERMINATION keyword
  std::int32_t sensor = -1;  ///< -1: the time
  bool below = false;        ///< met if the value is below `value`, else if it is above
  double value = 0;
  double window = 0;  ///< TIMWIN: must be met for so long
  double delay = 0;   ///< TDELAY: acts so much later
  double begin = 0;   ///< not met before this time
};

/// An end of the run.
struct Ending {
  std::string why;  ///< "*TERMINATION_NODE 7: x is above 3"
  std::int32_t by = 0;
};
template <class V>
void fields(V& v, Ending& s) {
  model::members(v, s, s.why, s.by);
}

/// A start of the gas of an airbag.
struct Control {
  GlobalId id = 0, bag = 0;
  std::int32_t by = 0;
  Place place;
};
template <class V>
void fields(V& v, Control& s) {
  model::members(v, s, s.id, s.bag, s.by, s.place);
}

/// All of a deck. Lists of nodes go with the sensors; those of one rank are the nodes that it owns.
struct Network {
  std::vector<Sensor> sensors;
  std::vector<std::vector<LocalId>> nodes;   ///< of each sensor
  std::vector<std::vector<LocalId>> others;  ///< from which their motion counts; as many, or empty
  std::vector<Switch> switches;
  std::vector<Ending> endings;
  std::vector<Control> controls;
};
template <class V>
void fields(V& v, Network& s) {
  using model::nodes_of;
  model::members(v, s, s.sensors, nodes_of(s.nodes), nodes_of(s.others), s.switches, s.endings, s.controls);
}

/// Adds the deck's sensors to the model, if it has any that act.
void read_sensors(model::Builder& build);

const model::Feature& sensor_feature();

}  // namespace crumple::sensors
