// Gaps of links, their stiffness, forces, ends and work.
#include "constraints/stiff_links/stiff_links.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "constraints/linked_motion.hpp"
#include "constraints/rigid_bodies.hpp"
#include "constraints/tied_nodes/nodes_tied.hpp"
#include "constraints/weld_strains/weld_strains.hpp"
#include "modules/modules.hpp"
#include "parallel/fixed_point.hpp"
#include "state/archive.hpp"

namespace crumple::constraints {

using model::kNone;

namespace {

constexpr double kLinkStep = 0.6;       ///< theta
constexpr double kLinkDamping = 0.15;   ///< xi
constexpr double kShareScale = 0x1p40;  ///< of the sums C, whose terms are at most 1
constexpr double kNoLever = 1e-12;      ///< of the model's unit of length

/// Sums C of nodes and of bodies.
struct LinkShares {
  std::vector<std::int64_t> of_node, of_body;

  std::int64_t& at(LocalId node, LocalId body) {
    return body == kNone ? of_node[static_cast<std::size_t>(node)] : of_body[static_cast<std::size_t>(body)];
  }
};

/// r rotated by the Cayley vector theta.
Vec3 turned_with(const Vec3& r, const Vec3& theta) { return matrix(unit(cayley(theta))) * r; }

double inverse_of(double mass) { return mass > 0.0 ? 1.0 / mass : 0.0; }

/// A weld's force on its second node, split along the weld.
SpotWelds::Force force_of_weld(const Vec3& on_second, const Vec3& lever) {
  const double length = norm(lever);
  if (!(length > kNoLever)) return {};
  const Vec3 along = (1.0 / length) * lever;
  const double tension = -dot(on_second, along);
  return {tension, norm(on_second + tension * along)};
}

/// As SpotWelds: (max(fn, 0) / SN)^n + (|fs| / SS)^m >= 1.
bool breaks_a_weld(const model::Weld& w, const SpotWelds::Force& f) {
  double used = 0.0;
  if (w.normal_strength > 0.0 && f.normal > 0.0)
    used += std::pow(f.normal / w.normal_strength, w.normal_power);
  if (w.shear_strength > 0.0 && f.shear > 0.0) used += std::pow(f.shear / w.shear_strength, w.shear_power);
  return used >= 1.0;
}

}  // namespace

StiffLinks::StiffLinks(const modules::Start& start)
    : model_(&start.model),
      links_(&start.model.features.of<StiffLink>()),
      comm_(&start.comm),
      tied_(start.started.find<NodesTied>()),
      strains_(start.started.find<WeldStrains>()),
      springs_(links_->size()),
      states_(links_->size()) {
  std::vector<LocalId> own;
  for (const StiffLink& link : *links_)
    for (std::size_t k = 0; k < 2; ++k)
      if (link.bodies[k] == kNone) own.push_back(link.nodes[k]);
  require_inertia(start, own, {});
  for (std::size_t k = 0; k < springs_.size(); ++k) place(k, start.nodal);
  share_masses(start);
}

std::unique_ptr<modules::Module> StiffLinks::start(const modules::Start& start) {
  if (!start.comm.any(!start.model.features.of<StiffLink>().empty())) return nullptr;
  return std::make_unique<StiffLinks>(start);
}

/// Chooses the node with which an arm turns: that of a body, else one that has a rotation. Two nodes of
/// solids keep their distance only, for nothing says how they turn.
void StiffLinks::place(std::size_t k, const state::Nodal& nodal) {
  const StiffLink& link = (*links_)[k];
  Spring& s = springs_[k];
  s.kind = link.kind;
  s.a = link.nodes[0], s.b = link.nodes[1];
  s.body = link.bodies[0];
  const auto has_rotation = [&](std::size_t end) {
    return link.bodies[end] != kNone || link.turn_held[end] != 0 || nodal.inertia[at(link.nodes[end])] > 0.0;
  };
  if (s.kind == StiffLinkKind::arm && !has_rotation(0) && has_rotation(1)) {
    std::swap(s.a, s.b);
    s.body = link.bodies[1];
  }
  s.turns = s.kind == StiffLinkKind::arm && has_rotation(0) && has_rotation(1);
  states_[k].arm = states_[k].lever = nodal.x[at(s.b)] - nodal.x[at(s.a)];
  s.length = norm(states_[k].arm);
  if (s.kind == StiffLinkKind::arm && !has_rotation(0) && !has_rotation(1))
    s.kind = s.length > kNoLever ? StiffLinkKind::rod : StiffLinkKind::axes;
}

/// Centre nodes are at the centres of their bodies now.
void StiffLinks::initialize(state::Nodal& nodal, const RigidBodies&) {
  for (std::size_t k = 0; k < springs_.size(); ++k) place(k, nodal);
}

StiffLinks::Bounds StiffLinks::bounds(std::size_t k, const modules::Start& start) const {
  const StiffLink& link = (*links_)[k];
  const state::Nodal& nodal = start.nodal;
  const bool by_arm = springs_[k].kind == StiffLinkKind::arm;
  Bounds bounds{};
  for (std::size_t end = 0; end < 2; ++end) {
    const LocalId n = link.nodes[end], body = link.bodies[end];
    const bool leads = by_arm && n == springs_[k].a;
    const Vec3& where = nodal.x[at(leads ? springs_[k].b : n)];
    if (body != kNone) {
      bounds[end] = start.bodies.mobility(body, start.bodies.arm(body, where));
    } else {
      const double reach = leads && link.turn_held[end] == 0 ? springs_[k].length : 0.0;
      bounds[end] = reach * reach * inverse_of(nodal.inertia[at(n)]);
      if (link.move_held[end] == 0) bounds[end] += inverse_of(nodal.mass[at(n)]);
    }
  }
  return bounds;
}

StiffLinks::Bounds StiffLinks::turning_bounds(std::size_t k, const modules::Start& start) const {
  const StiffLink& link = (*links_)[k];
  Bounds bounds{};
  for (std::size_t end = 0; end < 2; ++end)
    if (link.bodies[end] != kNone)
      bounds[end] = start.bodies.angular_mobility(link.bodies[end]);
    else if (link.turn_held[end] == 0)
      bounds[end] = inverse_of(start.nodal.inertia[at(link.nodes[end])]);
  return bounds;
}

/// Divides the masses of nodes and bodies among the links at them. Collective.
void StiffLinks::share_masses(const modules::Start& start) {
  LinkShares shares{std::vector<std::int64_t>(start.nodal.size(), 0),
                    std::vector<std::int64_t>(start.model.rigid_bodies.size(), 0)};
  std::vector<std::array<Bounds, 2>> all;
  const auto each_end = [&](std::size_t k, const Bounds& of, auto&& visit) {
    const double sum = of[0] + of[1];
    for (std::size_t end = 0; end < 2 && sum > 0.0; ++end)
      visit(shares.at((*links_)[k].nodes[end], (*links_)[k].bodies[end]), std::sqrt(of[end] / sum), sum);
  };
  for (std::size_t k = 0; k < springs_.size(); ++k) {
    all.push_back({bounds(k, start), springs_[k].turns ? turning_bounds(k, start) : Bounds{}});
    for (const Bounds& of : all.back())
      each_end(k, of,
               [](std::int64_t& share, double z, double) { share += parallel::to_fixed(z, kShareScale); });
  }
  const std::array<std::span<std::int64_t>, 1> of_nodes{shares.of_node};
  start.halo.sum(of_nodes, 1);
  start.comm.sum(std::span(shares.of_body));
  for (std::size_t k = 0; k < springs_.size(); ++k) {
    const auto add = [](double& compliance) {
      return [&compliance](std::int64_t share, double z, double sum) {
        compliance += sum * z * parallel::from_fixed(share, kShareScale);
      };
    };
    each_end(k, all[k][0], add(springs_[k].compliance));
    each_end(k, all[k][1], add(springs_[k].turning_compliance));
  }
}

/// @param rate out: of the gap, in the step before
Vec3 StiffLinks::gap(std::size_t k, const modules::Cycle& cycle, Vec3& rate) {
  const Spring& s = springs_[k];
  State& state = states_[k];
  const state::Nodal& nodal = cycle.nodal;
  state.lever = nodal.x[at(s.b)] - nodal.x[at(s.a)];
  rate = nodal.v[at(s.b)] - nodal.v[at(s.a)];
  if (s.kind == StiffLinkKind::rod) {
    const double length = norm(state.lever);
    if (!(length > 0.0)) return rate = {};
    const Vec3 along = (1.0 / length) * state.lever;
    rate = dot(rate, along) * along;
    return (length - s.length) * along;
  }
  if (s.kind == StiffLinkKind::axes) {
    Vec3 gap = state.lever - state.arm;
    for (int i = 0; i < 3; ++i)
      if (!((*links_)[k].mask & (1u << i))) gap[i] = rate[i] = 0.0;
    return gap;
  }
  const Vec3& spin = nodal.w[at(s.a)];
  rate -= cross(spin, state.lever);
  if (s.body != kNone) return state.lever - cycle.bodies.motion(s.body).turn * state.arm;
  state.arm = turned_with(state.arm, cycle.dt_last * spin);
  return state.lever - state.arm;
}

/// Rotation of b relative to a.
Vec3 StiffLinks::relative_spin(std::size_t k, const state::Nodal& nodal) const {
  const Spring& s = springs_[k];
  return s.turns ? nodal.w[at(s.b)] - nodal.w[at(s.a)] : Vec3{};
}

/// Half the work of the forces at one end of the step to t_n. Both halves together are what central
/// differences convert to kinetic energy.
void StiffLinks::add_half_work(std::size_t k, const modules::Cycle& cycle) {
  const Spring& s = springs_[k];
  State& state = states_[k];
  const state::Nodal& nodal = cycle.nodal;
  Vec3 rate = nodal.v[at(s.b)] - nodal.v[at(s.a)];
  if (s.kind == StiffLinkKind::arm) rate -= cross(nodal.w[at(s.a)], state.lever);
  const double power = dot(state.force, rate) + dot(state.moment, relative_spin(k, nodal));
  state.work -= 0.5 * cycle.dt_last * power;
}

void StiffLinks::update(std::size_t k, const modules::Cycle& cycle) {
  const Spring& s = springs_[k];
  State& state = states_[k];
  const double dt = cycle.dt_last, over_step = longest_dt_ > 0.0 ? kLinkStep / longest_dt_ : 0.0;
  const double damping = 2.0 * kLinkDamping * longest_dt_ / kLinkStep;
  const Vec3 spin = cycle.nodal.w[at(s.a)], relative = relative_spin(k, cycle.nodal);
  Vec3 rate;
  const Vec3 opening = gap(k, cycle, rate);
  const auto stiffness = [&](double compliance) {
    return compliance > 0.0 ? over_step * over_step / compliance : 0.0;
  };
  state.force = -stiffness(s.compliance) * (opening + damping * rate);
  if (s.turns) {
    state.turned = turned_with(state.turned, dt * spin) + dt * relative;
    state.moment = -stiffness(s.turning_compliance) * (state.turned + damping * relative);
  }
  add_half_work(k, cycle);
}

void StiffLinks::add_forces(modules::Cycle& cycle) {
  longest_dt_ = std::max(longest_dt_, cycle.penalty_step);
  state::Nodal& nodal = cycle.nodal;
  for (std::size_t k = 0; k < springs_.size(); ++k) {
    State& state = states_[k];
    add_half_work(k, cycle);  // of the last forces, which have moved the nodes even if the link has ended
    if (!state.holds) {
      state.force = state.moment = {};
      continue;
    }
    update(k, cycle);
    const Spring& s = springs_[k];
    nodal.add_force(s.b, state.force);
    nodal.add_force(s.a, -state.force);
    if (s.kind != StiffLinkKind::arm) continue;
    nodal.add_moment(s.b, state.moment);
    nodal.add_moment(s.a, -(cross(state.lever, state.force) + state.moment));
  }
}

/// Whether a link ends in this step. Times are those of the run, not of dynamic relaxation.
bool StiffLinks::ends(std::size_t k, const modules::Cycle& cycle, const SpotWelds::Force& force) const {
  const StiffLink& link = (*links_)[k];
  const bool of_run = cycle.stage == model::Stage::transient;
  if (of_run && cycle.time + cycle.dt_x >= link.until.failure_time) return true;
  if (link.until.has_strength() && breaks_a_weld(link.until, force)) return true;
  if (link.seam >= 0 && tied_ && tied_->failed()[static_cast<std::size_t>(link.seam)]) return true;
  if (!(link.until.failure_strain < model::kNever) || !strains_) return false;
  const auto strained = [&](LocalId n) { return strains_->strain_at(n) > link.until.failure_strain; };
  return of_run && std::ranges::any_of(link.nodes, strained);
}

void StiffLinks::link(modules::Cycle& cycle) {
  for (std::size_t k = 0; k < springs_.size(); ++k) {
    State& state = states_[k];
    if (!state.holds) continue;
    const SpotWelds::Force force = force_of_weld(state.force, state.lever);
    if (!ends(k, cycle, force)) continue;
    state.holds = false;
    state.end = cycle.time, state.normal = force.normal, state.shear = force.shear;
  }
}

std::vector<SpotWelds::Break> StiffLinks::breaks() const {
  std::vector<SpotWelds::Break> all;
  const auto id = [&](LocalId n) { return model_->nodes.id[at(n)]; };
  for (std::size_t k = 0; k < states_.size(); ++k)
    if (const State& s = states_[k]; !s.holds && (*links_)[k].welds != 0)
      all.push_back({id((*links_)[k].nodes[0]), id((*links_)[k].nodes[1]), s.end, s.normal, s.shear});
  return all;
}

void StiffLinks::add_work(modules::Work& work) const {
  std::array<parallel::ExactSum, 1> sum;
  for (const State& state : states_) sum[0] += state.work;
  parallel::ExactSum::reduce(*comm_, sum);
  work.joint += sum[0].value();
}

void StiffLinks::archive(state::Archive& archive, const parallel::IndexMap&) {
  using state::Of, state::Rows;
  const auto here = archive.module("stiff links");
  std::vector<GlobalId> keys;
  for (const StiffLink& link : *links_) keys.push_back(link.number);
  archive.structs("link", Rows::own(Of::entity, keys), std::span(states_));
  archive.global("longest step", longest_dt_);
}

}  // namespace crumple::constraints
