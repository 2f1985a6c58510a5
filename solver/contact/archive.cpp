// The state of contacts by name: the contacts of nodes and points with their work, and which segments are
// left.
//
// Lists of candidates are not state: a sort finds them again, and results do not depend on when it runs.
#include "state/archive.hpp"

#include <fmt/format.h>

#include "contact/contact_parts.hpp"

namespace crumple::contact {

using state::Of;
using state::Rows;

namespace {

template <class Items, class Key>
std::vector<GlobalId> keys_of(const Items& items, Key key) {
  std::vector<GlobalId> keys;
  keys.reserve(items.size());
  for (const auto& item : items) keys.push_back(item.*key);
  return keys;
}

/// Index of a tracked node by its user id; the number of nodes if it is not tracked.
std::size_t place_of(const std::vector<TrackedNode>& nodes, GlobalId id) {
  const auto at = std::lower_bound(nodes.begin(), nodes.end(), id,
                                   [](const TrackedNode& n, GlobalId i) { return n.id < i; });
  return at != nodes.end() && at->id == id ? static_cast<std::size_t>(at - nodes.begin()) : nodes.size();
}

/// The stored contacts of a node that touches or has touched.
struct History {
  std::uint8_t count = 0;
  SlidingWork work;
  NodeSlots slots;
};
CRUMPLE_MEMBERS(History, count, work, slots)

}  // namespace

void ContactSystem::archive(state::Archive& archive) {
  const auto here = archive.module("contact");
  archive.global("soft_dt", soft_dt_);
  archive.global("speed", speed_);
  archive.global("deletes", deletes_);
  archive_sides(archive);
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    const auto pass = archive.module(fmt::format("pass {}", p));
    archive_pass(archive, passes_[p]);
  }
  archive_deletions(archive);
  for (LineContact& lines : lines_) lines.archive(archive);
  for_each_mortar(sides_, [&](auto& m) { m.archive(archive); });
  if (!archive.reading()) return;
  sorted_ = false;
  moving_changed_ = true;
}

/// The data of segments and tracked nodes that deletions change.
void ContactSystem::archive_sides(state::Archive& archive) {
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    Side& side = sides_[s];
    const auto here = archive.module(fmt::format("side {}", s));
    {
      const auto of_segments = archive.module("segments");
      const auto orders = keys_of(side.segments, &SegmentRecord::order);
      const Rows rows = Rows::own(Of::entity, orders);
      archive.member("alive", rows, std::span(side.segments), &SegmentRecord::alive);
      archive.member("asleep", rows, std::span(side.segments), &SegmentRecord::asleep);
    }
    const auto of_nodes = archive.module("nodes");
    const auto ids = keys_of(side.nodes, &TrackedNode::id);
    const Rows rows = Rows::own(Of::entity, ids);
    archive.member("alive", rows, std::span(side.nodes), &TrackedNode::alive);
    archive.member("attached", rows, std::span(side.nodes), &TrackedNode::attached);
    archive.member("asleep", rows, std::span(side.nodes), &TrackedNode::asleep);
    archive.member("outward", rows, std::span(side.nodes), &TrackedNode::outward);
  }
}

void ContactSystem::archive_pass(state::Archive& archive, Pass& pass) {
  archive.global("started", pass.started);
  const std::vector<TrackedNode>& nodes = sides_[pass.node_side].nodes;
  std::vector<GlobalId> ids;
  std::vector<History> histories;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (pass.count[i] == 0 && pass.work[i].total == 0.0) continue;
    ids.push_back(nodes[i].id);
    histories.push_back({pass.count[i], pass.work[i], pass.slots.has(i) ? pass.slots[i] : NodeSlots{}});
  }
  archive.list("nodes", ids, 1,
               [&](std::span<const GlobalId> key) { return place_of(nodes, key[0]) < nodes.size(); });
  histories.resize(ids.size());
  archive.structs("node", Rows::own(Of::entity, ids), std::span(histories));
  if (!archive.reading()) return;
  pass.count.assign(nodes.size(), 0);
  pass.work.assign(nodes.size(), {});
  pass.slots.resize(nodes.size());
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const std::size_t i = place_of(nodes, ids[k]);
    pass.count[i] = histories[k].count;
    pass.work[i] = histories[k].work;
    if (histories[k].count > 0) pass.slots.take(i) = histories[k].slots;
  }
}

/// Deleted segments of which not all ranks know yet. Any rank could report them; their home rank does.
void ContactSystem::archive_deletions(state::Archive& archive) {
  std::vector<GlobalId> keys;  // side, order
  for (const DeletedSegment& deleted : deleted_) keys.insert(keys.end(), {deleted.side, deleted.order});
  archive.list("deleted segments", keys, 2, [&](std::span<const GlobalId> key) {
    const auto& segments = sides_.at(static_cast<std::size_t>(key[0])).segments;
    return std::ranges::binary_search(segments, key[1], {}, &SegmentRecord::order);
  });
  deleted_.resize(keys.size() / 2);
  archive.structs("deleted segment", Rows::own(Of::entity, keys, 2), std::span(deleted_));
  if (!archive.reading()) return;
  forget_dying();
  for (const DeletedSegment& deleted : deleted_) {
    const auto& segments = sides_[static_cast<std::size_t>(deleted.side)].segments;
    const auto at = std::ranges::lower_bound(segments, deleted.order, {}, &SegmentRecord::order);
    set_dying(deleted.side, static_cast<std::int32_t>(at - segments.begin()));
  }
}

}  // namespace crumple::contact
