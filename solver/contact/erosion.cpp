// What a ContactSystem does when elements are deleted: segments are deleted, faces behind them become active,
// nodes become free.
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
      set_dying(at->side, at->segment);
      DeletedSegment& deleted = deleted_.emplace_back();
      deleted.side = at->side;
      deleted.corners = r.corners;
      deleted.order = r.order;
      deleted.wakes = r.asleep ? r.twin : -1;
      std::copy_n(r.excluded.begin(), 4, deleted.nodes.begin());
      deleted.outward = outward_of(nodal, r);
      deleted.asleep = r.asleep ? 1 : 0;
      deleted.solid = e.kind == model::ElementKind::solid ? 1 : 0;
    }
  }
}

/// A segment takes part in one more search, if there is one, because the work of its last forces is counted
/// with the next ones. So this work does not depend on when contacts are searched.
void ContactSystem::set_dying(std::int32_t side, std::int32_t segment) {
  SegmentRecord& r = sides_[side].segments[segment];
  r.dying = !r.asleep;
  if (r.dying) dying_.emplace_back(side, segment);
}

/// To be called when all forces of a cycle have been computed.
void ContactSystem::forget_dying() {
  for (const auto& [side, segment] : dying_) sides_[side].segments[segment].dying = false;
  dying_.clear();
}

/// Report the segments deleted on any rank to all ranks; these are few at a time.
///
/// An inactive face becomes active when the solid on its other side is deleted, unless its own solid is
/// deleted in the same cycle. All ranks know all deletions, so they agree. The face has the nodes of the
/// deleted face and the opposite normal, so the nodes' owners need no more data.
void ContactSystem::exchange_deletions() {
  const auto all = comm_.all_gather(std::span<const DeletedSegment>(deleted_));
  deleted_.clear();
  moving_changed_ = true;
  std::vector<std::vector<GlobalId>> gone(sides_.size()), woken(sides_.size());
  for (const DeletedSegment& deleted : all) gone[deleted.side].push_back(deleted.order);
  for (auto& list : gone) std::sort(list.begin(), list.end());
  for (const DeletedSegment& deleted : all) {
    const auto& list = gone[deleted.side];
    const bool wakes = deleted.wakes >= 0 && !std::binary_search(list.begin(), list.end(), deleted.wakes);
    if (wakes) woken[deleted.side].push_back(deleted.wakes);
    detach(deleted, wakes);
  }
  for (const DeletedSegment& deleted : all) settle(deleted);
  delete_points(gone);
  delete_lines();
  for_each_mortar(sides_, [&](auto& m) {
    const auto side = 2 * static_cast<std::size_t>(m.contact());
    for (const bool of_b : {false, true}) m.delete_faces(of_b, gone[side + (of_b ? 1 : 0)]);
  });
  for (std::size_t s = 0; s < sides_.size(); ++s) wake(sides_[s], woken[s]);
  for (Pass& pass : passes_)
    if (const auto& list = gone[pass.segment_side]; !list.empty())
      for (CandidateSegment& segment : pass.segments)
        if (std::binary_search(list.begin(), list.end(), segment.order)) segment.alive = false;
}

/// Calls `visit(node)` for the nodes of a segment that this rank tracks.
template <class Visit>
void ContactSystem::for_each_node(const DeletedSegment& deleted, Visit visit) {
  auto& nodes = sides_[deleted.side].nodes;
  for (int k = 0; k < deleted.corners; ++k) {
    const auto node = std::lower_bound(nodes.begin(), nodes.end(), deleted.nodes[k],
                                       [](const TrackedNode& n, GlobalId id) { return n.id < id; });
    if (node != nodes.end() && node->id == deleted.nodes[k]) visit(*node);
  }
}

/// Remove a segment from its nodes, and add the face that becomes active behind it.
void ContactSystem::detach(const DeletedSegment& deleted, bool wakes) {
  const Vec3 outward{double(deleted.outward[0]), double(deleted.outward[1]), double(deleted.outward[2])};
  for_each_node(deleted, [&](TrackedNode& node) {
    if (deleted.asleep != 0) {
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

/// A node is tracked as long as it belongs to an active segment; with ENMASS also free nodes are tracked.
void ContactSystem::settle(const DeletedSegment& deleted) {
  const int keeps = model_.contacts[sides_[deleted.side].contact].keeps_loose_nodes;
  const bool kept = keeps >= 2 || (keeps == 1 && deleted.solid != 0);
  for_each_node(deleted, [&](TrackedNode& node) {
    const bool loose = node.attached == 0 && node.asleep == 0;
    node.alive = loose ? kept : node.attached > 0;
  });
}

/// Make this rank's segments with these orders active from now on.
void ContactSystem::wake(Side& side, std::span<const GlobalId> orders) {
  if (orders.empty()) return;
  sorted_ = false;
  for (const GlobalId order : orders) {
    const auto at = std::lower_bound(side.segments.begin(), side.segments.end(), order,
                                     [](const SegmentRecord& r, GlobalId o) { return r.order < o; });
    if (at != side.segments.end() && at->order == order) at->asleep = false;
  }
}

/// Nodes of deleted beams may no longer need tracking. Pairs of lines are searched again, with the new
/// properties of edges of several shells.
void ContactSystem::delete_lines() {
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
