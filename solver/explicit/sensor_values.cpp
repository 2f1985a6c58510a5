// What sensors measure at the end of a step, and what their switches do to elements and contacts.
//
// Forces of joints, walls and belts are the same bits on every rank. The value of an element is that of the
// rank that has it, and resultants of sections are those of rank 0: the bits of others are zero, so that
// their sum is exact.
#include <algorithm>
#include <bit>
#include <numbers>

#include "constraints/joint_stiffness/joint_stiffnesses.hpp"
#include "constraints/joints/joints.hpp"
#include "explicit/solver.hpp"
#include "explicit/solver_results.hpp"
#include "loads/belts/belts_in_run.hpp"
#include "loads/rigid_wall/walls.hpp"
#include "output/element_histories.hpp"
#include "sensors/components.hpp"
#include "sensors/sensors.hpp"

namespace crumple::explicit_dynamics {

namespace {

using sensors::Component;
using sensors::ElementValue;
using sensors::Kind;
using sensors::Sensor;

double part_of(const Sensor& s, const Vec3& v) { return s.magnitude ? norm(v) : dot(v, s.direction); }

std::size_t place(const Sensor& s) { return static_cast<std::size_t>(s.index); }

double of_beam(const Sensor& s, const std::array<double, 6>& resultant) {
  const bool moment = s.element_value == ElementValue::moment;
  // Axial force, shears s and t; moments s and t, torsion.
  switch (s.component) {
    case Component::axial:
      return resultant[moment ? 5 : 0];
    case Component::shear_s:
      return resultant[moment ? 3 : 1];
    default:
      return resultant[moment ? 4 : 2];
  }
}

double of_tensor(const Sensor& s, const output::EloutElement& row) {
  const bool last = s.layer < 0;
  if (s.element_value == ElementValue::strain)
    return sensors::component_of(s.component, last ? row.outer : row.inner);
  const std::size_t layer = last ? row.points.size() - 1 : static_cast<std::size_t>(s.layer);
  return layer < row.points.size() ? sensors::component_of(s.component, row.points[layer].stress) : 0.0;
}

double of_element(const Sensor& s, const state::GroupView& g, std::int32_t e, std::span<const Vec3> x,
                  const state::Strains* strains) {
  if (s.element_value == ElementValue::failure) return g.is_alive(e) ? 0.0 : 1.0;
  if (!g.is_alive(e)) return 0.0;
  if (s.element_kind == model::ElementKind::discrete) {
    const output::DeforcRow row = output::spring_row(g, e, x);
    return s.element_value == ElementValue::force ? row.resultant : row.change;
  }
  const output::EloutElement row = output::elout_element(g, e, x, strains);
  return s.element_kind == model::ElementKind::beam ? of_beam(s, row.resultant) : of_tensor(s, row);
}

double of_retractor(const Sensor& s, const loads::BeltSystem& belts) {
  const loads::RetractorState& r = belts.retractors()[place(s)];
  switch (static_cast<sensors::RetractorValue>(s.choice)) {
    case sensors::RetractorValue::rate:
      return r.rate;
    case sensors::RetractorValue::pull_out:
      return r.pull_out;
    default:
      return belts.tension(r);
  }
}

double of_angle(const Sensor& s, const constraints::JointStiffnesses& all) {
  const auto& state = all.states()[place(s)];
  const auto axis = static_cast<std::size_t>(s.choice % 3);
  return 180.0 / std::numbers::pi * (s.choice < 3 ? state.angle : state.rate)[axis];
}

}  // namespace

/// Where elements with sensors are, found once.
void Solver::find_sensed_elements(const sensors::Network& network) {
  sensed_.emplace();
  for (std::size_t k = 0; k < network.sensors.size(); ++k) {
    const Sensor& s = network.sensors[k];
    if (s.kind != Kind::element) continue;
    for (std::size_t g = 0; g < elements_->groups().size(); ++g) {
      const state::GroupView& group = elements_->groups()[g];
      if (group.kind() != s.element_kind) continue;
      const auto at = std::ranges::find(group.id, s.entity);
      if (at != group.id.end()) sensed_->push_back({k, g, static_cast<std::int32_t>(at - group.id.begin())});
    }
  }
}

/// Values that one rank has, on every rank.
void Solver::share_sensed(sensors::Sensors& sensors) {
  const sensors::Network& network = sensors.input();
  const auto any = [&](Kind kind) {
    return std::ranges::any_of(network.sensors, [&](const Sensor& s) { return s.kind == kind; });
  };
  if (!any(Kind::element) && !any(Kind::section)) return;
  std::vector<std::int64_t> bits(network.sensors.size(), 0);
  if (!sensed_) find_sensed_elements(network);
  for (const SensedElement& at : *sensed_) {
    const Sensor& s = network.sensors[at.sensor];
    bits[at.sensor] = std::bit_cast<std::int64_t>(
        of_element(s, elements_->groups()[at.group], at.element, nodal_.x, strains()));
  }
  if (any(Kind::section)) {
    const std::vector<output::SecforcRow> rows = SolverResults(*this).sections();  // on rank 0
    for (std::size_t k = 0; k < bits.size() && comm_->root(); ++k)
      if (const Sensor& s = network.sensors[k]; s.kind == Kind::section)
        bits[k] =
            std::bit_cast<std::int64_t>(part_of(s, s.moment ? rows[place(s)].moment : rows[place(s)].force));
  }
  comm_->sum(bits);
  for (std::size_t k = 0; k < bits.size(); ++k)
    if (const Sensor& s = network.sensors[k]; s.kind == Kind::element || s.kind == Kind::section)
      sensors.take(k, s.scale * std::bit_cast<double>(bits[k]));
}

void Solver::measure_for_sensors() {
  auto* const sensors = modules_.find<sensors::Sensors>();
  if (sensors == nullptr || !sensors->measures() || stage_ != model::Stage::transient) return;
  const std::vector<Sensor>& all = sensors->input().sensors;
  const auto any = [&](Kind kind) {
    return std::ranges::any_of(all, [&](const Sensor& s) { return s.kind == kind; });
  };
  const auto* const walls = modules_.find<loads::RigidWalls>();
  const auto* const joints = modules_.find<constraints::Joints>();
  const auto* const belts = modules_.find<loads::BeltModule>();
  const auto wall_rows = any(Kind::wall) ? walls->rows() : std::vector<loads::RigidWalls::Row>{};
  const auto contacts = any(Kind::contact) ? contact_.results() : std::vector<contact::ContactResult>{};
  const auto joint_rows = any(Kind::joint) ? joints->states() : std::vector<constraints::Joints::State>{};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Sensor& s = all[k];
    if (s.kind == Kind::wall)
      sensors->take(k, part_of(s, wall_rows[place(s)].force));
    else if (s.kind == Kind::contact)
      sensors->take(k, part_of(s, contacts[place(s)].force_a));
    else if (s.kind == Kind::joint)
      sensors->take(k, part_of(s, s.moment ? joint_rows[place(s)].moment : joint_rows[place(s)].force));
    else if (s.kind == Kind::joint_angle)
      sensors->take(k, of_angle(s, *modules_.find<constraints::JointStiffnesses>()));
    else if (s.kind == Kind::belt)
      sensors->take(k, s.scale * belts->system().elements()[place(s)].force);
    else if (s.kind == Kind::retractor)
      sensors->take(k, of_retractor(s, belts->system()));
  }
  share_sensed(*sensors);
}

void Solver::switch_contacts() {
  if (const auto* const sensors = modules_.find<sensors::Sensors>(); sensors != nullptr)
    sensors->each(sensors::Controlled::contact,
                  [&](std::int32_t contact, bool on) { contact_.turn(contact, on); });
}

/// Once: elements that are deleted already do not change.
void Solver::delete_switched_elements() {
  const auto* const sensors = modules_.find<sensors::Sensors>();
  if (sensors == nullptr) return;
  const std::vector<sensors::Control>& controls = sensors->input().controls;
  if (switched_off_.empty()) switched_off_.assign(controls.size(), 0);
  for (std::size_t k = 0; k < controls.size(); ++k) {
    const sensors::Control& control = controls[k];
    if (control.kind != sensors::Controlled::elements || switched_off_[k] != 0 || sensors->is_on(control))
      continue;
    switched_off_[k] = 1;
    elements_->mark_deleted(
        [&](const ElementName& e) {
          return e.kind == control.element_kind &&
                 std::ranges::find(control.numbers, e.id) != control.numbers.end();
        },
        DeletionCause::sensor);
  }
}

/// Shells of belts that are drawn into a retractor have no area there, and do not come out again.
void Solver::delete_drawn_in_shells() {
  const auto* const belts = modules_.find<loads::BeltModule>();
  if (belts == nullptr) return;
  const std::vector<GlobalId> inside = belts->shells_inside();
  if (inside.empty() || inside == drawn_in_) return;
  drawn_in_ = inside;
  elements_->mark_deleted(
      [&](const ElementName& e) {
        return e.kind == model::ElementKind::shell && std::ranges::binary_search(inside, e.id);
      },
      DeletionCause::retractor);
}

bool Solver::senses_sections() const {
  const auto* const sensors = modules_.find<sensors::Sensors>();
  return sensors != nullptr && std::ranges::any_of(sensors->input().sensors,
                                                   [](const Sensor& s) { return s.kind == Kind::section; });
}

}  // namespace crumple::explicit_dynamics
