// Contact entities: analytic surfaces that move with rigid bodies and push on nodes by penalties.
//
// A node with mass m at depth d behind the surface gets the normal force k d - c v, v its relative speed
// along the outward normal, never a pull, and friction by a tangential spring of stiffness k with Coulomb's
// limit (return mapping). The body gets the opposite force at the node: momentum and angular momentum are
// conserved.
//
// Stiffness (SO = 0): the penalty is the largest that is stable whatever touches at once. With k_i = A m_i /
// dt^2 the springs' energy in a motion u of the nodes and b of the body's points is at most, for any s > 0,
//   sum k_i (u_i - b_i)^2 <= A / dt^2 ((1 + s) sum m_i u_i^2 + (1 + 1 / s) sum m_i b_i^2),
// and m_i b_i^2 <= m_i q_i times the body's own sum of masses times speeds^2, q_i the mobility of its point:
// the largest velocity that a unit impulse there gives. With s = mu = sum m_i q_i over the touching nodes
// both terms have the factor 1 + mu, and Rayleigh's quotient gives omega^2 dt^2 <= A (1 + mu). So
//   k_i = SF kEntityShare m_i / ((1 + mu) dt^2)
// has omega^2 dt^2 <= SF kEntityShare. Elements at a step of 0.9 of the critical one have 3.24 of the 4 that
// central differences allow; the sum with SF = 3 is still below. While a node touches, its stiffness only
// falls: when more nodes touch or the step grows, so that a spring never gives more than it has taken.
//
// Damping is the fraction DF / 100 of the critical 2 sqrt(k m*), m* = m / (1 + mu). By curves: SO < 0 gives
// the normal force over the depth, DF < 0 the damping force over the speed.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "constraints/rigid_bodies.hpp"
#include "loads/entity/contact_entity.hpp"
#include "model/model.hpp"
#include "modules/module.hpp"
#include "parallel/communicator.hpp"
#include "parallel/exact_sum.hpp"
#include "state/nodal.hpp"

namespace crumple::contact {
struct ContactResult;
}

namespace crumple::loads {

inline constexpr double kEntityShare = 0.25;

class ContactEntities final : public modules::Module {
 public:
  /// Keeps references to `model` and `comm`.
  ContactEntities(const model::Model& model, const state::Nodal& nodal, const parallel::Communicator& comm);

  /// Add one result for each entity: forces on its nodes (a) and on its body (b) now, and sliding energy.
  /// Collective.
  void add_results(std::vector<contact::ContactResult>& results) const;

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  /// Forces on nodes, added by their owners, and the sums for the bodies. Collective.
  void add_forces(modules::Cycle& c) override;
  void add_body_forces(modules::Cycle& c) override;
  void archive(state::Archive& archive, const parallel::IndexMap&) override;

 private:
  struct Tracked {
    LocalId node = model::kNone;
    double half_thickness = 0.0;
    Vec3 force;              ///< on the node in the last cycle; zero without contact
    Vec3 friction;           ///< part of it
    double stiffness = 0.0;  ///< of this contact; 0 without
  };
  /// A tracked node that touches now.
  struct Hit {
    std::size_t tracked = 0;
    double depth = 0.0, mass = 0.0;
    Vec3 normal, arm;  ///< outward; from the body's centre of mass to the node
  };
  struct Entity {
    const ContactEntity* input = nullptr;
    std::size_t carrier = 0;       ///< into carriers_
    std::vector<Tracked> tracked;  ///< nodes that this rank owns
    std::vector<Hit> hits;
    bool acted = false;  ///< in the last cycle
    std::array<parallel::ExactSum, 6> reaction;
    Vec3 force, moment;  ///< on the body, about its centre of mass; the same on every rank
    parallel::ExactSum work, friction_work;
    bool acts(double time) const { return input->birth <= time && time < input->death; }
  };
  /// Of one body: sum of m q over all nodes that touch its entities.
  struct Carrier {
    LocalId body = model::kNone;
    double mobile_mass = 0.0;
  };

  static void find_hits(Entity& entity, const modules::Cycle& c, parallel::ExactSum& mobile_mass);
  bool find_all_hits(const modules::Cycle& c);
  static void count_last_forces(Entity& entity, const modules::Cycle& c);
  void push(Entity& entity, modules::Cycle& c) const;
  double normal_force(const Entity& entity, const Hit& hit, double stiffness, double opening,
                      const modules::Cycle& c) const;
  void sum_reactions(bool any);

  const model::Model* model_;
  const parallel::Communicator* comm_;
  std::vector<Entity> entities_;
  std::vector<Carrier> carriers_;
};

}  // namespace crumple::loads
