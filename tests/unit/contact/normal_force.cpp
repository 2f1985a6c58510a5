// Normal contact of single nodes with patches: stiffness, sides, borders, corners, what is left out.
#include <gtest/gtest.h>

#include "bench.hpp"
#include "preparation/initial_penetrations.hpp"

namespace crumple::contact::test {
namespace {

using preparation::remove_initial_penetrations;

using model::ContactType;
using model::ElementKind;

/// A flat plate of 4 x 4 unit shells at z = 0, and a small probe plate whose first node is moved about.
/// Probe nodes but the first are far away.
struct Probe {
  Bench bench;
  LocalId node = 0;

  explicit Probe(ContactType type = ContactType::automatic_nodes_to_surface, double thickness = 0.2) {
    bench.add_plate({0, 0, 0}, {4, 0, 0}, {0, 4, 0}, 4, 4, thickness);
    add_probe(type);
  }
  void add_probe(ContactType type) {
    node = static_cast<LocalId>(bench.model.nodes.size());
    bench.add_plate({10, 10, 5}, {1, 0, 0}, {0, 1, 0}, 1, 1, 0.1);
    auto& contact = bench.add_contact(type, 2, 1);
    if (type == ContactType::automatic_single_surface) contact.input_a = {5, 0, model::kNone};
  }
};

/// Of unit shells: slsfac K A / diagonal.
const double kPlate = 0.1 * 1000.0 * 1.0 / std::sqrt(2.0);

TEST(NormalForce, IsStiffnessTimesPenetrationOnBothSides) {
  Probe probe;
  ContactRun run(probe.bench);
  const LocalId n = probe.node;
  for (const double side : {1.0, -1.0}) {
    run.nodal.x[n] = {1.3, 2.6, side * 0.16};  // contact thickness 0.1 + 0.05
    run.forces();
    EXPECT_NEAR(norm(run.force(n)), 0.0, 1e-12);
    run.nodal.x[n] = {1.3, 2.6, side * 0.13};
    run.forces();
    EXPECT_NEAR(run.force(n).z, side * kPlate * 0.02, 1e-9);
    EXPECT_NEAR(std::hypot(run.force(n).x, run.force(n).y), 0.0, 1e-12);
    EXPECT_NEAR(norm(run.total_force()), 0.0, 1e-11);
    EXPECT_EQ(run.system.active(), 1u);
    run.nodal.x[n].z = side * 3.0;
    run.forces();
  }
}

// The spring's energy at the start goes into motion, and nothing is left of it when the node is out.
TEST(NormalForce, StartsWithTheEnergyOfSpringsThatAreLoaded) {
  Probe probe;
  ContactRun run(probe.bench);
  for (LocalId i = 0; i < 25; ++i) run.nodal.mass[i] = kUnmovable;
  run.nodal.x[probe.node] = {1.3, 2.6, 0.13};
  const auto none = [](LocalId) { return Vec3{}; };
  const double period = 6.2831853 * std::sqrt(1.0 / kPlate), dt = period / 200.0;
  run.step(dt, true, none);
  const double stored = 0.5 * kPlate * 0.02 * 0.02;
  EXPECT_NEAR(run.system.results()[0].sliding_energy(), stored, 1e-12 * stored);
  for (int cycle = 0; cycle < 100; ++cycle) run.step(dt, false, none);
  EXPECT_NEAR(norm(run.force(probe.node)), 0.0, 1e-12);
  EXPECT_NEAR(run.system.results()[0].sliding_energy(), 0.0, 0.05 * stored);
}

TEST(NormalForce, LeavesNodesOfRigidBodiesInsideWithoutForce) {
  Probe probe;
  probe.bench.model.rigid_bodies.emplace_back().nodes = {probe.node, probe.node + 1};
  ContactRun run(probe.bench);
  run.nodal.x[probe.node] = {1.3, 2.6, 0.13};
  run.forces();
  EXPECT_NEAR(norm(run.force(probe.node)), 0.0, 1e-12);
  run.move(probe.node, {0.0, 0.0, -0.01}, 1e-3);  // deeper than it was
  EXPECT_NEAR(run.force(probe.node).z, kPlate * 0.01, 1e-9);
}

// The bound on a pair's spring holds in the first cycle too, where no step is behind.
TEST(NormalForce, IsBoundedByTheFirstStep) {
  Probe probe;
  ContactRun run(probe.bench);
  for (LocalId i = 0; i < 25; ++i) run.nodal.mass[i] = kUnmovable;
  run.nodal.x[probe.node] = {1.3, 2.6, 0.13};
  const double dt = std::sqrt(1.0 / kPlate);  // omega dt = 1, twice what is let be
  run.system.expect_step(dt);
  run.forces();
  EXPECT_NEAR(run.force(probe.node).z, 0.25 * kPlate * 0.02, 1e-9);
}

TEST(NormalForce, BalancesInMomentAndGoesToTheSegmentOnly) {
  Probe probe;
  ContactRun run(probe.bench);
  run.nodal.x[probe.node] = {1.3, 2.6, 0.13};
  run.forces();
  Vec3 moment;
  for (std::size_t i = 0; i < run.nodal.size(); ++i)
    moment += cross(run.nodal.x[i], run.force(static_cast<LocalId>(i)));
  EXPECT_NEAR(norm(moment), 0.0, 1e-9);
  for (LocalId i = 0; i < 25; ++i) {
    const bool corner = i == 11 || i == 12 || i == 16 || i == 17;  // of the segment 1..2 x 2..3
    EXPECT_EQ(run.force(i).z < 0.0, corner) << i;
  }
}

TEST(NormalForce, IsContinuousAcrossSegmentBorders) {
  for (const ContactType type :
       {ContactType::automatic_nodes_to_surface, ContactType::automatic_single_surface,
        ContactType::automatic_surface_to_surface}) {
    Probe probe(type);
    ContactRun run(probe.bench);
    const LocalId n = probe.node;
    run.nodal.x[n] = {0.4, 1.0, 0.13};  // along a row of borders, then across
    run.forces();
    const double force = run.force(n).z;
    EXPECT_NEAR(force, kPlate * 0.02, 1e-9);
    for (int k = 0; k < 150; ++k) {
      run.move(n, {0.02, 0.004, 0.0}, 1e-3);
      EXPECT_NEAR(run.force(n).z, force, 1e-9) << k;
    }
  }
}

TEST(NormalForce, StaysContinuousOverAConvexRidge) {
  // A roof: two unit segments that meet at 120 degrees.
  Bench bench;
  const LocalId part = bench.add_part(ElementKind::shell, 0.2);
  const double h = std::sin(M_PI / 6), w = std::cos(M_PI / 6);
  for (const Vec3& x :
       {Vec3{-w, 0, -h}, Vec3{0, 0, 0}, Vec3{w, 0, -h}, Vec3{-w, 1, -h}, Vec3{0, 1, 0}, Vec3{w, 1, -h}})
    bench.add_node(x);
  bench.add_shell(part, {0, 1, 4, 3});
  bench.add_shell(part, {1, 2, 5, 4});
  Probe roof;
  roof.bench = bench;
  roof.add_probe(ContactType::automatic_nodes_to_surface);
  ContactRun run(roof.bench);
  run.nodal.x[roof.node] = {-0.1, 0.5, 0.1};
  run.forces();
  Vec3 last = run.force(roof.node);
  double largest = 0.0;
  const double step = 1e-4;
  for (int k = 0; k < 2000; ++k) {
    run.move(roof.node, {step, 0, 0}, 1e-3);
    largest = std::max(largest, norm(run.force(roof.node) - last));
    last = run.force(roof.node);
  }
  EXPECT_LT(largest, 2.0 * kPlate * step);  // no jump: |dF| <= k |dx| (1 + depth / distance)
  EXPECT_GT(largest, 0.0);
}

TEST(NormalForce, KeepsTheSideOfANodeThatIsPushedThrough) {
  Probe probe;
  ContactRun run(probe.bench);
  const LocalId n = probe.node;
  run.nodal.x[n] = {1.3, 2.6, 0.1};
  run.forces();
  run.move(n, {0.3, 0.5, -0.12}, 1e-3);  // through the middle, into a neighbour
  EXPECT_NEAR(run.force(n).z, kPlate * 0.17, 1e-9);
  run.move(n, {0.0, 0.0, 0.12}, 1e-3);
  EXPECT_NEAR(run.force(n).z, kPlate * 0.05, 1e-9);
}

TEST(NormalForce, BetweenTwoPlatesComesFromBoth) {
  Bench bench;
  bench.add_plate({0, 0, 0}, {4, 0, 0}, {0, 4, 0}, 4, 4, 0.2);
  Probe probe;
  probe.bench = bench;
  probe.bench.add_plate({0, 0, 0.24}, {4, 0, 0}, {0, 4, 0}, 4, 4, 0.2);
  probe.node = static_cast<LocalId>(probe.bench.model.nodes.size());
  probe.bench.add_plate({10, 10, 5}, {1, 0, 0}, {0, 1, 0}, 1, 1, 0.1);
  auto& contact = probe.bench.add_contact(ContactType::automatic_nodes_to_surface, 3);
  probe.bench.model.sets.parts.push_back({1, {0, 1}});
  contact.input_b = {2, 1, model::kNone};
  ContactRun run(probe.bench);
  run.nodal.x[probe.node] = {1.2, 2.2, 0.11};  // 0.04 into the lower, 0.02 into the upper
  run.forces();
  EXPECT_NEAR(run.force(probe.node).z, kPlate * 0.02, 1e-9);
  const auto results = run.system.results();
  EXPECT_EQ(results[0].touching, 1);
  EXPECT_NEAR(results[0].max_penetration, 0.04, 1e-12);
}

TEST(NormalForce, InACornerComesFromBothWalls) {
  Bench bench;
  bench.add_plate({0, 0, 0}, {2, 0, 0}, {0, 2, 0}, 2, 2, 0.2);
  bench.add_plate({0, 0, 0}, {0, 2, 0}, {0, 0, 2}, 2, 2, 0.2);
  const auto node = static_cast<LocalId>(bench.model.nodes.size());
  bench.add_plate({10, 10, 5}, {1, 0, 0}, {0, 1, 0}, 1, 1, 0.1);
  bench.add_contact(ContactType::automatic_nodes_to_surface, 3).input_b = {2, 1, model::kNone};
  bench.model.sets.parts.push_back({1, {0, 1}});
  ContactRun run(bench);
  run.nodal.x[node] = {0.13, 0.6, 0.12};
  run.forces();
  EXPECT_NEAR(run.force(node).x, kPlate * 0.02, 1e-9);
  EXPECT_NEAR(run.force(node).z, kPlate * 0.03, 1e-9);
  EXPECT_NEAR(run.force(node).y, 0.0, 1e-12);
}

TEST(NormalForce, BeyondAnEdgeIsRounded) {
  Probe probe;
  ContactRun run(probe.bench);
  const LocalId n = probe.node;
  run.nodal.x[n] = {2.4, -0.06, 0.08};  // 0.1 from the plate's edge
  run.forces();
  EXPECT_NEAR(run.force(n).y, -kPlate * 0.05 * 0.6, 1e-9);
  EXPECT_NEAR(run.force(n).z, kPlate * 0.05 * 0.8, 1e-9);
  run.nodal.x[n] = {-0.06, -0.08, 0.0};  // and from its corner
  run.forces();
  EXPECT_NEAR(run.force(n).x, -kPlate * 0.05 * 0.6, 1e-9);
  EXPECT_NEAR(run.force(0).x, kPlate * 0.05 * 0.6, 1e-9);
}

TEST(NormalForce, OnTriangles) {
  Bench bench;
  const LocalId part = bench.add_part(ElementKind::shell, 0.2);
  for (const Vec3& x : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{1, 1, 0}}) bench.add_node(x);
  bench.add_shell(part, {0, 1, 2, 2});
  bench.add_shell(part, {1, 3, 2, 2});
  Probe probe;
  probe.bench = bench;
  probe.add_probe(ContactType::automatic_nodes_to_surface);
  ContactRun run(probe.bench);
  const double k = 0.1 * 1000.0 * 0.5 / std::sqrt(2.0);  // area 1/2, longest side sqrt 2
  run.nodal.x[probe.node] = {0.2, 0.2, 0.13};
  run.forces();
  EXPECT_NEAR(run.force(probe.node).z, k * 0.02, 1e-9);
  EXPECT_NEAR(run.force(0).z, -k * 0.02 * 0.6, 1e-9);  // area coordinates
  EXPECT_NEAR(run.force(1).z, -k * 0.02 * 0.2, 1e-9);
  for (int step = 0; step < 60; ++step) {  // over the diagonal
    run.move(probe.node, {0.01, 0.01, 0}, 1e-3);
    EXPECT_NEAR(run.force(probe.node).z, k * 0.02, 1e-9);
  }
}

TEST(NormalForce, OnSolidsPushesOutOfTheNearestFace) {
  Probe probe;
  probe.bench = {};
  probe.bench.add_block({0, 0, 0}, {3, 3, 3}, {3, 3, 3});
  probe.add_probe(ContactType::automatic_nodes_to_surface);
  probe.bench.model.parts[1].contact_thickness_given = true;  // a point
  const double solid = 0.1 * 1000.0;                          // K A^2 / V of a unit brick
  const double k = std::min(kPlate, solid);                   // softer side
  const auto first_force = [&](const Vec3& x) {
    ContactRun run(probe.bench);
    run.nodal.x[probe.node] = x;
    run.forces();
    return run.force(probe.node);
  };
  EXPECT_NEAR(first_force({1.4, 1.7, 2.95}).z, k * 0.05, 1e-9);
  const Vec3 side = first_force({2.98, 1.7, 2.95});  // under the top, but nearer to the side
  EXPECT_NEAR(side.x, k * 0.02, 1e-9);
  EXPECT_NEAR(side.z, 0.0, 1e-12);
  EXPECT_NEAR(norm(first_force({3.001, 1.7, 2.95})), 0.0, 1e-12);  // just outside
  EXPECT_NEAR(norm(first_force({1.4, 1.7, 3.001})), 0.0, 1e-12);
}

TEST(NormalForce, WhatComesFromBehindAFacePushesOnlyWhereItGoesDeeper) {
  Probe probe;
  probe.bench = {};
  probe.bench.add_block({0, 0, 0}, {3, 3, 3}, {3, 3, 3});
  probe.add_probe(ContactType::automatic_nodes_to_surface);
  probe.bench.model.parts[1].contact_thickness_given = true;  // a point
  ContactRun run(probe.bench);
  const LocalId n = probe.node;
  run.nodal.x[n] = {1.4, 1.7, 2.5 * 3};
  run.forces();
  run.nodal.x[n] = {1.4, 1.7, 2.4};  // in the hole that a failed brick left, say
  run.forces();
  run.move(n, {0, 0, 0.5}, 1e-3);  // towards the top, from below
  EXPECT_NEAR(norm(run.force(n)), 0.0, 1e-12);
  run.move(n, {0, 0, -0.02}, 1e-3);
  EXPECT_NEAR(run.force(n).z, std::min(kPlate, 100.0) * 0.02, 1e-9);
  run.move(n, {0, 0, 0.2}, 1e-3);  // out, and in again as all others
  EXPECT_NEAR(norm(run.force(n)), 0.0, 1e-12);
  run.move(n, {0, 0, -0.13}, 1e-3);
  EXPECT_NEAR(run.force(n).z, std::min(kPlate, 100.0) * 0.05, 1e-9);
}

// A node that presses on foam is a little inside, so behind the foam's other side, too. That side has no
// claim on it, however thin the foam becomes: it would push the node in, by the whole thickness.
TEST(NormalForce, OnACrushedLayerComesFromTheSideThatIsPressed) {
  Probe probe;
  probe.bench = {};
  probe.bench.add_block({0, 0, 0}, {3, 3, 1}, {3, 3, 1});
  probe.add_probe(ContactType::automatic_nodes_to_surface);
  probe.bench.model.parts[1].contact_thickness_given = true;  // a point
  ContactRun run(probe.bench);
  const LocalId n = probe.node;
  const double k = std::min(kPlate, 100.0);
  run.nodal.x[n] = {1.4, 1.7, 1.01};
  run.forces();
  run.move(n, {0, 0, -0.03}, 1e-3);
  EXPECT_NEAR(run.force(n).z, k * 0.02, 1e-9);
  for (LocalId i = 0; i < 16; ++i) run.nodal.x[i].z = 0.7;  // the layer is 0.3 thick
  run.move(n, {0, 0, 0}, 1e-3);
  EXPECT_NEAR(run.force(n).z, k * 0.02, 1e-9);
  EXPECT_EQ(run.system.active(), 1u);
}

TEST(NormalForce, ShellsWithoutThicknessHaveAFront) {
  // As *CONTACT_NODES_TO_SURFACE with SHLTHK = 0: the plate's normals are turned to the probe.
  for (const double side : {1.0, -1.0}) {
    Probe probe;
    model::Contact& c = probe.bench.model.contacts[0];
    c.type = ContactType::nodes_to_surface;
    c.sfta = c.sftb = 0.0;
    for (LocalId n = probe.node; n < probe.node + 4; ++n) probe.bench.model.nodes.x[n].z *= side;
    ContactRun run(probe.bench);
    const LocalId n = probe.node;
    run.nodal.x[n] = {1.3, 2.6, side * 0.01};
    run.forces();
    EXPECT_NEAR(norm(run.force(n)), 0.0, 1e-12);
    run.move(n, {0, 0, -side * 0.04}, 1e-3);
    EXPECT_NEAR(run.force(n).z, side * kPlate * 0.03, 1e-9);
    run.move(n, {0, 0, -side * 0.7}, 1e-3);  // farther behind than half the segment's size: let go
    EXPECT_NEAR(norm(run.force(n)), 0.0, 1e-12);
  }
}

TEST(NormalForce, SolidsDoNotTouchTheirOwnFlatOrRoundSurface) {
  Bench bench;
  bench.add_block({0, 0, 0}, {4, 4, 2}, {4, 4, 2});
  bench.add_contact(ContactType::automatic_single_surface);
  for (Vec3& x : bench.model.nodes.x) {  // squeeze the mesh to one side and bulge it
    x.x = x.x * x.x / 4;
    x.z *= 1.0 - 0.05 * ((x.x - 2) * (x.x - 2) + (x.y - 2) * (x.y - 2));
  }
  ContactRun run(bench);
  run.forces();
  EXPECT_EQ(run.system.active(), 0u);
}

TEST(NormalForce, SingleSurfaceLeavesOutOwnNodesAndRigidBodies) {
  Bench bench;
  bench.add_plate({0, 0, 0}, {2, 0, 0}, {0, 2, 0}, 2, 2, 0.2);
  bench.add_plate({0, 0, 0.15}, {2, 0, 0}, {0, 2, 0}, 2, 2, 0.2);
  bench.add_contact(ContactType::automatic_single_surface);
  ContactRun flexible(bench);
  flexible.forces();
  EXPECT_EQ(flexible.system.active(), 18u);
  bench.model.rigid_bodies.resize(1);
  for (LocalId p = 0; p < 2; ++p) {
    bench.model.parts[p].rigid_body = 0;
    bench.model.rigid_bodies[0].parts.push_back(p);
  }
  for (LocalId n = 0; n < 18; ++n) bench.model.rigid_bodies[0].nodes.push_back(n);
  ContactRun rigid(bench);
  rigid.forces();
  EXPECT_EQ(rigid.system.active(), 0u);
}

TEST(NormalForce, TakesPenaltyScalesAndOptions) {
  const auto force = [](auto change) {
    Probe probe;
    change(probe.bench.model.contacts[0]);
    ContactRun run(probe.bench);
    run.nodal.x[probe.node] = {1.3, 2.6, 0.13};
    run.forces();
    return run.force(probe.node).z / (kPlate * 0.02);
  };
  EXPECT_NEAR(force([](auto&) {}), 1.0, 1e-9);
  EXPECT_NEAR(force([](auto& c) { c.sfa = 0.5, c.sfb = 2.0; }), 0.5, 1e-9);
  EXPECT_NEAR(force([](auto& c) { c.sfa = 0.5, c.sfb = 2.0, c.penopt = 2; }), 2.0, 1e-9);
  EXPECT_NEAR(force([](auto& c) { c.sfa = 3.0, c.sfb = 2.0, c.penopt = 3; }), 3.0, 1e-9);
  EXPECT_NEAR(force([](auto& c) { c.slsfac = 0.2; }), 2.0, 1e-9);
  EXPECT_NEAR(force([](auto& c) { c.sftb = 1.1; }), 1.5, 1e-9);  // 0.01 more
}

TEST(NormalForce, LivesFromBirthToDeath) {
  Probe probe;
  probe.bench.model.contacts[0].birth = 1.0;
  probe.bench.model.contacts[0].death = 2.0;
  ContactRun run(probe.bench);
  run.nodal.x[probe.node] = {1.3, 2.6, 0.13};
  for (const auto& [time, alive] : {std::pair{0.5, false}, {1.0, true}, {1.9, true}, {2.0, false}}) {
    run.time = time;
    run.forces(0.1);
    EXPECT_EQ(run.force(probe.node).z > 0.0, alive) << time;
  }
}

TEST(NormalForce, IgnoreKeepsInitialPenetrationsWithoutForce) {
  for (const int ignore : {0, 1, 2}) {
    Probe probe;
    probe.bench.model.contacts[0].ignore = ignore;
    ContactRun run(probe.bench);
    const LocalId n = probe.node;
    run.nodal.x[n] = {1.3, 2.6, 0.12};  // 0.03 inside
    run.forces();
    EXPECT_NEAR(run.force(n).z, ignore == 0 ? kPlate * 0.03 : 0.0, 1e-9);
    run.move(n, {0, 0, -0.01}, 1e-3);  // deeper: only the surplus counts
    EXPECT_NEAR(run.force(n).z, kPlate * (ignore == 0 ? 0.04 : 0.01), 1e-9);
    run.move(n, {0, 0, 0.02}, 1e-3);  // 0.02 left, which is remembered
    EXPECT_NEAR(run.force(n).z, kPlate * (ignore == 0 ? 0.02 : 0.0), 1e-9);
    run.move(n, {0, 0, -0.01}, 1e-3);
    EXPECT_NEAR(run.force(n).z, kPlate * (ignore == 0 ? 0.03 : 0.01), 1e-9);
    run.move(n, {0, 0, 0.1}, 1e-3);  // out, and in again
    run.move(n, {0, 0, -0.1}, 1e-3);
    EXPECT_NEAR(run.force(n).z, kPlate * 0.03, 1e-9);
  }
}

TEST(NormalForce, InitialPenetrationsAreListedAndRemoved) {
  Bench bench;
  bench.add_plate({0, 0, 0}, {4, 0, 0}, {0, 4, 0}, 4, 4, 0.2);
  bench.add_plate({1.2, 1.2, 0.15}, {1, 0, 0}, {0, 1, 0}, 2, 2, 0.2);
  bench.add_contact(ContactType::automatic_single_surface);
  build_surfaces(bench.model);
  const MpiSession mpi;
  const auto found = remove_initial_penetrations(bench.model);
  ASSERT_GE(found.size(), 9u);
  const auto probe = std::find_if(found.begin(), found.end(), [](const auto& p) { return p.node == 26; });
  ASSERT_NE(probe, found.end());
  EXPECT_NEAR(probe->depth, 0.05, 1e-12);
  EXPECT_NEAR(probe->direction.z, 1.0, 1e-12);
  EXPECT_GT(bench.model.nodes.x[25].z, 0.17);
  const auto left = remove_initial_penetrations(bench.model);
  for (const auto& p : left) EXPECT_LT(p.depth, 0.002);
  bench.model.contacts[0].ignore = 1;
  bench.model.nodes.x[25].z = 0.15;
  remove_initial_penetrations(bench.model);
  EXPECT_DOUBLE_EQ(bench.model.nodes.x[25].z, 0.15);  // only listed
}

/// A pair that was near at the last sort, and is not sorted again for so short a way.
TEST(InitialPenetrations, AreFoundAnewWhereNodesWereMoved) {
  Bench b;
  b.add_plate({0, 0, 0}, {4, 0, 0}, {0, 4, 0}, 1, 1, 0.2);
  b.add_plate({1.5, 1.5, 0.21}, {1, 0, 0}, {0, 1, 0}, 1, 1, 0.2);
  b.add_contact(ContactType::automatic_single_surface);
  ContactRun run(b);
  EXPECT_TRUE(run.system.initial_penetrations(run.nodal).empty());
  for (std::size_t n = 4; n < 8; ++n) run.nodal.x[n].z -= 0.03;
  const auto found = run.system.initial_penetrations(run.nodal);
  EXPECT_EQ(run.system.timing().sorts, 1);
  ASSERT_EQ(found.size(), 4u);
  EXPECT_NEAR(found[0].depth, 0.02, 1e-12);
}

TEST(NormalForce, DeletedElementsVanish) {
  Probe probe(ContactType::automatic_surface_to_surface);
  ContactRun run(probe.bench);
  const LocalId n = probe.node;
  run.nodal.x[n] = {1.3, 2.6, 0.13};
  run.forces();
  EXPECT_GT(run.force(n).z, 0.0);
  const std::array dead{DeletedElement{ElementKind::shell, 9}};  // the segment under the node
  run.system.delete_elements(run.nodal, dead);
  run.forces();
  EXPECT_DOUBLE_EQ(run.force(n).z, 0.0);
  run.nodal.x[n] = {2.3, 2.6, 0.13};
  run.forces();
  EXPECT_GT(run.force(n).z, 0.0);
  const std::array own{DeletedElement{ElementKind::shell, 16}};  // the probe's only shell
  run.system.delete_elements(run.nodal, own);
  run.forces();
  EXPECT_DOUBLE_EQ(run.force(n).z, 0.0);
}

}  // namespace
}  // namespace crumple::contact::test
