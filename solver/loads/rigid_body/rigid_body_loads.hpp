// Forces and moments on rigid bodies: *LOAD_RIGID_BODY.
#pragma once

#include <memory>
#include <vector>

#include "constraints/half_step_work.hpp"
#include "constraints/rigid_bodies.hpp"
#include "loads/rigid_body/rigid_body_load.hpp"
#include "model/model.hpp"
#include "modules/module.hpp"

namespace crumple::loads {

class RigidBodyLoads final : public modules::Module {
 public:
  /// Keeps a reference to `model`.
  explicit RigidBodyLoads(const model::Model& model)
      : model_(&model), inputs_(&model.features.of<RigidBodyLoad>()), work_(inputs_->size()) {}

  /// Add the loads at `time` (t_n) to the bodies.
  void add(constraints::RigidBodies& bodies, double time, model::Stage stage);
  /// After the bodies have advanced by impulses over `dt_v`. `first` at t = 0.
  void count_load_work(const constraints::RigidBodies& bodies, double dt_v, bool first);

  /// Work up to t_n; the same on every rank.
  double work() const;

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void add_body_forces(modules::Cycle& c) override { add(c.bodies, c.time, c.stage); }
  void count_body_work(modules::Cycle& c) override { count_load_work(c.bodies, c.dt_v, c.first); }
  void add_work(modules::Work& work) const override { work.external_on_bodies += this->work(); }
  void archive(state::Archive& archive, const parallel::IndexMap&) override;

 private:
  const model::Model* model_;
  const std::vector<RigidBodyLoad>* inputs_;
  std::vector<Vec3> last_;  ///< in this step
  std::vector<constraints::HalfStepWork> work_;
};

}  // namespace crumple::loads
