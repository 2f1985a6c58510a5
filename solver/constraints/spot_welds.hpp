// Spot welds: nodes that move as one rigid body until the force between them is too large.
//
// Welds that share nodes make one group. Every rank that has a node of a group has all its nodes, and halo
// sums give the whole forces. So groups need no messages, and all ranks with a group do the same arithmetic.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "constraints/massless_nodes.hpp"
#include "constraints/rotation.hpp"
#include "model/model.hpp"
#include "state/nodal.hpp"

namespace crumple::constraints {

class SpotWelds {
 public:
  /// Groups in the subdomain of rank `rank`. Keeps a reference to `model`.
  SpotWelds(const model::Model& model, const state::Nodal& nodal, int rank);

  /// Give the nodes of each group the rigid motion with their momentum and angular momentum.
  void initialize(state::Nodal& nodal);

  /// To be called after everything else that changes velocities at `time` (t_n). Replaces v and w at
  /// t_{n+1/2}, the accelerations, and x at t_{n+1} of welded nodes; then breaks welds. The loop must not
  /// change x of these nodes.
  void advance(state::Nodal& nodal, const MasslessNodes& massless, double time, double dt_v, double dt_x,
               model::Stage stage);

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

 private:
  /// A weld of a group, with the nodes on its second side.
  struct Tie {
    LocalId weld = model::kNone;  ///< into Model::welds
    std::array<int, 2> ends{};    ///< positions in Group::nodes
    std::vector<int> behind;      ///< nodes on the side of the second end; empty if the weld cannot break
  };
  struct Group {
    std::vector<LocalId> nodes;  ///< ascending user id
    std::vector<Tie> ties;
    std::vector<double> mass, inertia;  ///< of the nodes, at the time when the other data were computed
    std::vector<Vec3> arms;             ///< from the centre, in axes that rotate with the group
    std::vector<Vec3> v_last, w_last;   ///< as this class set them
    double total = 0.0;
    Matrix3 tensor{}, inverse{};  ///< inertia about the centre, in the group's axes
    Vec3 centre, v;
    Vec3 momentum;  ///< angular, about the centre
    Vec3 w_end;     ///< angular velocity at t_n for `momentum`
    Quaternion orientation;
  };

  void make_groups(const state::Nodal& nodal);
  static void find_sides(Group& group, std::span<const model::Weld> welds);
  static void take_velocities(Group& group, const state::Nodal& nodal);
  /// Compute centre and inertia from the nodes' present positions, velocity from `v_last`; `w` is the angular
  /// velocity.
  static void measure(Group& group, const state::Nodal& nodal, const Vec3& w);
  void move(Group& group, state::Nodal& nodal, const MasslessNodes& massless, double dt_v, double dt_x);
  /// Forces of the group's welds from its impulses on the nodes.
  void find_forces(const Group& group, std::span<const Vec3> impulses, std::span<const Vec3> x, double dt_v);
  bool breaks_now(LocalId weld) const;
  void split(std::size_t group, const state::Nodal& nodal, std::vector<Group>& parts);

  const model::Model* model_;
  int rank_;
  std::vector<Group> groups_;
  std::vector<char> mask_;
  std::vector<LocalId> left_;  ///< nodes that lost their last weld in the last step
  std::vector<Force> force_;
  std::vector<char> broken_;
  std::vector<Break> breaks_;
  GlobalId runaway_ = std::numeric_limits<GlobalId>::max();
};

}  // namespace crumple::constraints
