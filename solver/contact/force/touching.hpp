// Which of the segments near a node it touches.
#pragma once

#include "contact/force/penalty.hpp"

namespace crumple::contact {

/// The contacts of this cycle: the nearest segment that the node penetrates and those that push it in other
/// directions, each with the contact of the last cycle that it continues.
///
/// @param hits out
/// @returns number of hits
int find_touching(const PassView& pass, const NodeView& node, const NodeSlots& slots, int count,
                  HitList& hits);

/// Velocity of the node relative to a point of a segment.
Vec3 relative_velocity(const PassView& pass, const NodeView& node, std::int32_t segment,
                       const std::array<double, 4>& weight);

}  // namespace crumple::contact
