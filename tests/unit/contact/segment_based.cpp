// Segment-based contact (SOFT = 2): its points and masses, its stiffness, and what it finds that nodes miss.
#include <gtest/gtest.h>

#include "bench.hpp"
#include "contact/segment_based/segment_points.hpp"

namespace crumple::contact::test {
namespace {

using model::ContactType;
using model::ElementKind;

constexpr double kStep = 1e-3;

double power(const Vec3& x, int a, int b) { return std::pow(x.x, a) * std::pow(x.y, b); }

TEST(PointRule, IntegratesSquaresOverASquare) {
  for (const int depth : {2, 3, 5}) {
    const PointRule rule = point_rule(depth, 4);
    double one = 0.0, square = 0.0;
    for (const double x : {-1.0, 1.0})
      for (const double y : {-1.0, 1.0}) {
        one += rule.corner;
        square += rule.corner * power({x, y, 0}, 2, 0);
      }
    for (const Vec3& m : {Vec3{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}}) {
      one += rule.middle;
      square += rule.middle * power(m, 2, 0);
    }
    EXPECT_NEAR(one + rule.centre, 1.0, 1e-15);
    EXPECT_NEAR(square, 1.0 / 3.0, 1e-15);
  }
}

TEST(PointRule, IntegratesSquaresOverATriangle) {
  for (const int depth :
       {2, 3, 5}) {  // corners (0,0), (1,0), (0,1); mean of x^a y^b is 2 a! b! / (a + b + 2)!
    const PointRule rule = point_rule(depth, 3);
    const auto mean = [&](int a, int b) {
      double sum = rule.centre * power({1.0 / 3, 1.0 / 3, 0}, a, b);
      for (const Vec3& c : {Vec3{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}) sum += rule.corner * power(c, a, b);
      for (const Vec3& m : {Vec3{.5, 0, 0}, {.5, .5, 0}, {0, .5, 0}}) sum += rule.middle * power(m, a, b);
      return sum;
    };
    EXPECT_NEAR(mean(0, 0), 1.0, 1e-15);
    EXPECT_NEAR(mean(1, 0), 1.0 / 3.0, 1e-15);
    EXPECT_NEAR(mean(2, 0), 1.0 / 6.0, 1e-15);
    EXPECT_NEAR(mean(1, 1), 1.0 / 12.0, 1e-15);
  }
}

model::Contact& segment_based(Bench& b, ContactType type, int depth) {
  auto& contact =
      type == ContactType::automatic_single_surface ? b.add_contact(type) : b.add_contact(type, 1, 2);
  contact.soft = 2;
  contact.depth = depth;
  return contact;
}

/// Make everything from `first` on come down by `by` from one above where it is.
void bring_down(ContactRun& run, std::size_t first, double by) {
  for (std::size_t n = first; n < run.nodal.size(); ++n) run.nodal.x[n].z += 1.0;
  run.forces(kStep);
  for (std::size_t n = first; n < run.nodal.size(); ++n) run.nodal.x[n].z -= 1.0 + by;
  run.forces(kStep);
}

TEST(SegmentBased, PlatesFlatOnMeetTheSpringOfTheirMasses) {
  for (const int depth : {2, 3, 5})
    for (const ContactType type :
         {ContactType::automatic_surface_to_surface, ContactType::automatic_nodes_to_surface,
          ContactType::automatic_single_surface}) {
      Bench b;
      b.add_plate({0, 0, 0}, {2, 0, 0}, {0, 2, 0}, 2, 2, 0.2);
      b.add_plate({0, 0, 0.2}, {2, 0, 0}, {0, 2, 0}, 2, 2, 0.2);
      segment_based(b, type, depth);
      ContactRun run(std::move(b));
      // Masses like those of shells of mass 4 each: 1 at corners, 2 on borders, 4 inside.
      const auto mass = [](const Vec3& x) { return (x.x == 1.0 ? 2.0 : 1.0) * (x.y == 1.0 ? 2.0 : 1.0); };
      for (std::size_t n = 0; n < run.nodal.size(); ++n) run.nodal.mass[n] = mass(run.nodal.x[n]);
      ContactSystem system(run.bench.model, run.nodal, parallel::Communicator(MPI_COMM_SELF),
                           run.bench.constants());
      const auto forces = [&] {
        for (parallel::LoadSum& sum : run.nodal.loads) sum.clear();
        system.measure_and_prepare(run.nodal);
        system.add_forces(run.nodal, 0.0, kStep);
      };
      for (std::size_t n = 9; n < 18; ++n) run.nodal.x[n].z += 1.0;
      forces();
      for (std::size_t n = 9; n < 18; ++n) run.nodal.x[n].z -= 1.01;
      forces();
      const double k = 0.5 * 0.1 * 2.0 / (kStep * kStep), depth_now = 0.01;
      if (depth == 5) continue;  // edges add theirs
      Vec3 sum;
      for (LocalId n = 9; n < 18; ++n) {
        sum += run.force(n);
        // As much on each node as it has mass: flat plates stay flat.
        EXPECT_NEAR(run.force(n).z / mass(run.nodal.x[n]), k * depth_now / 4.0, 1e-6 * k) << n;
      }
      EXPECT_NEAR(sum.z, 4 * k * depth_now, 1e-6 * k);
      EXPECT_NEAR(norm(run.total_force()), 0.0, 1e-9);
      EXPECT_NEAR(norm(run.total_moment()), 0.0, 1e-8);
    }
}

/// One shell over an edge of another, above its middle, with no node of either over the other.
Bench cross_of_strips() {
  Bench b;
  b.add_plate({-5, -0.5, 0}, {10, 0, 0}, {0, 1, 0}, 1, 1, 0.2);
  b.add_plate({-0.5, -5, 0.2}, {1, 0, 0}, {0, 10, 0}, 1, 1, 0.2);
  return b;
}

TEST(SegmentBased, StripsThatCrossTouchInTheirMiddles) {
  for (const int soft : {1, 2}) {
    Bench b = cross_of_strips();
    segment_based(b, ContactType::automatic_surface_to_surface, 2).soft = soft;
    ContactRun run(std::move(b));
    bring_down(run, 4, 0.05);
    EXPECT_EQ(run.system.results()[0].touching, soft == 2 ? 2 : 0);
    EXPECT_EQ(run.force(4).z > 0.0, soft == 2);
    EXPECT_NEAR(norm(run.total_force()), 0.0, 1e-9);
    EXPECT_NEAR(norm(run.total_moment()), 0.0, 1e-8);
  }
}

TEST(SegmentBased, RimsTouchByDepth) {
  for (const int depth : {2, 3, 5})
    for (const double off : {0.0, 0.7}) {
      Bench b;  // on edge: one rim along x, the other along y and off the middles of both
      b.add_plate({-1 - off, 0, 0}, {2, 0, 0}, {0, 0, -2}, 1, 1, 0.2);
      b.add_plate({0, -1 - off, 0.2}, {0, 2, 0}, {0, 0, 2}, 1, 1, 0.2);
      segment_based(b, ContactType::automatic_surface_to_surface, depth);
      ContactRun run(std::move(b));
      bring_down(run, 4, 0.05);
      const bool found = depth == 5 || (depth == 3 && off == 0.0);
      EXPECT_EQ(run.force(4).z > 0.0, found) << depth << " " << off;
      EXPECT_NEAR(norm(run.total_moment()), 0.0, 1e-8);
    }
}

TEST(SegmentBased, WhatIsInsideAtTheStartGivesNoForce) {
  Bench b = cross_of_strips();
  for (std::size_t n = 4; n < 8; ++n) b.model.nodes.x[n].z -= 0.05;
  segment_based(b, ContactType::automatic_surface_to_surface, 3);
  ContactRun run(std::move(b));
  run.forces(kStep);
  EXPECT_EQ(norm(run.force(4)), 0.0);
  for (std::size_t n = 4; n < 8; ++n) run.nodal.x[n].z -= 0.01;
  run.forces(kStep);
  EXPECT_GT(run.force(4).z, 0.0);
}

TEST(SegmentBased, PointsDieWithTheirSegments) {
  Bench b = cross_of_strips();
  segment_based(b, ContactType::automatic_nodes_to_surface, 3);
  ContactRun run(std::move(b));
  bring_down(run, 4, 0.05);
  EXPECT_EQ(run.system.results()[0].touching, 3);  // the centre and the middles of the long sides
  run.system.delete_elements(run.nodal, std::vector<DeletedElement>{{ElementKind::shell, 0}});
  run.forces(kStep);
  EXPECT_EQ(run.system.results()[0].touching, 0);
}

TEST(SegmentBased, DoesNotDependOnWhenTheSortsAre) {
  std::vector<std::vector<Vec3>> ends;
  for (const double margin : {0.02, 0.3, 2.0}) {
    Bench b;
    b.add_plate({0, 0, 0}, {4, 0, 0}, {0, 4, 0}, 5, 5, 0.2);
    b.add_block({0.5, 0.7, 0.15}, {2, 2, 1}, {2, 3, 2});
    auto& contact = segment_based(b, ContactType::automatic_single_surface, 5);
    contact.fs = contact.fd = 0.2;
    contact.slsfac = 2e-3;  // loose nodes do not bear more
    ContactRun run(std::move(b));
    for (std::size_t n = 0; n < run.nodal.size(); ++n)
      run.nodal.v[n] = {0.1 * double(n % 3), 0.05 * double(n % 5), n >= 36 ? -2.0 : 1.0};
    run.system.set_margin(margin);
    std::int64_t touching = 0;
    for (int k = 0; k < 300; ++k) {
      run.step(2e-3, k == 0, [](LocalId) { return Vec3{}; });
      touching = std::max(touching, run.system.results()[0].touching);
    }
    EXPECT_GT(touching, 20);
    ends.emplace_back(run.nodal.x.begin(), run.nodal.x.end());
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

}  // namespace
}  // namespace crumple::contact::test
