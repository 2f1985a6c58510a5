// Switches over time, and formulas of sensors, against what follows by hand.
#include "sensors/sensors.hpp"

#include <gtest/gtest.h>

#include <array>

#include "sensors/components.hpp"

namespace crumple::sensors {
namespace {

/// Time at which a switch acts on v(t) = t - |t - 3|, which rises to 3 at t = 3 and stays.
double acting(const Switch& input, double step = 0.25) {
  SwitchState state;
  for (double t = 0; t < 20; t += step)
    if (advance_switch(input, t - std::abs(t - 3), t, state)) return t;
  return -1;
}

TEST(Switch, ActsAtTheFirstStepBeyondItsValue) {
  EXPECT_EQ(acting({.sensor = 0, .value = 1}), 2.25);                // 2 t - 3 > 1
  EXPECT_EQ(acting({.sensor = 0, .value = 3}), -1);                  // never above
  EXPECT_EQ(acting({.sensor = 0, .below = true, .value = 0.1}), 0);  // -3 at the start
  EXPECT_EQ(acting({.sensor = 0, .below = true, .value = -3}), -1);
}

TEST(Switch, WindowAndDelayFollowOneAnother) {
  EXPECT_EQ(acting({.sensor = 0, .value = 1, .window = 1}), 3.25);
  EXPECT_EQ(acting({.sensor = 0, .value = 1, .window = 1, .delay = 0.5}), 3.75);
}

TEST(Switch, ConditionIsNotMetBeforeItsBegin) {
  EXPECT_EQ(acting({.sensor = 0, .below = true, .value = 0.1, .begin = 1}), 1);
  EXPECT_EQ(acting({.sensor = 0, .value = 1, .window = 1, .begin = 4}), 5);
}

TEST(Switch, WindowBeginsAnewWhereTheConditionFailsAndAnActionStays) {
  const Switch input{.sensor = 0, .value = 1, .window = 2};
  SwitchState state;
  const std::array values{2.0, 2.0, 0.0, 2.0, 2.0, 2.0, 0.0};
  const std::array acts{false, false, false, false, false, true, true};
  for (std::size_t k = 0; k < values.size(); ++k)
    EXPECT_EQ(advance_switch(input, values[k], static_cast<double>(k), state), acts[k]) << k;
  EXPECT_EQ(state.acts_at, 5);
}

TEST(Switch, OfLogicNeedsAllOrAny) {
  std::array<SwitchState, 3> states{};
  Switch all{.id = 9};
  all.of[0] = 0;
  all.of[1] = 2;
  Switch any = all;
  any.all = false;
  EXPECT_TRUE(all.is_logic());
  EXPECT_FALSE(Switch{}.is_logic());
  EXPECT_FALSE(all_or_any(all, states));
  EXPECT_FALSE(all_or_any(any, states));
  states[1].acts = 1;  // of none of them
  EXPECT_FALSE(all_or_any(any, states));
  states[2].acts = 1;
  EXPECT_FALSE(all_or_any(all, states));
  EXPECT_TRUE(all_or_any(any, states));
  states[0].acts = 1;
  EXPECT_TRUE(all_or_any(all, states));
}

// Principal values 5, 2, -1 turned by 30 degrees about z and then by 40 about x.
TEST(Components, OfATensor) {
  const double a = 0.5235987755982988, b = 0.6981317007977318, p[3] = {5, 2, -1};
  const double r[3][3] = {{std::cos(a), -std::sin(a), 0},
                          {std::cos(b) * std::sin(a), std::cos(b) * std::cos(a), -std::sin(b)},
                          {std::sin(b) * std::sin(a), std::sin(b) * std::cos(a), std::cos(b)}};
  const auto entry = [&](int i, int j) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += r[i][k] * p[k] * r[j][k];
    return sum;
  };
  const std::array<double, 6> t{entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(1, 2), entry(2, 0)};
  EXPECT_NEAR(component_of(Component::principal_1, t), 5, 1e-14);
  EXPECT_NEAR(component_of(Component::principal_2, t), 2, 1e-14);
  EXPECT_NEAR(component_of(Component::principal_3, t), -1, 1e-14);
  EXPECT_NEAR(component_of(Component::greatest_shear, t), 3, 1e-14);
  EXPECT_NEAR(component_of(Component::mean, t), 2, 1e-14);
  EXPECT_NEAR(component_of(Component::von_mises, t), std::sqrt(27.0), 1e-14);
  EXPECT_EQ(component_of(Component::yz, t), t[4]);
  EXPECT_EQ(principal_values({3, 3, 3, 0, 0, 0}), (std::array{3.0, 3.0, 3.0}));
}

TEST(Formula, OfSensors) {
  const std::array v{3.0, -4.0, 1.0};
  EXPECT_EQ(combine(Operation::sum, v), 0);
  EXPECT_EQ(combine(Operation::sum_of_magnitudes, v), 8);
  EXPECT_EQ(combine(Operation::least, v), -4);
  EXPECT_EQ(combine(Operation::greatest, v), 3);
  EXPECT_EQ(combine(Operation::greatest_magnitude, v), -4);
  EXPECT_EQ(combine(Operation::least_magnitude, v), 1);
  EXPECT_EQ(combine(Operation::product, v), -12);
  EXPECT_EQ(combine(Operation::sum_of_squares, v), 26);
  EXPECT_EQ(combine(Operation::root_of_squares, std::array{3.0, 4.0}), 5);
  EXPECT_EQ(combine(Operation::difference, v), 6);
  EXPECT_EQ(combine(Operation::average, v), 0);
}

}  // namespace
}  // namespace crumple::sensors
