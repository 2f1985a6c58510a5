// Contact of rigid bodies by curves: force over penetration, unloading, damping, friction and energy.
#include <gtest/gtest.h>

#include "bench.hpp"

namespace crumple::contact::test {
namespace {

using model::ContactType;

/// A rigid shell above a rigid plate; its nodes, from 25, are moved one by one.
struct Curved {
  ContactRun run;
  LocalId node = 25;

  template <class Change>
  explicit Curved(Change change, ContactType type = ContactType::nodes_to_surface)
      : run(bench(change, type)) {
    run.nodal.x[node] = {1.5, 1.4, 0.05};
    run.forces();
  }
  template <class Change>
  static Bench bench(Change change, ContactType type) {
    Bench b;
    b.add_plate({0, 0, 0}, {4, 0, 0}, {0, 4, 0}, 4, 4, 0.2);
    b.add_plate({10, 10, 5}, {1, 0, 0}, {0, 1, 0}, 1, 1, 0.1);
    b.model.rigid_bodies.resize(2);
    for (LocalId n = 0; n < 29; ++n) b.model.rigid_bodies[n < 25 ? 0 : 1].nodes.push_back(n);
    for (LocalId p = 0; p < 2; ++p) b.model.parts[p].rigid_body = p;
    b.model.curves.resize(2);
    b.model.curves[0].x = {0.0, 0.02, 1.0};
    b.model.curves[0].y = {0.0, 2.0, 2.0};
    b.model.curves[1].x = {0.0, 10.0};
    b.model.curves[1].y = {0.5, 1.5};
    auto& c = b.add_contact(type, 2, 1);
    c.sta = c.stb = c.sfta = c.sftb = 0.0;
    c.by_curve.curve = 0;
    change(c);
    return b;
  }
  /// Force along z at a penetration.
  double at(double depth, double dt = 1.0) {
    run.move(node, Vec3{0, 0, -depth - run.nodal.x[node].z}, dt);
    return run.force(node).z;
  }
};

TEST(ForceCurve, IsFollowedBothWays) {
  Curved c([](auto&) {});
  EXPECT_NEAR(c.at(-0.01), 0.0, 1e-12);
  for (const double depth : {0.01, 0.02, 0.3, 0.01}) {
    EXPECT_NEAR(c.at(depth), std::min(100.0 * depth, 2.0), 1e-12) << depth;
    EXPECT_NEAR(norm(c.run.total_force()), 0.0, 1e-12);
  }
  EXPECT_NEAR(c.at(-0.001), 0.0, 1e-12);
}

TEST(ForceCurve, UnloadsAndLoadsAgainAlongItsStiffness) {
  Curved c([](auto& contact) { contact.by_curve.unloading = 200.0; });
  EXPECT_NEAR(c.at(0.01), 1.0, 1e-12);
  EXPECT_NEAR(c.at(0.03), 2.0, 1e-12);
  EXPECT_NEAR(c.at(0.025), 1.0, 1e-12);
  EXPECT_NEAR(c.at(0.02), 0.0, 1e-12);
  EXPECT_NEAR(c.at(0.01), 0.0, 1e-12);
  EXPECT_NEAR(c.at(0.025), 1.0, 1e-12);
  EXPECT_NEAR(c.at(0.05), 2.0, 1e-12);
  EXPECT_NEAR(c.at(0.045), 1.0, 1e-12);
  EXPECT_NEAR(c.at(-0.01), 0.0, 1e-12);
  EXPECT_NEAR(c.at(0.01), 1.0, 1e-12) << "a new contact";
}

TEST(ForceCurve, DampingFollowsTheSpeed) {
  Curved c([](auto& contact) {
    contact.by_curve.damping = 1;
    contact.by_curve.damping_scale = 2.0;
  });
  c.at(0.005);
  const double v = 2.0;  // 0.01 in 0.005
  EXPECT_NEAR(c.at(0.015, 0.005), 1.5 + 2.0 * (0.5 + 0.1 * v) * v, 1e-12);
  EXPECT_NEAR(c.at(0.014, 0.01), 1.4 - 2.0 * (0.5 + 0.01) * 0.1, 1e-12);
  EXPECT_NEAR(c.at(0.004, 0.001), 0.0, 1e-12) << "it does not pull";
}

TEST(ForceCurve, EnergyIsTheAreaUnderTheCurve) {
  for (const double unloading : {0.0, 200.0}) {
    Curved c([&](auto& contact) { contact.by_curve.unloading = unloading; });
    c.at(0.0);
    for (int k = 1; k <= 30; ++k) c.at(0.001 * k);
    EXPECT_NEAR(c.run.system.results()[0].sliding_energy(), 0.5 * 0.02 * 2.0 + 0.01 * 2.0, 1e-12);
    for (int k = 29; k >= 0; --k) c.at(0.001 * k);
    c.at(-0.001);
    const double lost = unloading > 0.0 ? 0.04 - 0.5 * 2.0 * 2.0 / unloading : 0.0;
    EXPECT_NEAR(c.run.system.results()[0].sliding_energy(), lost, 1e-12);
  }
}

TEST(ForceCurve, MayBeAPressure) {
  // A rigid plate of 2 x 2 shells, moved into another as a whole: the pressure times its area, by the shares
  // of its nodes.
  Bench b;
  b.add_plate({0, 0, 0}, {4, 0, 0}, {0, 4, 0}, 4, 4, 0.2);
  b.add_plate({0.6, 0.7, 0.5}, {3, 0, 0}, {0, 2, 0}, 2, 2, 0.1);
  b.model.rigid_bodies.resize(2);
  for (LocalId n = 0; n < 34; ++n) b.model.rigid_bodies[n < 25 ? 0 : 1].nodes.push_back(n);
  for (LocalId p = 0; p < 2; ++p) b.model.parts[p].rigid_body = p;
  b.model.curves.resize(1);
  b.model.curves[0].x = {0.0, 1.0};
  b.model.curves[0].y = {0.0, 50.0};
  auto& c = b.add_contact(ContactType::nodes_to_surface, 2, 1);
  c.sta = c.stb = c.sfta = c.sftb = 0.0;
  c.by_curve.curve = 0;
  c.by_curve.pressure = true;
  ContactRun run(b);
  run.forces();
  for (LocalId n = 25; n < 34; ++n) run.nodal.x[n].z = -0.02;
  run.forces(1e-3);
  double sum = 0.0;
  for (LocalId n = 25; n < 34; ++n) sum += run.force(n).z;
  EXPECT_NEAR(sum, 50.0 * 0.02 * 6.0, 1e-10);
  EXPECT_NEAR(run.force(29).z, 4.0 * run.force(25).z, 1e-12) << "the middle node has four times a corner's";
  EXPECT_NEAR(norm(run.total_force()), 0.0, 1e-10);
}

TEST(ForceCurve, HasFriction) {
  Curved c([](auto& contact) { contact.fs = contact.fd = 0.25; });
  c.at(0.01);
  c.run.move(c.node, {0.5, 0, 0}, 1e-3);
  EXPECT_NEAR(c.run.force(c.node).x, -0.25, 1e-12);
  EXPECT_NEAR(c.run.force(c.node).z, 1.0, 1e-12);
}

TEST(ForceCurve, IsForRigidBodies) {
  Bench b = Curved::bench([](auto&) {}, ContactType::surface_to_surface);
  build_surfaces(b.model);
  b.model.rigid_bodies[1].nodes.pop_back();
  try {
    build_surfaces(b.model);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.id(), "CR-C006");
  }
}

}  // namespace
}  // namespace crumple::contact::test
