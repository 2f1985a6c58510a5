// The segments within reach of some nodes of a pass, found for all of them at once.
#include "contact/force/near_segments.hpp"

#include <algorithm>

namespace crumple::contact {

void NearSegments::clear() {
  pairs_.clear();
  end_.clear();
}

void NearSegments::ask(const Vec3& x, double half_thickness, std::span<const Pair> pairs, double moved,
                       std::span<const CandidateSegment> segments) {
  for (const Pair& pair : pairs) {
    if (static_cast<double>(pair.gap) > moved) continue;
    const CandidateSegment& segment = segments[pair.segment];
    if (!segment.alive) continue;
    pairs_.push_back({{x.x, x.y, x.z, reach(segment, half_thickness)}, segment.node, pair.segment});
  }
  end_.push_back(static_cast<std::int32_t>(pairs_.size()));
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

}  // namespace crumple::contact
