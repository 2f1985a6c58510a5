// The start of belts, and the order of a step.
#include "loads/belts/belt_system.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "base/no_limit.hpp"
#include "loads/belts/webbing.hpp"

namespace crumple::loads {

BeltSystem::BeltSystem(const model::Model& model, const Belts& in, std::span<const Vec3> x)
    : model_(&model),
      in_(&in),
      elements_(in.elements.size()),
      sensors_(in.sensors.size()),
      retractors_(in.retractors.size()),
      pretensioners_(in.pretensioners.size()),
      rings_(in.rings.size()),
      fired_(in.pretensioners.size(), kNoLimit),
      locked_(in.retractors.size(), kNoLimit),
      rate_(elements_.size()),
      way_(elements_.size()) {
  place_elements(x);
  fill_retractors(x);
  thread_rings(x);
  list_carried();
}

/// Elements inside retractors have 1.1 LMIN, whatever their slack. Those of rows have half of the shells
/// beside them, as a belt of which they were the whole width.
void BeltSystem::place_elements(std::span<const Vec3> x) {
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const BeltElement& in = in_->elements[e];
    const BeltMaterial& m = in_->materials[at(in.material)];
    BeltElementState& s = elements_[e];
    s.first = in.first;
    s.second = in.second;
    s.stretched = norm(x[at(in.second)] - x[at(in.first)]);
    s.length = in.retractor < 0 ? s.stretched + in.slack : 1.1 * m.shortest;
    s.mass = in.weightless ? 0.0 : m.mass * s.length;
    s.within = in.retractor;
  }
  for (const BeltShell& shell : in_->shells)
    for (const std::int32_t e : {shell.first, shell.second})
      elements_[at(e)].mass += 0.5 * shell.mass / in_->elements[at(e)].share;
}

/// The end of an element that is at the node of a device becomes that node.
/// @return the node of the belt
std::int64_t BeltSystem::take_end(std::int64_t element, std::int64_t device, std::span<const Vec3> x,
                                  GlobalId id) {
  BeltElementState& s = elements_[at(element)];
  const double a = norm(x[at(s.first)] - x[at(device)]), b = norm(x[at(s.second)] - x[at(device)]);
  std::int64_t& end = a <= b ? s.first : s.second;
  if (std::min(a, b) > 1e-3 * std::max({s.stretched, s.length, a, b}))
    throw Error("CR-L106",
                "belt element " + std::to_string(std::abs(in_->elements[at(element)].id)) +
                    " has no node at the node of device " + std::to_string(id) + ": the nearest is " +
                    std::to_string(std::min(a, b)) + " away",
                {}, Exit::input);
  return std::exchange(end, device);
}

void BeltSystem::fill_retractors(std::span<const Vec3> x) {
  for (std::size_t r = 0; r < retractors_.size(); ++r) {
    const Retractor& in = in_->retractors[r];
    RetractorState& s = retractors_[r];
    s.mouth = in.mouth;
    s.inside = static_cast<std::int64_t>(in.inside.size());
    s.held = take_end(in.mouth, in.node, x, in.id);
    for (std::size_t k = 0; k < in.inside.size(); ++k)
      elements_[at(in.inside[k])].place = s.inside - 1 - static_cast<std::int64_t>(k);
  }
}

void BeltSystem::thread_rings(std::span<const Vec3> x) {
  for (std::size_t r = 0; r < rings_.size(); ++r) {
    const SlipRing& in = in_->rings[r];
    SlipRingState& s = rings_[r];
    s.first = in.first;
    s.second = in.second;
    s.held = take_end(in.first, in.node, x, in.id);
    take_end(in.second, in.node, x, in.id);
  }
}

void BeltSystem::begin_stage() {
  for (BeltSensorState& s : sensors_) s.time = 0, s.since = -1;
  for (PretensionerState& p : pretensioners_) p.time = 0;
}

void BeltSystem::step(Motion m) {
  moved_.clear();
  measure(m);
  read_sensors(m);
  for (std::size_t r = 0; r < retractors_.size(); ++r) run_retractor(r, m);
  for (std::size_t r = 0; r < rings_.size(); ++r) slip(r, m);
  find_forces(m);
  list_carried();
}

void BeltSystem::measure(const Motion& m) {
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    BeltElementState& s = elements_[e];
    const Vec3 along = m.x[at(s.second)] - m.x[at(s.first)];
    const double length = norm(along);
    way_[e] = m.dt > 0.0 ? length - s.stretched : 0.0;
    rate_[e] = length > 0.0 ? dot(along, m.v[at(s.second)] - m.v[at(s.first)]) / length : 0.0;
    s.stretched = length;
  }
}

double BeltSystem::force_of(std::int64_t element, double length) const {
  return loaded(curve(material(element).loading), elements_[at(element)].stretched / length - 1.0);
}

/// Unstretched length at which an element has a force.
double BeltSystem::target_length(std::int64_t element, double force) const {
  return elements_[at(element)].stretched / (1.0 + where(curve(material(element).loading), force));
}

/// Elements at devices have neither hysteresis nor damping.
void BeltSystem::find_forces(const Motion& m) {
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    BeltElementState& s = elements_[e];
    const double last = s.force;
    s.force = 0.0;
    if (s.within < 0) {
      const BeltMaterial& belt = material(static_cast<std::int64_t>(e));
      const double strain = s.stretched / s.length - 1.0;
      if (at_device(static_cast<std::int64_t>(e))) {
        s.force = loaded(curve(belt.loading), strain);
        s.peak = std::max(strain, 0.0);
      } else {
        s.force = hysteretic(curve(belt.loading), curve(belt.unloading), strain, s.peak);
        s.force += belt_damping(s.force, s.mass, rate_[e], m.dt);
      }
    }
    work_ -= 0.5 * in_->elements[e].share * (last + s.force) * way_[e];
  }
}

void BeltSystem::archive(state::Archive& archive) {
  using state::Of, state::Rows;
  const auto here = archive.module("belts");
  const auto all = [&](const char* name, auto& states) {
    const std::vector<GlobalId> keys = state::numbered(states.size());
    archive.structs(name, Rows::equal(Of::entity, keys), std::span(states));
  };
  all("element", elements_);
  all("sensor", sensors_);
  all("retractor", retractors_);
  all("pretensioner", pretensioners_);
  all("ring", rings_);
  archive.global("work", work_);
  list_carried();
}

}  // namespace crumple::loads
