// Spot welds of an implicit run: which nodes they hold together, their forces, and which of them break.
//
// Nodes that welds join are a rigid body (rigid_points.hpp). The force of a weld that can break is that of
// the explicit solver (constraints/spot_welds.cpp): if it is cut, its group is in two parts, and its force on
// the part with its second node is what holds the nodes there in the group. It is measured at the end of each
// step that has converged. A weld breaks where (N / SN)^n + (S / SS)^m is 1 or more, with tension N and shear
// force S; the next step begins without it. So its strength is exceeded by what one step adds, at most.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "constraints/spot_welds.hpp"
#include "model/model.hpp"

namespace crumple::state {
class Archive;
}

namespace crumple::implicit {

class Welds {
 public:
  using Break = constraints::SpotWelds::Break;

  /// Keeps a reference.
  explicit Welds(const model::Model& model);

  bool any() const { return !model_->welds.empty(); }
  bool can_break() const { return can_break_; }
  /// Nodes that unbroken welds join: each group in ascending order, in the order of their first nodes.
  std::vector<std::vector<LocalId>> groups() const;
  /// As many as there may be at once after some have broken.
  std::size_t most_groups() const { return most_groups_; }

  /// The forces of welds that can break.
  /// @param held (n_nodes) forces that hold nodes in their groups
  /// @param x (n_nodes) present positions
  void measure(std::span<const Vec3> held, std::span<const Vec3> x);
  /// Welds whose force is too large break. @returns whether any does
  bool break_overloaded(double time);
  /// Welds end whose time TF has come, in steps that begin at `time`, but for rounding of `dt`.
  bool end_at(double time, double dt);

  const std::vector<Break>& breaks() const { return breaks_; }
  std::span<const char> broken() const { return broken_; }
  /// Another scheme, or a part of the run before this one, has left this.
  void begin_with(std::span<const char> broken, std::span<const Break> breaks);
  void archive(state::Archive& archive);

 private:
  struct Force {
    double normal = 0, shear = 0;  ///< tension is positive
  };
  template <class Goes>
  bool let_go(double time, Goes goes);
  void find_sides();
  bool overloaded(std::size_t weld) const;

  const model::Model* model_;
  bool can_break_ = false;
  std::size_t most_groups_ = 0;
  std::vector<char> broken_;
  std::vector<Force> force_;
  std::vector<std::vector<LocalId>> behind_;  ///< nodes on the side of the second one, if it can break
  std::vector<Break> breaks_;
};

}  // namespace crumple::implicit
