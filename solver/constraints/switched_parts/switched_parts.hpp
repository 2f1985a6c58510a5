// Parts that switch between deformable and rigid in the run: which are rigid now, and their part in a cycle.
//
// In the cycle in which a part becomes rigid, its elements are computed a last time, so that their stresses
// are those of x_n; then its body forms. From the next cycle on its elements are not computed. In the cycle
// in which it becomes deformable they are computed again, with the step that led to x_n, and its nodes are
// free. Whenever a part switches, all bodies form anew.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "constraints/switched_parts/rigid_groups.hpp"
#include "constraints/switched_parts/switch_set.hpp"
#include "constraints/switched_parts/switch_times.hpp"
#include "modules/module.hpp"
#include "parallel/exact_sum.hpp"
#include "state/group_view.hpp"

namespace crumple::constraints {

class SwitchedParts final : public modules::Module {
 public:
  /// Keeps references to `model`, `nodal` and `comm`. Collective.
  SwitchedParts(const model::Model& model, state::Nodal& nodal, const parallel::Communicator& comm);

  // --- for the step, which has elements, walls and contacts ---
  /// Begin a cycle at t_n = `time`, before its elements are computed: sets act, and stresses of parts that
  /// stay rigid turn with them.
  void begin_cycle(double time, std::span<const state::WritableGroup> groups);
  /// By part of the model: 1 for those whose elements are not computed in this cycle.
  std::span<const char> asleep() const { return asleep_; }
  /// Limit of the step after the last set that has acted.
  double longest_step() const { return longest_step_; }
  /// Whether some part is rigid.
  bool any_rigid() const { return !groups_.empty() || forms_; }
  /// Whether walls are not deleted (RWF).
  bool walls_act() const { return walls_act_ != 0; }
  bool deletes_walls() const;
  /// Whether forces of walls, or of contacts, are needed after the step from `time` on.
  bool waits_for(bool walls, double time) const;
  /// These forces: whether the walls and contacts have any, in the order of their lists.
  void take_forces(bool of_walls, std::span<const char> touched);

  const RigidGroups& groups() const { return groups_; }

  // --- as a module (modules/module.hpp) ---
  static std::unique_ptr<modules::Module> start(const modules::Start& start);
  /// Raises CR-C107 for a body with a node that is tied to something else.
  void add_body_forces(modules::Cycle& c) override;
  void add_work(modules::Work& work) const override { work.damped.add(lost_); }
  void archive(state::Archive& archive, const parallel::IndexMap& nodes) override;

 private:
  /// A node of a switched part that a contact ties to a segment without springs.
  struct TiedNode {
    LocalId node;
    std::array<LocalId, 4> segment;
    GlobalId contact;
  };
  void find_neighbours();
  void find_tied_nodes();
  void check_tied_nodes() const;
  std::size_t switched(LocalId part) const;
  void act(const SwitchSet& set);
  std::vector<RigidGroup> rigid_groups() const;
  std::vector<std::size_t> roots() const;
  void turn(std::span<const state::WritableGroup> groups) const;

  const model::Model* model_;
  state::Nodal* nodal_;
  const parallel::Communicator* comm_;
  const std::vector<SwitchSet>* sets_;
  const std::vector<SwitchedPart>* parts_;
  SwitchTimes times_;
  std::vector<TiedNode> tied_;
  std::vector<std::int64_t> neighbours_;  ///< of parts_, 1 where two are joined, row by row
  std::vector<std::int64_t> entity_;      ///< of each set: its wall or contact, -1
  std::vector<std::int64_t> rigid_;       ///< of parts_
  std::vector<std::int64_t> lead_;        ///< of parts_: the part that leads it, -1
  std::vector<char> asleep_;              ///< by part of the model
  RigidGroups groups_;
  bool forms_ = false;  ///< in this cycle
  double longest_step_;
  std::int64_t walls_act_ = 1;
  parallel::ExactSum lost_;
};

}  // namespace crumple::constraints
