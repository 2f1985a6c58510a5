// *CONSTRAINED_JOINT_...: what the deck says of joints between rigid bodies.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "model/fields.hpp"
#include "model/never.hpp"

namespace crumple::constraints {

/// The type of a joint, by its free relative motions (*CONSTRAINED_JOINT_...). Those from `screw` on relate
/// velocities: of screws, gears, pulleys, racks, or prescribed by motors.
enum class JointType : std::int8_t {
  spherical,
  revolute,
  cylindrical,
  translational,
  universal,
  planar,
  locking,
  screw,
  gears,
  pulley,
  rack_and_pinion,
  rotational_motor,
  translational_motor
};

inline bool relates_velocities(JointType type) { return type >= JointType::screw; }

/// Forces and moments at which a joint fails, along axes that do not turn; 0: not by this component.
struct JointStrength {
  std::array<double, 3> force{}, moment{};
  bool apart = false;  ///< COUPL > 0: forces and moments fail by themselves
  std::array<Vec3, 3> axes{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
};

/// *CONSTRAINED_JOINT_...: a penalty between points of two rigid bodies.
struct Joint {
  GlobalId id = 0;  ///< of _ID, else its number in deck order
  std::string title;
  JointType type{};
  std::array<LocalId, 2> bodies{model::kNone, model::kNone};  ///< A and B
  std::array<Vec3, 6> points{};         ///< N1 to N6 at t = 0; odd ones on A, even ones on B
  double stiffness_scale = 1;           ///< RPS
  double damping_scale = 1;             ///< DAMP, 0: none
  LocalId results_body = model::kNone;  ///< RAID: results are in its axes; kNone: global axes
  double failure_time = model::kNever;  ///< TFAIL
  double ratio = 0;                     ///< PARM: R2 / R1 of gears and pulleys, else a length
  double radius = 0;                    ///< R1 of gears and pulleys
  LocalId curve = model::kNone;         ///< LCID of motors
  int motion = 0;                       ///< TYPE of motors: 0 velocity, 1 acceleration, 2 displacement
  JointStrength strength;

  bool fails_by_force() const {
    const auto some = [](double limit) { return limit > 0.0; };
    return std::ranges::any_of(strength.force, some) || std::ranges::any_of(strength.moment, some);
  }
};

/// Whether a joint fails by the force and the moment on body A, both along global axes. The criterion is that
/// of spot welds: the sum of squares of the components over their limits exceeds 1; along the first axis only
/// a force in the axis' direction counts, which is tension where B is on this side (LS-DYNA keyword manual,
/// vol. I, *CONSTRAINED_JOINT, FAILURE).
bool fails(const JointStrength& strength, const Vec3& force, const Vec3& moment);

template <class V>
void fields(V& v, Joint& s) {
  model::members(v, s, s.id, s.title, s.type, s.bodies, s.points, s.stiffness_scale, s.damping_scale,
                 s.results_body, s.failure_time, s.ratio, s.radius, model::curves_of(s.curve), s.motion,
                 s.strength);
}

/// Adds the deck's joints to the model.
void read_joints(model::Builder& build);

const model::Feature& joint_feature();

}  // namespace crumple::constraints
