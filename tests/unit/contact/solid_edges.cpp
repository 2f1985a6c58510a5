// Edges and corners of solids: which side a node is on, and which face it belongs to.
#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "bench.hpp"
#include "contact/geometry/border_normal.hpp"

namespace crumple::contact::test {
namespace {

using model::ContactType;
using model::ElementKind;

/// Turned about an axis that no face is parallel to, so that nothing is exact.
Vec3 turned(const Vec3& p, double angle) {
  const Vec3 axis{2.0 / 7.0, 3.0 / 7.0, 6.0 / 7.0};
  const double c = std::cos(angle), s = std::sin(angle);
  return c * p + s * cross(axis, p) + (1.0 - c) * dot(axis, p) * axis;  // Rodrigues
}

constexpr LocalId kNodesOfA = 27;  ///< of two_blocks

/// Two bodies that do not deform or turn, the second moving at `speed`.
struct RigidPair {
  ContactRun run;
  LocalId first_of_b;

  RigidPair(Bench bench, const Vec3& speed) : run(std::move(bench)), first_of_b(kNodesOfA) {
    for (std::size_t n = first_of_b; n < run.nodal.size(); ++n) run.nodal.v[n] = speed;
  }
  Vec3 force_on(LocalId from, LocalId to) const {
    Vec3 sum;
    for (LocalId n = from; n < to; ++n) sum += run.force(n);
    return sum;
  }
  void step(double dt, bool first) {
    const auto end = static_cast<LocalId>(run.nodal.size());
    run.forces(first ? 0.0 : dt);
    const Vec3 a = (1.0 / first_of_b) * force_on(0, first_of_b);
    const Vec3 b = (1.0 / (end - first_of_b)) * force_on(first_of_b, end);
    for (LocalId n = 0; n < end; ++n) {
      run.nodal.v[n] += dt * (n < first_of_b ? a : b);
      run.nodal.x[n] += dt * run.nodal.v[n];
    }
  }
};

Bench two_blocks(double angle, const Vec3& origin, std::array<int, 3> cells) {
  Bench b;
  b.add_block({0, 0, 0}, {1, 1, 1}, {2, 2, 2});
  b.add_block(origin, {1, 1, 1}, cells);
  b.add_contact(ContactType::automatic_surface_to_surface, 1, 2);
  for (Vec3& x : b.model.nodes.x) x = turned(x, angle);
  return b;
}

TEST(SolidEdges, BodiesOfOneSectionMeetEndOn) {
  for (const int cells : {1, 2, 3})
    for (const double angle : {0.0, 0.3, 1.0, 2.0, 2.9}) {
      const Vec3 speed = turned({-0.3, 0, 0}, angle);
      RigidPair pair(two_blocks(angle, {1.01, 0, 0}, {2, cells, cells}), speed);
      for (int k = 0; k < 3000; ++k) pair.step(5e-4, k == 0);
      const double equal = pair.first_of_b, other = static_cast<double>(pair.run.nodal.size()) - equal;
      const double a = 2.0 * other / (equal + other), b = (other - equal) / (equal + other);
      EXPECT_NEAR(norm(pair.run.nodal.v[0] - a * speed), 0.0, 0.005) << cells << " " << angle;
      EXPECT_NEAR(norm(pair.run.nodal.v.back() - b * speed), 0.0, 0.005) << cells << " " << angle;
    }
}

TEST(SolidEdges, FlushBodiesSlideByWithoutForce) {
  for (const int cells : {2, 3})
    for (const double angle : {0.0, 0.3, 1.0, 2.0, 2.9})
      for (const double above : {0.0, 0.05}) {
        const Vec3 speed = turned({0, 0, -1.0}, angle);
        RigidPair pair(two_blocks(angle, {1.0, 0, above}, {2, cells, cells}), speed);
        for (int k = 0; k < 800; ++k) pair.step(5e-4, k == 0);
        EXPECT_NEAR(norm(pair.run.nodal.v.back() - speed), 0.0, 1e-9)
            << cells << " " << angle << " " << above;
      }
}

TEST(SolidEdges, AContactThatGoesOnKeepsItsFace) {
  Bench bench;
  bench.add_block({0, 0, 0}, {3, 3, 3}, {3, 3, 3});
  const auto n = static_cast<LocalId>(bench.model.nodes.size());
  bench.add_plate({10, 10, 5}, {1, 0, 0}, {0, 1, 0}, 1, 1, 0.1);
  bench.model.parts[1].contact_thickness_given = true;  // a point
  bench.add_contact(ContactType::automatic_nodes_to_surface, 2, 1);
  ContactRun run(bench);
  run.nodal.x[n] = {2.8, 1.7, 3.01};
  run.forces();
  run.move(n, {0, 0, -0.06}, 1e-3);
  const double force = run.force(n).z;
  EXPECT_GT(force, 0.0);
  for (int k = 0; k < 19; ++k) {
    run.move(n, {0.01, 0, 0}, 1e-3);
    EXPECT_NEAR(norm(run.force(n) - Vec3{0, 0, force}), 0.0, 1e-9) << k;
  }
  for (int k = 0; k < 12; ++k) run.move(n, {0.01, 0, 0}, 1e-3);
  EXPECT_EQ(run.system.active(), 0u);  // it has slid off
}

/// A cube of eight bricks without one: three edges and a corner of it are concave. Sheared and squeezed until
/// convex edges are sharp.
struct NotchedBody {
  double shear, squeeze;

  Vec3 map(const Vec3& p) const { return {p.x + shear * p.z, p.y + 0.6 * shear * p.z, squeeze * p.z}; }
  Vec3 back(const Vec3& p) const {
    const double z = p.z / squeeze;
    return {p.x - shear * z, p.y - 0.6 * shear * z, z};
  }
  bool inside(const Vec3& at) const {
    const Vec3 p = back(at);
    const bool in = std::min({p.x, p.y, p.z}) > 0.0 && std::max({p.x, p.y, p.z}) < 2.0;
    return in && std::min({p.x, p.y, p.z}) < 1.0;
  }
  Bench bench() const {
    Bench b;
    b.add_block({0, 0, 0}, {2, 2, 2}, {2, 2, 2});
    auto& s = b.model.solids;
    s.id.pop_back(), s.order.pop_back(), s.part.pop_back(), s.nodes.pop_back();
    for (Vec3& x : b.model.nodes.x) x = map(x);
    return b;
  }
};

TEST(SolidEdges, NothingOutsideIsPushed) {
  std::mt19937 random(7);
  for (const NotchedBody body : {NotchedBody{0.0, 1.0}, {1.5, 1.0}, {3.0, 1.0}, {3.0, 0.5}, {0.0, 0.2}}) {
    Bench bench = body.bench();
    const auto n = static_cast<LocalId>(bench.model.nodes.size());
    bench.add_plate({100, 100, 5}, {1, 0, 0}, {0, 1, 0}, 1, 1, 0.1);
    bench.model.parts[1].contact_thickness_given = true;  // a point
    bench.add_contact(ContactType::automatic_nodes_to_surface, 2, 1);
    std::uniform_real_distribution<double> somewhere(-0.5, 2.5);
    int inside = 0, pushed = 0;
    for (int k = 0; k < 4000; ++k) {
      ContactRun run(bench);  // anew: later a node would have to come in through a face
      const Vec3 at = body.map({somewhere(random), somewhere(random), somewhere(random)});
      run.nodal.x[n] = at;
      run.forces();
      const bool touches = norm(run.force(n)) > 0.0;
      if (body.inside(at)) ++inside, pushed += touches ? 1 : 0;
      ASSERT_TRUE(body.inside(at) || !touches) << at.x << " " << at.y << " " << at.z;
    }
    EXPECT_GT(pushed, inside / 4);
  }
}

TEST(BorderNormal, TellsTheSideOfASharpCorner) {
  // Of a needle: a point before its tip is behind the planes of two of its three faces.
  const Vec3 tip{0, 0, 0}, a{1, 0.05, 0}, b{1, -0.05, 0.05}, c{1, -0.05, -0.05};
  const std::array<std::array<Vec3, 3>, 3> faces{{{tip, b, a}, {tip, c, b}, {tip, a, c}}};
  const Vec3 p{-0.01, 0.02, 0.001};
  Vec3 sum;
  int behind = 0;
  for (const auto& f : faces) {
    sum += corner_normal(f.data(), 3, 0);
    behind += dot(cross(f[1] - f[0], f[2] - f[0]), p) < 0.0 ? 1 : 0;
  }
  EXPECT_LT(sum.x, 0.0);
  EXPECT_GE(behind, 1);
  EXPECT_GT(dot(sum, p), 0.0);
}

TEST(BorderNormal, HasTheSideThatRoughAnglesGive) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  const auto some = [&] { return Vec3{u(random), u(random), u(random)}; };
  int sure = 0, of_quads = 0;
  for (int round = 0; round < 2000; ++round) {
    FacetSides at_corner, on_edge;
    Vec3 normal_at_corner, normal_on_edge;
    const Vec3 offset = some();
    for (int face = 0; face < 3; ++face) {
      const int corners = round % 2 == 0 ? 3 : 4;
      std::array<Vec3, 4> x{some(), some(), some(), some()};
      if (corners == 3) x[3] = x[2];
      at_corner.add_corner(x.data(), corners, face, offset);
      normal_at_corner += corner_normal(x.data(), corners, face);
      on_edge.add_edge(x.data(), corners, face, offset);
      normal_on_edge += edge_normal(x.data(), corners, face);
    }
    for (const auto& [sides, normal] : {std::pair(at_corner, normal_at_corner), {on_edge, normal_on_edge}}) {
      if (sides.side() == 0) continue;
      ++sure, of_quads += round % 2;
      EXPECT_EQ(sides.side() < 0, dot(normal, offset) < 0.0);
    }
  }
  EXPECT_GT(sure, 3950);  // of 4000
  EXPECT_GT(of_quads, 1950);
}

TEST(BorderNormal, HasNoSideForAPointInAFacetsPlane) {
  const std::array<Vec3, 4> flat{{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 1, 0}}};
  FacetSides sides;
  sides.add_corner(flat.data(), 3, 0, {-1, 1, 1e-12});
  EXPECT_EQ(sides.side(), 0);
  const std::array<Vec3, 4> line{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 0, 0}}};
  FacetSides none;
  none.add_corner(line.data(), 3, 0, {0, 0, 1});
  EXPECT_EQ(none.side(), 1);  // nothing has the point behind
}

TEST(BorderNormal, HasRoughAnglesWithin1e5) {
  for (int k = 0; k <= 1000; ++k) {
    const double angle = M_PI * k / 1000.0;
    EXPECT_NEAR(detail::rough_angle(3.0 * std::sin(angle), 3.0 * std::cos(angle)), angle, 1.2e-5);
  }
  EXPECT_EQ(detail::rough_angle(0.0, 0.0), 0.0);
}

TEST(BorderNormal, WeighsBothFacetsOfAQuadrilateral) {
  const std::array<Vec3, 4> flat{{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}}};
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(norm(corner_normal(flat.data(), 4, k) - Vec3{0, 0, M_PI / 2}), 0.0, 1e-14);
    EXPECT_NEAR(norm(edge_normal(flat.data(), 4, k) - Vec3{0, 0, 1}), 0.0, 1e-14);
  }
}

}  // namespace
}  // namespace crumple::contact::test
