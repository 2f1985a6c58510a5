// Moments and forces between rigid bodies as functions of the angles and displacements between them:
// *CONSTRAINED_JOINT_STIFFNESS_GENERALIZED, _FLEXION-TORSION and _TRANSLATIONAL.
//
// Generalized: the axes of B are those of A rotated by phi about x, then by theta about the new y, then by
// psi about the new z (Cardan angles). The rates belong to the directions e_phi = x_A, e_theta = z_B x x_A /
// cos theta and e_psi = z_B; the moment on B is along the dual directions, so that its power is the sum of
// the three moments times the three rates. At theta = +-90 degrees two axes coincide and the angles are not
// defined.
//
// Flexion and torsion: flexion_torsion.hpp has the angles. The moment of alpha is the curve times its factor
// by gamma; beta counts from its value at the start. Friction of the flexion is a spring with a yield moment
// in the plane of x_A and y_A, of which the part along the axis of flexion acts: where the flexion passes
// through alpha = 0 and its axis changes sign, the moment does not.
//
// Translational: the displacements are those of B's origin from A's, d_i = b_i . (O_B - O_A), along the axes
// b_i of B. Their rates are the velocity of B at O_A relative to A's, along b_i; so the forces act on both
// bodies at O_A, equal and opposite, and their power is the sum of the three forces times the three rates.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "constraints/half_step_work.hpp"
#include "constraints/joint_stiffness/flexion_torsion.hpp"
#include "constraints/joint_stiffness/joint_angles.hpp"
#include "constraints/joint_stiffness/joint_stiffness.hpp"
#include "constraints/rigid_bodies.hpp"
#include "model/model.hpp"
#include "modules/module.hpp"

namespace crumple::sensors {
class Sensors;
}

namespace crumple::constraints {

class JointStiffnesses final : public modules::Module {
 public:
  /// Keeps a reference to `model`.
  explicit JointStiffnesses(const model::Model& model)
      : model_(&model),
        inputs_(&model.features.of<JointStiffness>()),
        states_(inputs_->size()),
        memory_(states_.size()),
        energy_before_(states_.size(), 0.0),
        off_(states_.size(), 0) {}

  /// Compute the moments at t_n, and the slopes for the stable step. add_moments does this, too.
  void find_moments(const RigidBodies& bodies);
  /// Add the moments at t_n to the bodies.
  void add_moments(RigidBodies& bodies);
  /// After the bodies have advanced by impulses over `dt_v`. `first` at t = 0.
  void count_moment_work(const RigidBodies& bodies, double dt_v, bool first);

  /// Largest step at which the last computed moments are stable, kNoLimit if there are none: as for springs
  /// and dampers (elements/discrete/spring.hpp) between bodies. The same on every rank.
  double stable_step(const RigidBodies& bodies) const override;

  struct State {
    std::array<double, 3> angle{}, rate{};  ///< phi, theta, psi or alpha, gamma, beta in radians; lengths
    std::array<double, 3> elastic{};        ///< moments or forces that resist: curves, friction and stops
    std::array<double, 3> damping{};
    double energy = 0;  ///< stored and dissipated
    double scale = 1;   ///< factor by gamma
  };
  const std::vector<State>& states() const { return states_; }
  double energy() const;

  /// Goes on from what implicit steps have left.
  void begin_with(std::span<const JointAngles> angles);
  /// At the last t_n.
  std::vector<JointAngles> angles() const;

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void initialize(state::Nodal&, const RigidBodies& bodies) override { find_moments(bodies); }
  void add_body_forces(modules::Cycle& c) override;
  void count_body_work(modules::Cycle& c) override { count_moment_work(c.bodies, c.dt_v, c.first); }
  void add_work(modules::Work& work) const override { work.joint += energy(); }
  void archive(state::Archive& archive, const parallel::IndexMap&) override;

  /// What a joint carries from step to step beside its state.
  struct Memory {
    bool started = false;
    std::array<double, 3> friction{};  ///< of the flexion along x_A and y_A
    Vec3 moment;                       ///< on B
    /// Slopes of the moments by their angles and by the rates, each for a rotation about the moment's
    /// direction, summed over the three axes.
    double stiffness = 0, damping = 0;
    HalfStepWork work;
    double twist = 0;                  ///< beta at the start
    Vec3 force;                        ///< on B
    std::array<Vec3, 2> lever;         ///< from the centres of A and B to where the force acts
    std::array<double, 2> mobility{};  ///< of the points where it acts
  };

 private:
  /// The axes of A and B, the places of their origins, and the bodies' motion.
  struct Pose {
    BodyMotion of_a, of_b;
    std::array<Vec3, 3> a, b;
    Vec3 at_a, at_b;
  };
  Pose pose(std::size_t k, const RigidBodies& bodies) const;
  void find_generalized(std::size_t k, const Pose& pose);
  void find_flexion_torsion(std::size_t k, const Pose& pose);
  void find_forces(std::size_t k, const Pose& pose, const RigidBodies& bodies);
  void rest(std::size_t k);
  void bend(std::size_t k, double turned, const FlexionTorsion& now);
  double curve_or(LocalId curve, double at, double none) const;
  double elastic(const JointMoment& input, double angle, double turned, double& friction) const;
  double at_stops(const JointMoment& input, double angle) const;
  double limit_of_friction(const JointMoment& input, double angle) const;
  double stiffness(const JointMoment& input, double angle, double reach) const;

  const model::Model* model_;
  const std::vector<JointStiffness>* inputs_;
  std::vector<State> states_;
  std::vector<Memory> memory_;
  std::vector<double> energy_before_;  ///< of earlier parts of the run by implicit steps
  std::vector<char> off_;              ///< by a switch of a sensor: no moment, no friction
  const sensors::Sensors* sensors_ = nullptr;
};
CRUMPLE_MEMBERS(JointStiffnesses::State, angle, rate, elastic, damping, energy, scale)
CRUMPLE_MEMBERS(JointStiffnesses::Memory, started, friction, moment, stiffness, damping, work, twist, force,
                lever, mobility)

}  // namespace crumple::constraints
