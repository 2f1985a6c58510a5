// The pairs of nodes and segments, and of lines, that a sort has found near each other.
#include "contact/contact_parts.hpp"

namespace crumple::contact {

std::vector<std::vector<NearPair>> ContactSystem::near_pairs() const {
  std::vector<std::vector<NearPair>> all;
  if (passes_.empty() && lines_.empty() && !any_mortar(sides_)) return all;
  std::vector<NearPair>& of_nodes = all.emplace_back();
  for (const Pass& pass : passes_) {
    const Side& side = sides_[pass.node_side];
    const CandidateLists& lists = pass.candidates;
    for (std::size_t active = 0; active < lists.node.size(); ++active) {
      const TrackedNode& tracked = side.nodes[lists.node[active]];
      NearPair pair;
      pair.other_side = pass.segment_side;
      if (side.has_points()) {
        pair.side = side.base;
        pair.item = tracked.id / kPointsOfSegment;
      } else {
        pair.node = tracked.node;
      }
      for (std::int32_t c = lists.begin[active]; c < lists.begin[active + 1]; ++c) {
        pair.other = pass.segments[lists.pair[c].segment].order;
        pair.within_reach = !(lists.pair[c].gap > 0.0F);
        of_nodes.push_back(pair);
      }
    }
  }
  for_each_mortar(sides_, [&](const auto& m) { m.append_near_pairs(of_nodes); });
  for (const LineContact& lines : lines_)
    if (lines.touches()) all.push_back(lines.near_pairs());
  return all;
}

std::vector<NearPair> LineContact::near_pairs() const {
  std::vector<NearPair> pairs;
  for (std::size_t k = 0; k < first_.size(); ++k)
    for (std::int32_t p = begin_[k]; p < begin_[k + 1]; ++p) {
      NearPair& pair = pairs.emplace_back();
      const std::int32_t a = 2 * contact_;
      pair.side = a + lines_[first_[k]].side;
      pair.item = lines_[first_[k]].order;
      pair.other = candidate_[pair_[p].segment].order;
      // With two surfaces the first line is of surface a, the second of surface b.
      pair.other_side = two_surfaces_ ? a + 1 : pair.side;
    }
  return pairs;
}

}  // namespace crumple::contact
