// What a ContactSystem does when elements are deleted: segments vanish, faces behind them come up, nodes get
// loose.
#include <algorithm>

#include "contact/contact_parts.hpp"

namespace crumple::contact {

void ContactSystem::delete_elements(const state::Nodal& nodal, std::span<const DeletedElement> elements) {
  for (LineContact& lines : lines_) lines.delete_elements(elements);
  for (const DeletedElement& e : elements) {
    const ElementSegment first{e.kind, e.element, -1, -1};
    for (auto at = std::lower_bound(by_element_.begin(), by_element_.end(), first);
         at != by_element_.end() && at->kind == e.kind && at->element == e.element; ++at) {
      SegmentRecord& r = sides_[at->side].segments[at->segment];
      if (!r.alive) continue;
      r.alive = false;
      DeletedSegment& dead = dead_.emplace_back();
      dead.side = at->side;
      dead.corners = r.corners;
      dead.order = r.order;
      dead.wakes = r.asleep ? r.twin : -1;
      std::copy_n(r.excluded.begin(), 4, dead.nodes.begin());
      dead.outward = outward_of(nodal, r);
      dead.asleep = r.asleep ? 1 : 0;
      dead.solid = e.kind == model::ElementKind::solid ? 1 : 0;
    }
  }
}

/// Tell all ranks of segments deleted anywhere; few at a time.
///
/// A face wakes when the solid on its other side goes, unless its own goes in the same cycle. All ranks know
/// all that went, so they agree. It has the nodes of the face that went and looks the other way, so its
/// nodes' owners need not be told more.
void ContactSystem::exchange_deletions() {
  const auto all = comm_.all_gather(std::span<const DeletedSegment>(dead_));
  dead_.clear();
  moving_changed_ = true;
  std::vector<std::vector<GlobalId>> gone(sides_.size()), woken(sides_.size());
  for (const DeletedSegment& dead : all) gone[dead.side].push_back(dead.order);
  for (auto& list : gone) std::sort(list.begin(), list.end());
  for (const DeletedSegment& dead : all) {
    const auto& list = gone[dead.side];
    const bool wakes = dead.wakes >= 0 && !std::binary_search(list.begin(), list.end(), dead.wakes);
    if (wakes) woken[dead.side].push_back(dead.wakes);
    detach(dead, wakes);
  }
  for (const DeletedSegment& dead : all) settle(dead);
  kill_points(gone);
  kill_lines();
  for (std::size_t s = 0; s < sides_.size(); ++s) wake(sides_[s], woken[s]);
  for (Pass& pass : passes_)
    if (const auto& list = gone[pass.segment_side]; !list.empty())
      for (CandidateSegment& segment : pass.segments)
        if (std::binary_search(list.begin(), list.end(), segment.order)) segment.alive = false;
}

/// Calls `visit(node)` for the nodes of a segment that this rank tracks.
template <class Visit>
void ContactSystem::for_each_node(const DeletedSegment& dead, Visit visit) {
  auto& nodes = sides_[dead.side].nodes;
  for (int k = 0; k < dead.corners; ++k) {
    const auto node = std::lower_bound(nodes.begin(), nodes.end(), dead.nodes[k],
                                       [](const TrackedNode& n, GlobalId id) { return n.id < id; });
    if (node != nodes.end() && node->id == dead.nodes[k]) visit(*node);
  }
}

/// Take a segment from its nodes, and give them the one that wakes behind it.
void ContactSystem::detach(const DeletedSegment& dead, bool wakes) {
  const Vec3 outward{double(dead.outward[0]), double(dead.outward[1]), double(dead.outward[2])};
  for_each_node(dead, [&](TrackedNode& node) {
    if (dead.asleep != 0) {
      --node.asleep;
    } else {
      --node.attached;
      node.outward -= outward;
    }
    if (!wakes) return;
    --node.asleep;
    ++node.attached;
    node.outward -= outward;
  });
}

/// A node is tracked as long as it is on a segment that is there; ENMASS keeps those that are loose.
void ContactSystem::settle(const DeletedSegment& dead) {
  const int keeps = model_.contacts[sides_[dead.side].contact].keeps_loose_nodes;
  const bool kept = keeps >= 2 || (keeps == 1 && dead.solid != 0);
  for_each_node(dead, [&](TrackedNode& node) {
    const bool loose = node.attached == 0 && node.asleep == 0;
    node.alive = loose ? kept : node.attached > 0;
  });
}

/// Let this rank's segments of these orders take part from now on.
void ContactSystem::wake(Side& side, std::span<const GlobalId> orders) {
  if (orders.empty()) return;
  sorted_ = false;
  for (const GlobalId order : orders) {
    const auto at = std::lower_bound(side.segments.begin(), side.segments.end(), order,
                                     [](const SegmentRecord& r, GlobalId o) { return r.order < o; });
    if (at != side.segments.end() && at->order == order) at->asleep = false;
  }
}

/// Nodes of beams that died may have nothing left to be tracked for; pairs of lines are found anew, with what
/// edges of several shells have become.
void ContactSystem::kill_lines() {
  for (LineContact& lines : lines_)
    for (const ChangedLine& line : lines.exchange_deletions()) {
      sorted_ = false;
      if (line.beam_side < 0) continue;
      auto& nodes = sides_[2 * lines.contact() + line.beam_side].nodes;
      for (const GlobalId id : line.nodes) {
        const auto node = std::lower_bound(nodes.begin(), nodes.end(), id,
                                           [](const TrackedNode& n, GlobalId i) { return n.id < i; });
        if (node == nodes.end() || node->id != id) continue;
        if (--node->attached == 0) node->alive = model_.contacts[lines.contact()].keeps_loose_nodes >= 2;
      }
    }
}

}  // namespace crumple::contact
