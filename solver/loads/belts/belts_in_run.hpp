// Belts in a run: every rank computes all of them from the same bits; owners of nodes add the forces.
#pragma once

#include <vector>

#include "loads/belts/belt_system.hpp"
#include "loads/belts/sbtout.hpp"
#include "modules/module.hpp"

namespace crumple::sensors {
class Sensors;
}

namespace crumple::loads {

class BeltModule final : public modules::Module {
 public:
  /// Collective.
  explicit BeltModule(const modules::Start& start);

  void begin_stage() override;
  void add_held_nodes(std::vector<LocalId>& nodes) const override;
  void add_forces(modules::Cycle& cycle) override;
  double stable_step(const constraints::RigidBodies& bodies) const override;
  void constrain(modules::Cycle& cycle) override;
  void add_work(modules::Work& work) const override;
  void archive(state::Archive& archive, const parallel::IndexMap& nodes) override;
  std::vector<output::History*> histories() override { return {&sbtout_}; }

  const BeltSystem& system() const { return system_; }
  /// Numbers of the shells that are inside a retractor or about to be, ascending.
  std::vector<GlobalId> shells_inside() const;

 private:
  void follow_switches();
  /// Values of the nodes' owners on every rank, exactly.
  void share(std::span<double> values) const;
  void find_motion(const state::Nodal& nodal);
  void find_accelerations(double dt);
  void find_step();

  const Belts* in_;
  const sensors::Sensors* sensors_;  ///< that fire and lock devices; null without
  const parallel::Communicator* comm_;
  std::vector<Vec3> x_, v_, a_;
  std::vector<Vec3> last_v_;  ///< of the cycle before
  double dt_before_ = 0;      ///< the step before the last
  std::int64_t cycles_ = 0;   ///< with velocities, at most 2
  std::vector<double> mass_;  ///< of nodes; 0: of a rigid body
  BeltSystem system_;
  double step_ = 0;
  parallel::ExactSum carried_work_;  ///< on nodes that devices carry
  Sbtout sbtout_{system_};
};

}  // namespace crumple::loads
