// Bucket search: segments ask the grid of nodes; pairs are then gathered by node.
#include "contact/search/candidates.hpp"

#include <omp.h>

#include <algorithm>
#include <deque>
#include <limits>

namespace crumple::contact {

namespace {

// Fewer are done before other threads would have woken.
constexpr std::size_t kSegmentsForThreads = 1024, kNodesForThreads = 8192;

struct RawPair {
  std::int32_t node;  ///< tracked
  Pair pair;
};
/// Grows without moving what it holds, which for a moment takes twice the memory or more.
using RawPairs = std::deque<RawPair>;

bool same_rigid_body(const SegmentRecord& segment, const TrackedNode& node) {
  return segment.rigid_body >= 0 && segment.rigid_body == node.rigid_body;
}

bool excluded(const SegmentRecord& segment, const TrackedNode& node) {
  if (same_rigid_body(segment, node)) return true;
  for (const GlobalId id : segment.excluded)
    if (id == node.id) return true;
  return false;
}

/// The same for a point of a segment with nodes `own`; its id is not a node's.
bool excluded(const SegmentRecord& segment, const TrackedNode& point, const std::array<GlobalId, 4>& own) {
  if (same_rigid_body(segment, point)) return true;
  for (const GlobalId id : segment.excluded)
    if (id != kNoNode && std::find(own.begin(), own.end(), id) != own.end()) return true;
  return false;
}

/// A float not above the gap, with room for the rounding of the distance.
float safe_gap(double gap, double scale) {
  const double safe = gap - 1e-6 * std::abs(gap) - 1e-9 * scale;
  return std::nextafter(static_cast<float>(safe), -std::numeric_limits<float>::infinity());
}

/// Points near a segment; one a thread.
struct PointsNear {
  std::vector<Seeker> seekers;
  std::vector<std::int32_t> tracked;  ///< node of each
  std::vector<std::int32_t> kept;     ///< of them
  std::vector<double> distance2;      ///< of those

  void clear() {
    seekers.clear();
    tracked.clear();
  }
  void add(std::int32_t node, const Vec3& p, double reach) {
    seekers.push_back({p.x, p.y, p.z, reach});
    tracked.push_back(node);
  }
};

/// The pairs of one segment.
class SegmentQuery {
 public:
  SegmentQuery(std::span<const TrackedNode> nodes, std::span<const Vec3> local, const BucketGrid& grid,
               std::span<const std::int32_t> live, double most_reach, double margin,
               const ClosestPairs& functions, std::span<const std::array<GlobalId, 4>> own)
      : nodes_(nodes),
        local_(local),
        grid_(grid),
        live_(live),
        most_reach_(most_reach),
        margin_(margin),
        functions_(functions),
        own_(own) {}

  void operator()(const FoundSegments& segments, std::size_t index, PointsNear& points, RawPairs& out) const {
    const SegmentRecord& record = segments.record(index);
    if (!record.there()) return;
    const CopiedSegment* copy = segments.copy(index);
    Vec3 x[4];
    for (int k = 0; k < 4; ++k) x[k] = copy ? (*copy->x)[k] : local_[record.node[k]];
    Box box;
    for (int k = 0; k < record.corners; ++k) box.add(x[k]);
    const double most = std::max(record.half_thickness + most_reach_, record.border_depth) + margin_;
    const double size = norm(box.high - box.low);
    points.clear();
    grid_.for_each_within(most, box, [&](std::int32_t point, const Vec3& p) {
      if (box.distance2(p) > most * most) return;
      points.add(live_[point], p, reach(record, nodes_[live_[point]]) + margin_);
    });
    keep_near(record, x, points);
    for (std::size_t k = 0; k < points.kept.size(); ++k) {
      const double near = points.seekers[points.kept[k]].reach;
      if (points.distance2[k] > near * near) continue;
      const std::int32_t i = points.tracked[points.kept[k]];
      const double gap = std::sqrt(points.distance2[k]) - reach(record, nodes_[i]);
      out.push_back({i, {static_cast<std::int32_t>(index), safe_gap(gap, size + most)}});
    }
  }

 private:
  /// Those that may be within reach and may touch the segment, and their distances.
  void keep_near(const SegmentRecord& record, const Vec3 (&x)[4], PointsNear& points) const {
    const auto number = static_cast<std::int32_t>(points.seekers.size());
    points.kept.resize(points.seekers.size());
    points.kept.resize(static_cast<std::size_t>(
        functions_.keep_near_one(points.seekers.data(), number, x, record.corners, points.kept.data())));
    std::erase_if(points.kept, [&](std::int32_t k) {
      const std::int32_t i = points.tracked[k];
      return own_.empty() ? excluded(record, nodes_[i]) : excluded(record, nodes_[i], own_[i]);
    });
    points.distance2.resize(points.kept.size());
    functions_.distances2(points.seekers.data(), points.kept.data(),
                          static_cast<std::int32_t>(points.kept.size()), x, record.corners,
                          points.distance2.data());
  }

  std::span<const TrackedNode> nodes_;
  std::span<const Vec3> local_;
  const BucketGrid& grid_;
  std::span<const std::int32_t> live_;
  double most_reach_, margin_;
  const ClosestPairs& functions_;
  std::span<const std::array<GlobalId, 4>> own_;
};

/// Counting sort of pairs by node, then each node's few by segment order.
void gather_by_node(std::span<const RawPairs> raw, const FoundSegments& segments, std::size_t n_nodes,
                    CandidateLists& lists) {
  std::vector<std::int32_t> count(n_nodes, 0);
  for (const RawPairs& of_thread : raw)
    for (const RawPair& r : of_thread) ++count[r.node];
  lists.node.clear();
  lists.begin.assign(1, 0);
  std::int32_t total = 0;
  for (std::size_t i = 0; i < n_nodes; ++i) {
    const std::int32_t n = count[i];
    if (n == 0) continue;
    count[i] = total;  // from here on: where the node's next pair goes
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
    std::ranges::sort(pairs, {}, [&](const Pair& pair) { return segments.record(pair.segment).order; });
    lists.least_gap[i] = std::ranges::min_element(pairs, {}, &Pair::gap)->gap;
  }
}

}  // namespace

void find_candidates(std::span<const TrackedNode> nodes, std::span<const Vec3> x, std::span<const Vec3> local,
                     const FoundSegments& segments, double cell, double margin, const ClosestPairs& functions,
                     CandidateLists& lists, std::span<const std::array<GlobalId, 4>> own) {
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
  const SegmentQuery query(nodes, local, grid, live, most_reach, margin, functions, own);
  std::vector<RawPairs> raw(static_cast<std::size_t>(omp_get_max_threads()));
#pragma omp parallel if (segments.size() > kSegmentsForThreads)
  {
    RawPairs& mine = raw[static_cast<std::size_t>(omp_get_thread_num())];
    PointsNear near;
#pragma omp for schedule(dynamic, 256)
    for (std::size_t s = 0; s < segments.size(); ++s) query(segments, s, near, mine);
  }
  gather_by_node(raw, segments, nodes.size(), lists);
}

}  // namespace crumple::contact
