// Links by springs: welds, rivets and ties of nodes of which one belongs to a rigid body, or is held or
// moved.
//
// A link keeps a gap g between two nodes a and b at zero by the force -k (g + c dg/dt) on b and its opposite
// on a, so whatever moves a (a body, a support) takes the force of the link:
//
//     arm    g = x_b - x_a - r, r turns with a. The force on a acts at x_b: it has the moment (x_b - x_a) x f
//     rod    g along the line of the nodes: the change of their distance
//     axes   g = u_b - u_a along some global axes, without moments
//
// Forces are equal and opposite at one point, so an arm and a rod conserve momentum and angular momentum, and
// `axes` momentum. The second node of an arm turns with the first by a spring between their rotations, whose
// relative rotation vector turns with the first. A node of a body has the body's motion.
//
// Why not exactly: the second node of an unbreakable spot weld does become a node of the body (extra nodes).
// A link that ends would have to take its node, mass and inertia out of the body again in the run, and two
// bodies would have to become one.
//
// Stiffness. Let s_jn bound the square of the velocity of gap j that a unit impulse of kinetic energy 1/2 at
// n gives, n a node or a whole body: 1/m, 1/m + |r|^2 / J at the end of an arm, the largest eigenvalue of 1/m
// + r' J^-1 r for a body. With s_j the sum over both ends, z_jn = sqrt(s_jn / s_j) and C_n = sum_j z_jn,
// Cauchy's inequality bounds the largest eigenvalue as that of tied contacts (contact/tied/tie_springs.hpp):
//
//     omega^2 <= max_j k_j s_j sum_n z_jn C_n,   so   k_j = theta^2 / (dt^2 s_j sum_n z_jn C_n)
//
// keeps omega dt <= theta. With velocities of half a step before, c = 2 xi dt / theta needs (omega dt)^2 + 4
// xi omega dt below what elements leave of the 4 of central differences: 0.76 at TSSFAC = 0.9. theta = 0.6
// and xi = 0.15 take 0.72. A gap is thus f / k, some percent of what the elements at the node deform.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "constraints/spot_welds.hpp"
#include "constraints/stiff_links/stiff_link.hpp"
#include "modules/module.hpp"

namespace crumple::constraints {

class NodesTied;
class WeldStrains;

class StiffLinks final : public modules::Module {
 public:
  /// Collective.
  explicit StiffLinks(const modules::Start& start);

  /// Spot welds of this rank that have broken so far.
  std::vector<SpotWelds::Break> breaks() const;

  /// What a link carries from step to step.
  struct State {
    bool holds = true;
    Vec3 arm;                                           ///< from a to the place of b; of a body at t = 0
    Vec3 lever;                                         ///< from a to b at the last t_n
    Vec3 turned;                                        ///< rotation of b relative to a
    Vec3 force, moment;                                 ///< on b at the last t_n; 0 after its end
    double work = 0;                                    ///< taken out of the nodes: stored and dissipated
    double end = model::kNever, normal = 0, shear = 0;  ///< when it broke, and its forces then
  };
  const std::vector<State>& states() const { return states_; }

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void initialize(state::Nodal& nodal, const RigidBodies&) override;
  void add_forces(modules::Cycle& cycle) override;
  void link(modules::Cycle& cycle) override;
  void add_work(modules::Work& work) const override;
  void archive(state::Archive& archive, const parallel::IndexMap&) override;

 private:
  /// What a rank knows of its link for the whole run.
  struct Spring {
    StiffLinkKind kind{};
    LocalId a = model::kNone, b = model::kNone;
    LocalId body = model::kNone;                    ///< of a
    bool turns = false;                             ///< b turns with a
    double length = 0;                              ///< of a rod
    double compliance = 0, turning_compliance = 0;  ///< s_j sum z C; 0: no such spring
  };
  /// The bounds s_jn of a gap at both ends.
  using Bounds = std::array<double, 2>;

  void place(std::size_t k, const state::Nodal& nodal);
  Bounds bounds(std::size_t k, const modules::Start& start) const;
  Bounds turning_bounds(std::size_t k, const modules::Start& start) const;
  void share_masses(const modules::Start& start);
  Vec3 relative_spin(std::size_t k, const state::Nodal& nodal) const;
  void add_half_work(std::size_t k, const modules::Cycle& cycle);
  void update(std::size_t k, const modules::Cycle& cycle);
  Vec3 gap(std::size_t k, const modules::Cycle& cycle, Vec3& rate);
  bool ends(std::size_t k, const modules::Cycle& cycle, const SpotWelds::Force& force) const;

  const model::Model* model_;
  const std::vector<StiffLink>* links_;
  const parallel::Communicator* comm_;
  const NodesTied* tied_;
  const WeldStrains* strains_;
  std::vector<Spring> springs_;
  std::vector<State> states_;
  double longest_dt_ = 0;
};
CRUMPLE_MEMBERS(StiffLinks::State, holds, arm, lever, turned, force, moment, work, end, normal, shear)

}  // namespace crumple::constraints
