// Joints between rigid bodies, and constraints on nodes of rigid bodies, as penalties between points of
// bodies.
//
// A joint is made of links. A link keeps a gap g between two bodies at zero by the force -k g - c dg/dt. It
// is equal and opposite on both bodies and acts at one point, so momentum and angular momentum are conserved.
// Gaps are computed from points and axes that move with the bodies, so rigid motion of both does not change
// them.
//
// The stiffness is chosen so that it is stable with the bodies' inertia. With the masses M of the bodies and
// the rows G of all gaps, the frequencies of the joints are the eigenvalues w^2 of K G M^-1 G^T. Scaled by
// the links' own mobilities, s_i = sum over both bodies of the largest eigenvalue of a link's block, and with
// k_i = kappa_i / s_i, a block row sum bounds them (Gershgorin; Golub and Van Loan 2013, theorem 7.2.1):
//     w^2 <= max_i kappa_i sum_j S_ij,  S_ij = sum over common bodies of sqrt(s_ib s_jb / (s_i s_j)),
// by Cauchy's inequality in the metric of M^-1. kappa_i = RPS (theta / dt)^2 / sum_j S_ij keeps w dt <= theta
// sqrt(RPS). LS-DYNA chooses its stiffness from the largest frequency in the same way (Hallquist 2006,
// LS-DYNA Theory Manual, section on joints). theta = 1/2: central differences allow (w dt)^2 = 4. With the
// usual TSSFAC of 0.9 elements use (2 TSSFAC)^2 = 3.24 of this, and with joints of RPS up to 3 it stays
// stable.
//
// Gears, pulleys, racks, screws and motors relate velocities: J . (velocities of both bodies) = c(t). The gap
// of such a link is the integral of the difference since the start; its force is -k g - c dg/dt times J, so
// both bodies share one multiplier. Gears, pulleys and racks refer to velocities in space, which bearings of
// their own hold (LS-DYNA keyword manual, vol. I, *CONSTRAINED_JOINT, remarks). A link's mobility is bounded
// by that of J's force and that of its moment, twice their sum where it has both.
//
// A stiffness never increases. It decreases when the step grows, or when a slider has moved to a point with
// less inertia; the energy that a link loses by this counts as dissipated. All ranks have all bodies and do
// the same arithmetic.
#pragma once

#include <limits>
#include <memory>
#include <vector>

#include "constraints/half_step_work.hpp"
#include "constraints/joints/joint.hpp"
#include "constraints/joints/link_load.hpp"
#include "constraints/rigid_bodies.hpp"
#include "model/model.hpp"
#include "modules/module.hpp"

namespace crumple::sensors {
class Sensors;
}

namespace crumple::constraints {

/// The joints of the model, followed by supports that hold nodes of bodies by a penalty.
class Joints final : public modules::Module {
 public:
  /// Keeps references to `model`.
  Joints(const model::Model& model, const RigidBodies& bodies);

  /// Add the forces at t_n = `time` to the bodies, for a step of `dt` from there on.
  void add_link_forces(RigidBodies& bodies, double dt, double time = 0.0,
                       model::Stage stage = model::Stage::transient);
  /// After the bodies have advanced by impulses over `dt_v`: count the work of these forces. `first` at t =
  /// 0.
  void count_link_work(const RigidBodies& bodies, double dt_v, bool first);

  /// Work that all joints took out of the bodies by t_n: stored, and dissipated.
  double energy() const;

  /// Force and moment of a joint on body A at t_n.
  struct State {
    Vec3 force, moment;  ///< moment about its first node
    double energy = 0;   ///< stored and dissipated
  };
  /// One for each joint of the model.
  std::vector<State> states() const;
  /// For each of Model::supports the penalty force on the body at t_n, at the node; zero where everything is
  /// held exactly.
  std::vector<Vec3> support_forces() const;

  /// Goes on from what implicit steps have left; bodies are where they will be in the next step.
  void begin_with(const JointLoads& loads, const RigidBodies& bodies);
  /// At the last t_n, of the links of the model's joints.
  JointLoads loads() const;

  /// What a link between velocities carries from step to step.
  struct Travel {
    double gap = 0;      ///< the form's integral, without what a displacement curve prescribes
    double speed = 0;    ///< that a curve of accelerations has led to
    bool moves = false;  ///< its time has begun
  };

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void add_body_forces(modules::Cycle& c) override;
  void count_body_work(modules::Cycle& c) override { count_link_work(c.bodies, c.dt_v, c.first); }
  void begin_stage() override;
  void add_work(modules::Work& work) const override { work.joint += energy(); }
  void archive(state::Archive& archive, const parallel::IndexMap&) override;

 private:
  enum class Kind : std::int8_t {
    point,          ///< of B stays at a point of A
    line,           ///< a point of B stays on a line of A
    plane,          ///< a point of B stays in a plane of A
    fixed,          ///< a point of A does not move along directions fixed in space
    perpendicular,  ///< an axis of B stays perpendicular to one of A
    velocity,       ///< a linear form of the bodies' velocities is zero, or prescribed
  };
  struct Link {
    Kind kind{};
    std::size_t joint = 0;                                ///< into joints_
    std::array<int, 2> body{model::kNone, model::kNone};  ///< A and B; kNone: ground
    std::array<Vec3, 2> arm;                              ///< of the point, or unit axis, in the body's axes
    Vec3 axis;                         ///< line and plane: direction or normal, in A's axes
    Directions held;                   ///< fixed: the directions
    double cosine = 0.0;               ///< perpendicular: at t = 0
    std::array<double, 2> mobility{};  ///< squared, of the two sides
    double stiffness = std::numeric_limits<double>::infinity();
    LinkStart start;  ///< what implicit steps have left
    LinkLoad load;    ///< at the last t_n
    int form = -1;    ///< velocity: into forms_
  };
  /// The linear form of a link between velocities: sum over the bodies of slide . v at a point of B (or of A
  /// alone, its own) and spin . w, each in axes of the body `axes`.
  struct Form {
    std::array<Vec3, 2> slide, spin;
    std::array<std::size_t, 2> axes{0, 1};  ///< 0: A's, 1: B's
    LocalId curve = model::kNone;
    int motion = 0;  ///< as Joint::motion
  };
  /// Forces of a joint on its bodies in this step, at their centres.
  struct Acting {
    std::array<int, 2> body{model::kNone, model::kNone};
    Vec3 first_point;  ///< arm of N1
    double stiffness_scale = 1.0, damping_scale = 1.0, failure_time = model::kNever;
    std::array<Vec3, 2> force, moment;
    State state;
    HalfStepWork work;
    double energy_before = 0;  ///< of earlier parts of the run by implicit steps
    bool failed = false;       ///< by its force, or a switch has let it go
  };
  /// A gap, its rate by direction, and the point where its force acts.
  struct Gap {
    Vec3 opening, rate, at;
  };

  void add_links(const Joint& input, const RigidBodies& bodies);
  void add_support(const model::Support& input, const RigidBodies& bodies);
  void add_link(Kind kind, const Joint& input, const RigidBodies& bodies, int a, int b);
  Gap gap(const Link& link) const;
  double opening(const Link& link) const;
  Matrix3 axes_of(const Link& link) const;
  void measure_mobilities(const RigidBodies& bodies);
  void choose_stiffnesses(double dt);
  void look_for_failures();
  void push(Link& link, double dt);
  void turn(Link& link, double dt);
  void perpendicular(const Joint& input, const Vec3& of_a, const Vec3& of_b);
  void add_form(const Joint& input, const RigidBodies& bodies);
  void relate(Link& link, double dt, double elapsed, double time, model::Stage stage);
  void travel(const Link& link, double elapsed, double time, model::Stage stage);
  std::array<double, 2> mobility_of_form(const Link& link, const RigidBodies& bodies) const;
  double form_rate(const Link& link) const;
  double displacement(const Form& form, double time, model::Stage stage) const;

  const model::Model* model_;
  const sensors::Sensors* sensors_ = nullptr;  ///< that let joints go
  std::vector<Acting> joints_;
  std::vector<int> support_joint_;  ///< by support: index into joints_; kNone: held exactly
  std::vector<Link> links_;
  std::vector<Form> forms_;
  std::vector<Travel> travels_;      ///< of forms_
  std::vector<BodyMotion> motions_;  ///< of all bodies at t_n
  std::vector<double> crowd_;        ///< by body: sum of sqrt(s_jb / s_j) over its links
  double last_dt_ = 0.0;
  bool measured_ = false;
};
CRUMPLE_MEMBERS(Joints::Travel, gap, speed, moves)

}  // namespace crumple::constraints
