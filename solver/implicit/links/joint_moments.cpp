// Cardan angles of a trial, and the moments that follow.
#include "implicit/links/joint_moments.hpp"

#include <cmath>
#include <numbers>

namespace crumple::implicit {

using constraints::JointMoment;
using constraints::JointStiffness;

namespace {

/// The three angles from axes a to axes b, and the directions of moments dual to their rates.
template <class T>
struct CardanAngles {
  std::array<T, 3> angle;
  std::array<Vector<T>, 3> dual;

  CardanAngles(const std::array<Vector<T>, 3>& a, const std::array<Vector<T>, 3>& b) {
    using std::asin, std::atan2, std::sqrt;
    const T sine = dot(a[0], b[2]), square = T(1.0) - sine * sine;
    angle = {atan2(-dot(a[1], b[2]), dot(a[2], b[2])), asin(sine), atan2(-dot(a[0], b[1]), dot(a[0], b[0]))};
    const T inverse = T(1.0) / square;
    dual = {inverse * (a[0] - sine * b[2]), (T(1.0) / sqrt(square)) * cross(b[2], a[0]),
            inverse * (b[2] - sine * a[0])};
  }
};

}  // namespace

JointMoments::JointMoments(const LinkInput& input)
    : model_(&input.model),
      inputs_(&input.model.features.of<JointStiffness>()),
      orientation_(input.bodies.size()),
      states_(inputs_->size()),
      friction_(inputs_->size()) {
  for (std::size_t b = 0; b < input.bodies.size(); ++b) body_point_.push_back(input.dependents.body_point(b));
  for (std::size_t k = 0; k < states_.size(); ++k) {
    std::array<Vector<double>, 3> a, b;
    for (std::size_t i = 0; i < 3; ++i) a[i] = (*inputs_)[k].axes[0][i], b[i] = (*inputs_)[k].axes[1][i];
    states_[k].angle = CardanAngles<double>(a, b).angle;
  }
}

void JointMoments::append_points(std::vector<std::vector<LocalId>>& all) const {
  for (const JointStiffness& input : *inputs_)
    all.push_back({body_point_[at(input.bodies[0])], body_point_[at(input.bodies[1])]});
}

/// Curve, friction and stops, as the manual describes them, for one angle. @param turned in the step
template <class T>
T JointMoments::elastic(const JointMoment& input, const T& angle, const T& turned, T& friction) const {
  T moment = input.curve == model::kNone ? T(0.0) : along(model_->curves[at(input.curve)], angle);
  const T limit = input.friction_curve == model::kNone
                      ? T(input.friction)
                      : along(model_->curves[at(input.friction_curve)], angle);
  if (value_of(limit) > 0.0) {
    friction += T(input.stiffness) * turned;
    if (value_of(friction) > value_of(limit)) friction = limit;
    if (value_of(friction) < -value_of(limit)) friction = -limit;
    moment += friction;
  }
  if (input.upper_stop != 0.0 && value_of(angle) > input.upper_stop)
    moment += T(input.stiffness) * (angle - T(input.upper_stop));
  if (input.lower_stop != 0.0 && value_of(angle) < input.lower_stop)
    moment += T(input.stiffness) * (angle - T(input.lower_stop));
  return moment;
}

template <class T>
JointMoments::Action<T> JointMoments::act(std::size_t k, const Trial& trial) const {
  const JointStiffness& input = (*inputs_)[k];
  std::array<std::array<Vector<T>, 3>, 2> axes;
  for (std::size_t s = 0; s < 2; ++s) {
    const std::size_t body = at(input.bodies[s]);
    const Vector<T> turn =
        variables<T>(trial.increment.turn[at(body_point_[body])], 6 * static_cast<int>(s) + 3);
    const constraints::Matrix3 start = constraints::matrix(orientation_[body]);
    for (std::size_t i = 0; i < 3; ++i)
      axes[s][i] = turned(Vector<T>(constraints::operator*(start, input.axes[s][i])), turn);
  }
  const CardanAngles<T> cardan(axes[0], axes[1]);
  Action<T> result;
  for (std::size_t i = 0; i < 3; ++i) {
    // Angles are continuous beyond half a turn.
    constexpr double whole = 2 * std::numbers::pi;
    const double turns = std::round((states_[k].angle[i] - value_of(cardan.angle[i])) / whole);
    result.angle[i] = cardan.angle[i] + T(whole * turns);
    const T turned = result.angle[i] - T(states_[k].angle[i]);
    result.rate[i] = T(1.0 / trial.dt) * turned;
    result.friction[i] = T(friction_[k][i]);
    result.elastic[i] = elastic(input.moments[i], result.angle[i], turned, result.friction[i]);
    const LocalId curve = input.moments[i].damping_curve;
    result.damping[i] = curve == model::kNone ? T(0.0) : along(model_->curves[at(curve)], result.rate[i]);
    result.moment -= (result.elastic[i] + result.damping[i]) * cardan.dual[i];
  }
  return result;
}

void JointMoments::evaluate(const Trial& trial, bool stiffness, const Elements::Visit& visit) const {
  for (std::size_t k = 0; k < states_.size(); ++k) {
    LinkTangent<6, 2> tangent;
    for (std::size_t s = 0; s < 2; ++s) tangent.points[s] = body_point_[at((*inputs_)[k].bodies[s])];
    const auto put = [&](const auto& action) {
      for (int i = 0; i < 3; ++i) {
        tangent.put(3 + i, action.moment[i]);
        tangent.put(9 + i, -action.moment[i]);
      }
    };
    if (stiffness)
      put(act<Number<12>>(k, trial));
    else
      put(act<double>(k, trial));
    visit(tangent.view(stiffness));
  }
}

void JointMoments::accept(const Trial& trial) {
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const Action<double> now = act<double>(k, trial);
    State& s = states_[k];
    for (std::size_t i = 0; i < 3; ++i)
      s.energy += (now.angle[i] - s.angle[i]) * (0.5 * (s.elastic[i] + now.elastic[i]) + now.damping[i]);
    s.angle = now.angle;
    s.rate = now.rate;
    s.elastic = now.elastic;
    s.damping = now.damping;
    friction_[k] = now.friction;
  }
  for (std::size_t b = 0; b < orientation_.size(); ++b)
    orientation_[b] =
        constraints::unit(constraints::cayley(trial.increment.turn[at(body_point_[b])]) * orientation_[b]);
}

void JointMoments::begin_at(const LinkBegin& begin) {
  orientation_.assign(begin.orientation.begin(), begin.orientation.end());
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const constraints::JointAngles& from = begin.loads.angles[k];
    friction_[k] = from.friction;
    states_[k].angle = from.angle;
    states_[k].energy = from.energy;
  }
  const Increment none(begin.points.size());
  const Trial now{begin.points, none, 1.0, begin.time};
  for (std::size_t k = 0; k < states_.size(); ++k) states_[k].elastic = act<double>(k, now).elastic;
}

void JointMoments::leave(const Trial&, phases::CarriedLinks& to) const {
  for (std::size_t k = 0; k < states_.size(); ++k)
    to.angles.push_back({states_[k].angle, friction_[k], states_[k].energy});
}

}  // namespace crumple::implicit
