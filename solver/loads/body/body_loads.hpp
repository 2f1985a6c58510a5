// Base accelerations of the whole model or of parts: gravity and spin (*LOAD_BODY).
#pragma once

#include <memory>
#include <vector>

#include "constraints/rigid_bodies.hpp"
#include "loads/body/body_load.hpp"
#include "model/model.hpp"
#include "modules/module.hpp"
#include "parallel/exact_sum.hpp"
#include "parallel/halo.hpp"
#include "state/assembly.hpp"
#include "state/nodal.hpp"

namespace crumple::loads {

/// Acceleration at `x` by a load of this magnitude: constant, or centrifugal.
Vec3 acceleration_by(const BodyLoad& load, double magnitude, const Vec3& x);

/// Body loads on one rank's nodes.
///
/// A translational load is the acceleration of the base, so the inertial acceleration of the nodes is its
/// opposite: positive *LOAD_BODY_Z acts downwards. A rotational one is an angular velocity about an axis
/// through its centre; nodes are pushed away from the axis by w^2 r at their current positions.
class BodyLoads final : public modules::Module {
 public:
  /// Whether a node belongs to a load's parts is the same on all its copies. Keeps references to `model` and
  /// `nodal`'s sizes only. Collective.
  BodyLoads(const model::Model& model, const state::Nodal& nodal, const parallel::Halo& halo, int rank);

  /// Compute accelerations at `time` (t_n). Adds them to rigid bodies; for bodies without a part it adds
  /// forces to their nodes.
  ///
  /// @param dt_last the step that led to t_n, 0 in the first cycle
  void pull(state::Nodal& nodal, constraints::RigidBodies& bodies, double time, double dt_last,
            model::Stage stage);
  /// Add the accelerations of `pull` to `nodal.a` of nodes outside bodies, after a = force / mass and before
  /// constraints.
  void accelerate(state::Nodal& nodal, const constraints::RigidBodies& bodies) const;

  /// Where nodes of a chosen part are tied, the nodes of the segments have their mass, and only this mass is
  /// loaded. `own` are the masses before ties. Collective.
  void follow(const state::Transfer& transfer, const std::vector<double>& own, const state::Nodal& nodal);

  bool empty() const { return inputs_->empty(); }

  /// External work on nodes outside rigid bodies, to be reduced (bodies count theirs themselves): the mean of
  /// the loads at both ends of a step times the displacement.
  const parallel::ExactSum& work() const { return work_; }

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void pull(modules::Cycle& c) override { pull(c.nodal, c.bodies, c.time, c.dt_last, c.stage); }
  void accelerate(modules::Cycle& c) override { accelerate(c.nodal, c.bodies); }
  bool changes_all_accelerations() const override { return true; }
  void add_work(modules::Work& work) const override { work.external.add(work_); }
  void archive(state::Archive& archive, const parallel::IndexMap& nodes) override;

 private:
  const model::Model* model_;
  const std::vector<BodyLoad>* inputs_;
  int rank_;
  std::vector<std::vector<double>>
      chosen_;  ///< for each load: fraction of a node's mass on which it acts; empty: 1
  std::vector<std::vector<char>> body_chosen_;
  std::vector<double> magnitude_;
  AlignedVector<Vec3> last_;  ///< acceleration in the last cycle
  parallel::ExactSum work_;
};

}  // namespace crumple::loads
