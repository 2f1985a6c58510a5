// Forces and moments on rigid bodies: *LOAD_RIGID_BODY.
#pragma once

#include <memory>
#include <vector>

#include "constraints/half_step_work.hpp"
#include "constraints/rigid_bodies.hpp"
#include "model/model.hpp"
#include "modules/module.hpp"

namespace crumple::loads {

class RigidBodyLoads final : public modules::Module {
 public:
  /// Keeps a reference to `model`.
  explicit RigidBodyLoads(const model::Model& model) : model_(&model), work_(model.rigid_body_loads.size()) {}

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

 private:
  const model::Model* model_;
  std::vector<Vec3> last_;
  std::vector<constraints::HalfStepWork> work_;
};

}  // namespace crumple::loads
