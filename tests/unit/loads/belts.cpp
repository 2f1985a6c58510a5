// Belts and their devices against closed forms, step by step with given motion. One rank.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "loads/belts/belt_system.hpp"
#include "loads/belts/webbing.hpp"

namespace crumple::loads {
namespace {

model::Curve curve(std::vector<double> x, std::vector<double> y) {
  model::Curve c;
  c.x = std::move(x);
  c.y = std::move(y);
  return c;
}

/// A row of elements of 0.1 between nodes at x = 0, 0.1, ..., with force 1000 e and LMIN 0.02; curves: 0
/// loading, 1 unloading, 2 of retractors (50 + 1000 out), 3 their unloading (four times steeper), 4 of a
/// pretensioner.
struct World {
  model::Model model;
  Belts in;
  std::vector<Vec3> x, v, a;

  explicit World(int elements) {
    model.curves = {curve({0, 1}, {0, 1000}), curve({0, 1}, {0, 4000}), curve({0, 1}, {50, 1050}),
                    curve({0, 1}, {0, 4000}), curve({0, 0.01}, {0, 0.05})};
    in.materials = {{0, 0, 0.06, 0.02}};
    for (int k = 0; k <= elements; ++k) node({0.1 * k, 0, 0});
    for (int k = 0; k < elements; ++k) in.elements.push_back({k + 1, k, k + 1, 0, -1, 0.0});
  }
  std::int64_t node(const Vec3& at) {
    x.push_back(at);
    v.push_back({});
    a.push_back({});
    in.nodes.push_back(static_cast<LocalId>(x.size()) - 1);
    in.node_ids.push_back(static_cast<GlobalId>(x.size()));
    in.owned.push_back(1);
    return static_cast<std::int64_t>(x.size()) - 1;
  }
  void step(BeltSystem& system, double time, double dt) { system.step({x, v, a, time, dt}); }
};

double total(const BeltSystem& system) {
  double sum = 0.0;
  for (const BeltElementState& e : system.elements())
    if (e.within < 0) sum += e.length;
  return sum;
}

TEST(Webbing, UnloadingIsMovedToMeetTheLoadingCurve) {
  const model::Curve loading = curve({0, 0.1}, {0, 100}), unloading = curve({0, 0.1}, {0, 400});
  double peak = 0.0;
  EXPECT_NEAR(hysteretic(loading, unloading, 0.08, peak), 80, 1e-12);
  EXPECT_NEAR(hysteretic(loading, unloading, 0.07, peak), 40, 1e-12);  // 80 - 4000 0.01
  EXPECT_EQ(hysteretic(loading, unloading, 0.05, peak), 0.0);          // slack below 0.06
  EXPECT_NEAR(hysteretic(loading, unloading, 0.075, peak), 60, 1e-12);
  EXPECT_NEAR(hysteretic(loading, unloading, 0.15, peak), 150, 1e-12);  // beyond the last point
  EXPECT_EQ(peak, 0.15);
}

TEST(Webbing, DampingIsATenthOfTheForceAtMost) {
  EXPECT_NEAR(belt_damping(100, 0.006, 1e-3, 1e-6), 0.1 * 0.006 * 1e-3 / 1e-6, 1e-12);
  EXPECT_NEAR(belt_damping(100, 0.006, -10, 1e-6), -10, 1e-12);
  EXPECT_EQ(belt_damping(100, 0.006, 1, 0), 0.0);
}

TEST(Belts, SlackComesBeforeForce) {
  World world(1);
  world.in.elements[0].slack = 0.02;
  BeltSystem belts(world.model, world.in, world.x);
  world.x[1].x = 0.11;
  world.step(belts, 0, 0);
  EXPECT_EQ(belts.elements()[0].force, 0.0);
  world.x[1].x = 0.15;
  world.step(belts, 0, 0);
  EXPECT_NEAR(belts.elements()[0].force, 1000 * (0.15 / 0.12 - 1), 1e-10);
}

/// A row of a belt of shells: states are those of a whole belt, stiffness and work of its share.
TEST(Belts, OfShellsActByTheirShare) {
  World whole(1), row(1);
  row.in.elements[0].share = 0.25;
  BeltSystem a(whole.model, whole.in, whole.x), b(row.model, row.in, row.x);
  for (const double time : {0.0, 0.1}) {
    for (World* w : {&whole, &row}) w->x[1].x = 0.1 + 0.1 * time, w->v[1].x = 0.1;
    whole.step(a, time, time);
    row.step(b, time, time);
  }
  EXPECT_GT(a.elements()[0].force, 50.0);
  EXPECT_EQ(b.elements()[0].force, a.elements()[0].force);
  EXPECT_DOUBLE_EQ(b.work(), 0.25 * a.work());
  EXPECT_DOUBLE_EQ(b.stable_steps(row.x)[0].stiffness, 0.25 * a.stable_steps(whole.x)[0].stiffness);
}

/// The highest motion of rows of elements of length l and share 1/2 of stiffness k, with fabric of rigidity E
/// t and wave speed c between them: dt^2 (4 k / 2 + 2 E t) + 2 dt 2 E t d l / c + 0.8 m = 4 m at inner nodes.
TEST(Belts, RowsAndFabricShareTheStableStep) {
  World world(3);
  Belts& in = world.in;
  for (int k = 0; k <= 3; ++k) world.node({0.1 * k, 0.1, 0});
  for (int k = 0; k < 3; ++k) in.elements.push_back({-k - 1, k + 4, k + 5, 0, -1, 0.0});
  for (BeltElement& e : in.elements) e.share = 0.5, e.weightless = true;
  const double mass = 0.06 * 0.1, rigidity = 700, sound = 40, fraction = 0.15;
  for (std::int32_t k = 0; k < 3; ++k)
    in.shells.push_back(
        {k + 1, k, k + 3, 1.0, {k, k + 1, k + 5, k + 4}, mass, rigidity, sound, {0.0, fraction}});
  const BeltSystem belts(world.model, in, world.x);
  EXPECT_NEAR(belts.elements()[1].mass, mass, 1e-15);  // of the whole width
  const std::vector<NodeStep> steps = belts.stable_steps(world.x);
  const double k = 1000 / 0.1, m = 0.5 * mass;
  for (const std::size_t inner : {1u, 2u, 5u, 6u}) {
    const double dt = steps[inner].of_mass(m);
    EXPECT_NEAR(
        dt * dt * (4 * 0.5 * k + 2 * rigidity) + 2 * dt * 2 * rigidity * fraction * 0.1 / sound + 0.8 * m,
        4 * m, 1e-12);
  }
  NodeStep alone{2 * k, 0, 0};
  EXPECT_EQ(alone.of_mass(m), std::sqrt(2 * m / k));
}

TEST(Belts, ShellsAreInsideARetractorWithARow) {
  World world(4);
  const std::int64_t reel = world.node({0, 0, 0});
  Retractor in_reel;
  in_reel.node = reel;
  in_reel.mouth = 0;
  in_reel.loading = in_reel.unloading = 2;
  in_reel.fed = 0.4;
  world.in.retractors = {in_reel};
  world.in.shells = {{1, 0, 0, 1.0}, {2, 1, 1, 1.0}};
  BeltSystem belts(world.model, world.in, world.x);
  EXPECT_TRUE(belts.shells_inside().empty());
  for (int k = 0; k < 400 && belts.shells_inside().empty(); ++k) {
    for (int n = 1; n <= 4; ++n) world.x[static_cast<std::size_t>(n)].x -= 0.0005;  // towards it
    world.step(belts, 0, 0);
  }
  EXPECT_EQ(belts.shells_inside(), (std::vector<std::size_t>{0}));
}

/// The belt of two elements turns by 90 degrees at a ring.
struct Corner : World {
  explicit Corner(double friction, int elements = 2) : World(elements) {
    const std::size_t corner = static_cast<std::size_t>(elements) - 1;
    x[static_cast<std::size_t>(elements)] = {x[corner].x, 0.1, 0};
    const std::int64_t ring = node(x[corner]);
    SlipRing in_ring;
    in_ring.first = elements - 2;
    in_ring.second = elements - 1;
    in_ring.node = ring;
    in_ring.friction = friction;
    in.rings = {in_ring};
  }
};

TEST(Belts, TensionsAtARingHaveTheRatioOfTheCapstan) {
  Corner world(0.3);
  BeltSystem belts(world.model, world.in, world.x);
  world.x[2].y = 0.13;  // pulls the second side
  world.step(belts, 0, 0);
  const double t1 = belts.elements()[0].force, t2 = belts.elements()[1].force;
  EXPECT_GT(t1, 1.0);
  EXPECT_NEAR(t2 / t1, std::exp(0.3 * std::numbers::pi / 2), 1e-9);
  EXPECT_NEAR(total(belts), 0.2, 1e-15);
  EXPECT_NEAR(belts.rings()[0].slip, 0.1 - belts.elements()[0].length, 1e-15);
  // A little back: the ratio is within both limits, and nothing slips.
  const double slip = belts.rings()[0].slip;
  world.x[2].y = 0.1295;
  world.step(belts, 0, 0);
  EXPECT_EQ(belts.rings()[0].slip, slip);
  // Far back: the ratio is reversed.
  world.x[2].y = 0.11;
  world.step(belts, 0, 0);
  EXPECT_LT(belts.rings()[0].slip, slip);
  EXPECT_NEAR(belts.elements()[0].force / belts.elements()[1].force, std::exp(0.3 * std::numbers::pi / 2),
              1e-9);
}

TEST(Belts, ARingLocksAndSlipsInOneDirection) {
  for (const int direction : {0, 12, 21}) {
    Corner world(0.0);
    world.in.rings[0].direction = direction;
    world.in.rings[0].lock_time = 1.0;
    BeltSystem belts(world.model, world.in, world.x);
    world.x[2].y = 0.12;
    world.step(belts, 0.5, 0);
    const double slip = belts.rings()[0].slip;
    EXPECT_NEAR(slip, direction == 21 ? 0.0 : 0.1 - 0.2 / 2.2, 1e-12) << direction;
    world.x[2].y = 0.14;
    world.step(belts, 1.0, 0.1);
    EXPECT_EQ(belts.rings()[0].slip, slip) << direction;
  }
}

TEST(Belts, ElementsPassThroughARing) {
  Corner world(0.0, 4);  // three elements before the ring
  BeltSystem belts(world.model, world.in, world.x);
  double last = 0.0;
  int passes = 0;
  for (int k = 1; k <= 400; ++k) {
    // The belt is pulled along, with a small constant stretch.
    world.x[0].x = 0.0005 * k;
    for (const std::int64_t n : {1, 2, 3}) {
      bool carried = false;
      for (const auto& c : belts.carried()) carried = carried || c.node == n;
      Vec3& x = world.x[static_cast<std::size_t>(n)];
      if (!carried) (x.y == 0.0 ? x.x : x.y) += 0.0005;
    }
    world.x[4].y = 0.101 + 0.0005 * k;
    const std::int64_t before = belts.rings()[0].first;
    world.step(belts, 0.001 * k, 0.001);
    EXPECT_NEAR(total(belts), 0.4, 1e-14) << k;
    const SlipRingState& ring = belts.rings()[0];
    const auto force = [&](std::int64_t e) { return belts.elements()[static_cast<std::size_t>(e)].force; };
    // An element that passes leaves a side whose mean strain, of the two that become one, is another.
    if (ring.first == before) {
      EXPECT_NEAR(force(ring.first), force(ring.second), 1e-6) << k;
    }
    passes += ring.first != before;
    last = belts.rings()[0].slip;
  }
  EXPECT_GT(last, 0.15);
  EXPECT_EQ(passes, 2);
  EXPECT_EQ(belts.rings()[0].second, 1);  // the second to pass
  EXPECT_EQ(belts.rings()[0].first, 0);
}

/// A retractor at the first node of a row, and a sensor of time.
struct Wound : World {
  explicit Wound(int elements, double trigger) : World(elements) {
    Retractor r;
    r.node = node(x[0]);
    r.mouth = 0;
    r.sensors = {0};
    r.loading = r.unloading = 2;
    r.fed = 0.1;
    in.retractors = {r};
    BeltSensor s;
    s.type = SensorType::time;
    s.upper = trigger;
    in.sensors = {s};
  }
};

TEST(Belts, AnUnlockedRetractorHoldsItsTension) {
  Wound world(1, 1e9);
  BeltSystem belts(world.model, world.in, world.x);
  world.step(belts, 0, 0);
  EXPECT_NEAR(belts.retractors()[0].pull_out, -0.001, 1e-15);  // a hundredth of the fed length in a step
  for (int k = 0; k < 10; ++k) world.step(belts, 0, 0);
  EXPECT_NEAR(belts.elements()[0].force, 50, 1e-9);
  EXPECT_NEAR(belts.elements()[0].length, 0.1 / 1.05, 1e-12);
}

TEST(Belts, ALockedRetractorFollowsItsCurves) {
  Wound world(1, 0.5);
  world.in.retractors[0].unloading = 3;
  BeltSystem belts(world.model, world.in, world.x);
  double t = 0.0;
  for (; t < 0.6; t += 0.01) world.step(belts, t, 0.01);
  ASSERT_EQ(belts.retractors()[0].locked, 1);
  const double before = belts.retractors()[0].pull_out;
  for (int k = 0; k <= 20; ++k, t += 0.01) {
    world.x[1].x = 0.1 + 0.004 * k;
    world.step(belts, t, 0.01);
    const RetractorState& r = belts.retractors()[0];
    EXPECT_NEAR(belts.elements()[0].force, 50 + 1000 * (r.pull_out - before), 1e-8) << k;
  }
  const double most = belts.retractors()[0].pull_out - before, force = 50 + 1000 * most;
  EXPECT_GT(most, 0.02);
  world.x[1].x -= 0.002;
  world.step(belts, t, 0.01);
  const double out = belts.retractors()[0].pull_out - before;
  EXPECT_LT(out, most);
  EXPECT_NEAR(belts.elements()[0].force, force + 4000 * (out - most), 1e-8);
}

TEST(Belts, DelayAndPayoutComeBeforeTheLock) {
  Wound world(1, 0.1);
  world.in.retractors[0].delay = 0.045;
  world.in.retractors[0].payout = 0.003;
  BeltSystem belts(world.model, world.in, world.x);
  for (int k = 0; k < 30; ++k) {
    const double t = 0.01 * k;
    if (t > 0.2) world.x[1].x += 0.0005;
    world.step(belts, t, 0.01);
    const RetractorState& r = belts.retractors()[0];
    EXPECT_EQ(r.counting, k >= 15 ? 1 : 0) << t;
    EXPECT_EQ(r.locked != 0, k > 27) << t;  // 0.003 / (0.0005 / 1.05) = 6.3 steps from step 21
  }
}

TEST(Belts, APretensionerPullsInByItsCurve) {
  Wound world(2, 0.1);
  world.x[2].x = 0.15;
  world.in.elements[1].slack = 0.1;  // nothing stretches
  world.in.elements[0].slack = 0.1;
  world.in.pretensioners = {{1, false, 0, {0}, 0.02, 4, 0.0}};
  world.in.retractors[0].sensors = {};
  BeltSystem belts(world.model, world.in, world.x);
  double start = 0.0;
  for (int k = 0; k <= 140; ++k) {
    const double t = 0.001 * k;
    world.step(belts, t, 0.001);
    if (t < 0.1195) start = belts.retractors()[0].pull_out;
    const double since = std::clamp(t - 0.12, 0.0, 0.01);
    if (t >= 0.12 && t < 0.131) {
      EXPECT_NEAR(belts.retractors()[0].pull_out - start, -5 * since, 1e-12) << t;
    }
  }
  EXPECT_EQ(belts.retractors()[0].locked, 1);
}

/// A switch does what a sensor that triggers at its time does, with the delays of the devices.
TEST(Belts, SwitchesFireAndLockAsSensorsDo) {
  Wound by_sensor(2, 0.1), by_switch(2, 1e9);
  for (Wound* const world : {&by_sensor, &by_switch}) {
    world->x[2].x = 0.15;
    world->in.elements[0].slack = world->in.elements[1].slack = 0.1;
    world->in.pretensioners = {{1, false, 0, {0}, 0.02, 4, 0.0}};
    world->in.retractors[0].sensors = {};
  }
  by_switch.in.pretensioners[0].sensors = {};
  BeltSystem first(by_sensor.model, by_sensor.in, by_sensor.x),
      second(by_switch.model, by_switch.in, by_switch.x);
  for (int k = 0; k <= 140; ++k) {
    if (k >= 103) second.fire(0, 0.1);  // known later
    by_sensor.step(first, 0.001 * k, 0.001);
    by_switch.step(second, 0.001 * k, 0.001);
    EXPECT_EQ(first.retractors()[0].pull_out, second.retractors()[0].pull_out) << k;
  }
  EXPECT_EQ(second.retractors()[0].locked, 1);

  Wound locks(1, 1e9);
  locks.in.retractors[0].sensors = {};
  locks.in.retractors[0].delay = 0.045;
  BeltSystem belts(locks.model, locks.in, locks.x);
  for (int k = 0; k < 30; ++k) {
    if (k >= 10) belts.lock(0, 0.1);
    locks.step(belts, 0.01 * k, 0.01);
    EXPECT_EQ(belts.retractors()[0].locked != 0, k >= 15) << k;
  }
}

TEST(Belts, ForcesLimitAPullIn) {
  Wound world(1, 0.0);
  world.in.pretensioners = {{1, false, 0, {0}, 0.0, 4, 300.0}};
  BeltSystem belts(world.model, world.in, world.x);
  for (int k = 0; k <= 20; ++k) world.step(belts, 0.001 * k, 0.001);
  // 0.1 / (0.1 - 5 t) - 1 > 0.3 from t = 0.0047 on; what is then the tension stays.
  EXPECT_EQ(belts.retractors()[0].locked, 1);
  EXPECT_NEAR(belts.elements()[0].force, 1000 * (0.1 / 0.075 - 1), 1e-8);
}

TEST(Belts, ATensionOverTimePullsIn) {
  Wound world(1, 0.0);
  world.model.curves[4] = curve({0, 0.01}, {100, 400});
  world.in.pretensioners = {{1, true, 0, {0}, 0.0, 4, 0.0}};
  BeltSystem belts(world.model, world.in, world.x);
  for (int k = 0; k <= 10; ++k) {
    world.step(belts, 0.001 * k, 0.001);
    EXPECT_NEAR(belts.elements()[0].force, 100 + 30 * k, 1e-8);
  }
  world.step(belts, 0.011, 0.001);
  world.x[1].x = 0.105;
  world.step(belts, 0.012, 0.001);
  const double out = belts.retractors()[0].out;  // on the curve of the locked retractor, from 400 on
  EXPECT_GT(out, 0.35);
  EXPECT_NEAR(belts.elements()[0].force, 50 + 1000 * out, 1e-8);
}

TEST(Belts, ElementsLeaveTheRetractorAndReturn) {
  Wound world(1, 1e9);
  const std::int64_t deep = world.node({0, 0, 0});
  world.in.elements.push_back({2, 0, deep, 0, 0, 0.0});
  world.in.retractors[0].inside = {1};
  BeltSystem belts(world.model, world.in, world.x);
  double out = 0.0;
  for (int k = 0; k <= 200; ++k) {
    world.x[1].x = 0.1 + 0.0006 * k;
    // A free node between is where both sides have the same strain.
    if (belts.retractors()[0].inside == 0) {
      const auto elements = belts.elements();
      world.x[0].x = world.x[1].x * elements[1].length / (elements[0].length + elements[1].length);
    }
    world.step(belts, 0.001 * k, 0.001);
    out = belts.retractors()[0].pull_out;
    EXPECT_NEAR(total(belts), 0.1 + out, 1e-13) << k;
  }
  EXPECT_EQ(belts.retractors()[0].inside, 0);
  EXPECT_EQ(belts.retractors()[0].mouth, 1);
  EXPECT_NEAR(belts.elements()[1].force, 50, 1e-6);
  EXPECT_EQ(belts.carried().size(), 1u);
  EXPECT_EQ(belts.carried()[0].node, deep);
  for (int k = 200; k >= 0; --k) {
    world.x[1].x = 0.1 + 0.0006 * k;
    if (belts.retractors()[0].inside == 0) {
      const auto elements = belts.elements();
      world.x[0].x = world.x[1].x * elements[1].length / (elements[0].length + elements[1].length);
    }
    world.step(belts, 0.001 * (401 - k), 0.001);
    out = belts.retractors()[0].pull_out;
    EXPECT_NEAR(total(belts), 0.1 + out, 1e-13) << k;
  }
  EXPECT_EQ(belts.retractors()[0].inside, 1);
  EXPECT_EQ(belts.retractors()[0].mouth, 0);
}

TEST(Belts, SensorsTrigger) {
  World world(1);
  BeltSensor acceleration, distance;
  acceleration.node = 1;
  acceleration.axis = 2;
  acceleration.upper = -20;
  acceleration.duration = 0.0029;
  distance.type = SensorType::distance;
  distance.node = 0;
  distance.other = 1;
  distance.upper = 0.12;
  world.in.sensors = {acceleration, distance};
  BeltSystem belts(world.model, world.in, world.x);
  for (int k = 0; k <= 12; ++k) {
    world.a[1].z = k == 3 ? 0 : -30;
    world.x[1].x = 0.1 + 0.003 * k;
    world.step(belts, 0.001 * k, 0.001);
    EXPECT_EQ(belts.sensors()[0].triggered != 0, k >= 7) << k;  // without a break from step 4 on
    EXPECT_EQ(belts.sensors()[1].triggered != 0, k >= 7) << k;
  }
  EXPECT_NEAR(belts.sensors()[0].time, 0.007, 1e-15);
}

}  // namespace
}  // namespace crumple::loads
