// Gaps of joints, their stiffness, forces and work.
#include "constraints/joints/joints.hpp"

#include <algorithm>
#include <cmath>

#include "state/archive.hpp"

namespace crumple::constraints {

namespace {

using model::kNone;

constexpr double kStep = 0.5;         // theta: largest frequency of joints times the step
constexpr double kDamping = 0.1;      // fraction of critical damping, at that frequency and DAMP = 1
constexpr double kMostStiffness = 3;  // largest RPS that is stable together with elements

Vec3 unit(const Vec3& v) { return (1.0 / norm(v)) * v; }

const BodyMotion& ground() {
  static const BodyMotion still;
  return still;
}

const BodyMotion& motion_of(const std::vector<BodyMotion>& motions, int body) {
  return body == kNone ? ground() : motions[static_cast<std::size_t>(body)];
}

Vec3 place(const BodyMotion& m, const Vec3& arm) { return m.centre + m.turn * arm; }
Vec3 velocity(const BodyMotion& m, const Vec3& at) { return m.v + cross(m.w, at - m.centre); }

}  // namespace

Joints::Joints(const model::Model& model, const RigidBodies& bodies) : model_(&model) {
  for (const Joint& input : model.features.of<Joint>()) add_links(input, bodies);
  for (const model::Support& input : model.supports) add_support(input, bodies);
  if (!links_.empty()) motions_.resize(static_cast<std::size_t>(bodies.size()));
}

/// Links from the n-th pair of nodes, counted from 0, or from axes from the first pair to the second.
void Joints::link(Kind kind, const Joint& input, const RigidBodies& bodies, int a, int b) {
  Link l;
  l.kind = kind;
  l.joint = joints_.size() - 1;
  l.body = {input.bodies[0], input.bodies[1]};
  const auto& p = input.points;
  if (kind == Kind::perpendicular) {
    l.arm = {unit(p[2] - p[0]), unit(p[3] - p[1])};
    l.cosine = dot(l.arm[0], l.arm[1]);
  } else {
    // If the nodes of a pair do not coincide exactly, their middle is used.
    const Vec3 middle = 0.5 * (p[static_cast<std::size_t>(a)] + p[static_cast<std::size_t>(b)]);
    l.arm = {bodies.arm(input.bodies[0], middle), bodies.arm(input.bodies[1], middle)};
    if (kind == Kind::line) l.axis = unit(p[2] + p[3] - p[0] - p[1]);
  }
  links_.push_back(l);
}

void Joints::add_links(const Joint& input, const RigidBodies& bodies) {
  Acting joint;
  joint.body = {input.bodies[0], input.bodies[1]};
  joint.first_point = bodies.arm(input.bodies[0], input.points[0]);
  joint.stiffness_scale = std::min(input.stiffness_scale, kMostStiffness);
  joint.damping_scale = input.damping_scale;
  joints_.push_back(joint);
  const Kind held = input.type == JointType::cylindrical || input.type == JointType::translational
                        ? Kind::line
                        : Kind::point;
  link(held, input, bodies, 0, 1);
  if (input.type != JointType::spherical && input.type != JointType::universal)
    link(held, input, bodies, 2, 3);
  if (input.type == JointType::translational) link(held, input, bodies, 4, 5);
  if (input.type == JointType::universal) link(Kind::perpendicular, input, bodies, 2, 3);
}

void Joints::add_support(const model::Support& input, const RigidBodies& bodies) {
  Link l;
  l.kind = Kind::fixed;
  for (int k = 0; k < 3; ++k)
    if ((input.mask & (1u << k)) && !bodies.moves_along_with_centre(input.body, input.axis[k]))
      l.held.add(input.axis[k]);
  support_joint_.push_back(l.held.count > 0 ? static_cast<int>(joints_.size()) : kNone);
  if (l.held.count == 0) return;
  Acting joint;
  joint.body = {input.body, kNone};
  joint.first_point = bodies.arm(input.body, input.point);
  l.joint = joints_.size();
  l.body = joint.body;
  l.arm = {joint.first_point, input.point};
  joints_.push_back(joint);
  links_.push_back(l);
}

Joints::Gap Joints::gap(const Link& link) const {
  const BodyMotion &a = motion_of(motions_, link.body[0]), &b = motion_of(motions_, link.body[1]);
  const Vec3 of_a = place(a, link.arm[0]), of_b = place(b, link.arm[1]);
  Gap g;
  g.opening = of_b - of_a;
  const Vec3 axis = a.turn * link.axis;
  const auto across = [&](const Vec3& v) {
    if (link.kind == Kind::line) return v - dot(v, axis) * axis;
    return link.kind == Kind::fixed ? link.held.part_of(v) : v;
  };
  g.opening = across(g.opening);
  // A force along the gap may act anywhere on it. Others act at the point of B: there the gap's rate as A
  // sees it is that of the points.
  g.at = link.kind == Kind::fixed ? of_a : link.start.taken ? of_b : of_b - 0.5 * g.opening;
  g.rate = across(velocity(b, g.at) - velocity(a, g.at));
  return g;
}

/// The axes in which a link's load stays the same.
Matrix3 Joints::axes_of(const Link& l) const {
  return l.kind == Kind::fixed ? identity3() : motion_of(motions_, l.body[0]).turn;
}

/// Of an angle between axes, as the change of its cosine since t = 0.
double Joints::opening(const Link& l) const {
  return dot(motion_of(motions_, l.body[0]).turn * l.arm[0], motion_of(motions_, l.body[1]).turn * l.arm[1]) -
         l.cosine;
}

/// Mobilities of the points where forces act; the point of a slider moves over A.
void Joints::measure_mobilities(const RigidBodies& bodies) {
  for (Link& l : links_) {
    if (measured_ && l.kind != Kind::line) continue;
    std::array<Vec3, 2> arm = l.arm;
    if (l.kind == Kind::line) {
      const BodyMotion& a = motions_[static_cast<std::size_t>(l.body[0])];
      arm[0] = transpose_times(a.turn, gap(l).at - a.centre);
    }
    for (std::size_t side = 0; side < 2; ++side)
      if (l.body[side] != kNone)
        l.mobility[side] = l.kind == Kind::perpendicular ? bodies.angular_mobility(l.body[side])
                                                         : bodies.mobility(l.body[side], arm[side]);
  }
  measured_ = true;
}

void Joints::choose_stiffnesses(double dt) {
  const auto part = [](const Link& l, std::size_t side) {
    return l.mobility[side] > 0.0 ? std::sqrt(l.mobility[side] / (l.mobility[0] + l.mobility[1])) : 0.0;
  };
  crowd_.assign(motions_.size(), 0.0);
  for (const Link& l : links_)
    for (std::size_t side = 0; side < 2; ++side)
      if (l.body[side] != kNone) crowd_[static_cast<std::size_t>(l.body[side])] += part(l, side);
  for (Link& l : links_) {
    double row = 0.0;
    for (std::size_t side = 0; side < 2; ++side)
      if (l.body[side] != kNone) row += part(l, side) * crowd_[static_cast<std::size_t>(l.body[side])];
    if (!(row > 0.0)) {
      l.stiffness = 0.0;
      continue;
    }
    const double kappa = joints_[l.joint].stiffness_scale * (kStep / dt) * (kStep / dt) / row;
    l.stiffness = std::min(l.stiffness, kappa / (l.mobility[0] + l.mobility[1]));
  }
}

/// Damping proportional to the stiffness, c = 2 xi dt / theta k: the joint with the highest frequency has the
/// fraction xi of critical damping, others have less.
void Joints::push(Link& l, double dt) {
  Acting& joint = joints_[l.joint];
  Gap g = gap(l);
  const double damping = 2.0 * kDamping * joint.damping_scale * dt / kStep;
  Vec3 before;
  if (l.start.taken) {
    const Matrix3 turn = axes_of(l);
    g.opening -= turn * l.start.gap;
    before = turn * l.start.force;
  }
  l.load.force = l.stiffness * g.opening + before;
  Vec3 on_a = l.stiffness * (g.opening + damping * g.rate);
  if (l.start.taken) on_a += before;
  for (std::size_t side = 0; side < 2; ++side) {
    if (l.body[side] == kNone) continue;
    const Vec3 f = side == 0 ? on_a : -on_a;
    joint.force[side] += f;
    joint.moment[side] += cross(g.at - motions_[static_cast<std::size_t>(l.body[side])].centre, f);
  }
  const Vec3 first = place(motions_[static_cast<std::size_t>(joint.body[0])], joint.first_point);
  joint.state.force += on_a;
  joint.state.moment += cross(g.at - first, on_a);
}

/// With unit axes a of A and b of B the gap a . b opens at (w_A - w_B) . (a x b), so the resisting moment on
/// A is along a x b.
void Joints::turn(Link& l, double dt) {
  Acting& joint = joints_[l.joint];
  const BodyMotion &a = motion_of(motions_, l.body[0]), &b = motion_of(motions_, l.body[1]);
  const Vec3 axis_a = a.turn * l.arm[0], axis_b = b.turn * l.arm[1], n = cross(axis_a, axis_b);
  const double opening = dot(axis_a, axis_b) - l.cosine - l.start.opening, rate = dot(a.w - b.w, n);
  const double damping = 2.0 * kDamping * joint.damping_scale * dt / kStep;
  Vec3 on_a = (-l.stiffness * (opening + damping * rate)) * n;
  if (l.start.taken) on_a -= l.start.moment * n;
  l.load.moment = l.stiffness * opening + l.start.moment;
  joint.moment[0] += on_a;
  joint.moment[1] -= on_a;
  joint.state.moment += on_a;
}

void Joints::add_link_forces(RigidBodies& bodies, double dt) {
  if (links_.empty()) return;
  for (std::size_t b = 0; b < motions_.size(); ++b) motions_[b] = bodies.motion(static_cast<int>(b));
  const double longer = std::max(dt, last_dt_);
  last_dt_ = dt;
  measure_mobilities(bodies);
  choose_stiffnesses(longer);
  for (Acting& joint : joints_) {
    joint.force = joint.moment = {};
    joint.state.force = joint.state.moment = {};
  }
  for (Link& l : links_) l.kind == Kind::perpendicular ? turn(l, dt) : push(l, dt);
  for (const Acting& joint : joints_)
    for (std::size_t side = 0; side < 2; ++side)
      if (joint.body[side] != kNone) bodies.add_load(joint.body[side], joint.force[side], joint.moment[side]);
}

void Joints::count_link_work(const RigidBodies& bodies, double dt_v, bool first) {
  for (Acting& joint : joints_) {
    double before = 0.0, after = 0.0;
    for (std::size_t side = 0; side < 2; ++side) {
      if (joint.body[side] == kNone) continue;
      const Kick& kick = bodies.kick(joint.body[side]);
      before += dot(joint.force[side], kick.v_before) + dot(joint.moment[side], kick.w_before);
      after += dot(joint.force[side], kick.v_after) + dot(joint.moment[side], kick.w_after);
    }
    joint.work.begin_step(first);
    joint.work.add(dt_v * before, dt_v * after);
    joint.state.energy = joint.energy_before - joint.work.done().value();
  }
}

void Joints::begin_with(const JointLoads& loads, const RigidBodies& bodies) {
  if (links_.empty()) return;
  for (std::size_t b = 0; b < motions_.size(); ++b) motions_[b] = bodies.motion(static_cast<int>(b));
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    joints_[k].work = {};
    joints_[k].energy_before = joints_[k].state.energy = k < loads.energy.size() ? loads.energy[k] : 0.0;
  }
  const auto begin = [&](Link& l, const LinkLoad& load) {
    l.load = load;
    l.start = {};
    if (l.kind == Kind::perpendicular) {
      l.start = {.taken = true, .moment = l.load.moment, .opening = opening(l)};
    } else {
      const Matrix3 turn = axes_of(l);
      l.start = {.taken = true,
                 .force = transpose_times(turn, l.load.force),
                 .gap = transpose_times(turn, gap(l).opening)};
    }
  };
  for (std::size_t k = 0; k < loads.links.size(); ++k) begin(links_[k], loads.links[k]);
  std::size_t next = loads.links.size();
  for (std::size_t k = 0; k < loads.supports.size(); ++k)
    if (support_joint_[k] != kNone) {
      Link& l = links_[next++];
      begin(l, {l.held.part_of(loads.supports[k])});
    }
}

/// Links of supports are behind those of the model's joints.
JointLoads Joints::loads() const {
  JointLoads all;
  const std::size_t joints = model_->features.of<Joint>().size();
  for (const Link& l : links_)
    if (l.joint < joints) all.links.push_back(l.load);
  for (std::size_t k = 0; k < joints; ++k) all.energy.push_back(joints_[k].state.energy);
  return all;
}

double Joints::energy() const {
  double sum = 0.0;
  for (const Acting& joint : joints_) sum += joint.state.energy;
  return sum;
}

std::vector<Joints::State> Joints::states() const {
  std::vector<State> result;
  for (std::size_t k = 0; k < model_->features.of<Joint>().size(); ++k) result.push_back(joints_[k].state);
  return result;
}

std::vector<Vec3> Joints::support_forces() const {
  std::vector<Vec3> result;
  for (const int k : support_joint_)
    result.push_back(k == kNone ? Vec3{} : joints_[static_cast<std::size_t>(k)].state.force);
  return result;
}

/// Mobilities are measured anew, and are the same.
void Joints::archive(state::Archive& archive, const parallel::IndexMap&) {
  using state::Of, state::Rows;
  static_assert(field_count<Link>() == 11 && field_count<Acting>() == 9, "is the new member carried on?");
  const auto here = archive.module("joints");
  const auto links = state::numbered(links_.size()), joints = state::numbered(joints_.size());
  archive.global("last step", last_dt_);
  archive.member("stiffness", Rows::equal(Of::entity, links), std::span(links_), &Link::stiffness);
  archive.member("work", Rows::equal(Of::entity, joints), std::span(joints_), &Acting::work);
  if (!model_->control.has_phases()) return;
  archive.member("start", Rows::equal(Of::entity, links), std::span(links_), &Link::start);
  archive.member("energy before", Rows::equal(Of::entity, joints), std::span(joints_),
                 &Acting::energy_before);
}

std::unique_ptr<modules::Module> Joints::start(const modules::Start& start) {
  if (start.model.features.of<Joint>().empty() && start.model.supports.empty()) return nullptr;
  return std::make_unique<Joints>(start.model, start.bodies);
}

}  // namespace crumple::constraints
