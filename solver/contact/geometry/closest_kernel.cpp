// Closest points of pairs, one pair per lane; rows of x, y, z are transposed to lanes.
#include "contact/geometry/closest_pairs.hpp"
#include "contact/geometry/room.hpp"
#include "elements/gather.hpp"
#include "elements/instantiate.hpp"

namespace crumple::contact {
inline namespace CRUMPLE_ISA {

namespace {

using V = simd::Vec<double, elements::kBytesPerVector / 8>;
using elements::lanes::Row;
constexpr int kWidth = simd::width_v<V>;

/// Indices of the pairs in the lanes. If the last vector is not full, its last pair is repeated.
struct Places {
  std::int32_t of[kWidth];

  [[gnu::always_inline]] Places(const std::int32_t* kept, std::int32_t from, std::int32_t number) {
    for (int l = 0; l < kWidth; ++l) {
      const std::int32_t k = from + l < number ? from + l : number - 1;
      of[l] = kept ? kept[k] : k;
    }
  }
};

/// Loads the rows that begin at `address(lane)`.
template <class Address>
struct RowsAt {
  Address address;

  [[gnu::always_inline]] Row one(int l) const {
    Row r;
    std::memcpy(&r, address(l), sizeof r);
    return r;
  }
  [[gnu::always_inline]] auto two(int l, int m) const { return simd::append<double, 4>(one(l), one(m)); }
};

template <class Address>
[[gnu::always_inline]] inline Vector3<V> transposed(Address address) {
  V c[3];
  elements::lanes::transpose(RowsAt<Address>{address}, c);
  return {c[0], c[1], c[2]};
}

template <class Value>
[[gnu::always_inline]] inline V by_lanes(Value value) {
  return simd::detail::assemble<V>(value);
}

struct Points {
  Vector3<V> p;
  V reach;

  template <class SeekerOf>
  [[gnu::always_inline]] static Points of(SeekerOf seeker) {
    return {transposed([&](int l) { return &seeker(l).x; }),
            by_lanes([&](int l) { return seeker(l).reach; })};
  }
};

/// Segments of pairs, one per lane.
struct OwnSegments {
  const SeekerAndSegment* pairs;
  const Vec3* x;

  [[gnu::always_inline]] const Seeker& seeker(std::int32_t place) const { return pairs[place].seeker; }
  [[gnu::always_inline]] SegmentNodes<V> nodes(const Places& places) const {
    const auto at = [&](int k) {
      return transposed([&](int l) { return &x[pairs[places.of[l]].node[k]].x; });
    };
    const V last_side = by_lanes([&](int l) {
      const SeekerAndSegment& pair = pairs[places.of[l]];
      return static_cast<double>(pair.node[3] - pair.node[2]);
    });
    return {{at(0), at(1), at(2), at(3)}, last_side != V(0.0)};
  }
};

/// One segment, the same in all lanes.
struct OneSegment {
  const Seeker* seekers;
  SegmentNodes<V> all;

  [[gnu::always_inline]] OneSegment(const Seeker* from, const Vec3 (&x)[4], int corners)
      : seekers(from), all(nodes_of<V>(x, corners)) {}
  [[gnu::always_inline]] const Seeker& seeker(std::int32_t place) const { return seekers[place]; }
};

/// Vectors by lanes. They are stored once, because taking a lane out of a register stores all of it each
/// time.
template <int number>
class Lanes {
 public:
  [[gnu::always_inline]] void set(int k, V values) { simd::store(at_[k], values); }
  double operator()(int k, int lane) const { return at_[k][lane]; }

 private:
  alignas(64) double at_[number][kWidth];
};

/// The closest points of lanes.
class ClosestByLane {
 public:
  [[gnu::always_inline]] explicit ClosestByLane(const ClosestPoints<V>& c) : face_(c.face), facet_(c.facet) {
    for (int k = 0; k < 4; ++k) lanes_.set(k, c.weight[k]);
    lanes_.set(4, c.offset.x), lanes_.set(5, c.offset.y), lanes_.set(6, c.offset.z);
    lanes_.set(7, c.normal.x), lanes_.set(8, c.normal.y), lanes_.set(9, c.normal.z);
    lanes_.set(10, c.distance2);
  }
  [[gnu::always_inline]] void give(int l, ClosestPoint& to) const {
    for (int k = 0; k < 4; ++k) to.weight[k] = lanes_(k, l);
    to.offset = {lanes_(4, l), lanes_(5, l), lanes_(6, l)};
    to.normal = {lanes_(7, l), lanes_(8, l), lanes_(9, l)};
    to.distance2 = lanes_(10, l);
    to.face = simd::lane(face_, l);
    to.facet = simd::lane(facet_, l);
  }

 private:
  Lanes<11> lanes_;
  simd::mask_t<V> face_, facet_;
};

/// Append the indices of lanes that are not `beyond` to `kept`; returns its new length.
[[gnu::always_inline]] inline std::int32_t add_places(simd::mask_t<V> beyond, std::int32_t from,
                                                      std::int32_t number, std::int32_t* kept,
                                                      std::int32_t n) {
  for (int l = 0; l < kWidth && from + l < number; ++l) {
    kept[n] = from + l;
    n += simd::lane(beyond, l) ? 0 : 1;
  }
  return n;
}

std::int32_t keep_near(const SeekerAndSegment* pairs, std::int32_t number, const Vec3* x,
                       std::int32_t* kept) {
  const OwnSegments segments{pairs, x};
  std::int32_t n = 0;
  for (std::int32_t from = 0; from < number; from += kWidth) {
    const Places places(nullptr, from, number);
    const Points points = Points::of([&](int l) -> auto& { return segments.seeker(places.of[l]); });
    const SegmentFrame<V> frame(segments.nodes(places));
    n = add_places(surely_beyond(frame, points.p, points.reach), from, number, kept, n);
  }
  return n;
}

/// The box around a segment, by lanes.
struct SegmentBox {
  Vector3<V> low, high;

  explicit SegmentBox(const SegmentNodes<V>& s) : low(s.x[0]), high(s.x[0]) {
    for (const Vector3<V>& x : s.x) {
      low = {simd::min(low.x, x.x), simd::min(low.y, x.y), simd::min(low.z, x.z)};
      high = {simd::max(high.x, x.x), simd::max(high.y, x.y), simd::max(high.z, x.z)};
    }
  }
  [[gnu::always_inline]] V distance2(const Vector3<V>& p) const {
    const Vector3<V> below = low - p, above = p - high;
    const auto beside = [](V a, V b) { return simd::max(simd::max(a, b), V(0.0)); };
    const Vector3<V> d{beside(below.x, above.x), beside(below.y, above.y), beside(below.z, above.z)};
    return dot(d, d);
  }
};

std::int32_t keep_near_one(const Seeker* seekers, std::int32_t number, const Vec3 (&nodes)[4], int corners,
                           const SegmentReach& reach, std::int32_t* kept) {
  const OneSegment segment(seekers, nodes, corners);
  const SegmentBox box(segment.all);
  const SegmentFrame<V> frame(segment.all);
  std::int32_t n = 0;
  for (std::int32_t from = 0; from < number; from += kWidth) {
    const Places places(nullptr, from, number);
    const Points points = Points::of([&](int l) -> auto& { return segment.seeker(places.of[l]); });
    const V near = simd::max(V(reach.half_thickness) + points.reach, V(reach.border_depth)) + V(reach.margin);
    const simd::mask_t<V> outside = box.distance2(points.p) > near * near;
    if (simd::all(outside)) continue;
    n = add_places(outside || surely_beyond(frame, points.p, near), from, number, kept, n);
  }
  return n;
}

std::int32_t within_reach(const SeekerAndSegment* pairs, const std::int32_t* kept, std::int32_t number,
                          const Vec3* x, SegmentWithinReach* out) {
  const OwnSegments segments{pairs, x};
  std::int32_t n = 0;
  for (std::int32_t from = 0; from < number; from += kWidth) {
    const Places places(kept, from, number);
    const Points points = Points::of([&](int l) -> auto& { return segments.seeker(places.of[l]); });
    const SegmentNodes<V> nodes = segments.nodes(places);
    const ClosestPoints<V> c = closest_on_segment(nodes, SegmentFrame<V>(nodes), points.p);
    const auto within = c.distance2 < points.reach * points.reach;
    const ClosestByLane points_of(c);
    for (int l = 0; l < kWidth && from + l < number; ++l) {
      if (!simd::lane(within, l)) continue;
      SegmentWithinReach& to = out[n++];
      to.pair = places.of[l];
      to.segment = pairs[places.of[l]].segment;
      points_of.give(l, to.closest);
    }
  }
  return n;
}

void rooms(const SeekerAndSegment* pairs, const std::int32_t* kept, std::int32_t number, const Vec3* x,
           const TouchLimit* limits, Room* out) {
  const OwnSegments segments{pairs, x};
  for (std::int32_t from = 0; from < number; from += kWidth) {
    const Places places(kept, from, number), limit(nullptr, from, number);
    const Points points = Points::of([&](int l) -> auto& { return segments.seeker(places.of[l]); });
    const SegmentNodes<V> nodes = segments.nodes(places);
    const SegmentFrame<V> frame(nodes);
    const V distance = simd::sqrt(nearest_facet(nodes, frame, points.p).distance2);
    const V thickness = by_lanes([&](int l) { return limits[limit.of[l]].thickness; });
    const V depth = by_lanes([&](int l) { return limits[limit.of[l]].depth; });
    const V one_sided = by_lanes([&](int l) { return limits[limit.of[l]].one_sided ? 1.0 : 0.0; });
    const Vector3<V> apex = select<V>(nodes.quad, frame.centre, nodes.x[2]);
    V until = distance - thickness;
    const V inside = simd::max(distance - depth, room_outside(nodes, apex, points.p, distance));
    until = simd::select(one_sided > V(0.0), simd::min(until, inside), until);
    const simd::mask_t<V> none = !nodes.quad && !has_area(nodes);
    until = simd::select(none, V(0.0), until);
    const V known = simd::select(none, V(0.0), distance);
    Lanes<2> lanes;
    lanes.set(0, known), lanes.set(1, until);
    for (int l = 0; l < kWidth && from + l < number; ++l) out[from + l] = {lanes(0, l), lanes(1, l)};
  }
}

void distances2(const Seeker* seekers, const std::int32_t* kept, std::int32_t number, const Vec3 (&nodes)[4],
                int corners, double* distance2) {
  const OneSegment segment(seekers, nodes, corners);
  const SegmentFrame<V> frame(segment.all);
  for (std::int32_t from = 0; from < number; from += kWidth) {
    const Places places(kept, from, number);
    const Points points = Points::of([&](int l) -> auto& { return segment.seeker(places.of[l]); });
    const NearestFacet<V> nearest = nearest_facet(segment.all, frame, points.p);
    Lanes<1> lanes;
    lanes.set(0, nearest.distance2);
    for (int l = 0; l < kWidth && from + l < number; ++l) distance2[from + l] = lanes(0, l);
  }
}

constexpr ClosestPairs kFunctions{&keep_near, &within_reach, &rooms, &keep_near_one, &distances2};
const detail::RegisterClosestPairs registered(static_cast<elements::Isa>(CRUMPLE_ISA_NUMBER), kFunctions);

}  // namespace
}  // namespace CRUMPLE_ISA
}  // namespace crumple::contact
