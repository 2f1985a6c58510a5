// How an ExplicitMortar searches for the pairs of segments that may touch.
#include <algorithm>

#include "contact/mortar/explicit_mortar.hpp"
#include "contact/search/safe_gap.hpp"
#include "contact/search/segment_courier.hpp"

namespace crumple::contact::mortar {

/// A segment as a message.
struct FaceMessage {
  FaceRecord record;
  std::array<Vec3, kCorners> x{};
  std::array<double, kCorners> mass{}, force_scale{};
};
CRUMPLE_MEMBERS(FaceMessage, record, x, mass, force_scale)

struct ExplicitMortar::Found {
  const FaceRecord* record = nullptr;
  Box box;
  std::int32_t home = 0, message = -1;  ///< rank; copies: position among its messages
  bool of_b = false;
};

namespace {

/// How far beside a face's box its pairs may be: see depth_behind, PairInput::behind.
double reach_of(const FaceRecord& face) {
  return face.half_thickness + (face.solid ? 2.0 * face.depth : 0.0);
}

Box box_of_record(const FaceRecord& face, const state::Nodal& nodal) {
  Box box;
  for (int k = 0; k < face.corners; ++k) box.add(nodal.x[at(face.node[at(k)])]);
  return box;
}

double half_extent(const Box& box) {
  const Vec3 extent = 0.5 * (box.high - box.low);
  return std::max({extent.x, extent.y, extent.z});
}

/// Along the axis on which two boxes are farthest apart.
double separation(const Box& a, const Box& b) {
  double most = -HUGE_VAL;
  for (int c = 0; c < 3; ++c) most = std::max({most, a.low[c] - b.high[c], b.low[c] - a.high[c]});
  return most;
}

Vec3 centre_of_box(const Box& box) { return 0.5 * (box.low + box.high); }

void copy_state(std::vector<FaceRecord>& faces, std::span<const SegmentRecord> from) {
  for (std::size_t k = 0; k < faces.size(); ++k) {
    faces[k].alive = from[k].there();
    faces[k].searched = from[k].searched();
  }
}

}  // namespace

/// Not segments of one rigid body, nor those that share nodes or are connected nearby.
bool ExplicitMortar::may_touch(const FaceRecord& first, const FaceRecord& second) const {
  if (single_ && !(first.order < second.order)) return false;
  if (first.rigid_body >= 0 && first.rigid_body == second.rigid_body) return false;
  const auto shares = [](const FaceRecord& one, const FaceRecord& other) {
    return std::any_of(other.excluded.begin(), other.excluded.begin() + kCorners, [&](GlobalId id) {
      return std::ranges::find(one.excluded, id) != one.excluded.end();
    });
  };
  if (shares(first, second) || shares(second, first)) return false;
  return !std::ranges::binary_search(neighbours_, model::Neighbours{first.order, second.order});
}

/// Send the second segments to the ranks that have first ones near them. Collective.
std::vector<std::vector<FaceMessage>> ExplicitMortar::bring_copies(const state::Nodal& nodal,
                                                                   double margin) const {
  std::vector<std::vector<FaceMessage>> send(static_cast<std::size_t>(comm_.size()));
  if (comm_.size() == 1) return send;
  std::vector<Vec3> points;
  std::array<double, 2> most{};  // reach, half extent
  for (const FaceRecord& r : a_) {
    if (!r.searched) continue;
    const Box box = box_of_record(r, nodal);
    points.push_back(centre_of_box(box));
    most[0] = std::max(most[0], reach_of(r));
    most[1] = std::max(most[1], half_extent(box));
  }
  comm_.max(std::span<double>(most));
  const NodeMap map(comm_, points);
  std::vector<int> ranks;
  for (const FaceRecord& r : single_ ? a_ : b_) {
    if (!r.searched) continue;
    const double near = (reach_of(r) + most[0] + most[1] + margin) * (1.0 + 1e-9);
    map.ranks_near(box_of_record(r, nodal).grown(near), ranks);
    if (ranks.empty()) continue;
    FaceMessage message;
    message.record = r;
    for (std::size_t k = 0; k < kCorners; ++k) {
      const std::size_t node = at(r.node[k]);
      message.x[k] = nodal.x[node];
      message.mass[k] = nodal.own_mass(node);
      message.force_scale[k] = nodal.loads[node].force.scale;
    }
    for (const int rank : ranks) send[at(rank)].push_back(message);
  }
  return comm_.exchange(send);
}

void ExplicitMortar::sort(const state::Nodal& nodal, std::span<const SegmentRecord> a,
                          std::span<const SegmentRecord> b, double margin) {
  copy_state(a_, a);
  copy_state(b_, b);
  const auto messages = bring_copies(nodal, margin);
  std::vector<Found> found;
  for (const bool of_b : {false, true})
    for (const FaceRecord& r : of_b ? b_ : a_)
      if (r.searched) found.push_back({&r, box_of_record(r, nodal), comm_.rank(), -1, of_b});
  for (int r = 0; r < comm_.size(); ++r)
    for (std::size_t m = 0; m < messages[at(r)].size(); ++m) {
      const FaceMessage& message = messages[at(r)][m];
      Box box;
      for (int k = 0; k < message.record.corners; ++k) box.add(message.x[at(k)]);
      found.push_back({&message.record, box, r, static_cast<std::int32_t>(m), !single_});
    }
  find_pairs(found, margin);
  number_used_nodes(nodal, found, messages);
}

/// Pairs of this rank's first segments. Pairs and first_candidate_ still refer to `found`.
void ExplicitMortar::find_pairs(std::span<const Found> found, double margin) {
  std::vector<Vec3> points;
  std::vector<std::int32_t> second;
  double reach = 0, half = 0;
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (!single_ && !found[k].of_b) continue;
    points.push_back(centre_of_box(found[k].box));
    second.push_back(static_cast<std::int32_t>(k));
    reach = std::max(reach, reach_of(*found[k].record));
    half = std::max(half, half_extent(found[k].box));
  }
  BucketGrid grid;
  grid.build(points, std::max(mean_size_[single_ ? 0 : 1], 1e-3 * half));
  first_.clear();
  first_candidate_.clear();
  begin_.assign(1, 0);
  pair_.clear();
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].message >= 0 || found[i].of_b) continue;
    const FaceRecord& first = *found[i].record;
    const auto face = static_cast<std::int32_t>(&first - a_.data());
    const std::size_t before = pair_.size();
    const double around = (reach_of(first) + reach + half + margin) * (1.0 + 1e-9);
    grid.for_each_near(found[i].box.grown(around), [&](std::int32_t at_point, const Vec3&) {
      const Found& other = found[at(second[at(at_point)])];
      const FaceRecord& of = *other.record;
      const double apart = separation(found[i].box, other.box);
      if (apart > reach_of(first) + reach_of(of) + margin || !may_touch(first, of)) return;
      const double thickness = first.half_thickness + of.half_thickness;
      double depth = first.solid ? first.depth : of.solid ? of.depth : 0.0;
      if (first.solid && of.solid) depth = std::min(first.depth, of.depth);
      const double gap = apart - std::max(thickness, depth);
      pair_.push_back({second[at(at_point)], safe_gap(gap, around)});
    });
    if (pair_.size() == before) {
      touching_[at(face)].clear();
      continue;
    }
    std::sort(pair_.begin() + static_cast<std::ptrdiff_t>(before), pair_.end(),
              [&](const contact::Pair& l, const contact::Pair& r) {
                return found[at(l.segment)].record->order < found[at(r.segment)].record->order;
              });
    first_.push_back(face);
    first_candidate_.push_back(static_cast<std::int32_t>(i));
    begin_.push_back(static_cast<std::int32_t>(pair_.size()));
  }
}

/// Keep only segments of pairs, number their nodes and request their motion from the home ranks.
void ExplicitMortar::number_used_nodes(const state::Nodal& nodal, std::span<const Found> found,
                                       std::span<const std::vector<FaceMessage>> messages) {
  std::vector<std::int32_t> kept(found.size(), -1);
  for (const std::int32_t f : first_candidate_) kept[at(f)] = 0;
  for (const contact::Pair& p : pair_) kept[at(p.segment)] = 0;
  WantedNodes wanted(comm_.size()), own(1);
  for (std::size_t f = 0; f < found.size(); ++f)
    if (kept[f] >= 0)
      for (const LocalId node : found[f].record->node) {
        if (found[f].message < 0)
          own.add(0, node);
        else
          wanted.add(found[f].home, node);
      }
  own.number();
  used_ = {};
  x_sorted_.clear();
  used_.local = own.by_rank()[0];
  used_.add_copies(wanted.number());
  candidate_.clear();
  for (std::size_t f = 0; f < found.size(); ++f) {
    if (kept[f] < 0) continue;
    kept[f] = static_cast<std::int32_t>(candidate_.size());
    const FaceRecord& r = *found[f].record;
    Candidate& to = candidate_.emplace_back();
    to.face = r;
    to.of_b = found[f].of_b;
    const bool copy = found[f].message >= 0;
    for (std::size_t k = 0; k < kCorners; ++k) {
      const std::size_t number = copy ? wanted(found[f].home, r.node[k]) : own(0, r.node[k]);
      const std::size_t place = copy ? used_.n_local() + number : number;
      to.node[k] = static_cast<std::int32_t>(place);
      used_.id[place] = r.excluded[k];
      if (!copy) {
        used_.mass[place] = nodal.own_mass(at(r.node[k]));
        continue;
      }
      const FaceMessage& message = messages[at(found[f].home)][at(found[f].message)];
      used_.mass[place] = message.mass[k];
      used_.force[number].scale = message.force_scale[k];
    }
  }
  for (std::int32_t& f : first_candidate_) f = kept[at(f)];
  for (contact::Pair& p : pair_) p.segment = kept[at(p.segment)];
  exchange_.connect(comm_, wanted, masses_change_);
}

}  // namespace crumple::contact::mortar
