// Gaps of joints, their stiffness, forces and work.
#include "constraints/joints/joints.hpp"

#include <algorithm>
#include <cmath>

#include "loads/load_curve.hpp"
#include "modules/modules.hpp"
#include "sensors/sensors.hpp"
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

/// The sum of squares of components over their limits.
double share_of_limits(const std::array<double, 3>& limits, const std::array<Vec3, 3>& axes, const Vec3& load,
                       bool only_tension) {
  double sum = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(limits[i] > 0.0)) continue;
    double part = dot(load, axes[i]);
    if (i == 0 && only_tension) part = std::max(part, 0.0);
    sum += (part / limits[i]) * (part / limits[i]);
  }
  return sum;
}

}  // namespace

bool fails(const JointStrength& strength, const Vec3& force, const Vec3& moment) {
  const double forces = share_of_limits(strength.force, strength.axes, force, true);
  const double moments = share_of_limits(strength.moment, strength.axes, moment, false);
  return strength.apart ? forces > 1.0 || moments > 1.0 : forces + moments > 1.0;
}

Joints::Joints(const model::Model& model, const RigidBodies& bodies) : model_(&model) {
  for (const Joint& input : model.features.of<Joint>()) add_links(input, bodies);
  for (const model::Support& input : model.supports) add_support(input, bodies);
  if (!links_.empty()) motions_.resize(static_cast<std::size_t>(bodies.size()));
}

/// A link between two axes at t = 0.
void Joints::perpendicular(const Joint& input, const Vec3& of_a, const Vec3& of_b) {
  Link l;
  l.kind = Kind::perpendicular;
  l.joint = joints_.size() - 1;
  l.body = {input.bodies[0], input.bodies[1]};
  l.arm = {of_a, of_b};
  l.cosine = dot(of_a, of_b);
  links_.push_back(l);
}

/// The linear form of a joint that relates velocities, by axes at t = 0.
void Joints::add_form(const Joint& input, const RigidBodies& bodies) {
  const auto& p = input.points;
  const Vec3 of_a = unit(p[2] - p[0]), of_b = unit(p[3] - p[1]);
  const double r1 = input.radius > 0.0 ? input.radius : norm(p[4] - p[0]), r2 = input.ratio * r1;
  Form f;
  f.curve = input.curve;
  f.motion = input.motion;
  switch (input.type) {
    case JointType::gears:
      f.spin = {r1 * of_a, r2 * of_b};
      break;
    case JointType::pulley:
      f.spin = {r1 * of_a, -r2 * of_b};
      break;
    case JointType::rack_and_pinion:
      f.spin[0] = -input.ratio * of_a;
      f.slide[1] = of_b;
      break;
    case JointType::screw:
      f.slide = {-of_a, of_a};
      f.spin = {input.ratio * of_a, -input.ratio * of_a};
      break;
    case JointType::rotational_motor:
      f.spin = {-of_a, of_a};
      break;
    default:
      f.slide = {-of_a, of_a};
  }
  if (input.type != JointType::gears && input.type != JointType::pulley &&
      input.type != JointType::rack_and_pinion)
    f.axes = {0, 0};
  Link l;
  l.kind = Kind::velocity;
  l.joint = joints_.size() - 1;
  l.body = {input.bodies[0], input.bodies[1]};
  l.arm = {bodies.arm(input.bodies[0], p[0]), bodies.arm(input.bodies[1], p[1])};
  l.form = static_cast<int>(forms_.size());
  links_.push_back(l);
  forms_.push_back(f);
  travels_.emplace_back();
}

/// Links from the n-th pair of nodes, counted from 0, or from axes from the first pair to the second.
void Joints::add_link(Kind kind, const Joint& input, const RigidBodies& bodies, int a, int b) {
  const auto& p = input.points;
  if (kind == Kind::perpendicular) return perpendicular(input, unit(p[2] - p[0]), unit(p[3] - p[1]));
  Link l;
  l.kind = kind;
  l.joint = joints_.size() - 1;
  l.body = {input.bodies[0], input.bodies[1]};
  // If the nodes of a pair do not coincide exactly, their middle is used.
  const Vec3 middle = 0.5 * (p[static_cast<std::size_t>(a)] + p[static_cast<std::size_t>(b)]);
  l.arm = {bodies.arm(input.bodies[0], middle), bodies.arm(input.bodies[1], middle)};
  if (kind == Kind::line || kind == Kind::plane) l.axis = unit(p[2] + p[3] - p[0] - p[1]);
  links_.push_back(l);
}

void Joints::add_links(const Joint& input, const RigidBodies& bodies) {
  Acting joint;
  joint.body = {input.bodies[0], input.bodies[1]};
  joint.first_point = bodies.arm(input.bodies[0], input.points[0]);
  joint.stiffness_scale = std::min(input.stiffness_scale, kMostStiffness);
  joint.damping_scale = input.damping_scale;
  joint.failure_time = input.failure_time;
  joints_.push_back(joint);
  using enum JointType;
  switch (input.type) {
    case spherical:
      return add_link(Kind::point, input, bodies, 0, 1);
    case universal:
      add_link(Kind::point, input, bodies, 0, 1);
      return add_link(Kind::perpendicular, input, bodies, 2, 3);
    case planar: {
      add_link(Kind::plane, input, bodies, 0, 1);
      Directions normal;
      normal.add(input.points[2] - input.points[0]);
      const Directions across = normal.complement();
      const Vec3 of_b = unit(input.points[3] - input.points[1]);
      for (int k = 0; k < 2; ++k) perpendicular(input, across.axis[k], of_b);
      return;
    }
    case revolute:
    case locking:
      for (int n = 0; n < (input.type == locking ? 6 : 4); n += 2)
        add_link(Kind::point, input, bodies, n, n + 1);
      return;
    case cylindrical:
    case translational:
    case screw:
      for (int n = 0; n < (input.type == translational ? 6 : 4); n += 2)
        add_link(Kind::line, input, bodies, n, n + 1);
      if (input.type != screw) return;
      break;
    default:
      break;
  }
  add_form(input, bodies);
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
    if (link.kind == Kind::plane) return dot(v, axis) * axis;
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
    if (l.kind == Kind::velocity) {
      l.mobility = mobility_of_form(l, bodies);
      continue;
    }
    const bool slides = l.kind == Kind::line || l.kind == Kind::plane;
    if (measured_ && !slides) continue;
    std::array<Vec3, 2> arm = l.arm;
    if (slides) {
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

std::array<double, 2> Joints::mobility_of_form(const Link& l, const RigidBodies& bodies) const {
  const Form& f = forms_[static_cast<std::size_t>(l.form)];
  const Vec3 at = place(motion_of(motions_, l.body[1]), l.arm[1]);
  std::array<double, 2> all{};
  for (std::size_t side = 0; side < 2; ++side) {
    const BodyMotion& m = motion_of(motions_, l.body[side]);
    const double slide = dot(f.slide[side], f.slide[side]), spin = dot(f.spin[side], f.spin[side]);
    if (slide > 0.0)
      all[side] = slide * bodies.mobility(l.body[side], transpose_times(m.turn, at - m.centre));
    if (spin > 0.0) all[side] += spin * bodies.angular_mobility(l.body[side]);
    if (slide > 0.0 && spin > 0.0) all[side] *= 2.0;
  }
  return all;
}

double Joints::form_rate(const Link& l) const {
  const Form& f = forms_[static_cast<std::size_t>(l.form)];
  const Vec3 at = place(motion_of(motions_, l.body[1]), l.arm[1]);
  double rate = 0.0;
  for (std::size_t side = 0; side < 2; ++side) {
    const BodyMotion& m = motion_of(motions_, l.body[side]);
    const Matrix3& axes = motion_of(motions_, l.body[f.axes[side]]).turn;
    rate += dot(axes * f.slide[side], velocity(m, at)) + dot(axes * f.spin[side], m.w);
  }
  return rate;
}

/// Prescribed by a curve of displacements since t = 0; beyond the curve's ends it is constant.
double Joints::displacement(const Form& f, double time, model::Stage stage) const {
  if (f.curve == kNone || f.motion != 2) return 0.0;
  const model::Curve& c = model_->curves[static_cast<std::size_t>(f.curve)];
  return c.acts(stage) ? c(std::max(time, 0.0)) - c(0.0) : 0.0;
}

/// Integrates a form over the step that has ended at t_n; a motor's from its start.
void Joints::travel(const Link& l, double elapsed, double time, model::Stage stage) {
  const Form& f = forms_[static_cast<std::size_t>(l.form)];
  Travel& t = travels_[static_cast<std::size_t>(l.form)];
  const double rate = form_rate(l);
  if (!t.moves) t = {.gap = t.gap, .speed = rate, .moves = true}, elapsed = f.curve == kNone ? elapsed : 0.0;
  const double value = f.motion == 2 ? 0.0 : loads::load_value(*model_, f.curve, time - 0.5 * elapsed, stage);
  const double wanted = f.motion == 1 && f.curve != kNone ? t.speed + 0.5 * elapsed * value : value;
  if (f.motion == 1) t.speed += elapsed * value;
  t.gap += elapsed * (rate - wanted);
}

/// The multiplier of a link between velocities, and its part of the bodies' loads.
void Joints::relate(Link& l, double dt, double elapsed, double time, model::Stage stage) {
  Acting& joint = joints_[l.joint];
  const Form& f = forms_[static_cast<std::size_t>(l.form)];
  const Travel& t = travels_[static_cast<std::size_t>(l.form)];
  const double now = displacement(f, time, stage);
  double wanted = 0.0;
  if (f.curve != kNone)
    wanted = f.motion == 1   ? t.speed
             : f.motion == 0 ? loads::load_value(*model_, f.curve, time, stage)
             : elapsed > 0.0 ? (now - displacement(f, time - elapsed, stage)) / elapsed
                             : form_rate(l);
  const double damping = 2.0 * kDamping * joint.damping_scale * dt / kStep;
  const double multiplier = l.stiffness * (t.gap - now + damping * (form_rate(l) - wanted));
  const Vec3 at = place(motion_of(motions_, l.body[1]), l.arm[1]);
  const Vec3 first = place(motion_of(motions_, joint.body[0]), joint.first_point);
  for (std::size_t side = 0; side < 2; ++side) {
    const Matrix3& axes = motion_of(motions_, l.body[f.axes[side]]).turn;
    const Vec3 force = -multiplier * (axes * f.slide[side]), moment = -multiplier * (axes * f.spin[side]);
    joint.force[side] += force;
    joint.moment[side] += moment + cross(at - motion_of(motions_, l.body[side]).centre, force);
    if (side == 1) continue;
    joint.state.force += force;
    joint.state.moment += moment + cross(at - first, force);
  }
}

/// The time of motors starts again.
void Joints::begin_stage() {
  for (std::size_t k = 0; k < forms_.size(); ++k)
    if (forms_[k].curve != kNone) travels_[k] = {};
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

void Joints::add_link_forces(RigidBodies& bodies, double dt, double time, model::Stage stage) {
  if (links_.empty()) return;
  const double elapsed = last_dt_;
  for (std::size_t b = 0; b < motions_.size(); ++b) motions_[b] = bodies.motion(static_cast<int>(b));
  const double longer = std::max(dt, last_dt_);
  last_dt_ = dt;
  measure_mobilities(bodies);
  choose_stiffnesses(longer);
  for (Acting& joint : joints_) {
    joint.force = joint.moment = {};
    joint.state.force = joint.state.moment = {};
  }
  for (const Link& l : links_)
    if (l.form >= 0) travel(l, elapsed, time, stage);
  for (Link& l : links_) {
    const Acting& joint = joints_[l.joint];
    // Failure times are those of the transient run.
    if (joint.failed || (stage == model::Stage::transient && time > joint.failure_time)) continue;
    if (l.form >= 0)
      relate(l, dt, elapsed, time, stage);
    else
      l.kind == Kind::perpendicular ? turn(l, dt) : push(l, dt);
  }
  for (const Acting& joint : joints_)
    for (std::size_t side = 0; side < 2; ++side)
      if (joint.body[side] != kNone) bodies.add_load(joint.body[side], joint.force[side], joint.moment[side]);
  if (stage == model::Stage::transient) look_for_failures();
}

/// The load that breaks a joint still acts in this step.
void Joints::look_for_failures() {
  const auto& inputs = model_->features.of<Joint>();
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (inputs[k].fails_by_force() &&
        fails(inputs[k].strength, joints_[k].state.force, joints_[k].state.moment))
      joints_[k].failed = true;
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
  static_assert(field_count<Link>() == 12 && field_count<Acting>() == 11, "is the new member carried on?");
  const auto here = archive.module("joints");
  const auto links = state::numbered(links_.size()), joints = state::numbered(joints_.size());
  archive.global("last step", last_dt_);
  archive.member("stiffness", Rows::equal(Of::entity, links), std::span(links_), &Link::stiffness);
  archive.member("work", Rows::equal(Of::entity, joints), std::span(joints_), &Acting::work);
  archive.member("failed", Rows::equal(Of::entity, joints), std::span(joints_), &Acting::failed);
  if (!travels_.empty())
    archive.structs("travel", Rows::equal(Of::entity, state::numbered(travels_.size())), std::span(travels_));
  if (!model_->control.has_phases()) return;
  archive.member("start", Rows::equal(Of::entity, links), std::span(links_), &Link::start);
  archive.member("energy before", Rows::equal(Of::entity, joints), std::span(joints_),
                 &Acting::energy_before);
}

std::unique_ptr<modules::Module> Joints::start(const modules::Start& start) {
  if (start.model.features.of<Joint>().empty() && start.model.supports.empty()) return nullptr;
  auto joints = std::make_unique<Joints>(start.model, start.bodies);
  joints->sensors_ = start.started.find<sensors::Sensors>();
  return joints;
}

void Joints::add_body_forces(modules::Cycle& c) {
  if (sensors_ != nullptr)
    sensors_->each(sensors::Controlled::joint, [&](std::int32_t joint, bool on) {
      if (!on) joints_[static_cast<std::size_t>(joint)].failed = true;
    });
  add_link_forces(c.bodies, c.dt_x, c.time, c.stage);
}

}  // namespace crumple::constraints
