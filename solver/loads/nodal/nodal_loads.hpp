// Concentrated forces and moments that follow curves (*LOAD_NODE).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "loads/force_on_node.hpp"
#include "loads/nodal/nodal_load.hpp"
#include "loads/place_function.hpp"
#include "model/model.hpp"
#include "modules/module.hpp"
#include "parallel/exact_sum.hpp"
#include "state/nodal.hpp"

namespace crumple::loads {

/// Of a load with nodes at `x`: an axis, or, of follower loads (dof 4, 8), the normal of their three nodes,
/// right-handed.
Vec3 direction_of(const NodalLoad& load, std::span<const Vec3> x);

/// Nodal loads of one rank; each is on the rank that owns its node.
class NodalLoads final : public modules::Module {
 public:
  /// Raises CR-L101 for an invalid degree of freedom, or a follower load without its nodes.
  explicit NodalLoads(const model::Model& model);

  /// Add forces and moments at `time` (t_n) to the sums of `nodal`, before they are exchanged.
  ///
  /// `dt` is the step that led to t_n (0 in the first cycle).
  void add(state::Nodal& nodal, double time, double dt, model::Stage stage);

  /// Force of the last add on a node (none for a moment), and the load's work so far (for bndout).
  std::vector<ForceOnNode> forces() const;

  /// External work so far, to be reduced: the mean of the forces at both ends of a step times the
  /// displacement.
  const parallel::ExactSum& work() const { return work_; }

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void add_forces(modules::Cycle& c) override { add(c.nodal, c.time, c.dt_last, c.stage); }
  void add_work(modules::Work& work) const override { work.external.add(work_); }
  void archive(state::Archive& archive, const parallel::IndexMap& nodes) override;

  /// A load at the last t_n.
  struct Last {
    Vec3 force, x;
    double work = 0;
  };

 private:
  /// Of a load's curve, or of its function at the node.
  double value(const NodalLoad& load, const state::Nodal& nodal, double time, model::Stage stage) const;

  const model::Model* model_;
  const std::vector<NodalLoad>* inputs_;
  PlaceFunctions functions_;
  std::vector<Last> last_;
  bool first_ = true;
  parallel::ExactSum work_;
};
CRUMPLE_MEMBERS(NodalLoads::Last, force, x, work)

}  // namespace crumple::loads
