// Answers of nodes, and work of links.
#include "constraints/linked_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "modules/modules.hpp"

namespace crumple::constraints {

namespace {

bool same_directions(const Directions& a, const Directions& b) {
  if (a.count != b.count) return false;
  for (int k = 0; k < a.count; ++k)
    if (!(a.axis[static_cast<std::size_t>(k)] == b.axis[static_cast<std::size_t>(k)])) return false;
  return true;
}

}  // namespace

bool Mobility::operator==(const Mobility& other) const {
  return per_mass == other.per_mass && per_inertia == other.per_inertia &&
         same_directions(held, other.held) && same_directions(held_turns, other.held_turns);
}

Mobility mobility_of(LocalId node, const modules::Modules& modules, const modules::Cycle& cycle) {
  Mobility m;
  const double mass = cycle.nodal.mass[at(node)], inertia = cycle.nodal.inertia[at(node)];
  if (mass > 0.0) m.per_mass = 1.0 / mass;
  if (inertia > 0.0) m.per_inertia = 1.0 / inertia;
  modules.each(&modules::Module::add_held, node, cycle, m.held, m.held_turns);
  return m;
}

void LinkedMotion::begin(const state::Nodal& nodal, std::span<const LocalId> nodes) {
  nodes_.assign(nodes.begin(), nodes.end());
  v_.clear(), w_.clear();
  for (const LocalId n : nodes_) {
    v_.push_back(nodal.v[at(n)]);
    w_.push_back(nodal.w[at(n)]);
  }
}

void LinkedMotion::finish(modules::Cycle& cycle, int rank, HalfStepWork* work) const {
  state::Nodal& nodal = cycle.nodal;
  for (std::size_t k = 0; k < nodes_.size(); ++k) {
    const std::size_t i = at(nodes_[k]);
    const Vec3 dv = nodal.v[i] - v_[k], dw = nodal.w[i] - w_[k];
    nodal.a[i] += (1.0 / cycle.dt_v) * dv;
    nodal.alpha[i] += (1.0 / cycle.dt_v) * dw;
    if (work == nullptr || nodal.owner[i] != rank) continue;
    const Vec3 impulse = nodal.mass[i] * dv, twist = nodal.inertia[i] * dw;
    const Vec3 v_old = nodal.v[i] - cycle.dt_v * nodal.a[i], w_old = nodal.w[i] - cycle.dt_v * nodal.alpha[i];
    work->add(dot(impulse, v_old) + dot(twist, w_old), dot(impulse, nodal.v[i]) + dot(twist, nodal.w[i]));
  }
}

void require_inertia(const modules::Start& start, std::span<const LocalId> nodes,
                     std::span<const LocalId> turned) {
  constexpr GlobalId none = std::numeric_limits<GlobalId>::max();
  const state::Nodal& nodal = start.nodal;
  GlobalId taken = none, loose = none;
  for (const LocalId n : nodes)
    if (!(nodal.mass[at(n)] > 0.0) && nodal.own_mass(at(n)) > 0.0) taken = std::min(taken, nodal.id[at(n)]);
  const auto is_held = [&](LocalId n) {
    return std::ranges::any_of(start.model.constraints, [&](const auto& c) { return c.node == n; }) ||
           std::ranges::any_of(start.model.motions, [&](const auto& m) { return m.node == n; });
  };
  for (const LocalId n : turned)
    if (!(nodal.inertia[at(n)] > 0.0) && !is_held(n)) loose = std::min(loose, nodal.id[at(n)]);
  taken = start.comm.min(taken), loose = start.comm.min(loose);
  if (taken != none)
    throw Error("CR-C106",
                fmt::format("node {} follows a surface or other nodes (a tied contact, an interpolation), "
                            "and is linked to others, too; it can obey one only",
                            taken));
  if (loose != none)
    throw Error(
        "CR-C106",
        fmt::format("a constraint turns node {}, which has no inertia: no shell or beam is at it", loose));
}

}  // namespace crumple::constraints
