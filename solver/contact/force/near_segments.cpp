// The segments within reach of some nodes of a pass, found for all of them at once.
#include "contact/force/near_segments.hpp"

#include <algorithm>
#include <limits>

#include "contact/search/pair_gaps.hpp"
#include "contact/search/safe_gap.hpp"

namespace crumple::contact {

void NearSegments::clear() {
  pairs_.clear();
  end_.clear();
  half_thickness_.clear();
}

void NearSegments::ask(const Vec3& x, double half_thickness, std::span<const Pair> pairs, double moved,
                       std::span<const CandidateSegment> segments) {
  visit_near(pairs, moved, [&](const Pair& pair) {
    const CandidateSegment& segment = segments[pair.segment];
    if (!segment.alive) return;
    pairs_.push_back({{x.x, x.y, x.z, reach(segment, half_thickness)}, segment.node, pair.segment});
  });
  end_.push_back(static_cast<std::int32_t>(pairs_.size()));
  half_thickness_.push_back(half_thickness);
}

void NearSegments::find(const ClosestPairs& functions, const UsedNodes& used) {
  near_.resize(std::max(near_.size(), pairs_.size()));
  const auto n = static_cast<std::int32_t>(pairs_.size());
  const std::int32_t n_near = functions.keep_near(pairs_.data(), n, used.x.data(), near_.data());
  found_.resize(std::max(found_.size(), static_cast<std::size_t>(n_near)));
  const std::int32_t n_found =
      functions.within_reach(pairs_.data(), near_.data(), n_near, used.x.data(), found_.data());
  begin_.assign(1, 0);
  std::int32_t at = 0;
  for (const std::int32_t end : end_) {
    while (at < n_found && found_[at].pair < end) ++at;
    begin_.push_back(at);
  }
}

void NearSegments::find_rooms(std::span<const std::int32_t> nodes, const ClosestPairs& functions,
                              const UsedNodes& used, std::span<const CandidateSegment> segments) {
  looked_at_.clear();
  limits_.clear();
  for (const std::int32_t node : nodes)
    for (std::int32_t k = node > 0 ? end_[node - 1] : 0; k < end_[node]; ++k) {
      const CandidateSegment& segment = segments[pairs_[k].segment];
      looked_at_.push_back(k);
      limits_.push_back({segment.half_thickness + half_thickness_[node], segment.depth, segment.one_sided});
    }
  rooms_.resize(std::max(rooms_.size(), looked_at_.size()));
  functions.rooms(pairs_.data(), looked_at_.data(), static_cast<std::int32_t>(looked_at_.size()),
                  used.x.data(), limits_.data(), rooms_.data());
  next_room_ = 0;
}

float NearSegments::set_gaps(std::int32_t node, std::span<Pair> pairs, const Motion& cluster,
                             std::span<const CandidateSegment> segments, const UsedNodes& used,
                             Watch& watch) {
  constexpr double kSoon = 32.0;  // steps
  float least = std::numeric_limits<float>::max();
  std::int32_t k = node > 0 ? end_[node - 1] : 0;
  const float of_others = visit_near(pairs, cluster.moved, [&](Pair& pair) {
    if (!segments[pair.segment].alive) return;
    const Room& room = rooms_[next_room_++];
    const SeekerAndSegment& asked = pairs_[k++];
    const double scale = room.distance + asked.seeker.reach, beyond = room.distance - asked.seeker.reach;
    if (beyond > 0.0) pair.gap = safe_gap(cluster.moved + beyond, scale);
    const double until = std::max(room.until_touch, beyond);
    const float safe = safe_gap(until, scale);
    if (safe > 0.0F && until < kSoon * cluster.step && watch.add(asked.node, safe, used.x.data())) return;
    least = std::min(least, safe_gap(cluster.moved + until, scale));
  });
  return std::min(least, of_others);
}

}  // namespace crumple::contact
