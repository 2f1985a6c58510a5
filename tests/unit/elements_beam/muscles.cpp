// Muscles as trusses (MAT_156): stress over length, rate and time, mass, energy, the stable step, refusals.
#include <gtest/gtest.h>

#include "../elements_solid/driver.hpp"
#include "base/error.hpp"

namespace crumple::test {
namespace {

constexpr double kArea = 0.5, kLength = 3.0;

model::Curve curve(GlobalId id, std::vector<double> x, std::vector<double> y) {
  model::Curve c;
  c.id = id;
  c.x = std::move(x);
  c.y = std::move(y);
  return c;
}

/// Force over length as a hill, Hill's hyperbola by points, an activation that grows in time.
std::vector<model::Curve> curves() {
  return {curve(1, {0.5, 1.0, 1.6}, {0, 1, 0}), curve(2, {-1, -0.5, 0, 1}, {0, 0.2, 1, 1.5}),
          curve(3, {0, 2}, {0, 1}), curve(4, {1, 2}, {1, 2})};
}

model::Material muscle(std::map<std::string, double> fields) {
  model::Material m;
  m.id = 1;
  m.law = 156;
  m.name = "MAT_MUSCLE";
  m.density = 1e-3;
  m.fields = {{"PIS", 4.0}, {"SRM", 2.0}, {"ALM", 1.0}, {"SSP", 1.0}};
  for (const auto& [name, value] : fields) m.fields[name] = value;
  return m;
}

template <class T = double>
Driver<T> make(const std::map<std::string, double>& fields) {
  Driver<T> d(model::ElementKind::beam, 3, muscle(fields), 1e12, curves());
  d.section.area = kArea;
  d.add_node({0, 0, 0});
  d.add_node({kLength, 0, 0});
  d.add_element({0, 1});
  return d;
}

/// Tension after the second node has moved by d in a step of dt.
double tension(Driver<double>& d, double by, double dt = 1e9) {
  d.nodes.v[1] = {by / dt, 0, 0};
  d.move(dt);
  EXPECT_NEAR(d.nodes.force_at(0).x, -d.nodes.force_at(1).x, 1e-9);
  return d.nodes.force_at(0).x;
}

TEST(Muscle, IsometricForceOverLength) {
  for (const double start : {1.0, 1.2}) {
    auto d = make({{"SVS", -1.0}, {"SNO", start}, {"ALM", 0.7}});
    d.start();
    EXPECT_NEAR(d.total_mass(), 1e-3 * kArea * kLength / start, 1e-12);
    for (const double by : {-0.5, -0.2, 0.4, 0.9, 0.5, 3.0}) {
      const double force = tension(d, by);
      const double stretch = start * d.nodes.x[1].x / kLength;
      const double f = stretch < 1 ? (stretch - 0.5) / 0.5 : std::max(0.0, (1.6 - stretch) / 0.6);
      EXPECT_NEAR(force, kArea * 4 * 0.7 * f, 1e-7) << stretch;
    }
  }
}

/// At a constant speed the normalised rate is SNO l' / (l0 SRM SFR(x)).
TEST(Muscle, ForceOverRate) {
  auto d = make({{"SVR", -2.0}, {"SFR", -4.0}, {"SNO", 1.5}});
  d.start();
  const double dt = 1e-6;
  for (const double speed : {-3.0, -1.0, 2.0, -30.0}) {
    const double force = tension(d, speed * dt, dt);
    const double v = 1.5 * speed / kLength / (2.0 * 1.5);
    const double g = v < -1 ? 0 : v < -0.5 ? 0.4 * (v + 1) : v < 0 ? 1 + 1.6 * v : 1 + 0.5 * v;
    EXPECT_NEAR(force, kArea * 4 * g, 1e-4) << speed;
  }
}

TEST(Muscle, ActivationPassiveStressAndDamping) {
  auto d = make({{"ALM", -3.0}, {"SSP", 0.0}, {"SSM", 0.5}, {"CER", 3.0}, {"DMP", 0.2}});
  d.start();
  const double force = tension(d, 0.6, 0.5);  // a(0.5) = 0.25, strain 0.2 at 0.4 per time
  EXPECT_NEAR(force, kArea * (4 * (0.25 + (std::exp(1.2) - 1) / (std::exp(3.0) - 1)) + 0.2 * 0.4), 1e-9);
  EXPECT_NEAR(d.stress(0, 0), force / kArea, 1e-9);
}

TEST(Muscle, WorkIsForceTimesShortening) {
  auto d = make({});
  d.start();
  for (int n = 0; n < 10; ++n) tension(d, -0.1);
  EXPECT_NEAR(d.total_energy(0), -kArea * 4 * 1.0, 1e-9);
}

/// A passive muscle between masses, and one with a steep curve over rates, at 0.99 and 1.01 of its step.
TEST(Muscle, StepIsTheLimitOfStability) {
  const std::map<std::string, double> cases[] = {{{"ALM", 0.0}, {"SSP", 0.0}, {"SSM", 0.5}},
                                                 {{"ALM", 0.0}, {"SSP", 0.0}, {"SSM", 0.5}, {"DMP", 0.05}}};
  for (const auto& fields : cases)
    for (const double scale : {0.99, 1.01}) {
      auto with = fields;
      with["SNO"] = 1.3;  // taut
      auto d = make(with);
      d.start();
      const double dt = scale * d.smallest_step();
      // It is held at its length by the stress that it has there.
      const double pull = kArea * 4 * 0.3 / 0.5;
      d.external_force = [&](int node, double) { return Vec3{node == 0 ? -pull : pull, 0, 0}; };
      d.call(0);
      d.nodes.v[1] = {1e-6, 0, 0};
      d.nodes.v[0] = {-1e-6, 0, 0};
      d.move(dt);
      double largest = 0;
      for (int s = 0; s < 400; ++s) {
        d.step(dt);
        largest = std::max(largest, std::abs(d.nodes.x[1].x - d.nodes.x[0].x - kLength));
      }
      if (scale < 1)
        EXPECT_LT(largest, 1e-3);
      else
        EXPECT_GT(largest, 1e-3);
    }
}

TEST(Muscle, VectorsOfElementsAreThatOfOneAndFloatsAreNear) {
  const std::map<std::string, double> fields{{"SVS", -1.0}, {"SVR", -2.0}, {"SSP", 0.0},
                                             {"SSM", 0.5},  {"CER", 3.0},  {"DMP", 0.1}};
  Driver<double> many(model::ElementKind::beam, 3, muscle(fields), 1e12, curves());
  many.section.area = kArea;
  for (int n = 0; n < 20; ++n) {
    many.add_node({0, 1.0 * n, 0});
    many.add_node({kLength, 1.0 * n, 0});
    many.add_element({2 * n, 2 * n + 1});
  }
  many.start();
  for (int n = 0; n < 20; ++n) many.nodes.v[static_cast<std::size_t>(2 * n + 1)] = {0.05 * (n - 10), 0, 0.1};
  many.move(0.5);
  for (int n = 0; n < 20; ++n) {
    auto one = make(fields);
    auto single = make<float>(fields);
    one.start();
    single.start();
    one.nodes.v[1] = single.nodes.v[1] = {0.05 * (n - 10), 0, 0.1};
    one.move(0.5);
    single.move(0.5);
    EXPECT_EQ(one.nodes.force_at(1).x, many.nodes.force_at(2 * n + 1).x) << n;
    EXPECT_NEAR(single.nodes.force_at(1).x, one.nodes.force_at(1).x, 1e-5) << n;
  }
}

void expect_refused(Driver<double> d, const std::string& id) try {
  d.start();
  ADD_FAILURE() << "not refused: " << id;
} catch (const Error& error) {
  EXPECT_EQ(error.id(), id);
}

TEST(Muscle, DampingByStiffnessAndInitialStressAreRefused) {
  auto damped = make({});
  damped.group.stiffness_damping = 0.1;
  expect_refused(damped, "CR-E308");
  auto stressed = make({});
  stressed.section.initial_stress = 0.1;
  expect_refused(stressed, "CR-E308");
}

}  // namespace
}  // namespace crumple::test
