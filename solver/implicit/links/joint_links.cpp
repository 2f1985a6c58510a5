// Gaps of joints, their forces and stiffness.
#include "implicit/links/joint_links.hpp"

namespace crumple::implicit {

using constraints::Joint;
using constraints::JointType;

namespace {

Vec3 direction(const Vec3& v) { return (1.0 / norm(v)) * v; }

}  // namespace

JointLinks::JointLinks(const LinkInput& input)
    : orientation_(input.bodies.size()), phased_(input.model.control.has_phases()) {
  for (std::size_t b = 0; b < input.bodies.size(); ++b) body_point_.push_back(input.dependents.body_point(b));
  for (const Joint& joint : input.model.features.of<Joint>()) add(joint, input);
  states_.resize(input.model.features.of<Joint>().size());
  energy_before_.resize(states_.size(), 0.0);
}

void JointLinks::add(const Joint& joint, const LinkInput& input) {
  const std::array<std::size_t, 2> body{at(joint.bodies[0]), at(joint.bodies[1])};
  const auto& p = joint.points;
  const std::size_t number = first_body_.size();
  first_body_.push_back(body[0]);
  first_arm_.push_back(p[0] - input.bodies[body[0]].point0);
  const double stiffness = joint.stiffness_scale * stiffest(input.model, input.size);
  const auto link = [&](Kind kind, std::size_t a, std::size_t b) {
    Link l;
    l.kind = kind;
    l.joint = number;
    l.body = body;
    l.points = {body_point_[body[0]], body_point_[body[1]]};
    l.stiffness = stiffness;
    if (kind == Kind::perpendicular) {
      l.arm = {direction(p[2] - p[0]), direction(p[3] - p[1])};
      l.cosine = dot(l.arm[0], l.arm[1]);
      l.stiffness *= dot(p[2] - p[0], p[2] - p[0]);
    } else {
      const Vec3 middle = 0.5 * (p[a] + p[b]);  // of nodes that do not coincide exactly
      l.arm = {middle - input.bodies[body[0]].point0, middle - input.bodies[body[1]].point0};
      if (kind == Kind::line) l.axis = direction(p[2] + p[3] - p[0] - p[1]);
    }
    links_.push_back(l);
  };
  const bool slides = joint.type == JointType::cylindrical || joint.type == JointType::translational;
  const Kind held = slides ? Kind::line : Kind::point;
  link(held, 0, 1);
  if (joint.type != JointType::spherical && joint.type != JointType::universal) link(held, 2, 3);
  if (joint.type == JointType::translational || joint.type == JointType::locking) link(held, 4, 5);
  if (joint.type == JointType::universal) link(Kind::perpendicular, 2, 3);
}

void JointLinks::append_points(std::vector<std::vector<LocalId>>& all) const {
  for (const Link& l : links_) all.push_back({l.points[0], l.points[1]});
}

template <class T>
JointLinks::Action<T> JointLinks::act(const Link& l, const Trial& trial) const {
  std::array<Vector<T>, 2> x, turn;
  for (std::size_t s = 0; s < 2; ++s) {
    const std::size_t p = at(l.points[s]);
    const int first = 6 * static_cast<int>(s);
    x[s] = Vector<T>(trial.x0[p]) + variables<T>(trial.increment.u[p], first);
    turn[s] = variables<T>(trial.increment.turn[p], first + 3);
  }
  const auto now = [&](std::size_t s, const Vec3& at_start) {
    return turned(Vector<T>(constraints::operator*(constraints::matrix(orientation_[l.body[s]]), at_start)),
                  turn[s]);
  };
  const Vector<T> arm_a = now(0, l.arm[0]), arm_b = now(1, l.arm[1]);
  const T k(l.stiffness), half(0.5);
  Action<T> result;
  if (l.kind == Kind::perpendicular) {
    result.opening = dot(arm_a, arm_b) - T(l.cosine) - T(l.start.opening);
    result.resists = k * result.opening;
    if (l.start.taken) result.resists += T(l.start.moment);
    result.moment_a = (-result.resists) * cross(arm_a, arm_b);
    result.moment_b = -result.moment_a;
    result.energy = half * k * result.opening * result.opening;
    if (l.start.taken) result.energy += T(l.start.moment) * result.opening;
    return result;
  }
  const Vector<T> of_b = x[1] + arm_b;
  result.gap = of_b - (x[0] + arm_a);
  if (l.kind == Kind::line) {
    const Vector<T> axis = now(0, l.axis);
    result.gap -= dot(result.gap, axis) * axis;
  }
  Vector<T> before;
  if (l.start.taken) {  // as in explicit runs, the force acts at the point of B
    result.gap -= now(0, l.start.gap);
    before = now(0, l.start.force);
    result.at = of_b;
  } else {
    result.at = of_b - half * result.gap;
  }
  result.on_a = k * result.gap + before;
  result.moment_a = cross(result.at - x[0], result.on_a);
  result.moment_b = -cross(result.at - x[1], result.on_a);
  result.energy = half * k * dot(result.gap, result.gap) + dot(before, result.gap);
  return result;
}

/// Internal forces: minus what acts on the bodies.
template <class T>
void JointLinks::add_to(const Link& link, const Trial& trial, LinkTangent<6, 2>& to) const {
  const Action<T> action = act<T>(link, trial);
  for (int i = 0; i < 3; ++i) {
    to.put(i, -action.on_a[i]);
    to.put(3 + i, -action.moment_a[i]);
    to.put(6 + i, action.on_a[i]);
    to.put(9 + i, -action.moment_b[i]);
  }
}

void JointLinks::evaluate(const Trial& trial, bool stiffness, const Elements::Visit& visit) const {
  for (const Link& link : links_) {
    LinkTangent<6, 2> tangent;
    tangent.points = link.points;
    if (stiffness)
      add_to<Number<12>>(link, trial, tangent);
    else
      add_to<double>(link, trial, tangent);
    visit(tangent.view(stiffness));
  }
}

void JointLinks::accept(const Trial& trial) {
  find_states(trial);
  for (std::size_t b = 0; b < orientation_.size(); ++b)
    orientation_[b] =
        constraints::unit(constraints::cayley(trial.increment.turn[at(body_point_[b])]) * orientation_[b]);
}

/// Of joints, at the end of a step.
void JointLinks::find_states(const Trial& trial) {
  for (std::size_t j = 0; j < states_.size(); ++j) states_[j] = {.energy = energy_before_[j]};
  const auto turn_of = [&](std::size_t body) { return trial.increment.turn[at(body_point_[body])]; };
  for (const Link& link : links_) {
    const Action<double> action = act<double>(link, trial);
    State& state = states_[link.joint];
    const std::size_t a = first_body_[link.joint], p = at(body_point_[a]);
    const Vec3 arm = constraints::operator*(
        constraints::matrix(constraints::cayley(turn_of(a)) * orientation_[a]), first_arm_[link.joint]);
    const Vec3 first = trial.x0[p] + trial.increment.u[p] + arm, on_a = value_of(action.on_a);
    state.force += on_a;
    state.moment += link.kind == Kind::perpendicular ? value_of(action.moment_a)
                                                     : cross(value_of(action.at) - first, on_a);
    state.energy += action.energy;
  }
}

void JointLinks::begin_at(const LinkBegin& begin) {
  orientation_.assign(begin.orientation.begin(), begin.orientation.end());
  energy_before_ = begin.loads.joints.energy;
  const Increment none(begin.points.size());
  const Trial now{begin.points, none, 0.0, begin.time};
  for (std::size_t k = 0; k < links_.size(); ++k) {
    Link& l = links_[k];
    const constraints::LinkLoad& load = begin.loads.joints.links[k];
    l.start = {};
    const Action<double> action = act<double>(l, now);
    const constraints::Matrix3 turn = constraints::matrix(orientation_[l.body[0]]);
    l.start = {.taken = true,
               .force = constraints::transpose_times(turn, load.force),
               .gap = constraints::transpose_times(turn, value_of(action.gap)),
               .moment = load.moment,
               .opening = action.opening};
  }
  find_states(now);
}

void JointLinks::leave(const Trial& at_rest, phases::CarriedLinks& to) const {
  for (const Link& l : links_) {
    const Action<double> action = act<double>(l, at_rest);
    to.joints.links.push_back({value_of(action.on_a), action.resists});
  }
  for (const State& s : states_) to.joints.energy.push_back(s.energy);
}

}  // namespace crumple::implicit
