// Pressure on segments (*LOAD_SEGMENT) and on shells (*LOAD_SHELL).
#pragma once

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "loads/force_on_node.hpp"
#include "loads/place_function.hpp"
#include "loads/pressure/pressure_load.hpp"
#include "model/model.hpp"
#include "modules/module.hpp"
#include "parallel/exact_sum.hpp"
#include "state/nodal.hpp"

namespace crumple::loads {

/// Pressures of one rank; each segment is on one rank, the segment of a shell on the shell's rank.
///
/// A positive pressure acts against the segment's normal, which is right-handed in the order of its nodes
/// (LS-DYNA manual, *LOAD_SEGMENT). The curve is read at t - arrival.
class PressureLoads final : public modules::Module {
 public:
  explicit PressureLoads(const model::Model& model);

  /// Add forces at `time` (t_n) to the sums of `nodal`, before they are exchanged.
  void add(state::Nodal& nodal, double time, model::Stage stage);

  /// Ends the pressure on a deleted shell.
  void delete_shell(LocalId shell);

  /// Force of the last add on a corner of a segment, and its work so far (for bndout).
  std::vector<ForceOnNode> forces() const;

  /// External work so far, to be reduced: the mean of the forces at both ends of a step times the
  /// displacement.
  const parallel::ExactSum& work() const { return work_; }

  // As a module (modules/module.hpp).
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  void add_forces(modules::Cycle& c) override { add(c.nodal, c.time, c.stage); }
  void delete_element(model::ElementKind kind, LocalId element) override {
    if (kind == model::ElementKind::shell) delete_shell(element);
  }
  void add_work(modules::Work& work) const override { work.external.add(work_); }
  void archive(state::Archive& archive, const parallel::IndexMap& nodes) override;

  /// A segment at the last t_n.
  struct Last {
    std::array<Vec3, 4> force, x;
    std::array<double, 4> work{};
  };

 private:
  /// Of a load's curve, or of its function at the centre of the segment.
  double value(const PressureLoad& load, const state::Nodal& nodal, double time, model::Stage stage) const;

  const model::Model* model_;
  const std::vector<PressureLoad>* inputs_;
  PlaceFunctions functions_;
  std::vector<Last> last_;
  std::vector<char> ended_;
  std::vector<std::pair<LocalId, std::size_t>> of_shell_;  ///< shell, load; sorted
  bool first_ = true;
  parallel::ExactSum work_;
};
CRUMPLE_MEMBERS(PressureLoads::Last, force, x, work)

/// Forces on the four nodes of a segment under unit pressure: -integral of N_i n dA over the bilinear
/// surface, exact; a triangle repeats its third node, whose force is the first of the two entries.
std::array<Vec3, 4> unit_pressure_forces(const std::array<Vec3, 4>& x, bool triangle);

}  // namespace crumple::loads
