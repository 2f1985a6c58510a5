// How the segment of a tie turns, and what a moment on it is to its nodes: one is the dual of the other.
//
// Nodes of shells spin: W = sum w_a W_a. Those of solids do not, and their face turns as its nodes go around
// (mean_rotation.hpp). Shells have little stiffness against spins about their normal n, so a tie with torsion
// takes that part from the mean rotation: W = (1 - n n) sum w_a W_a + n n . W_mean.
#pragma once

#include <array>
#include <cstring>
#include <optional>
#include <span>

#include "base/members.hpp"
#include "contact/geometry/closest_point.hpp"
#include "contact/tied/mean_rotation.hpp"
#include "model/model.hpp"
#include "state/nodal.hpp"

namespace crumple::contact {

// A `Tie` is a model::Tie, or what a cycle needs of one.

template <class Tie>
int corners(const Tie& tie) {
  return tie.nodes[2] == tie.nodes[3] ? 3 : 4;
}

template <class Tie>
std::array<Vec3, 4> gather(const Tie& tie, const AlignedVector<Vec3>& values) {
  return {values[tie.nodes[0]], values[tie.nodes[1]], values[tie.nodes[2]], values[tie.nodes[3]]};
}

/// Of the segment's nodes, at the tie's point. The last node of a triangle counts twice, once with no weight.
/// Two components as a pair, for GCC 12 puts vectors of three together by way of memory and waits for it.
template <class Tie>
Vec3 at_point(const Tie& tie, std::span<const Vec3> values) {
  using Pair [[gnu::vector_size(16)]] = double;
  Pair xy{};
  double z = 0.0;
  for (int a = 0; a < 4; ++a) {
    const Vec3& value = values[tie.nodes[a]];
    Pair two;
    std::memcpy(&two, &value, sizeof two);
    xy += tie.weight[a] * two;
    z += tie.weight[a] * value.z;
  }
  return {xy[0], xy[1], z};
}

/// Nodes of shells turn; those of solids do not.
template <class Tie>
bool spins(const Tie& tie) {
  return tie.kind == model::ElementKind::shell;
}

/// Forces and moments on the nodes of a segment.
struct NodalLoads {
  std::array<Vec3, 4> force{}, moment{};
};
CRUMPLE_MEMBERS(NodalLoads, force, moment)

template <class Tie>
class SegmentSpin {
 public:
  SegmentSpin(const Tie& tie, const state::Nodal& nodal) : tie_(tie) {
    if (spins(tie) && !tie.torsion) return;
    const auto x = gather(tie, nodal.x);
    mean_.emplace(x, corners(tie));
    normal_ = segment_normal(x.data(), corners(tie));
    if (const double length = norm(normal_); length > 0.0) normal_ *= 1.0 / length;
  }

  /// Angular velocity, or from accelerations the angular acceleration.
  Vec3 operator()(const AlignedVector<Vec3>& linear, const AlignedVector<Vec3>& angular) const {
    if (!spins(tie_)) return mean_->spin(gather(tie_, linear));
    const Vec3 spin = at_point(tie_, angular);
    if (!tie_.torsion) return spin;
    return spin + dot(normal_, mean_->spin(gather(tie_, linear)) - spin) * normal_;
  }

  void add_moment(const Vec3& moment, NodalLoads& loads) const {
    const Vec3 about = tie_.torsion ? dot(normal_, moment) * normal_ : Vec3{};
    for (int a = 0; a < corners(tie_); ++a) {
      if (!spins(tie_)) {
        loads.force[a] += mean_->force(moment, a);
        continue;
      }
      loads.moment[a] += tie_.weight[a] * (moment - about);
      if (tie_.torsion) loads.force[a] += mean_->force(about, a);
    }
  }

  /// Of solids: the most that a unit moment can be to node `a`.
  double reach(int a) const { return mean_->reach(a); }

 private:
  const Tie& tie_;
  std::optional<MeanRotation> mean_;
  Vec3 normal_;
};

}  // namespace crumple::contact
