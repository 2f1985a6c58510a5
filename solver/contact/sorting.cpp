// When and how a ContactSystem searches for the segments that each node may touch.
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <utility>

#include "base/assert.hpp"
#include "contact/contact_parts.hpp"
#include "contact/search/displacement_box.hpp"
#include "contact/search/segment_courier.hpp"

namespace crumple::contact {

namespace {
// With fewer, starting threads takes longer than the work.
constexpr std::size_t kSortedForThreads = 8192, kKeysForThreads = 4096, kClustersForThreads = 128;
}  // namespace

struct ContactSystem::Found {
  std::vector<std::vector<SegmentMessage>> messages;  ///< by home rank
  std::vector<FoundSegments> segments;                ///< by pass
};

double ContactSystem::margin(const Pass& pass) const {
  return margin_fraction_ * sides_[pass.segment_side].mean_size;
}

/// Displacements of this rank's nodes.
ContactSystem::Extent ContactSystem::extent(const state::Nodal& nodal) const {
  Box box;
  constexpr std::size_t n = DisplacementBox::kNodes;
#pragma omp parallel if (moving_.size() > kSortedForThreads)
  {
    DisplacementBox of_many;
    Box of_single;
#pragma omp for nowait
    for (std::size_t k = 0; k < moving_.size(); k += n) {
      const std::size_t end = std::min(k + n, moving_.size());
      if (end == k + n && moving_[end - 1] - moving_[k] == static_cast<LocalId>(n - 1))
        of_many.add(&nodal.x[moving_[k]], &x_sorted_[k]);
      else
        for (std::size_t i = k; i < end; ++i) of_single.add(nodal.x[moving_[i]] - x_sorted_[i]);
    }
    of_many.join_to(of_single);
#pragma omp critical(crumple_contact_motion)
    box.join(of_single);
  }
  return {box.high.x, box.high.y, box.high.z, -box.low.x, -box.low.y, -box.low.z};
}

/// Whether this rank has deletions that are not yet reported: segments, or elements of lines.
bool ContactSystem::has_deletions() const {
  return !deleted_.empty() ||
         std::any_of(lines_.begin(), lines_.end(), [](const LineContact& l) { return l.has_losses(); });
}

ContactSystem::Motion ContactSystem::motion(const state::Nodal& nodal, double way, double speed) const {
  Motion motion{way, speed, has_deletions() ? 1.0 : 0.0};
  std::fill(motion.begin() + 3, motion.end(), -HUGE_VAL);
  if (measures_) std::ranges::copy(extent(nodal), motion.begin() + 3);
  return motion;
}

namespace {

/// The distance of two nodes can decrease by at most the diagonal of the box of all displacements; a common
/// motion of all nodes does not count.
double relative_motion(const std::array<double, 6>& extent, double travelled) {
  if (extent[0] == -HUGE_VAL) return 0.0;
  const double way = 2.0 * travelled;
  return norm(Vec3{extent[0] + extent[3] + way, extent[1] + extent[4] + way, extent[2] + extent[5] + way}) *
         (1.0 + 1e-12);
}

}  // namespace

/// The result is the same on every rank and for any number of ranks.
void ContactSystem::take_motion(const Motion& of_all) {
  if (passes_.empty() && lines_.empty() && !any_mortar(sides_)) return;
  speed_ = of_all[1];
  deletes_ = of_all[2] > 0.0;
  travelled_ = measures_ || just_sorted_ ? 0.0 : travelled_ + of_all[0];
  if (measures_) std::copy(of_all.begin() + 3, of_all.end(), extent_.begin());
  if (!just_sorted_ && relative_motion(extent_, travelled_) > least_margin()) ++timing_.late;
}

/// Both ends of the box may move by one more step along every axis. This is more than the real relative
/// motion, unless nodes have just started to move.
void ContactSystem::sort_if_moved(const state::Nodal& nodal, double dt) {
  const double least = least_margin(), step = speed_ * dt;
  just_sorted_ = !sorted_ || jumped_ || relative_motion(extent_, travelled_ + step) > least;
  if (just_sorted_) sort(nodal);
  // Measure the box in time: with the bound alone the sort would come too early.
  measures_ = !just_sorted_ && relative_motion(extent_, travelled_ + 2.0 * step) > least;
}

void ContactSystem::measure(const state::Nodal& nodal) {
  deletes_ = comm_.any(has_deletions());
  speed_ = travelled_ = 0.0;
  if (!sorted_) return;
  extent_ = extent(nodal);
  comm_.max(std::span<double>(extent_));
}

/// Relative motion since the last sort, at the last measurement.
double ContactSystem::measured_motion() const { return relative_motion(extent_, 0.0); }

/// Relative motion up to which all possible contacts are known.
double ContactSystem::least_margin() const {
  double least = HUGE_VAL;
  for (const Pass& pass : passes_)
    if (margin(pass) > 0.0) least = std::min(least, margin(pass));
  for (const LineContact& lines : lines_)
    if (lines.touches()) least = std::min(least, margin_fraction_ * lines.mean_length());
  for_each_mortar(sides_, [&](const auto& m) {
    if (m.mean_size() > 0.0) least = std::min(least, margin_fraction_ * m.mean_size());
  });
  return least;
}

/// A sort costs as much as some whole cycles. So fast models get a larger margin, and slow ones keep fewer
/// pairs. The result does not depend on the margin, and all ranks count the same cycles.
void ContactSystem::adapt_margin() {
  const std::int64_t since = timing_.cycles - last_sort_;
  last_sort_ = timing_.cycles;
  if (!adapt_margin_ || !sorted_) return;
  if (since < 32) margin_fraction_ = std::min(1.5 * margin_fraction_, 4.0);
  if (since > 100) margin_fraction_ = std::max(0.8 * margin_fraction_, 0.1);
}

void ContactSystem::sort(const state::Nodal& nodal) {
  const auto start = std::chrono::steady_clock::now();
  adapt_margin();
  if (moving_changed_) list_moving_nodes();
  moving_changed_ = false;
  x_sorted_.resize(moving_.size());
#pragma omp parallel for if (moving_.size() > kSortedForThreads)
  for (std::size_t k = 0; k < moving_.size(); ++k) x_sorted_[k] = nodal.x[moving_[k]];
  extent_ = {};
  Found found;
  bring_copies(nodal, found);
  search(nodal, found);
  number_used_nodes(nodal, found);
  for (Pass& pass : passes_) renew_slots(pass);
  for (LineContact& lines : lines_) lines.sort(nodal, margin_fraction_ * lines.mean_length());
  for_each_mortar(sides_, [&](auto& m) {
    const auto side = 2 * static_cast<std::size_t>(m.contact());
    m.sort(nodal, sides_[side].segments, sides_[side + 1].segments, margin_fraction_ * m.mean_size());
  });
  sorted_ = true;
  jumped_ = false;
  ++timing_.sorts;
  timing_.sort += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Send each active segment to the ranks that have tracked nodes near it.
void ContactSystem::bring_copies(const state::Nodal& nodal, Found& found) const {
  found.messages.resize(comm_.size());
  if (comm_.size() == 1) return;
  std::vector<std::vector<SegmentMessage>> send(comm_.size());
  std::vector<Vec3> points;
  std::vector<int> ranks;
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    const Pass& pass = passes_[p];
    points.clear();
    const Side& tracked = sides_[pass.node_side];
    for (std::size_t i = 0; i < tracked.nodes.size(); ++i)
      if (tracked.nodes[i].alive) points.push_back(tracked.position(i, nodal));
    const NodeMap map(comm_, points);
    for (const SegmentRecord& r : sides_[pass.segment_side].segments) {
      if (!r.searched()) continue;
      Box box;
      for (const LocalId node : r.node) box.add(nodal.x[node]);
      const double near = reach(r, pass.most_half_thickness) + margin(pass);
      map.ranks_near(box.grown(near), ranks);
      if (ranks.empty()) continue;
      SegmentMessage message{r, static_cast<std::int32_t>(p)};
      for (int k = 0; k < 4; ++k) {
        message.x[k] = nodal.x[r.node[k]];
        message.mass[k] = nodal.own_mass(r.node[k]);
        message.force_scale[k] = nodal.loads[r.node[k]].force.scale;
      }
      for (const int rank : ranks) send[rank].push_back(message);
    }
  }
  found.messages = comm_.exchange(send);
}

void ContactSystem::search(const state::Nodal& nodal, Found& found) {
  found.segments.resize(passes_.size());
  for (std::size_t p = 0; p < passes_.size(); ++p)
    found.segments[p].own = sides_[passes_[p].segment_side].segments;
  for (int r = 0; r < comm_.size(); ++r)
    for (std::size_t m = 0; m < found.messages[r].size(); ++m) {
      const SegmentMessage& message = found.messages[r][m];
      found.segments[message.pass].copies.push_back(
          {&message.record, &message.x, r, static_cast<std::int32_t>(m)});
    }
  std::vector<Vec3> x;
  std::vector<std::array<GlobalId, 4>> own;
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    Pass& pass = passes_[p];
    const Side& tracked = sides_[pass.node_side];
    x.resize(tracked.nodes.size());
#pragma omp parallel for if (x.size() > kSortedForThreads)
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = tracked.position(i, nodal);
    own.clear();
    for (const SegmentPoint& point : tracked.points) own.push_back(point.id);
    find_candidates(tracked.nodes, x, nodal.x, found.segments[p], sides_[pass.segment_side].mean_size,
                    margin(pass), closest_pairs_, pass.candidates, own, tracked.neighbours);
  }
}

/// Calls `visit(node)` for the nodes numbered `first` to `last` of the pass that have candidates; for points,
/// for the nodes of their segments.
template <class Visit>
void ContactSystem::for_each_node_near(const Pass& pass, std::size_t first, std::size_t last,
                                       Visit visit) const {
  const Side& side = sides_[pass.node_side];
  for (std::size_t active = first; active < last; ++active) {
    const std::int32_t i = pass.candidates.node[active];
    if (!side.has_points()) {
      visit(side.nodes[i].node);
      continue;
    }
    for (int k = 0; k < side.points[i].corners; ++k) visit(side.points[i].node[k]);
  }
}

/// Blocks of neighbouring nodes, each once: hundreds of nodes of a cluster are in a dozen blocks.
struct ContactSystem::BlockSet {
  std::vector<std::int32_t> blocks;
  std::vector<std::size_t> round;  ///< by block: in which it was added last
  std::size_t now = 0;

  explicit BlockSet(std::size_t n) : round(n, 0) {}
  void clear() {
    ++now;
    blocks.clear();
  }
  void add(std::int32_t node) {
    const std::int32_t block = NeighbourMotion::block_of(node);
    if (std::exchange(round[block], now) != now) blocks.push_back(block);
  }
};

/// Blocks of neighbouring nodes that contain the nodes of a cluster and their candidates, ascending.
///
/// @param number numbers of this rank's nodes among the used nodes
void ContactSystem::find_blocks(const Pass& pass, std::span<const std::int32_t> number, std::size_t first,
                                std::size_t last, BlockSet& blocks) const {
  const CandidateLists& lists = pass.candidates;
  blocks.clear();
  for_each_node_near(pass, first, last, [&](LocalId node) { blocks.add(number[node]); });
  for (std::int32_t p = lists.begin[first]; p < lists.begin[last]; ++p)
    for (const std::int32_t node : pass.segments[lists.pair[p].segment].node) blocks.add(node);
  std::ranges::sort(blocks.blocks);
}

void ContactSystem::cluster_nodes(Pass& pass, std::span<const std::int32_t> number) const {
  const CandidateLists& lists = pass.candidates;
  const std::size_t n = (lists.node.size() + kClusterNodes - 1) / kClusterNodes;
  pass.clusters.assign(n, {});
  pass.used.clear();
  if (const Side& side = sides_[pass.node_side]; !side.has_points())
    for (const std::int32_t i : lists.node) pass.used.push_back(number[side.nodes[i].node]);
  pass.rest.assign(lists.node.size(), 0);
  pass.looked.assign(lists.node.size(), std::numeric_limits<std::int32_t>::min());
  std::vector<std::vector<std::int32_t>> of_threads(static_cast<std::size_t>(omp_get_max_threads()));
#pragma omp parallel if (n > kClustersForThreads)
  {
    std::vector<std::int32_t>& mine = of_threads[static_cast<std::size_t>(omp_get_thread_num())];
    BlockSet found(neighbours_.blocks());
    const std::vector<std::int32_t>& blocks = found.blocks;
#pragma omp for schedule(static)
    for (std::size_t c = 0; c < n; ++c) {
      const std::size_t first = c * kClusterNodes, last = std::min(first + kClusterNodes, lists.node.size());
      find_blocks(pass, number, first, last, found);
      mine.insert(mine.end(), blocks.begin(), blocks.end());
      const std::span gaps = std::span(lists.least_gap).subspan(first, last - first);
      pass.clusters[c].least_gap = *std::ranges::min_element(gaps);
      pass.clusters[c].blocks_end = static_cast<std::int32_t>(blocks.size());  // so far relative to its begin
    }
  }
  // Threads get clusters in ascending order, so their blocks are also in this order.
  pass.cluster_blocks.clear();
  for (const auto& of_thread : of_threads)
    pass.cluster_blocks.insert(pass.cluster_blocks.end(), of_thread.begin(), of_thread.end());
  std::int32_t end = 0;
  for (NodeCluster& cluster : pass.clusters) {
    cluster.blocks_begin = end;
    end = cluster.blocks_end += end;
  }
}

namespace {

/// A candidate with the data of its segment, except its nodes.
CandidateSegment candidate_of(const SegmentRecord& r) {
  CandidateSegment to;
  to.order = r.order;
  to.half_thickness = r.half_thickness;
  to.depth = r.depth;
  to.border_depth = r.border_depth;
  to.stiffness = r.stiffness;
  to.rigid = r.rigid_body >= 0;
  to.area = r.area;
  to.mass = r.mass;
  to.part = r.part;
  to.corners = r.corners;
  to.one_sided = r.one_sided;
  to.alive = r.alive;
  return to;
}

}  // namespace

/// Number the nodes of candidate segments, and request those of copies from their home ranks.
///
/// @param kept by pass and found segment: number among the candidates, or -1
/// @param number out: numbers of this rank's nodes
void ContactSystem::number_nodes(const state::Nodal& nodal, const Found& found,
                                 std::span<const std::vector<std::int32_t>> kept,
                                 std::span<std::int32_t> number, WantedNodes& wanted, UsedNodes& used) const {
  const auto use = [&](LocalId node) {
    if (number[node] >= 0) return;
    number[node] = static_cast<std::int32_t>(used.local.size());
    used.local.push_back(node);
    used.id.push_back(nodal.id[node]);
    used.mass.push_back(nodal.own_mass(node));
  };
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    const FoundSegments& segments = found.segments[p];
    for (std::size_t s = 0; s < kept[p].size(); ++s) {
      if (kept[p][s] < 0) continue;
      const CopiedSegment* copy = segments.copy(s);
      for (const LocalId node : segments.record(s).node)
        if (copy)
          wanted.add(copy->home, node);
        else
          use(node);
    }
  }
  for (const Pass& pass : passes_) for_each_node_near(pass, 0, pass.candidates.node.size(), use);
  used.add_copies(wanted.number());
#pragma omp parallel for if (used.n_local() > kSortedForThreads)
  for (std::size_t k = 0; k < used.n_local(); ++k) used.x[k] = nodal.x[used.local[k]];
}

/// Set the candidate segments of a pass. Copies of a node that several segments share are equal.
void ContactSystem::fill_segments(std::size_t p, const Found& found, std::span<const std::int32_t> kept,
                                  std::span<const std::int32_t> number, const WantedNodes& wanted,
                                  UsedNodes& used) {
  Pass& pass = passes_[p];
  const FoundSegments& segments = found.segments[p];
#pragma omp parallel for if (segments.own.size() > kKeysForThreads)
  for (std::size_t s = 0; s < segments.own.size(); ++s) {
    if (kept[s] < 0) continue;
    CandidateSegment& to = pass.segments[kept[s]] = candidate_of(segments.own[s]);
    if (!pass.planes.empty()) pass.planes[kept[s]] = segments.own[s].plane;
    for (int k = 0; k < 4; ++k) to.node[k] = number[segments.own[s].node[k]];
    CRUMPLE_ASSERT(std::ranges::min(to.node) >= 0, to.node[0], to.node[1], to.node[2], to.node[3], to.order);
  }
  for (std::size_t c = 0; c < segments.copies.size(); ++c) {
    const std::int32_t at = kept[segments.own.size() + c];
    if (at < 0) continue;
    const CopiedSegment& from = segments.copies[c];
    const SegmentMessage& message = found.messages[from.home][from.message];
    CandidateSegment& to = pass.segments[at] = candidate_of(*from.record);
    if (!pass.planes.empty()) pass.planes[at] = from.record->plane;
    for (int k = 0; k < 4; ++k) {
      const std::size_t copy = wanted(from.home, from.record->node[k]);
      to.node[k] = static_cast<std::int32_t>(used.n_local() + copy);
      used.x[to.node[k]] = message.x[k];
      used.id[to.node[k]] = from.record->excluded[k];
      used.mass[to.node[k]] = message.mass[k];
      used.force[copy].scale = message.force_scale[k];
    }
  }
#pragma omp parallel for if (pass.candidates.pair.size() > kSortedForThreads)
  for (std::size_t k = 0; k < pass.candidates.pair.size(); ++k) {
    Pair& pair = pass.candidates.pair[k];
    pair.segment = kept[pair.segment];
    CRUMPLE_ASSERT(pair.segment >= 0 && pair.segment < std::ssize(pass.segments), pair.segment,
                   pass.segments.size(), p);
  }
}

/// Keep only candidate segments, number their nodes and request their motion from the home ranks.
void ContactSystem::number_used_nodes(const state::Nodal& nodal, Found& found) {
  std::vector<std::vector<std::int32_t>> kept(passes_.size());  // by found segment: new number or -1
  for (std::size_t p = 0; p < passes_.size(); ++p) {
    kept[p].assign(found.segments[p].size(), -1);
    for (const Pair& pair : passes_[p].candidates.pair) kept[p][pair.segment] = 0;
    std::int32_t n = 0;
    for (std::int32_t& number : kept[p])
      if (number >= 0) number = n++;
    passes_[p].segments.resize(static_cast<std::size_t>(n));
    if (model_.contacts[passes_[p].contact].reference_planes != 0)
      passes_[p].planes.resize(static_cast<std::size_t>(n));
  }
  std::vector<std::int32_t> number(nodal.size(), -1);
  WantedNodes wanted(comm_.size());
  UsedNodes used;
  number_nodes(nodal, found, kept, number, wanted, used);
  for (std::size_t p = 0; p < passes_.size(); ++p) fill_segments(p, found, kept[p], number, wanted, used);
  const std::vector<std::int32_t> first = used.first_numbers();
  for (Pass& pass : passes_)
    for (CandidateSegment& segment : pass.segments)
      for (int k = 0; k < 4; ++k) segment.same[k] = first[segment.node[k]];
  neighbours_.start(used.x, used.n_local());
  for (Pass& pass : passes_) cluster_nodes(pass, number);
  used_ = std::move(used);
  exchange_.connect(comm_, wanted, masses_change_);
}

/// Update the contacts of the last cycle to the new numbers of their segments.
void ContactSystem::renew_slots(Pass& pass) const {
  const CandidateLists& lists = pass.candidates;
  std::size_t next = 0;
  for (std::size_t i = 0; i < pass.count.size(); ++i) {
    const bool listed = next < lists.node.size() && lists.node[next] == static_cast<std::int32_t>(i);
    const std::size_t at = next;
    if (listed) ++next;
    if (!listed) pass.count[i] = 0;  // all segments that it touched are deleted
    if (pass.count[i] == 0) pass.slots.give_back(i);
    if (pass.count[i] > 0) pass.candidates.least_gap[at] = pass.clusters[at / kClusterNodes].least_gap = 0.0F;
    for (int k = 0; k < pass.count[i]; ++k) {
      Slot& slot = pass.slots[i].slot[k];
      slot.segment = -1;
      for (std::int32_t c = lists.begin[at]; c < lists.begin[at + 1]; ++c)
        if (pass.segments[lists.pair[c].segment].order == slot.order) slot.segment = lists.pair[c].segment;
    }
  }
}

}  // namespace crumple::contact
