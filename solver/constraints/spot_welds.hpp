// Spot welds: nodes that move as one rigid body until the force between them is too large.
//
// Welds that share nodes make one group. Every rank that has a node of a group has all its nodes, and halo
// sums give the whole forces. So groups need no messages, and all ranks with a group do the same arithmetic.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "constraints/free_turns.hpp"
#include "constraints/massless_nodes.hpp"
#include "constraints/rotation.hpp"
#include "model/model.hpp"
#include "state/nodal.hpp"

namespace crumple::state {
class Archive;
}

namespace crumple::constraints {

class SpotWelds {
 public:
  /// Groups in the subdomain of rank `rank`. Keeps a reference to `model`.
  ///
  /// @param isa instruction set for turns; results do not depend on it
  SpotWelds(const model::Model& model, const state::Nodal& nodal, int rank,
            elements::Isa isa = elements::best_isa());

  /// Give the nodes of each group the rigid motion with their momentum and angular momentum.
  void initialize(state::Nodal& nodal);

  /// To be called after everything else that changes velocities at `time` (t_n). Replaces v and w at
  /// t_{n+1/2}, the accelerations, and x at t_{n+1} of welded nodes; then breaks welds. The loop must not
  /// change x of these nodes.
  /// @param torn by weld: whether it is to break whatever its force; empty: none
  void advance(state::Nodal& nodal, const MasslessNodes& massless, double time, double dt_v, double dt_x,
               model::Stage stage, std::span<const char> torn = {});

  /// 1 for local nodes whose position a weld sets, or has set in the last step.
  std::span<const char> mask() const { return mask_; }
  /// Smallest user id in a group whose rotation in the last step was too large to be integrated; the largest
  /// number if there is none.
  GlobalId runaway() const { return runaway_; }

  struct Break {
    GlobalId first = 0, second = 0;  ///< user ids of the weld's nodes
    double time = 0.0;
    double normal = 0.0, shear = 0.0;  ///< forces in the weld at this time
  };
  /// Welds that have broken so far and whose first node this rank owns.
  const std::vector<Break>& breaks() const { return breaks_; }

  /// Force in the last step in the weld with index `weld` in the subdomain's Model::welds.
  struct Force {
    double normal = 0.0;  ///< tension is positive
    double shear = 0.0;
  };
  Force force(LocalId weld) const { return force_[weld]; }

  /// A force of an earlier step, of a weld that is filtered.
  struct Past {
    Vec3 force;
    double time = 0.0;
  };
  /// The forces of a weld follow each other in a ring: how many there are, and the place of the next.
  struct Ring {
    std::int64_t count = 0, next = 0;
  };
  struct Kept : Ring {
    std::int64_t first = 0;  ///< where it begins
  };

  /// Goes on after implicit steps, in which these welds have broken, with the nodes' present motion.
  void begin_with(std::span<const char> broken, std::span<const Break> breaks, state::Nodal& nodal);
  std::span<const char> broken() const { return broken_; }

  /// Which welds are broken, and the motion of what the others hold together. `nodal` as in the constructor.
  void archive(state::Archive& archive, const state::Nodal& nodal);

  /// State of a group from step to step.
  struct Carried {
    double total = 0.0;           ///< mass
    Matrix3 tensor{}, inverse{};  ///< inertia about the centre, in the group's axes
    Vec3 centre, v;
    Vec3 momentum;  ///< angular, about the centre
    Vec3 w_end;     ///< angular velocity at t_n for `momentum`
    Quaternion orientation;
  };
  /// The same of one of its nodes.
  struct OfNode {
    double mass = 0, inertia = 0;  ///< at the time when the other data were computed
    Vec3 arm;                      ///< from the centre, in axes that rotate with the group
    Vec3 v_last, w_last;           ///< as this class set them
  };

 private:
  /// A weld of a group, with the nodes on its second side.
  struct Tie {
    LocalId weld = model::kNone;  ///< into Model::welds
    std::array<int, 2> ends{};    ///< positions in Group::nodes
    std::vector<int> behind;      ///< nodes on the side of the second end; empty if the weld cannot break
  };
  struct Group : Carried {
    std::vector<LocalId> nodes;   ///< ascending user id
    std::vector<OfNode> of_node;  ///< by place in `nodes`
    std::vector<Tie> ties;
  };

  void make_groups(const state::Nodal& nodal);
  void archive_groups(state::Archive& archive, const state::Nodal& nodal);
  void archive_breaks(state::Archive& archive, const state::Nodal& nodal);
  void archive_left(state::Archive& archive, const state::Nodal& nodal);
  static void find_sides(Group& group, std::span<const model::Weld> welds);
  static void take_velocities(Group& group, const state::Nodal& nodal);
  /// Compute centre and inertia from the nodes' present positions, velocity from their last velocities; `w`
  /// is the angular velocity.
  static void measure(Group& group, const state::Nodal& nodal, const Vec3& w);
  /// Groups that a thread moves together, and its working memory.
  struct Several;
  void move(std::span<Group> groups, state::Nodal& nodal, const MasslessNodes& massless, double dt_v,
            double dt_x, Several& several);
  static void push(Group& group, const state::Nodal& nodal, const MasslessNodes& massless, double dt_v);
  void place(Group& group, state::Nodal& nodal, const MasslessNodes& massless, double dt_v, double dt_x,
             const FreeTurn& turn, Several& several);
  /// Forces of the group's welds from its impulses on the nodes.
  void find_forces(const Group& group, std::span<const Vec3> impulses, std::span<const Vec3> x, double dt_v,
                   double time);
  Vec3 filtered(LocalId weld, const Vec3& force, double time);
  void archive_filters(state::Archive& archive, const state::Nodal& nodal);
  bool breaks_now(LocalId weld) const;
  void split(std::size_t group, const state::Nodal& nodal, std::vector<Group>& parts);

  const model::Model* model_;
  int rank_;
  FindFreeTurns find_turns_;
  std::vector<Group> groups_;
  std::vector<char> mask_;
  std::vector<LocalId> left_;  ///< nodes that lost their last weld in the last step
  std::vector<Force> force_;
  std::vector<Force> lasting_;  ///< means of the last forces, which break welds
  std::vector<Past> past_;      ///< of all welds, one after the other
  std::vector<Kept> kept_;      ///< by weld
  std::vector<char> broken_;
  std::vector<Break> breaks_;
  GlobalId runaway_ = std::numeric_limits<GlobalId>::max();
};
CRUMPLE_MEMBERS(SpotWelds::Break, first, second, time, normal, shear)
CRUMPLE_MEMBERS(SpotWelds::Past, force, time)
CRUMPLE_MEMBERS(SpotWelds::Ring, count, next)
CRUMPLE_MEMBERS(SpotWelds::Carried, total, tensor, inverse, centre, v, momentum, w_end, orientation)
CRUMPLE_MEMBERS(SpotWelds::OfNode, mass, inertia, arm, v_last, w_last)

}  // namespace crumple::constraints
