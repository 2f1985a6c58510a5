// Sensors, switches that compare them with a value, and what the switches do: *SENSOR_DEFINE_NODE, _ELEMENT,
// _FORCE, _MISC and _CALC-MATH, *SENSOR_SWITCH and _CALC-LOGIC, *SENSOR_CONTROL, *TERMINATION_NODE, _BODY,
// _CONTACT, _CURVE, _DELETED_SHELLS, _DELETED_SOLIDS and _SENSOR.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"
#include "model/element_kind.hpp"
#include "model/fields.hpp"

namespace crumple::sensors {

enum class Kind : std::int32_t {
  nodes,
  body,
  math,
  contact_size,  ///< of the force between the sides of a contact, 0 below a threshold
  deleted,       ///< number of deleted elements of a part
  left_out,      ///< always 0: what it names cannot be measured, with --allow-unsupported
  curve,         ///< at the time of the run
  // Measured at the end of each step, with the forces and stresses of its start.
  contact,      ///< force on side a
  joint,        ///< force or moment on body A
  joint_angle,  ///< angle in degrees, or its rate, of a generalized stiffness
  wall,         ///< force of rwforc
  section,      ///< force or moment of secforc
  belt,         ///< force of a seat belt element
  retractor,
  element
};
inline bool is_measured(Kind kind) { return kind >= Kind::contact; }

/// Of an element.
enum class ElementValue : std::int32_t { force, moment, elongation, stress, strain, failure };
/// Of a resultant of a beam, or of a stress or strain (components.hpp).
enum class Component : std::int32_t {
  xx,
  yy,
  zz,
  xy,
  yz,
  zx,
  axial,
  shear_s,
  shear_t,
  mean,
  greatest_shear,
  principal_1,
  principal_2,
  principal_3,
  von_mises
};
/// Of a retractor.
enum class RetractorValue : std::int32_t { rate, pull_out, force };
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
  GlobalId entity = 0;          ///< number of the contact, joint, wall, section, element, ...
  std::int32_t index = -1;      ///< its place in the model, or of the curve; not of elements
  bool moment = false;          ///< of a joint or section, else the force
  double threshold = 0;         ///< smaller forces of a contact are none
  model::ElementKind element_kind{};
  ElementValue element_value{};
  Component component{};
  std::int32_t layer = 0;       ///< of a shell, from 0; -1: the last
  std::int32_t choice = 0;      ///< RetractorValue; of angles phi, theta, psi and their rates 0 to 5
  double scale = 1;             ///< SF
  LocalId part = model::kNone;  ///< whose elements are counted
  std::array<std::int32_t, kMostOperands> of{-1, -1, -1, -1, -1, -1};  ///< earlier sensors, -1: none
};

constexpr std::size_t kMostSwitches = 14;

struct Switch {
  GlobalId id = 0;           ///< 0: of a *TERMINATION keyword
  std::int32_t sensor = -1;  ///< -1: the time
  bool below = false;        ///< met if the value is below `value`, else if it is above
  double value = 0;
  double window = 0;  ///< TIMWIN: must be met for so long
  double delay = 0;   ///< TDELAY: acts so much later
  double begin = 0;   ///< not met before this time
  /// Of _CALC-LOGIC: switches of which all, or any, have acted; -1: none.
  bool all = true;
  std::array<std::int32_t, kMostSwitches> of = none();

  static constexpr std::array<std::int32_t, kMostSwitches> none() {
    std::array<std::int32_t, kMostSwitches> list{};
    list.fill(-1);
    return list;
  }
  bool is_logic() const { return of[0] >= 0; }
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

/// What a control turns on and off.
enum class Controlled : std::int32_t {
  airbag,        ///< its gas begins
  joint,         ///< is let go
  stiffness,     ///< of joints, has moments or forces
  contact,       ///< acts
  wall,          ///< acts
  pretensioner,  ///< fires
  retractor,     ///< locks
  motion,        ///< a prescribed motion acts
  elements       ///< of a set are deleted
};

/// The status of an entity begins on or off, and changes when its first switch has acted, then the second,
/// ...
struct Control {
  GlobalId id = 0, entity = 0;
  Controlled kind = Controlled::airbag;
  bool on = false;                ///< at the start
  std::vector<std::int32_t> by;   ///< switches, in their order
  std::int32_t index = -1;        ///< of the entity in the model; not of airbags and elements
  std::vector<GlobalId> numbers;  ///< of elements
  model::ElementKind element_kind{};
  Place place;

  bool names_by_index() const { return kind != Controlled::airbag && kind != Controlled::elements; }
};
template <class V>
void fields(V& v, Control& s) {
  model::members(v, s, s.id, s.entity, s.kind, s.on, s.by, s.index, s.numbers, s.element_kind, s.place);
}

/// All of a deck. Lists of nodes go with the sensors; those of one rank are the nodes that it owns.
struct Network {
  std::vector<Sensor> sensors;
  std::vector<std::vector<LocalId>> nodes;   ///< of each sensor
  std::vector<std::vector<LocalId>> others;  ///< from which their motion counts; as many, or empty
  std::vector<Switch> switches;
  std::vector<Ending> endings;
  std::vector<Control> controls;
  std::vector<Place> places;  ///< of the entities of sensors, for errors
};
template <class V>
void fields(V& v, Network& s) {
  using model::nodes_of;
  model::members(v, s, s.sensors, nodes_of(s.nodes), nodes_of(s.others), s.switches, s.endings, s.controls,
                 s.places);
}

/// Adds the deck's sensors to the model, if it has any that act.
void read_sensors(model::Builder& build);
/// Finds what they name, once all is read; errors for what is missing or cannot be switched.
void find_named(model::Builder& build);

const model::Feature& sensor_feature();

}  // namespace crumple::sensors
