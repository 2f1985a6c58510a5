// Sums and extremes of what nodes have, and switches.
#include "sensors/sensors.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "constraints/rigid_bodies.hpp"
#include "state/archive.hpp"

namespace crumple::sensors {

namespace {

const Vec3& quantity_of(const state::Nodal& nodal, Quantity quantity, LocalId n) {
  const auto i = static_cast<std::size_t>(n);
  switch (quantity) {
    case Quantity::velocity:
      return nodal.v[i];
    case Quantity::acceleration:
      return nodal.a[i];
    default:
      return nodal.x[i];
  }
}

double by_magnitude(std::span<const double> values, bool greatest) {
  const auto smaller = [](double a, double b) { return std::abs(a) < std::abs(b); };
  return greatest ? *std::ranges::max_element(values, smaller) : *std::ranges::min_element(values, smaller);
}

double sum_of(std::span<const double> values, auto term) {
  double sum = 0;
  for (const double value : values) sum += term(value);
  return sum;
}

}  // namespace

double combine(Operation operation, std::span<const double> values) {
  switch (operation) {
    case Operation::average:
      return sum_of(values, [](double v) { return v; }) / static_cast<double>(values.size());
    case Operation::least:
      return *std::ranges::min_element(values);
    case Operation::greatest:
      return *std::ranges::max_element(values);
    case Operation::sum_of_magnitudes:
      return sum_of(values, [](double v) { return std::abs(v); });
    case Operation::greatest_magnitude:
      return by_magnitude(values, true);
    case Operation::least_magnitude:
      return by_magnitude(values, false);
    case Operation::product:
      return std::accumulate(values.begin(), values.end(), 1.0, std::multiplies<>());
    case Operation::sum_of_squares:
      return sum_of(values, [](double v) { return v * v; });
    case Operation::root_of_squares:
      return std::sqrt(sum_of(values, [](double v) { return v * v; }));
    case Operation::difference:
      return std::accumulate(values.begin() + 1, values.end(), values[0], std::minus<>());
    default:
      return sum_of(values, [](double v) { return v; });
  }
}

bool all_or_any(const Switch& input, std::span<const SwitchState> states) {
  const auto acts = [&](std::int32_t k) { return states[static_cast<std::size_t>(k)].acts != 0; };
  const auto end = std::ranges::find(input.of, -1);
  return input.all ? std::all_of(input.of.begin(), end, acts) : std::any_of(input.of.begin(), end, acts);
}

bool advance_switch(const Switch& input, double value, double time, SwitchState& state) {
  if (state.acts != 0) return true;
  if (state.acts_at == kNoLimit) {
    if (time < input.begin || !(input.below ? value < input.value : value > input.value))
      state.since = kNoLimit;
    else if (state.since == kNoLimit)
      state.since = time;
    if (state.since != kNoLimit && time - state.since >= input.window) state.acts_at = time + input.delay;
  }
  if (time >= state.acts_at) state.acts = 1;
  return state.acts != 0;
}

Sensors::Sensors(const model::Model& model, const parallel::Communicator& comm)
    : model_(&model),
      input_(&model.features.of<Network>().at(0)),
      comm_(&comm),
      values_(input_->sensors.size()),
      states_(input_->switches.size()),
      deleted_(input_->sensors.size()) {}

/// Every rank has some of the nodes, or none.
double Sensors::of_nodes(std::size_t sensor, const state::Nodal& nodal) const {
  const Sensor& s = input_->sensors[sensor];
  const std::vector<LocalId>&nodes = input_->nodes[sensor], &others = input_->others[sensor];
  const bool extreme = s.operation == Operation::least || s.operation == Operation::greatest;
  const double sign = s.operation == Operation::least ? -1.0 : 1.0;
  std::array<parallel::ExactSum, 2> sums;
  double most = -kNoLimit;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    Vec3 q = quantity_of(nodal, s.quantity, nodes[k]);
    if (!others.empty()) q -= quantity_of(nodal, s.quantity, others[k]);
    const double value = s.magnitude ? norm(q) : dot(q, s.direction);
    sums[0] += value;
    sums[1] += 1.0;
    most = std::max(most, sign * value);
  }
  if (extreme) return sign * comm_->max(most);
  parallel::ExactSum::reduce(*comm_, sums);
  return s.operation == Operation::average ? sums[0].value() / sums[1].value() : sums[0].value();
}

double Sensors::of_body(const Sensor& sensor, const constraints::RigidBodies& bodies) const {
  const Vec3 u = bodies.state(sensor.body).displacement;
  return sensor.magnitude ? norm(u) : dot(u, sensor.direction);
}

double Sensors::deleted(std::size_t sensor) const {
  std::array sum{deleted_[sensor]};
  parallel::ExactSum::reduce(*comm_, sum);
  return sum[0].value();
}

void Sensors::delete_element(model::ElementKind kind, LocalId element) {
  const bool shell = kind == model::ElementKind::shell;
  if (!shell && kind != model::ElementKind::solid) return;
  const auto& part_of = shell ? model_->shells.part : model_->solids.part;
  for (std::size_t k = 0; k < deleted_.size(); ++k)
    if (input_->sensors[k].kind == Kind::deleted &&
        input_->sensors[k].part == part_of[static_cast<std::size_t>(element)])
      deleted_[k] += 1.0;
}

void Sensors::look(const state::Nodal& nodal, const constraints::RigidBodies& bodies, double time,
                   bool first) {
  for (std::size_t k = 0; k < values_.size(); ++k) {
    const Sensor& s = input_->sensors[k];
    if (s.kind == Kind::math) {
      std::vector<double> terms;
      for (const std::int32_t other : s.of)
        if (other >= 0) terms.push_back(values_[static_cast<std::size_t>(other)]);
      values_[k] = combine(s.operation, terms);
    } else if (s.kind == Kind::deleted) {
      values_[k] = deleted(k);
    } else if (s.kind == Kind::curve) {
      values_[k] = model_->curves[static_cast<std::size_t>(s.index)](time);
    } else if (s.kind == Kind::body) {
      values_[k] = of_body(s, bodies);
    } else if (s.kind == Kind::nodes) {
      values_[k] = of_nodes(k, nodal);
    }
  }
  if (first) return;  // there is no acceleration yet
  for (std::size_t k = 0; k < states_.size(); ++k)
    if (!waits_for_contacts(input_->switches[k])) advance(k, time);
}

void Sensors::advance(std::size_t k, double time) {
  const Switch& s = input_->switches[k];
  if (s.is_logic()) {
    if (all_or_any(s, states_) && states_[k].acts == 0) states_[k] = {.acts_at = time, .acts = 1};
    return;
  }
  advance_switch(s, s.sensor < 0 ? time : values_[static_cast<std::size_t>(s.sensor)], time, states_[k]);
}

bool Sensors::waits_for_contacts(const Switch& s) const {
  return s.sensor >= 0 && input_->sensors[static_cast<std::size_t>(s.sensor)].kind == Kind::contact_size;
}

bool Sensors::measures_contacts() const {
  return std::ranges::any_of(input_->sensors, [](const Sensor& s) { return s.kind == Kind::contact_size; });
}

void Sensors::look(std::span<const contact::ContactResult> forces, double time) {
  for (std::size_t k = 0; k < values_.size(); ++k) {
    const Sensor& s = input_->sensors[k];
    if (s.kind != Kind::contact_size) continue;
    const auto of = std::ranges::find(forces, s.entity, &contact::ContactResult::id);
    if (of == forces.end()) return;  // it was left out
    const double size = s.magnitude ? norm(of->force_a) : std::abs(dot(of->force_a, s.direction));
    values_[k] = size < s.threshold ? 0.0 : size;
  }
  for (std::size_t k = 0; k < states_.size(); ++k)
    if (waits_for_contacts(input_->switches[k])) advance(k, time);
}

std::string_view Sensors::ending() const {
  for (const Ending& ending : input_->endings)
    if (states_[static_cast<std::size_t>(ending.by)].acts != 0) return ending.why;
  return {};
}

bool Sensors::measures() const {
  return std::ranges::any_of(input_->sensors, [](const Sensor& s) { return is_measured(s.kind); });
}

bool Sensors::is_on(const Control& control) const {
  const auto waits = [&](std::int32_t k) { return states_[static_cast<std::size_t>(k)].acts == 0; };
  const auto changes = std::ranges::find_if(control.by, waits) - control.by.begin();
  return control.on != (changes % 2 == 1);
}

double Sensors::first_acted(const Control& control) const {
  const SwitchState& state = states_[static_cast<std::size_t>(control.by.front())];
  return state.acts != 0 ? state.acts_at : kNoLimit;
}

double Sensors::begin_of_bag(GlobalId bag) const {
  for (const Control& control : input_->controls)
    if (control.kind == Controlled::airbag && control.entity == bag) return first_acted(control);
  return 0;
}

void Sensors::add_held_nodes(std::vector<LocalId>& nodes) const {
  for (std::size_t k = 0; k < input_->sensors.size(); ++k) {
    if (input_->sensors[k].quantity != Quantity::acceleration) continue;
    nodes.insert(nodes.end(), input_->nodes[k].begin(), input_->nodes[k].end());
    nodes.insert(nodes.end(), input_->others[k].begin(), input_->others[k].end());
  }
}

void Sensors::add_forces(modules::Cycle& c) {
  if (c.stage == model::Stage::transient) look(c.nodal, c.bodies, c.time, c.first);
}

void Sensors::archive(state::Archive& archive, const parallel::IndexMap& nodes) {
  using state::Of, state::Rows;
  const auto here = archive.module("sensors");
  archive.structs("switch", Rows::equal(Of::entity, state::numbered(states_.size())), std::span(states_));
  archive.field("value", Rows::equal(Of::entity, state::numbered(values_.size())), std::span(values_));
  archive.field("deleted", Rows::sums(Of::entity, state::numbered(deleted_.size()), nodes.rank()),
                std::span(deleted_));
}

}  // namespace crumple::sensors
