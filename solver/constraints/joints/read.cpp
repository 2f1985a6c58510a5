// *CONSTRAINED_JOINT_...
#include <algorithm>
#include <cmath>

#include "constraints/joints/joint.hpp"
#include "model/builder.hpp"

namespace crumple::constraints {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::or_default;
using model::Record;

namespace {

struct JointName {
  const char* keyword;
  JointType type;
  int nodes;
};
constexpr std::array<JointName, 13> kJoints{
    {{"CONSTRAINED_JOINT_SPHERICAL", JointType::spherical, 2},
     {"CONSTRAINED_JOINT_REVOLUTE", JointType::revolute, 4},
     {"CONSTRAINED_JOINT_CYLINDRICAL", JointType::cylindrical, 4},
     {"CONSTRAINED_JOINT_TRANSLATIONAL", JointType::translational, 6},
     {"CONSTRAINED_JOINT_UNIVERSAL", JointType::universal, 4},
     {"CONSTRAINED_JOINT_PLANAR", JointType::planar, 4},
     {"CONSTRAINED_JOINT_LOCKING", JointType::locking, 6},
     {"CONSTRAINED_JOINT_SCREW", JointType::screw, 4},
     {"CONSTRAINED_JOINT_GEARS", JointType::gears, 4},
     {"CONSTRAINED_JOINT_PULLEY", JointType::pulley, 4},
     {"CONSTRAINED_JOINT_RACK_AND_PINION", JointType::rack_and_pinion, 4},
     {"CONSTRAINED_JOINT_ROTATIONAL_MOTOR", JointType::rotational_motor, 4},
     {"CONSTRAINED_JOINT_TRANSLATIONAL_MOTOR", JointType::translational_motor, 4}}};

/// Distance of the nodes of a pair, over the size of the joint, up to which nothing is reported.
constexpr double kSamePlace = 1e-4;
/// Cosine between the axes of a universal joint, which should be 0.
constexpr double kPerpendicular = 0.02;

/// One less the cosine between two axes that should be one.
constexpr double kSameAxis = 1e-4;

bool needs_one_axis(JointType type) { return type == JointType::planar || type == JointType::screw; }

class JointReader {
 public:
  explicit JointReader(Builder& build)
      : build_(build), model_(build.model), joints_(build.model.features.of<Joint>()) {}

  void joint(const JointName& name, const Keyword& k, const Record& r) {
    Joint joint;
    joint.type = name.type;
    joint.id = r.id().value_or(static_cast<GlobalId>(joints_.size()) + 1);
    joint.title = r.title();
    joint.stiffness_scale = or_default(r.real("RPS"), 1.0);
    joint.damping_scale = damping_scale(r.real("DAMP"));
    label_ = Builder::star(k);
    if (const auto id = r.id()) label_ += fmt::format(" {}", *id);
    if (k.suffix("LOCAL") && r.integer("RAID") != 0)
      joint.results_body = build_.find_rigid_body(r.integer("RAID"), label_, r.place("RAID"));
    if (joint.stiffness_scale < 0.0) {
      build_.error("CR-D310", fmt::format("{}: RPS = {} is negative", label_, joint.stiffness_scale),
                   r.place("RPS"));
      return;
    }
    if (joint.stiffness_scale > 3.0)
      build_.warn("CR-D330",
                  fmt::format("{}: RPS = {} would be unstable: 3 is taken", label_, joint.stiffness_scale),
                  r.place("RPS"));
    if (k.suffix("FAILURE") && !read_failure(r, joint)) return;
    int nodes = name.nodes;
    if (relates_velocities(name.type)) {
      if (!read_form(r, joint)) return;
      // N5 gives the radius of a gear or pulley.
      if ((name.type == JointType::gears || name.type == JointType::pulley) && !(joint.radius > 0.0))
        nodes = 5;
    }
    if (read_nodes(nodes, r, joint) && check_shape(r, joint)) joints_.push_back(joint);
  }

 private:
  /// TFAIL, and limits of forces and moments along the axes FCID.
  bool read_failure(const Record& r, Joint& joint) {
    joint.failure_time = or_default(r.real("TFAIL"), model::kNever);
    constexpr std::array<const char*, 3> forces{"NXX", "NYY", "NZZ"}, moments{"MXX", "MYY", "MZZ"};
    for (std::size_t i = 0; i < 3; ++i)
      for (const char* const field : {forces[i], moments[i]}) {
        const double limit = r.real(field);
        (field == forces[i] ? joint.strength.force : joint.strength.moment)[i] = limit;
        if (limit >= 0.0) continue;
        build_.error("CR-D310", fmt::format("{}: {} = {} is negative", label_, field, limit), r.place(field));
        return false;
      }
    joint.strength.apart = r.real("COUPL") > 0.0;
    if (const GlobalId id = r.integer("FCID"); id != 0) {
      const LocalId system = build_.find_system(id, label_, r.place("FCID"));
      if (system == kNone) return false;
      joint.strength.axes = model_.systems[static_cast<std::size_t>(system)].axis;
    }
    return true;
  }

  /// PARM, R1, LCID and TYPE.
  bool read_form(const Record& r, Joint& joint) {
    const bool motor =
        joint.type == JointType::rotational_motor || joint.type == JointType::translational_motor;
    const auto wrong = [&](const char* field, const std::string& what) {
      build_.error("CR-D310", fmt::format("{}: {}", label_, what), r.place(field));
      return false;
    };
    if (!motor) {
      joint.ratio = r.real("PARM");
      if (joint.ratio == 0.0) return wrong("PARM", "PARM is 0, so nothing would be related");
      if (joint.type == JointType::gears || joint.type == JointType::pulley) {
        joint.radius = r.real("R1");
        r.integer("N5");  // without effect where there is R1
      }
      return joint.radius >= 0.0 || wrong("R1", fmt::format("R1 = {} is negative", joint.radius));
    }
    joint.curve = build_.find_curve(r.integer("LCID"), label_, r.place("LCID"));
    joint.motion = static_cast<int>(r.integer("TYPE"));
    if (joint.motion < 0 || joint.motion > 2)
      return wrong("TYPE", fmt::format("TYPE = {} is none of 0 velocity, 1 acceleration and 2 displacement",
                                       joint.motion));
    return joint.curve != kNone;
  }

  /// The manual: 0 is the default of 1; up to 0.01 there is no damping.
  static double damping_scale(double damp) { return damp == 0.0 ? 1.0 : damp <= 0.01 ? 0.0 : damp; }

  bool read_nodes(int count, const Record& r, Joint& joint) {
    for (int n = 0; n < count; ++n) {
      const std::string field = fmt::format("N{}", n + 1);
      const LocalId node = build_.find_node(r.integer(field), label_, r.place(field));
      if (node == kNone) return false;
      const LocalId body = build_.body_of_node[static_cast<std::size_t>(node)];
      const auto wrong = [&](const std::string& what) {
        build_.error("CR-D310", fmt::format("{}: node {} {}", label_, r.integer(field), what),
                     r.place(field));
        return false;
      };
      if (body == kNone) return wrong("is on no rigid body: add it to one by *CONSTRAINED_EXTRA_NODES");
      LocalId& of_joint = joint.bodies[static_cast<std::size_t>(n % 2)];
      if (of_joint == kNone) of_joint = body;
      if (of_joint != body)
        return wrong(n % 2 == 0 ? "is not on the rigid body of N1" : "is not on the rigid body of N2");
      if (model_.rigid_bodies[static_cast<std::size_t>(body)].centre_node == node)
        return wrong("is the PNODE of its rigid body, which is moved to the centre of mass");
      joint.points[static_cast<std::size_t>(n)] = model_.nodes.x[static_cast<std::size_t>(node)];
    }
    if (joint.bodies[0] != joint.bodies[1]) return true;
    build_.warn(
        "CR-D330",
        fmt::format(
            "{}: all its nodes are on the rigid body of {} {}: it has no effect", label_,
            model_.rigid_bodies[static_cast<std::size_t>(joint.bodies[0])].nodal ? "nodal body" : "part",
            model_.rigid_bodies[static_cast<std::size_t>(joint.bodies[0])].part_id),
        r.place());
    return false;
  }

  bool check_shape(const Record& r, const Joint& joint) {
    const auto& p = joint.points;
    const bool universal = joint.type == JointType::universal;
    double size = 0.0;
    if (joint.type != JointType::spherical) {
      size = std::min(norm(p[2] - p[0]), norm(p[3] - p[1]));
      if (!(size > 0.0)) return wrong_shape(r, "N3", "N1 and N3, or N2 and N4, are at one place");
      if (needs_one_axis(joint.type) &&
          dot(p[2] - p[0], p[3] - p[1]) < (1 - kSameAxis) * norm(p[2] - p[0]) * norm(p[3] - p[1]))
        return wrong_shape(r, "N4", "the lines from N1 to N3 and from N2 to N4 have different directions");
    }
    if (universal) {
      const double cosine = dot(p[2] - p[0], p[3] - p[1]) / (norm(p[2] - p[0]) * norm(p[3] - p[1]));
      if (std::abs(cosine) > kPerpendicular)
        return wrong_shape(r, "N4", "the lines from N1 to N3 and from N2 to N4 are not perpendicular");
    }
    if (joint.type == JointType::translational || joint.type == JointType::locking) {
      const Vec3 axis = p[2] - p[0];
      if (norm(cross(axis, p[4] - p[0])) <= 1e-6 * norm(axis) * norm(p[4] - p[0]))
        return wrong_shape(r, "N5", "N5 is on the line from N1 to N3, so it cannot hold the rotation");
    }
    if (joint.radius == 0.0 && (joint.type == JointType::gears || joint.type == JointType::pulley) &&
        norm(p[4] - p[0]) == 0.0)
      return wrong_shape(r, "N5", "N1 and N5 are at one place, so they give no radius");
    // The other joints do not hold the points of a pair together.
    if (relates_velocities(joint.type) || joint.type == JointType::planar) return true;
    for (std::size_t n = 0; n < (universal ? 2u : 6u); n += 2) {
      const double gap = norm(p[n + 1] - p[n]);
      if (size > 0.0 ? gap > kSamePlace * size : gap > 0.0 && joint.type == JointType::spherical)
        build_.warn("CR-D330",
                    fmt::format("{}: N{} and N{} are {:.4g} apart; they meet in the middle", label_, n + 1,
                                n + 2, gap),
                    r.place());
    }
    return true;
  }

  bool wrong_shape(const Record& r, const char* field, const char* what) {
    build_.error("CR-D310", fmt::format("{}: {}", label_, what), r.place(field));
    return false;
  }

  Builder& build_;
  model::Model& model_;
  std::vector<Joint>& joints_;
  std::string label_;
};

}  // namespace

void read_joints(Builder& build) {
  JointReader reader(build);
  for (const JointName& name : kJoints)
    for (const Keyword& k : build.deck.all(name.keyword))
      for (const Record& r : k.records()) reader.joint(name, k, r);
}

}  // namespace crumple::constraints
