// The spin of a tie's segment, and its transpose: the nodal loads from a moment on the segment.
//
// Nodes of shells have rotations: W = sum w_a W_a. Nodes of solids have none, and the spin of a face is the
// mean rotation of its nodes (mean_rotation.hpp). Shells have little stiffness for rotations about their
// normal n, so a tie with torsion takes that part from the mean rotation: W = (1 - n n) sum w_a W_a + n n .
// W_mean.
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

// A `Tie` is a model::Tie, or the part of it that a cycle needs.

template <class Tie>
int corners(const Tie& tie) {
  return tie.nodes[2] == tie.nodes[3] ? 3 : 4;
}

template <class Tie>
std::array<Vec3, 4> gather(const Tie& tie, const AlignedVector<Vec3>& values) {
  return {values[tie.nodes[0]], values[tie.nodes[1]], values[tie.nodes[2]], values[tie.nodes[3]]};
}

/// Weighted mean over the segment's nodes, at the tie's point. The last node of a triangle occurs twice, once
/// with weight 0. Two components are handled as a pair, because GCC 12 builds vectors of three in memory and
/// waits for it.
template <class Tie>
[[gnu::always_inline]] inline Vec3 at_point(const Tie& tie, std::span<const Vec3> values) {
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

/// Whether the segment's nodes have rotations: those of shells do, those of solids do not.
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

  /// Angular velocity from velocities, or angular acceleration from accelerations.
  Vec3 operator()(const AlignedVector<Vec3>& linear, const AlignedVector<Vec3>& angular) const {
    if (!mean_) return at_point(tie_, angular);
    const Vec3 around = mean_->spin(gather(tie_, linear));
    if (!spins(tie_)) return around;
    const Vec3 spin = at_point(tie_, angular);
    return spin + dot(normal_, around - spin) * normal_;
  }

  void add_moment(const Vec3& moment, NodalLoads& loads) const {
    const Vec3 about = tie_.torsion ? dot(normal_, moment) * normal_ : Vec3{};
    for (int a = 0; a < corners(tie_); ++a) {
      if (mean_ && !spins(tie_)) {
        loads.force[a] += mean_->force(moment, a);
        continue;
      }
      loads.moment[a] += tie_.weight[a] * (moment - about);
      if (mean_ && tie_.torsion) loads.force[a] += mean_->force(about, a);
    }
  }

  /// For solids: upper bound of the force on node `a` from a unit moment.
  double reach(int a) const { return mean_ ? mean_->reach(a) : 0.0; }

 private:
  const Tie& tie_;
  std::optional<MeanRotation> mean_;  ///< none where nodes' rotations alone say how the segment turns
  Vec3 normal_;
};

}  // namespace crumple::contact
