// Bucket search: each segment searches the grid of nodes; then pairs are sorted by node.
#include "contact/search/candidates.hpp"

#include <omp.h>

#include <algorithm>
#include <deque>
#include <limits>

#include "contact/search/safe_gap.hpp"

namespace crumple::contact {

namespace {

// With fewer, starting threads takes longer than the work.
constexpr std::size_t kSegmentsForThreads = 1024, kNodesForThreads = 8192;

struct RawPair {
  std::int32_t node;  ///< tracked
  Pair pair;
};
/// A deque grows without moving its items; moving needs twice the memory or more for a moment.
using RawPairs = std::deque<RawPair>;

bool excluded(const SegmentRecord& segment, GlobalId node) {
  for (const GlobalId id : segment.excluded)
    if (id == node) return true;
  return false;
}

/// The same for a point of a segment with nodes `own`; its id is not that of a node.
bool excluded(const SegmentRecord& segment, const std::array<GlobalId, 4>& own) {
  for (const GlobalId id : segment.excluded)
    if (id != kNoNode && std::find(own.begin(), own.end(), id) != own.end()) return true;
  return false;
}

/// A segment that searches for points near it.
struct SearchingSegment {
  const SegmentRecord* record;
  std::int32_t index;  ///< among the found segments
  Vec3 x[4];
  Box box;

  double size() const { return norm(box.high - box.low); }
};

/// Live tracked nodes in the order of a grid's cells, so that a query reads memory in rows.
struct PointsByCell {
  std::vector<Seeker> seekers;        ///< `reach`: half the thickness of the node
  std::vector<std::int32_t> tracked;  ///< node of each
  std::vector<GlobalId> id;           ///< and its id

  PointsByCell(const BucketGrid& grid, std::span<const Vec3> points, std::span<const std::int32_t> live,
               std::span<const TrackedNode> nodes)
      : seekers(points.size()), tracked(points.size()), id(points.size()) {
#pragma omp parallel for if (points.size() > kNodesForThreads)
    for (std::size_t k = 0; k < points.size(); ++k) {
      const std::int32_t point = grid.order()[k];
      const Vec3& p = points[point];
      const TrackedNode& node = nodes[live[point]];
      tracked[k] = live[point];
      id[k] = node.id;
      seekers[k] = {p.x, p.y, p.z, node.half_thickness};
    }
  }
};

/// Points near some segments; one object per thread.
struct PointsNear {
  std::vector<SearchingSegment> asking;
  std::vector<Seeker> seekers;      ///< `reach`: half the thickness of the node
  std::vector<std::int32_t> place;  ///< of each in PointsByCell
  std::vector<std::int32_t> kept;   ///< indices of points kept for one segment
  std::vector<double> distance2;    ///< of the kept points
};

constexpr std::size_t kTogether = 4;  ///< consecutive segments of a part are mostly neighbours
constexpr double kMostSize = 4.0;     ///< limit of the size of the common box over that of one segment

/// Finds the pairs of some segments. Neighbouring segments search the grid together.
class SegmentQuery {
 public:
  SegmentQuery(std::span<const TrackedNode> nodes, std::span<const Vec3> local, const BucketGrid& grid,
               const PointsByCell& by_cell, double most_reach, double margin, const ClosestPairs& functions,
               std::span<const std::array<GlobalId, 4>> own, std::span<const GlobalId> neighbours)
      : nodes_(nodes),
        local_(local),
        grid_(grid),
        by_cell_(by_cell),
        most_reach_(most_reach),
        margin_(margin),
        functions_(functions),
        own_(own),
        neighbours_(neighbours) {}

  /// Pairs of segments [first, last).
  void operator()(const FoundSegments& segments, std::size_t first, std::size_t last, PointsNear& points,
                  RawPairs& out) const {
    points.asking.clear();
    Box box;
    double sizes = 0.0;
    for (std::size_t index = first; index < last; ++index) {
      if (!segments.record(index).searched()) continue;
      const SearchingSegment& one = points.asking.emplace_back(ask(segments, index));
      box.join(one.box);
      sizes += one.size();
    }
    const std::span<const SearchingSegment> all = points.asking;
    if (norm(box.high - box.low) * static_cast<double>(all.size()) <= kMostSize * sizes)
      return look_for(all, box, points, out);
    for (std::size_t k = 0; k < all.size(); ++k) look_for(all.subspan(k, 1), all[k].box, points, out);
  }

 private:
  SearchingSegment ask(const FoundSegments& segments, std::size_t index) const {
    SearchingSegment one{&segments.record(index), static_cast<std::int32_t>(index), {}, {}};
    const CopiedSegment* copy = segments.copy(index);
    for (int k = 0; k < 4; ++k) one.x[k] = copy ? (*copy->x)[k] : local_[one.record->node[k]];
    for (int k = 0; k < one.record->corners; ++k) one.box.add(one.x[k]);
    return one;
  }

  /// Largest distance at which a segment searches for points.
  double most(const SegmentRecord& record) const { return reach(record, most_reach_) + margin_; }

  void look_for(std::span<const SearchingSegment> segments, const Box& box, PointsNear& points,
                RawPairs& out) const {
    double farthest = 0.0;
    for (const SearchingSegment& one : segments) farthest = std::max(farthest, most(*one.record));
    points.seekers.clear();
    points.place.clear();
    grid_.for_each_within(farthest, box, [&](std::int32_t k) {
      points.seekers.push_back(by_cell_.seekers[k]);
      points.place.push_back(k);
    });
    if (points.seekers.empty()) return;
    for (const SearchingSegment& one : segments) {
      keep_near(one, points);
      add_pairs(one, points, out);
    }
  }

  /// The points that may be within a segment's reach and may touch it, and their distances.
  void keep_near(const SearchingSegment& one, PointsNear& points) const {
    const SegmentRecord& record = *one.record;
    const SegmentReach reach{record.half_thickness, record.border_depth, margin_};
    points.kept.resize(points.seekers.size());
    points.kept.resize(static_cast<std::size_t>(
        functions_.keep_near_one(points.seekers.data(), static_cast<std::int32_t>(points.seekers.size()),
                                 one.x, record.corners, reach, points.kept.data())));
    std::erase_if(points.kept, [&](std::int32_t k) {
      const std::int32_t place = points.place[k], i = by_cell_.tracked[place];
      if (!neighbours_.empty() && is_neighbour(record, nodes_[i])) return true;
      if (record.rigid_body >= 0 && record.rigid_body == nodes_[i].rigid_body) return true;
      return own_.empty() ? excluded(record, by_cell_.id[place]) : excluded(record, own_[i]);
    });
    points.distance2.resize(points.kept.size());
    functions_.distances2(points.seekers.data(), points.kept.data(),
                          static_cast<std::int32_t>(points.kept.size()), one.x, record.corners,
                          points.distance2.data());
  }

  bool is_neighbour(const SegmentRecord& segment, const TrackedNode& node) const {
    const auto begin = neighbours_.begin() + node.neighbours_begin;
    const auto end = neighbours_.begin() + node.neighbours_end;
    return begin != end && std::binary_search(begin, end, segment.order);
  }

  void add_pairs(const SearchingSegment& one, const PointsNear& points, RawPairs& out) const {
    for (std::size_t k = 0; k < points.kept.size(); ++k) {
      const double near = reach(*one.record, points.seekers[points.kept[k]].reach);
      if (points.distance2[k] > (near + margin_) * (near + margin_)) continue;
      const double gap = std::sqrt(points.distance2[k]) - near;
      out.push_back({by_cell_.tracked[points.place[points.kept[k]]],
                     {one.index, safe_gap(gap, one.size() + most(*one.record))}});
    }
  }

  std::span<const TrackedNode> nodes_;
  std::span<const Vec3> local_;
  const BucketGrid& grid_;
  const PointsByCell& by_cell_;
  double most_reach_, margin_;
  const ClosestPairs& functions_;
  std::span<const std::array<GlobalId, 4>> own_;
  std::span<const GlobalId> neighbours_;
};

/// By segment. Records are long: only their orders are read for each pair.
std::vector<GlobalId> orders_of(const FoundSegments& segments) {
  std::vector<GlobalId> order(segments.size());
#pragma omp parallel for if (order.size() > kNodesForThreads)
  for (std::size_t s = 0; s < order.size(); ++s) order[s] = segments.record(s).order;
  return order;
}

/// Counting sort of pairs by node, then of each node's few pairs by segment order.
void gather_by_node(std::span<const RawPairs> raw, const FoundSegments& segments, std::size_t n_nodes,
                    CandidateLists& lists) {
  const std::vector<GlobalId> order = orders_of(segments);
  // Pairs of one thread come in the order of segments, and a counting sort keeps it.
  const bool sorted = raw.size() == 1 && std::ranges::is_sorted(order);
  std::vector<std::int32_t> count(n_nodes, 0);
  for (const RawPairs& of_thread : raw)
    for (const RawPair& r : of_thread) ++count[r.node];
  lists.node.clear();
  lists.begin.assign(1, 0);
  std::int32_t total = 0;
  for (std::size_t i = 0; i < n_nodes; ++i) {
    const std::int32_t n = count[i];
    if (n == 0) continue;
    count[i] = total;  // from here on: position of the node's next pair
    total += n;
    lists.node.push_back(static_cast<std::int32_t>(i));
    lists.begin.push_back(total);
  }
  lists.pair.resize(static_cast<std::size_t>(total));
  for (const RawPairs& of_thread : raw)
    for (const RawPair& r : of_thread) lists.pair[count[r.node]++] = r.pair;
  lists.least_gap.resize(lists.node.size());
#pragma omp parallel for if (lists.node.size() > kNodesForThreads)
  for (std::size_t i = 0; i < lists.node.size(); ++i) {
    const auto pairs = std::span(lists.pair).subspan(lists.begin[i], lists.begin[i + 1] - lists.begin[i]);
    if (!sorted) std::ranges::sort(pairs, {}, [&](const Pair& pair) { return order[pair.segment]; });
    lists.least_gap[i] = std::ranges::min_element(pairs, {}, &Pair::gap)->gap;
  }
}

}  // namespace

void find_candidates(std::span<const TrackedNode> nodes, std::span<const Vec3> x, std::span<const Vec3> local,
                     const FoundSegments& segments, double cell, double margin, const ClosestPairs& functions,
                     CandidateLists& lists, std::span<const std::array<GlobalId, 4>> own,
                     std::span<const GlobalId> neighbours) {
  std::vector<std::int32_t> live;
  live.reserve(nodes.size());
  double most_reach = 0.0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].alive) continue;
    live.push_back(static_cast<std::int32_t>(i));
    most_reach = std::max(most_reach, nodes[i].half_thickness);
  }
  std::vector<Vec3> points(live.size());
#pragma omp parallel for if (live.size() > kNodesForThreads)
  for (std::size_t k = 0; k < live.size(); ++k) points[k] = x[live[k]];
  BucketGrid grid;
  grid.build(points, cell);
  const PointsByCell by_cell(grid, points, live, nodes);
  const SegmentQuery query(nodes, local, grid, by_cell, most_reach, margin, functions, own, neighbours);
  std::vector<RawPairs> raw(static_cast<std::size_t>(omp_get_max_threads()));
#pragma omp parallel if (segments.size() > kSegmentsForThreads)
  {
    RawPairs& mine = raw[static_cast<std::size_t>(omp_get_thread_num())];
    PointsNear near;
#pragma omp for schedule(dynamic, 64)
    for (std::size_t s = 0; s < segments.size(); s += kTogether)
      query(segments, s, std::min(s + kTogether, segments.size()), near, mine);
  }
  gather_by_node(raw, segments, nodes.size(), lists);
}

}  // namespace crumple::contact
