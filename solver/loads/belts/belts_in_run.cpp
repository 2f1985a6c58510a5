// Belts in a run.
#include "loads/belts/belts_in_run.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/no_limit.hpp"
#include "constraints/rigid_bodies.hpp"
#include "modules/modules.hpp"
#include "sensors/sensors.hpp"
#include "state/archive.hpp"

namespace crumple::loads {

namespace {

const Belts& belts_of(const model::Model& model) { return model.features.of<Belts>().front(); }

/// Positions at t = 0 on every rank.
std::vector<Vec3> first_positions(const modules::Start& start) {
  const Belts& in = belts_of(start.model);
  std::vector<std::int64_t> bits(3 * in.nodes.size(), 0);
  for (std::size_t k = 0; k < in.nodes.size(); ++k)
    for (int i = 0; i < 3 && in.owned[k] != 0; ++i)
      bits[3 * k + static_cast<std::size_t>(i)] = std::bit_cast<std::int64_t>(start.nodal.x[in.nodes[k]][i]);
  start.comm.sum(bits);
  std::vector<Vec3> x(in.nodes.size());
  for (std::size_t k = 0; k < x.size(); ++k)
    for (int i = 0; i < 3; ++i) x[k][i] = std::bit_cast<double>(bits[3 * k + static_cast<std::size_t>(i)]);
  return x;
}

}  // namespace

BeltModule::BeltModule(const modules::Start& start)
    : in_(&belts_of(start.model)),
      sensors_(start.started.find<sensors::Sensors>()),
      comm_(&start.comm),
      x_(first_positions(start)),
      v_(x_.size()),
      a_(x_.size()),
      last_v_(x_.size()),
      mass_(x_.size(), 0.0),
      system_(start.model, *in_, x_) {
  for (std::size_t k = 0; k < mass_.size(); ++k)
    if (in_->owned[k] != 0 && !start.bodies.is_rigid(in_->nodes[k]))
      mass_[k] = start.nodal.mass[in_->nodes[k]];
  share(mass_);
  find_step();  // contact asks for the first step before the first forces
}

/// One rank has a value, the others zero bits: their sum has its bits.
void BeltModule::share(std::span<double> values) const {
  const std::size_t width = values.size() / in_->nodes.size();
  std::vector<std::int64_t> bits(values.size(), 0);
  for (std::size_t k = 0; k < values.size(); ++k)
    if (in_->owned[k / width] != 0) bits[k] = std::bit_cast<std::int64_t>(values[k]);
  comm_->sum(bits);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = std::bit_cast<double>(bits[k]);
}

void BeltModule::find_motion(const state::Nodal& nodal) {
  std::vector<double> values(6 * x_.size(), 0.0);
  for (std::size_t k = 0; k < x_.size(); ++k) {
    if (in_->owned[k] == 0) continue;
    for (int i = 0; i < 3; ++i) {
      values[6 * k + static_cast<std::size_t>(i)] = nodal.x[in_->nodes[k]][i];
      values[6 * k + 3 + static_cast<std::size_t>(i)] = nodal.v[in_->nodes[k]][i];
    }
  }
  share(values);
  for (std::size_t k = 0; k < x_.size(); ++k)
    for (int i = 0; i < 3; ++i) {
      x_[k][i] = values[6 * k + static_cast<std::size_t>(i)];
      v_[k][i] = values[6 * k + 3 + static_cast<std::size_t>(i)];
    }
}

/// From velocities, which nodes of rigid bodies have, too.
void BeltModule::find_accelerations(double dt) {
  const double between = 0.5 * (dt + dt_before_);
  for (std::size_t k = 0; k < a_.size(); ++k)
    a_[k] = cycles_ >= 2 && between > 0.0 ? (1.0 / between) * (v_[k] - last_v_[k]) : Vec3{};
  cycles_ = std::min<std::int64_t>(cycles_ + 1, 2);
  dt_before_ = dt;
  last_v_ = v_;
}

void BeltModule::begin_stage() {
  system_.begin_stage();
  cycles_ = 0;
}

void BeltModule::add_held_nodes(std::vector<LocalId>& nodes) const {
  for (const LocalId n : in_->nodes)
    if (n != model::kNone) nodes.push_back(n);
}

/// The times are known from the switches, also after a restart.
void BeltModule::follow_switches() {
  if (sensors_ == nullptr) return;
  for (const sensors::Control& control : sensors_->input().controls) {
    for (std::size_t k = 0; k < in_->pretensioners.size(); ++k)
      if (control.kind == sensors::Controlled::pretensioner && in_->pretensioners[k].id == control.entity)
        system_.fire(k, sensors_->first_acted(control));
    for (std::size_t k = 0; k < in_->retractors.size(); ++k)
      if (control.kind == sensors::Controlled::retractor && in_->retractors[k].id == control.entity)
        system_.lock(k, sensors_->first_acted(control));
  }
}

void BeltModule::add_forces(modules::Cycle& cycle) {
  follow_switches();
  find_motion(cycle.nodal);
  find_accelerations(cycle.dt_last);
  system_.step({x_, v_, a_, cycle.time, cycle.dt_last, cycle.stage});
  if (!system_.moved().empty()) cycle.jumped = true;
  for (const std::int64_t k : system_.moved()) {
    const auto place = static_cast<std::size_t>(k);
    last_v_[place] = v_[place];
    const LocalId n = in_->nodes[place];
    if (n == model::kNone) continue;
    if (in_->owned[place] != 0)
      carried_work_ +=
          0.5 * cycle.nodal.mass[n] * (dot(v_[place], v_[place]) - dot(cycle.nodal.v[n], cycle.nodal.v[n]));
    cycle.nodal.x[n] = x_[place];
    cycle.nodal.v[n] = v_[place];
  }
  for (std::size_t k = 0; k < in_->elements.size(); ++k) {
    const BeltElementState& e = system_.elements()[k];
    if (e.force == 0.0) continue;
    const auto first = static_cast<std::size_t>(e.first), second = static_cast<std::size_t>(e.second);
    const Vec3 way = x_[second] - x_[first], f = (in_->elements[k].share * e.force / norm(way)) * way;
    if (in_->owned[first] != 0) cycle.nodal.add_force(in_->nodes[first], f);
    if (in_->owned[second] != 0) cycle.nodal.add_force(in_->nodes[second], -f);
  }
  find_step();
}

void BeltModule::find_step() {
  const std::vector<NodeStep> steps = system_.stable_steps(x_);
  step_ = kNoLimit;
  for (std::size_t k = 0; k < mass_.size(); ++k)
    if (mass_[k] > 0.0 && steps[k].stiffness > 0.0) step_ = std::min(step_, steps[k].of_mass(mass_[k]));
}

std::vector<GlobalId> BeltModule::shells_inside() const {
  std::vector<GlobalId> ids;
  for (const std::size_t k : system_.shells_inside()) ids.push_back(in_->shells[k].id);
  return ids;
}

double BeltModule::stable_step(const constraints::RigidBodies&) const { return step_; }

/// A carried node goes where the node of the device is at t_n, with its velocity: one step behind it, by no
/// more than dt^2 times its acceleration.
void BeltModule::constrain(modules::Cycle& cycle) {
  for (const BeltSystem::Carried& c : system_.carried()) {
    const auto place = static_cast<std::size_t>(c.node), by = static_cast<std::size_t>(c.by);
    const LocalId n = in_->nodes[place];
    if (n == model::kNone) continue;
    state::Nodal& nodal = cycle.nodal;
    const Vec3 v = v_[by] + (1.0 / cycle.dt_x) * (x_[by] - nodal.x[n]);
    nodal.a[n] = (1.0 / cycle.dt_v) * (v - nodal.v[n]);
    if (in_->owned[place] != 0)
      carried_work_ += 0.5 * nodal.mass[n] * (dot(v, v) - dot(nodal.v[n], nodal.v[n]));
  }
}

void BeltModule::add_work(modules::Work& work) const {
  if (comm_->root()) work.external += system_.work();
  work.external.add(carried_work_);
}

void BeltModule::archive(state::Archive& archive, const parallel::IndexMap&) {
  using state::Of, state::Rows;
  system_.archive(archive);
  const auto here = archive.module("belts in run");
  archive.field("last velocity", Rows::equal(Of::entity, in_->node_ids), std::span<Vec3>(last_v_));
  archive.global("step before", dt_before_);
  archive.global("cycles", cycles_);
  archive.global_sum("carried work", carried_work_, comm_->rank());
}

}  // namespace crumple::loads
