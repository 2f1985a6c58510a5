// Forces and moments on rigid bodies: *LOAD_RIGID_BODY.
#pragma once

#include <vector>

#include "constraints/half_step_work.hpp"
#include "constraints/rigid_bodies.hpp"
#include "model/model.hpp"

namespace crumple::loads {

class RigidBodyLoads {
 public:
  /// Keeps a reference to `model`.
  explicit RigidBodyLoads(const model::Model& model) : model_(&model), work_(model.rigid_body_loads.size()) {}

  /// Add the loads at `time` (t_n) to the bodies.
  void add(constraints::RigidBodies& bodies, double time, model::Stage stage);
  /// After the bodies have advanced by impulses over `dt_v`. `first` at t = 0.
  void count_work(const constraints::RigidBodies& bodies, double dt_v, bool first);

  /// Work by t_n; the same on every rank.
  double work() const;

 private:
  const model::Model* model_;
  std::vector<Vec3> last_;
  std::vector<constraints::HalfStepWork> work_;
};

}  // namespace crumple::loads
