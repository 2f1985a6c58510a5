// Coulomb friction: sticking, sliding, decay with speed, shear limit, and a block on an incline.
#include <gtest/gtest.h>

#include "bench.hpp"

namespace crumple::contact::test {
namespace {

using model::ContactType;

constexpr double kPen = 0.02;
const double kPlate = 0.1 * 1000.0 / std::sqrt(2.0);

/// A node pressed 0.02 into a plate of unit shells.
struct Pressed {
  ContactRun run;
  LocalId node = 25;

  template <class Change>
  explicit Pressed(Change change) : run(bench(change)) {
    run.nodal.x[node] = {0.5, 1.4, 0.15 - kPen};
    run.forces();
  }
  template <class Change>
  static Bench bench(Change change) {
    Bench b;
    b.add_plate({0, 0, 0}, {4, 0, 0}, {0, 4, 0}, 4, 4, 0.2);
    b.add_plate({10, 10, 5}, {1, 0, 0}, {0, 1, 0}, 1, 1, 0.1);
    change(b.add_contact(ContactType::automatic_nodes_to_surface, 2, 1));
    return b;
  }
  double slide(double distance, double dt = 1e-3) {
    run.move(node, {distance, 0, 0}, dt);
    return run.force(node).x;
  }
};

TEST(Friction, SticksThenSlides) {
  Pressed p([](auto& c) {
    c.fs = 0.3;
    c.fd = 0.3;
  });
  const double limit = 0.3 * kPlate * kPen;
  EXPECT_NEAR(p.slide(0.002), -kPlate * 0.002, 1e-9);
  EXPECT_NEAR(p.slide(0.002), -kPlate * 0.004, 1e-9);
  EXPECT_NEAR(p.slide(0.005), -limit, 1e-9);
  EXPECT_NEAR(p.slide(0.9), -limit, 1e-9);  // over a border
  EXPECT_NEAR(p.slide(-0.006), 0.0, 1e-9);  // back: the spring unloads
  EXPECT_NEAR(p.slide(-0.012), limit, 1e-9);
  EXPECT_NEAR(norm(p.run.total_force()), 0.0, 1e-11);
  // All travel less what the spring took up, times the force.
  const double travel = 0.009 - 0.006 + 0.9 + 0.012 - 0.006;
  EXPECT_NEAR(p.run.system.results()[0].friction_energy, limit * travel, 1e-9);
}

TEST(Friction, WorkIsSpringPlusDissipation) {
  Pressed p([](auto& c) {
    c.fs = 0.3;
    c.fd = 0.3;
  });
  const double limit = 0.3 * kPlate * kPen;
  for (int k = 0; k < 400; ++k) p.slide(0.001);
  const ContactResult r = p.run.system.results()[0];
  // The tangential spring, and the normal one, which is loaded from the start.
  const double stored = 0.5 * limit * limit / kPlate + 0.5 * kPlate * kPen * kPen;
  EXPECT_NEAR(r.friction_energy, limit * (0.4 - 0.006), 1e-9);
  EXPECT_NEAR(r.sliding_energy(), r.friction_energy + stored, 1e-9);
}

TEST(Friction, CoefficientFallsWithSpeed) {
  Pressed p([](auto& c) {
    c.fs = 0.5;
    c.fd = 0.1;
    c.dc = 0.02;
  });
  const double normal = kPlate * kPen;
  EXPECT_NEAR(p.slide(0.1, 1e-3), -normal * (0.1 + 0.4 * std::exp(-2.0)), 1e-9);  // speed 100
  EXPECT_NEAR(p.slide(0.1, 2e-2), -normal * (0.1 + 0.4 * std::exp(-0.1)), 1e-9);  // 5
}

TEST(Friction, IsLimitedByShearStress) {
  Pressed p([](auto& c) {
    c.fs = 0.5;
    c.fd = 0.5;
    c.vc = 0.2;
  });
  EXPECT_NEAR(p.slide(0.1), -0.2 * 1.0, 1e-9);  // times the segment's area
}

TEST(Friction, DampingActsAgainstTheApproachOnly) {
  Pressed p([](auto& c) { c.vdc = 20.0; });
  // Node mass 1 against the segment's point: the plate's nodes of mass 1 with weights of the fan at (0.5,
  // 0.4).
  const double weights[4] = {0.3, 0.3, 0.2, 0.2};
  double inverse = 0.0;
  for (const double w : weights) inverse += w * w;
  const double mass = std::min(1.0, 1.0 / inverse);
  const double c = 0.2 * 2.0 * mass * std::sqrt(kPlate * (inverse + 1.0));
  p.run.move(p.node, {0, 0, -1e-4}, 1e-3);
  EXPECT_NEAR(p.run.force(p.node).z, kPlate * (kPen + 1e-4) + c * 0.1, 1e-9);
  p.run.move(p.node, {0, 0, 1e-3}, 1e-3);  // opening at speed 1: more than the spring gives
  EXPECT_NEAR(p.run.force(p.node).z, std::max(0.0, kPlate * (kPen - 9e-4) - c), 1e-9);
}

/// A brick of eight equal nodes on a plate that cannot move, gravity tilted by the angle; distance slid.
double slide_down(double angle, double mu, double time) {
  Bench b;
  b.bulk = 1e5;
  b.add_plate({-2, -2, 0}, {14, 0, 0}, {0, 5, 0}, 14, 5, 0.2);
  const auto first = static_cast<LocalId>(b.model.nodes.size());
  b.add_block({0.3, 0.2, 0.1}, {1, 1, 0.5}, {1, 1, 1});
  auto& c = b.add_contact(ContactType::automatic_surface_to_surface, 2, 1);
  c.fs = c.fd = mu;
  c.vdc = 20.0;
  ContactRun run(b);
  for (LocalId n = 0; n < first; ++n) run.nodal.mass[n] = kUnmovable;
  const Vec3 gravity = 9.81 * Vec3{std::sin(angle), 0, -std::cos(angle)};
  const double dt = 5e-4;
  const int steps = static_cast<int>(time / dt);
  for (int k = 0; k < steps; ++k) {
    // A rigid brick that does not turn: its nodes share all forces.
    run.forces(k == 0 ? 0.0 : dt);
    Vec3 force;
    for (LocalId n = first; n < first + 8; ++n) force += run.force(n);
    const Vec3 a = (1.0 / 8.0) * force + gravity;
    for (LocalId n = first; n < first + 8; ++n) {
      run.nodal.v[n] += dt * a;
      run.nodal.x[n] += dt * run.nodal.v[n];
    }
    run.time += dt;
  }
  return run.nodal.x[first].x - 0.3;
}

TEST(Friction, BlockOnAnIncline) {
  const double angle = 0.5, time = 1.0;
  for (const double mu : {0.0, 0.1, 0.3}) {
    const double a = 9.81 * (std::sin(angle) - mu * std::cos(angle));
    const double exact = 0.5 * a * time * time;
    EXPECT_NEAR(slide_down(angle, mu, time) / exact, 1.0, 0.005) << mu;
  }
  // tan(0.5) = 0.546: it holds. The springs' ringing, which nothing damps along the plate, slips until its
  // load amplitude is what friction has to spare.
  const double springs = 4 * 0.1 * 1e5 / std::sqrt(2.0);  // at least the four corners of the brick
  const double ringing = 8 * 9.81 * (0.6 * std::cos(angle) - std::sin(angle)) / springs;
  EXPECT_NEAR(slide_down(angle, 0.6, 2 * time), slide_down(angle, 0.6, time), 2 * ringing);
  EXPECT_LT(slide_down(angle, 0.6, time), 5e-3);
}

TEST(Friction, OfPairsOfParts) {
  const auto at_pair = [](LocalId one, LocalId other) {
    return [one, other](auto& c) {
      c.pairs.given = true;
      c.pairs.otherwise = {0.1, 0.1, 0.0, 0.0};
      c.pairs.pairs = {{one, other, {0.5, 0.2, 0.02, 0.0}}};
    };
  };
  const double normal = kPlate * kPen;
  Pressed listed(at_pair(0, 1)), other(at_pair(0, 0));
  EXPECT_NEAR(listed.slide(0.1, 1e-3), -normal * (0.2 + 0.3 * std::exp(-2.0)), 1e-9);  // speed 100
  EXPECT_NEAR(other.slide(0.1), -normal * 0.1, 1e-9);
  Pressed limited([](auto& c) {
    c.pairs.given = true;
    c.pairs.pairs = {{0, 1, {0.5, 0.5, 0.0, 0.2}}};
  });
  EXPECT_NEAR(limited.slide(0.1), -0.2 * 1.0, 1e-9);  // the shear stress of the pair times the area
}

TEST(Friction, PointsOfSegmentsHaveTheirPart) {
  // SOFT = 2: a shell on a plate, all its points slide with the coefficient of both parts.
  const auto resistance = [](double mu) {
    Bench b;
    b.add_plate({0, 0, 0}, {4, 0, 0}, {0, 4, 0}, 4, 4, 0.2);
    const auto first = static_cast<LocalId>(b.model.nodes.size());
    b.add_plate({1.3, 1.4, 0.3}, {1, 0, 0}, {0, 1, 0}, 1, 1, 0.1);
    auto& c = b.add_contact(ContactType::automatic_surface_to_surface, 2, 1);
    c.soft = 2;
    c.pairs.given = true;
    c.pairs.pairs = {{0, 1, {mu, mu, 0.0, 0.0}}};
    ContactRun run(b);
    run.system.expect_step(1e-3);
    run.forces();
    const auto move = [&](const Vec3& u) {
      for (LocalId n = first; n < first + 4; ++n) {
        run.nodal.x[n] += u;
        run.nodal.v[n] = 1e3 * u;
      }
      run.forces(1e-3);
    };
    move({0, 0, -0.17});
    move({0.5, 0, 0});
    Vec3 force;
    for (LocalId n = first; n < first + 4; ++n) force += run.force(n);
    return -force.x / force.z;
  };
  EXPECT_NEAR(resistance(0.3), 0.3, 1e-9);
  EXPECT_NEAR(resistance(0.05), 0.05, 1e-9);
}

TEST(Friction, OfPartsMustBeTheSame) {
  const auto bench = [](double second) {
    Bench b = Pressed::bench([](auto& c) { c.friction_of_parts = true; });
    b.model.parts[0].friction = {0.3, 0.2, 1.0, 0.0};
    b.model.parts[1].friction = {second, 0.2, 1.0, 0.0};
    return b;
  };
  Bench same = bench(0.3), different = bench(0.4);
  build_surfaces(same.model);
  EXPECT_DOUBLE_EQ(same.model.contacts[0].fs, 0.3);
  EXPECT_DOUBLE_EQ(same.model.contacts[0].fd, 0.2);
  EXPECT_DOUBLE_EQ(same.model.contacts[0].dc, 1.0);
  try {
    build_surfaces(different.model);
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_STREQ(e.id().c_str(), "CR-C005");
  }
}

}  // namespace
}  // namespace crumple::contact::test
