// A liquid in a closed surface against closed forms.
#include "loads/airbag/liquid.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/model.hpp"

namespace crumple::test {
namespace {

using loads::GasState;
using loads::Liquid;

constexpr model::Stage kRun = model::Stage::transient;

LocalId liquid_curve(model::Model& model, std::vector<double> x, std::vector<double> y) {
  model::Curve c;
  c.id = GlobalId(model.curves.size()) + 1;
  c.x = std::move(x), c.y = std::move(y);
  model.curves.push_back(std::move(c));
  return LocalId(model.curves.size()) - 1;
}

Liquid water() {
  Liquid liquid;
  liquid.active = true;
  liquid.bulk = 2000, liquid.density = 1.5;
  return liquid;
}

TEST(Liquid, IsCompressedWithAConstantBulkModulus) {
  const model::Model model;
  const Liquid liquid = water();
  GasState s;
  advance_liquid(liquid, model, 0, 2, kRun, s);
  EXPECT_EQ(s.mass, 3);
  EXPECT_EQ(s.pressure, 0);
  advance_liquid(liquid, model, 0.1, 1.9, kRun, s);
  EXPECT_NEAR(s.pressure, 2000 * std::log(2 / 1.9), 1e-9);
  advance_liquid(liquid, model, 0.2, 2.1, kRun, s);
  EXPECT_EQ(s.pressure, 0);  // no tension
  advance_liquid(liquid, model, 0.3, 1.95, kRun, s);
  EXPECT_NEAR(s.pressure, 2000 * std::log(2 / 1.95), 1e-9);
  EXPECT_EQ(s.mass, 3);
}

TEST(Liquid, HasCurvesOfTimeAndALimit) {
  model::Model model;
  Liquid liquid = water();
  liquid.bulk_curve = liquid_curve(model, {0, 1}, {1000, 3000});
  liquid.added = liquid_curve(model, {0, 1}, {0, 8});
  GasState s;
  advance_liquid(liquid, model, 0, 2, kRun, s);
  advance_liquid(liquid, model, 0.5, 1.9, kRun, s);
  EXPECT_NEAR(s.pressure, 2000 * std::log(2 / 1.9) + 4, 1e-9);
  liquid.limit = 50;
  advance_liquid(liquid, model, 0.5, 1.9, kRun, s);
  EXPECT_EQ(s.pressure, 50);
  liquid.limit_curve = liquid_curve(model, {0, 1}, {0, 60});
  advance_liquid(liquid, model, 0.5, 1.9, kRun, s);
  EXPECT_EQ(s.pressure, 30);
}

TEST(Liquid, FlowsInAndOut) {
  model::Model model;
  Liquid liquid = water();
  liquid.inflow = liquid_curve(model, {0, 1}, {0, 0.2});
  liquid.outflow = liquid_curve(model, {0, 1}, {0.05, 0.05});
  GasState s;
  advance_liquid(liquid, model, 0, 2, model::Stage::relaxation, s);
  advance_liquid(liquid, model, 0.5, 2, model::Stage::relaxation, s);
  EXPECT_EQ(s.mass, 3);
  s.time = 0;
  for (int k = 1; k <= 10; ++k) advance_liquid(liquid, model, 0.1 * k, 2, kRun, s);
  EXPECT_NEAR(s.mass, 3 + 0.1 - 0.05, 1e-12);
  EXPECT_NEAR(s.pressure, 2000 * std::log(s.mass / 3), 1e-9);
}

// Closed, with H = c p: dM/dt = -c K ln(M / M0), so ln(M / M0) falls to zero as the solution of this; near M0
// as exp(-c K t / M0). A step of a hundred times that time ends at rest.
TEST(Liquid, LeavesByItsPressureAlsoInLongSteps) {
  model::Model model;
  Liquid liquid = water();
  liquid.outflow_by_pressure = liquid_curve(model, {0, 1000}, {0, 3});
  GasState s;
  advance_liquid(liquid, model, 0, 2, kRun, s);
  const double full = s.mass, rate = 3e-3 * 2000 / full;
  s.mass *= 1 + 1e-4;
  GasState fine = s;
  const double end = 0.5;
  for (int k = 1; k <= 5000; ++k) advance_liquid(liquid, model, end * k / 5000, 2, kRun, fine);
  EXPECT_NEAR(fine.mass / full - 1, 1e-4 * std::exp(-rate * end), 2e-8);
  EXPECT_NEAR(fine.outflow, 3e-3 * fine.pressure, 1e-6 * fine.outflow);
  advance_liquid(liquid, model, 100, 2, kRun, s);
  EXPECT_GT(s.mass, full);
  EXPECT_LT(s.mass / full - 1, 1e-6);
  EXPECT_GE(s.pressure, 0);
}

}  // namespace
}  // namespace crumple::test
