// Springs and dampers: forces, energies, periods, ground, orientation, clearance, failure.
#include <gtest/gtest.h>

#include "../elements_solid/driver.hpp"
#include "base/error.hpp"
#include "elements/discrete/layout.hpp"

namespace crumple::test {
namespace {

using model::ElementKind;

model::Material spring(double stiffness) {
  model::Material m;
  m.id = 1;
  m.law = 1001;
  m.name = "MAT_SPRING_ELASTIC";
  m.fields = {{"K", stiffness}};
  return m;
}
model::Material damper(double damping) {
  model::Material m;
  m.id = 1;
  m.law = 1002;
  m.name = "MAT_DAMPER_VISCOUS";
  m.fields = {{"DC", damping}};
  return m;
}

/// Two nodes 3 apart along x.
Driver<double> make(const model::Material& material, elements::ElementInput input = {}) {
  Driver<double> d(ElementKind::discrete, 0, material, 1e12);
  d.add_node({0, 0, 0});
  d.add_node({3, 0, 0});
  d.add_element({0, 1}, input);
  return d;
}

TEST(Spring, ForceAndEnergyByHand) {
  Driver<double> d = make(spring(50));
  d.start();
  EXPECT_GE(d.stable_step[0], 1e30);
  d.nodes.v[1] = {0.2, 0, 0};
  d.move(1.0);
  EXPECT_NEAR(d.nodes.force_at(0).x, 10, 1e-9);
  EXPECT_NEAR(d.nodes.force_at(1).x, -10, 1e-9);
  EXPECT_NEAR(d.total_energy(0), 0.5 * 50 * 0.04, 1e-12);
}

/// Two nodes with the masses' inverses adding up to `compliance`, moved from rest by `v` of the second one.
double step_of(Driver<double>& d, double compliance, double v = 0.0) {
  d.start();
  d.state[static_cast<std::size_t>(elements::discrete::kCompliance) * elements::kLanes] = compliance;
  d.nodes.v[1] = {v, 0, 0};
  d.move(1e-3);
  return d.stable_step[0];
}

TEST(Spring, StepIsTwoOverItsFrequency) {
  Driver<double> d = make(spring(50));
  EXPECT_NEAR(step_of(d, 1.0 / 2.0 + 1.0 / 3.0), 2 / std::sqrt(50 * (1.0 / 2.0 + 1.0 / 3.0)), 1e-12);
}

TEST(Spring, StepOfADamper) {
  Driver<double> d = make(damper(8));
  EXPECT_NEAR(step_of(d, 0.5), 2 / (8 * 0.5), 1e-12);
}

TEST(Spring, NothingLimitsTheStepBetweenHeldEnds) {
  Driver<double> d = make(spring(50));
  EXPECT_GE(step_of(d, 0.0), 1e30);
}

/// Steps at 0.99 and 1.01 of what the element says: the amplitude stays, or grows beyond all bounds.
TEST(Spring, StepIsTheLimitOfStability) {
  for (const double scale : {0.99, 1.01}) {
    Driver<double> d(ElementKind::discrete, 0, spring(50), 1e12);
    d.section.kd = 0.7;  // with magnification, so with damping in the tangent
    d.section.v0 = 100.0;
    d.add_node({7, 0, 0});
    elements::ElementInput input;
    input.to_ground = true;
    d.add_element({0, 0}, input);
    d.start();
    d.state[static_cast<std::size_t>(elements::discrete::kCompliance) * elements::kLanes] = 1.0;
    d.nodes.mass[0] = 1.0;
    d.nodes.v[0] = {1e-3, 0, 0};
    const double dt = scale * 2 / std::sqrt(50.0);
    double largest = 0;
    for (int s = 0; s < 400; ++s) {
      d.step(dt);
      largest = std::max(largest, std::abs(d.nodes.x[0].x - 7));
    }
    if (scale < 1)
      EXPECT_LT(largest, 1e-2);
    else
      EXPECT_GT(largest, 1.0);
  }
}

TEST(Spring, ScaleAndOffset) {
  elements::ElementInput input;
  input.scale = 2;
  input.offset = 0.1;
  Driver<double> d = make(spring(50), input);
  d.start();
  d.move(1.0);
  EXPECT_NEAR(d.nodes.force_at(0).x, 10, 1e-9);
}

TEST(Spring, FollowsItsNodes) {
  Driver<double> d = make(spring(50));
  d.start();
  turn_rigidly(d, Vec3{0, 0, 1}, 0.25, 10, 1.0);
  EXPECT_NEAR(norm(d.nodes.force_at(1)), 0, 1e-9);
  d.nodes.v[0] = {};
  d.nodes.v[1] = {0, 0.2, 0};
  d.move(1.0);
  EXPECT_NEAR(d.nodes.force_at(1).y, -10, 1e-9);
}

TEST(Spring, OrientedKeepsItsDirection) {
  elements::ElementInput input;
  input.has_orientation = true;
  input.direction = {0, 1, 0};
  Driver<double> d = make(spring(50), input);
  d.start();
  d.nodes.v[1] = {5, 0.2, 7};
  d.move(1.0);
  EXPECT_NEAR(d.nodes.force_at(1).y, -10, 1e-9);
  EXPECT_NEAR(d.nodes.force_at(1).x, 0, 1e-9);
}

TEST(Spring, OscillatorToGroundHasItsPeriod) {
  Driver<double> d(ElementKind::discrete, 0, spring(4), 1e12);
  d.add_node({7, 0, 0});
  elements::ElementInput input;
  input.to_ground = true;
  d.add_element({0, 0}, input);
  d.start();
  d.nodes.mass[0] = 1;
  d.nodes.v[0] = {1, 0, 0};
  double crossing = 0;
  const double dt = 1e-3;
  for (int s = 0; s < 4000 && crossing == 0; ++s) {
    const double before = d.nodes.x[0].x;
    d.step(dt);
    if (before > 7 && d.nodes.x[0].x <= 7) crossing = d.time;
  }
  EXPECT_NEAR(crossing, M_PI / 2, 2 * dt);
  EXPECT_NEAR(d.kinetic_energy() + d.total_energy(0), 0.5, 1e-3);
}

TEST(Spring, ClearanceActsInCompressionOnly) {
  Driver<double> d = make(spring(50));
  d.section.clearance = 0.1;
  d.start();
  d.nodes.v[1] = {0.5, 0, 0};
  d.move(1.0);
  EXPECT_NEAR(d.nodes.force_at(1).x, 0, 1e-12);
  d.nodes.v[1] = {-0.8, 0, 0};
  d.move(1.0);  // elongation -0.3: 0.2 beyond the gap
  EXPECT_NEAR(d.nodes.force_at(1).x, 10, 1e-9);
}

TEST(Spring, FailsAtItsDeflection) {
  Driver<double> d = make(spring(50));
  d.section.fail_deflection = 0.25;
  d.start();
  d.nodes.v[1] = {0.2, 0, 0};
  d.move(1.0);
  EXPECT_EQ(d.alive[0], 1);
  d.move(1.0);
  EXPECT_EQ(d.alive[0], 0);
  EXPECT_EQ(d.nodes.loads[1].force.sum[0], 0);
}

TEST(Spring, DynamicMagnification) {
  Driver<double> d = make(spring(50));
  d.section.kd = 0.5;
  d.section.v0 = 0.4;
  d.start();
  d.nodes.v[1] = {0.2, 0, 0};
  d.move(1.0);
  EXPECT_NEAR(d.nodes.force_at(0).x, 10 * 1.25, 1e-9);
}

TEST(Spring, RotationalActsOnMoments) {
  Driver<double> d = make(spring(50));
  d.section.rotational = true;
  d.start();
  d.nodes.w[1] = {0.1, 0.7, 0};
  d.move(1.0);
  d.move(1.0);
  EXPECT_NEAR(d.nodes.moment_at(1).x, -10, 1e-9);
  EXPECT_NEAR(d.nodes.moment_at(0).x, 10, 1e-9);
  EXPECT_NEAR(norm(d.nodes.force_at(1)), 0, 1e-12);
}

TEST(Damper, ForceFollowsVelocityAndDissipates) {
  Driver<double> d = make(damper(5));
  d.start();
  d.nodes.v[1] = {-2, 1, 0};
  d.move(1e-6);
  EXPECT_NEAR(d.nodes.force_at(1).x, 10, 1e-4);
  d.move(1e-6);
  EXPECT_GT(d.total_energy(0), 0);
}

TEST(Discrete, WrongLawOrLimitsAreRefused) {
  Driver<double> law = make(elastic_material(1, 0.3, 1));
  EXPECT_THROW(law.start(), Error);
  Driver<double> limits = make(spring(1));
  limits.section.tension_limit = 1;
  EXPECT_THROW(limits.start(), Error);
}

}  // namespace
}  // namespace crumple::test
