// A node and the few segments that it is nearest to: whether they have moved so far that it may touch.
//
// A cluster of nodes (contact_parts.hpp) moves more than a node and what is next to it: sheets that are
// welded together stay at the distance of their thicknesses for the whole run.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/types.hpp"
#include "contact/search/bucket_grid.hpp"

namespace crumple::contact {

class Watch {
 public:
  /// Begin to watch the segments to be added.
  ///
  /// @param node its number, for `node()`
  void start(std::int32_t node, const Vec3& point) {
    number_ = node;
    look_after_ = 0.0;
    count_ = 0;
    point_ = point;
    room_ = HUGE_VAL;
  }
  /// Nothing is watched.
  void end() { count_ = 0; }
  bool on() const { return count_ > 0; }
  std::int32_t node() const { return number_; }
  /// Add a segment and the relative motion until the node can touch it; false if there is no place for it.
  ///
  /// @param x positions of nodes
  bool add(const std::array<std::int32_t, 4>& nodes, double room, const Vec3* x) {
    std::int32_t count = count_;
    for (const std::int32_t node : nodes) {
      const auto end = node_.begin() + count;
      if (std::find(node_.begin(), end, node) != end) continue;
      if (count == kNodes) return false;
      node_[count] = node;
      from_[count++] = x[node];
    }
    count_ = count;
    room_ = std::min(room_, room);
    return true;
  }
  /// Whether the point may have come near enough to touch since the start. If not, that cannot change before
  /// its cluster has moved by what is left.
  ///
  /// @param moved relative motion of the cluster since the sort (NodeCluster::moved)
  bool passed(const Vec3& point, const Vec3* x, double moved) {
    Box box;
    box.add(point - point_);
    for (std::int32_t k = 0; k < count_; ++k) box.add(x[node_[k]] - from_[k]);
    const double way = norm(box.high - box.low) * (1.0 + 1e-12);
    look_after_ = moved + (room_ - way) * (1.0 - 1e-9);
    return way >= room_;
  }
  bool sleeps(double moved) const { return moved < look_after_; }
  /// Before its cluster has moved by this, it sleeps.
  double wake() const { return look_after_; }

 private:
  static constexpr std::int32_t kNodes = 12;  ///< of three segments that share none
  std::int32_t number_ = 0, count_ = 0;
  double room_ = 0.0;
  double look_after_ = 0.0;  ///< relative motion of the cluster
  Vec3 point_;
  std::array<std::int32_t, kNodes> node_{};
  std::array<Vec3, kNodes> from_{};
};

}  // namespace crumple::contact
