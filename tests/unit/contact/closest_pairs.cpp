// Many pairs by lanes: the bits of one pair alone, on every instruction set of this processor.
#include "contact/geometry/closest_pairs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace crumple::contact {
namespace {

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

void expect_same(const ClosestPoint& a, const ClosestPoint& b) {
  for (int k = 0; k < 4; ++k) EXPECT_TRUE(same_bits(a.weight[k], b.weight[k])) << k;
  for (int k = 0; k < 3; ++k) {
    EXPECT_TRUE(same_bits(a.offset[k], b.offset[k])) << k;
    EXPECT_TRUE(same_bits(a.normal[k], b.normal[k])) << k;
  }
  EXPECT_TRUE(same_bits(a.distance2, b.distance2));
  EXPECT_EQ(a.face, b.face);
  EXPECT_EQ(a.facet, b.facet);
}

/// Segments of all kinds: warped and flat, quadrilaterals and triangles, some with an edge or all of no
/// length; points over them, beside them, at their corners.
struct Scene {
  AlignedVector<Vec3> x;
  std::vector<SeekerAndSegment> pairs;

  explicit Scene(int number) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> u(-1.0, 1.0);
    for (int i = 0; i < number; ++i) {
      const auto at = static_cast<std::int32_t>(x.size());
      const double warp = i % 4 == 0 ? 0.0 : 0.4;
      for (const Vec3& corner : {Vec3{-1, -1, 0}, Vec3{1, -1, 0}, Vec3{1, 1, 0}, Vec3{-1, 1, 0}})
        x.push_back(corner + warp * Vec3{u(random), u(random), u(random)});
      SeekerAndSegment pair{
          {1.6 * u(random), 1.6 * u(random), u(random), 0.6}, {at, at + 1, at + 2, at + 3}, i};
      if (i % 3 == 0) pair.node[3] = pair.node[2];
      if (i % 7 == 0) x[at + 1] = x[at];
      if (i % 31 == 0) x[at + 1] = x[at + 2] = x[at + 3] = x[at];
      if (i % 5 == 0) pair.seeker = {x[at + 2].x, x[at + 2].y, x[at + 2].z, 0.6};
      pairs.push_back(pair);
    }
  }
  /// One pair of another scene.
  Scene(const Scene& of, std::size_t i) : pairs{of.pairs[i]} {
    for (std::int32_t k = 0; k < 4; ++k) {
      x.push_back(of.x[of.pairs[i].node[k]]);
      pairs[0].node[k] = k < of.corners(i) ? k : k - 1;
    }
  }
  int corners(std::size_t i) const { return pairs[i].node[2] == pairs[i].node[3] ? 3 : 4; }
  Vec3 point(std::size_t i) const { return {pairs[i].seeker.x, pairs[i].seeker.y, pairs[i].seeker.z}; }
  ClosestPoint alone(std::size_t i) const {
    Vec3 nodes[4];
    for (int k = 0; k < 4; ++k) nodes[k] = x[pairs[i].node[k]];
    return closest_on_segment(nodes, corners(i), point(i));
  }
  bool within(std::size_t i) const {
    const double reach = pairs[i].seeker.reach;
    return alone(i).distance2 < reach * reach;
  }
};

class ClosestPairsOn : public testing::TestWithParam<int> {
 protected:
  static const ClosestPairs& functions() { return closest_pairs(static_cast<elements::Isa>(GetParam())); }
};

TEST_P(ClosestPairsOn, GiveTheBitsOfOnePair) {
  const Scene scene(1000);
  std::vector<std::int32_t> kept(scene.pairs.size());
  std::vector<SegmentWithinReach> found(scene.pairs.size());
  kept.resize(functions().keep_near(scene.pairs.data(), 1000, scene.x.data(), kept.data()));
  EXPECT_LT(kept.size(), 800U);
  found.resize(functions().within_reach(
      scene.pairs.data(), kept.data(), static_cast<std::int32_t>(kept.size()), scene.x.data(), found.data()));
  std::size_t next = 0;
  for (std::size_t i = 0; i < scene.pairs.size(); ++i) {
    if (!scene.within(i)) continue;
    ASSERT_LT(next, found.size());
    ASSERT_EQ(found[next].pair, static_cast<std::int32_t>(i));
    EXPECT_EQ(found[next].segment, scene.pairs[i].segment);
    expect_same(found[next++].closest, scene.alone(i));
  }
  EXPECT_EQ(next, found.size());
  EXPECT_GT(next, 300U);
}

/// What else is in the lanes, and a vector that is not full, does not show.
TEST_P(ClosestPairsOn, DoNotDependOnTheOtherLanes) {
  const Scene scene(64);
  for (std::int32_t first = 0; first < 20; ++first)
    for (std::int32_t number = 0; number < 20; ++number) {
      std::vector<std::int32_t> places;
      for (std::int32_t k = 0; k < number; ++k) places.push_back(first + 2 * k);
      std::vector<SegmentWithinReach> found(20);
      found.resize(
          functions().within_reach(scene.pairs.data(), places.data(), number, scene.x.data(), found.data()));
      std::size_t expected = 0;
      for (const std::int32_t place : places) expected += scene.within(place) ? 1 : 0;
      ASSERT_EQ(found.size(), expected);
      for (const SegmentWithinReach& near : found) expect_same(near.closest, scene.alone(near.pair));
    }
}

TEST_P(ClosestPairsOn, OfOneSegmentAreTheSame) {
  const Scene scene(60);
  for (std::size_t s = 0; s < scene.pairs.size(); ++s) {
    const int corners = scene.corners(s);
    Vec3 nodes[4];
    for (int k = 0; k < 4; ++k) nodes[k] = scene.x[scene.pairs[s].node[k]];
    std::vector<Seeker> seekers;
    for (const SeekerAndSegment& pair : scene.pairs)
      seekers.push_back({pair.seeker.x, pair.seeker.y, pair.seeker.z, 0.1});
    const SegmentReach reach{0.2, s % 2 == 0 ? 0.0 : 0.5, 0.3};
    const double near = s % 2 == 0 ? 0.6 : 0.8;
    std::vector<std::int32_t> kept(seekers.size());
    kept.resize(functions().keep_near_one(seekers.data(), static_cast<std::int32_t>(seekers.size()), nodes,
                                          corners, reach, kept.data()));
    EXPECT_LT(kept.size(), seekers.size());
    std::vector<double> distance2(kept.size());
    functions().distances2(seekers.data(), kept.data(), static_cast<std::int32_t>(kept.size()), nodes,
                           corners, distance2.data());
    std::size_t next = 0;
    for (std::size_t i = 0; i < seekers.size(); ++i) {
      const double expected = closest_on_segment(nodes, corners, scene.point(i)).distance2;
      if (next < kept.size() && kept[next] == static_cast<std::int32_t>(i))
        EXPECT_TRUE(same_bits(distance2[next++], expected));
      else
        EXPECT_GE(expected, near * near * (1.0 - 1e-12));
    }
    EXPECT_EQ(next, kept.size());
  }
}

/// Whether a contact may have the pair as a hit (force/touching.cpp).
bool may_touch(const ClosestPoint& c, const TouchLimit& limit) {
  const double distance = std::sqrt(c.distance2), height = dot(c.offset, c.normal);
  if (distance < limit.thickness) return true;
  const bool inside = height < 0.0 && (c.face || height < -0.7 * distance);
  return limit.one_sided && inside && distance < limit.depth;
}

/// Moves that bring no two of a pair's points nearer to each other than `room`: the point against the segment
/// as a whole, or each of them by itself.
void move(Scene& scene, std::size_t i, double room, bool whole, std::mt19937& random) {
  std::normal_distribution<double> u;
  const auto way = [&] {
    const Vec3 v{u(random), u(random), u(random)};
    return (0.5 * room / norm(v)) * v;
  };
  SeekerAndSegment& pair = scene.pairs[i];
  const Vec3 of_point = way();
  pair.seeker.x += of_point.x, pair.seeker.y += of_point.y, pair.seeker.z += of_point.z;
  for (int k = 0; k < scene.corners(i); ++k) scene.x[pair.node[k]] += whole ? -of_point : way();
}

TEST_P(ClosestPairsOn, HaveRoomUntilTheyCanTouch) {
  const Scene scene(1000);
  std::mt19937 random(5);
  std::vector<std::int32_t> kept;
  std::vector<TouchLimit> limits;
  for (std::int32_t i = 0; i < 1000; ++i) {
    kept.push_back(i);
    limits.push_back({i % 2 == 0 ? 0.0 : 0.1, i % 3 == 0 ? 0.4 : 10.0, i % 5 != 0});
  }
  std::vector<Room> rooms(kept.size());
  functions().rooms(scene.pairs.data(), kept.data(), 1000, scene.x.data(), limits.data(), rooms.data());
  int with_room = 0, beside = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const ClosestPoint now = scene.alone(i);
    const bool no_area = scene.corners(i) == 3 && (i % 7 == 0 || i % 31 == 0);
    EXPECT_TRUE(same_bits(rooms[i].distance, no_area ? 0.0 : std::sqrt(now.distance2)));
    if (!(rooms[i].until_touch > 0.0)) continue;
    EXPECT_FALSE(may_touch(now, limits[i])) << i;
    ++with_room;
    beside += limits[i].one_sided && !now.face && std::abs(dot(now.offset, now.normal)) < 0.3;
    for (int n = 0; n < 100; ++n) {
      Scene moved = {scene, i};
      move(moved, 0, (1.0 - 1e-6) * rooms[i].until_touch, n % 2 == 0, random);
      EXPECT_FALSE(may_touch(moved.alone(0), limits[i])) << i << " " << rooms[i].until_touch;
    }
  }
  EXPECT_GT(with_room, 400);
  EXPECT_GT(beside, 50);
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, ClosestPairsOn,
                         testing::Range(0, static_cast<int>(elements::best_isa()) + 1));

}  // namespace
}  // namespace crumple::contact
