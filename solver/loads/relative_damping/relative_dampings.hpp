// Damping of parts relative to the motion of a rigid body (*DAMPING_RELATIVE).
//
// A node of the parts with the mass m from their elements gets
//
//     f = - 2 z (2 pi F) m (v - v_b - w_b x (x - x_b))
//
// with the fraction z of critical damping at the frequency F, and the body the opposite force and its moment,
// so that momentum and angular momentum are conserved (LS-DYNA keyword manual, vol. I, *DAMPING_RELATIVE). A
// mode of the parts about the body at the frequency f decays with the fraction z F / f. Velocities are those
// of the last half step.
#pragma once

#include <memory>
#include <vector>

#include "constraints/rigid_bodies.hpp"
#include "loads/relative_damping/relative_damping.hpp"
#include "modules/module.hpp"

namespace crumple::loads {

class RelativeDampings final : public modules::Module {
 public:
  explicit RelativeDampings(const modules::Start& start);

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void add_held_nodes(std::vector<LocalId>& nodes) const override;
  void pull(modules::Cycle& cycle) override;
  void accelerate(modules::Cycle& cycle) override;
  void count_body_work(modules::Cycle& cycle) override;
  void count_work(modules::Cycle& cycle) override;
  void add_work(modules::Work& work) const override { work.damped.add(damped_); }
  void archive(state::Archive& archive, const parallel::IndexMap&) override;

 private:
  /// A damped node, and the fraction of its mass that is damped.
  struct Share {
    LocalId node = model::kNone;
    double mass = 0;
    Vec3 acceleration;  ///< in this cycle
  };
  struct Load {
    Vec3 force, moment;
  };
  void damp(std::size_t k, modules::Cycle& cycle);

  const model::Model* model_;
  const parallel::Communicator* comm_;
  const std::vector<RelativeDamping>* all_;
  std::vector<std::vector<Share>> shares_;  ///< of each damping
  std::vector<Load> on_bodies_;             ///< of each damping, in this cycle
  parallel::ExactSum damped_;
};

}  // namespace crumple::loads
