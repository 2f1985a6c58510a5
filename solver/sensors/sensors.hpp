// Values of sensors at each time step, and the moments at which switches act.
//
// A switch is met once its sensor's value is beyond the limit at all steps of its window, and acts when its
// delay has passed; it does not return. Values are of t_n: coordinates at t_n, velocities of the step before,
// and accelerations of the last step that was completed. They are exact sums, or least and greatest values,
// of what the owners of nodes have, so all ranks know the same bits. Forces and values of elements are
// measured at the end of a step (explicit/sensor_values.cpp), those of its start; switches see them in the
// next step, so they are archived.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/members.hpp"
#include "base/no_limit.hpp"
#include "contact/contact_system.hpp"
#include "modules/module.hpp"
#include "sensors/network.hpp"

namespace crumple::sensors {

/// The operation on all values in their order; at least one.
double combine(Operation operation, std::span<const double> values);

/// Of a switch, as it is archived.
struct SwitchState {
  double since = kNoLimit;    ///< t_n from which its condition has held
  double acts_at = kNoLimit;  ///< known when it is met
  std::int64_t acts = 0;      ///< it has acted
};
CRUMPLE_MEMBERS(SwitchState, since, acts_at, acts)

/// Whether the switches of a *SENSOR_SWITCH_CALC-LOGIC have acted.
bool all_or_any(const Switch& input, std::span<const SwitchState> states);

/// Takes the value at `time` into account. Returns whether it acts from now on.
bool advance_switch(const Switch& input, double value, double time, SwitchState& state);

class Sensors final : public modules::Module {
 public:
  /// Keeps references to `model` and `comm`.
  Sensors(const model::Model& model, const parallel::Communicator& comm);

  /// Find values at `time`, and let switches act. Collective.
  void look(const state::Nodal& nodal, const constraints::RigidBodies& bodies, double time, bool first);

  /// Whether a sensor measures contacts.
  bool measures_contacts() const;
  /// Forces of contacts at `time`, those of Model::contacts, and the switches that compare them. Local.
  void look(std::span<const contact::ContactResult> forces, double time);

  /// Values by sensor, the same on every rank.
  std::span<const double> values() const { return values_; }
  /// Why the run is to end; empty if it is not.
  std::string_view ending() const;
  /// Whether a sensor is measured at the end of steps, and what is found there; the same on every rank.
  bool measures() const;
  void take(std::size_t sensor, double value) { values_[sensor] = value; }
  const Network& input() const { return *input_; }

  /// Whether the entity of a control is on at present.
  bool is_on(const Control& control) const;
  /// Calls `visit(index, is on)` for the entities of a kind that are controlled, in the order of the deck.
  template <class Visit>
  void each(Controlled kind, Visit&& visit) const {
    for (const Control& control : input_->controls)
      if (control.kind == kind) visit(control.index, is_on(control));
  }
  /// Time at which the first switch of a control has acted; infinite before.
  double first_acted(const Control& control) const;

  /// Time at which the gas of an airbag begins: 0 without a control, infinite before its switch acts.
  double begin_of_bag(GlobalId bag) const;

  // As a module (modules/module.hpp).
  void add_held_nodes(std::vector<LocalId>& nodes) const override;
  void add_forces(modules::Cycle& c) override;
  void delete_element(model::ElementKind kind, LocalId element) override;
  void archive(state::Archive& archive, const parallel::IndexMap& nodes) override;

 private:
  double of_nodes(std::size_t sensor, const state::Nodal& nodal) const;
  double of_body(const Sensor& sensor, const constraints::RigidBodies& bodies) const;
  double deleted(std::size_t sensor) const;
  void advance(std::size_t k, double time);
  bool waits_for_contacts(const Switch& s) const;

  const model::Model* model_;
  const Network* input_;
  const parallel::Communicator* comm_;
  std::vector<double> values_;
  std::vector<SwitchState> states_;
  std::vector<parallel::ExactSum> deleted_;  ///< by sensor; parts of sums over ranks
};

}  // namespace crumple::sensors
