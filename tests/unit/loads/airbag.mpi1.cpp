// The gas of an airbag goes on from its archived state with the same bits.
#include <gtest/gtest.h>

#include <cmath>

#include "../constraints/small_world.hpp"
#include "loads/airbag/gas.hpp"
#include "state/archive_store.hpp"

namespace crumple::test {
namespace {

/// A cube of unit edges, filled with gas.
World cube() {
  World world;
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i)
        world.add_node({double(i), double(j), double(k)}, {0.2 * i, 0.1 * j, -0.3 * k});
  loads::Airbag bag;
  bag.id = 1;
  bag.segments = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  bag.order = {0, 1, 2, 3, 4, 5};
  bag.nodes = {0, 1, 2, 3, 4, 5, 6, 7};
  bag.coefficient = 3.0;
  bag.damping = 0.5;
  world.model.features.of<loads::Airbag>().push_back(bag);
  return world;
}

/// The same, whose gas has mass, comes in and leaves.
World inflated_cube() {
  World world = cube();
  loads::Airbag& bag = world.model.features.of<loads::Airbag>()[0];
  bag.inflation.active = true;
  bag.inflation.heat = 3.5, bag.inflation.gas_constant = 1;
  bag.inflation.ambient_pressure = 1, bag.inflation.ambient_temperature = 1;
  bag.inflation.inflow = world.constant(2.0);
  bag.inflation.inflow_temperature = 2;
  bag.inflation.orifices = {{.coefficient = 0.5, .area = 0.1}};
  return world;
}

void step(loads::Airbags& gas, World& world, int count) {
  for (int k = 0; k < count; ++k) {
    gas.add(world.nodal, 0.01 * k, model::Stage::transient);
    for (std::size_t i = 0; i < world.nodal.size(); ++i) world.nodal.x[i] += 0.01 * world.nodal.v[i];
  }
}

/// The state of one through an archive to another of the same model.
void take_over(loads::Airbags& from, loads::Airbags& to) {
  state::Store store;
  state::StoreWriter writer(store);
  from.archive(writer);
  state::StoreReader reader(store);
  to.archive(reader);
  EXPECT_TRUE(reader.unread().empty());
}

TEST(Airbags, GoOnFromAnArchive) {
  World world = cube();
  loads::Airbags one(world.model, alone());
  step(one, world, 3);
  EXPECT_LT(one.states()[0].volume, 1.0 + 0.02 * 3);
  loads::Airbags other(world.model, alone());
  take_over(one, other);
  World again = world;
  step(one, world, 4);
  step(other, again, 4);
  EXPECT_EQ(one.states()[0].energy, other.states()[0].energy);
  EXPECT_EQ(one.states()[0].pressure, other.states()[0].pressure);
  EXPECT_EQ(one.work().value(), other.work().value());
  EXPECT_NE(one.damped().value(), 0.0);
  EXPECT_EQ(one.damped().value(), other.damped().value());
}

TEST(Airbags, GasWithMassGoesOnFromAnArchive) {
  World world = inflated_cube();
  loads::Airbags one(world.model, alone());
  step(one, world, 3);
  EXPECT_GT(one.gases()[0].mass, 1.0);
  EXPECT_GT(one.states()[0].pressure, 0.0);
  EXPECT_EQ(one.states()[0].pressure, one.gases()[0].pressure - 1.0);
  EXPECT_GT(one.gases()[0].outflow, 0.0);
  loads::Airbags other(world.model, alone());
  take_over(one, other);
  World again = world;
  step(one, world, 4);
  step(other, again, 4);
  EXPECT_EQ(one.gases()[0].mass, other.gases()[0].mass);
  EXPECT_EQ(one.gases()[0].energy, other.gases()[0].energy);
  EXPECT_EQ(one.states()[0].pressure, other.states()[0].pressure);
}

TEST(Airbags, MixturesGoOnFromAnArchive) {
  World world = inflated_cube();
  std::vector<loads::Airbag>& bags = world.model.features.of<loads::Airbag>();
  bags[0].inflation.make_mixture();
  bags.push_back(bags[0]);  // the same cube, with another gas
  bags[1].id = 2;
  bags[1].inflation.gases[0].kind = {2, 5, 0, 0};
  bags[1].inflation.first_overpressure = 3;
  bags[1].links = {{.to = 0, .hole = {.coefficient = 0.6, .area = 0.3}}};
  loads::Airbags one(world.model, alone());
  step(one, world, 3);
  ASSERT_EQ(one.networks().size(), 1u);
  EXPECT_GT(one.networks()[0].mass(0, 1), 0.0);  // came through the hole
  EXPECT_EQ(one.states()[1].pressure, one.gases()[1].pressure - 1.0);
  loads::Airbags other(world.model, alone());
  take_over(one, other);
  World again = world;
  step(one, world, 4);
  step(other, again, 4);
  for (std::size_t b = 0; b < 2; ++b) {
    EXPECT_EQ(one.gases()[b].mass, other.gases()[b].mass);
    EXPECT_EQ(one.gases()[b].energy, other.gases()[b].energy);
    EXPECT_EQ(one.networks()[0].mass(b, 1), other.networks()[0].mass(b, 1));
  }
}

// The cube shrinks and grows with its nodes: p = p0 (V / V0)^-g, less the pressure outside.
TEST(Airbags, IsentropicGasAndPressureByTime) {
  World world = cube();
  loads::Airbag& bag = world.model.features.of<loads::Airbag>()[0];
  bag.exponent = 1.4, bag.first_pressure = 3, bag.outside_pressure = 1, bag.pressure_scale = 2;
  loads::Airbags gas(world.model, alone());
  step(gas, world, 5);
  const double volume = gas.states()[0].volume;
  EXPECT_NE(volume, 1.0);
  EXPECT_DOUBLE_EQ(gas.states()[0].pressure, 2 * (3 * std::pow(volume, -1.4) - 1));
  world = cube();
  loads::Airbag& timed = world.model.features.of<loads::Airbag>()[0];
  timed.pressure_by_time = world.add_curve({0, 1}, {5, 6});
  timed.begins = 0.02;
  loads::Airbags later(world.model, alone());
  step(later, world, 2);
  EXPECT_EQ(later.states()[0].pressure, 0.0);
  step(later, world, 4);
  EXPECT_DOUBLE_EQ(later.states()[0].pressure, 5.01);  // at 0.03
}

// A bag has no pressure before the run.
TEST(Airbags, GasWithMassBeginsWithTheRun) {
  World world = inflated_cube();
  loads::Airbags gas(world.model, alone());
  gas.add(world.nodal, 0.0, model::Stage::relaxation);
  gas.add(world.nodal, 1.0, model::Stage::relaxation);
  EXPECT_EQ(gas.states()[0].pressure, 0.0);
  EXPECT_EQ(gas.gases()[0].started, 0);
  gas.add(world.nodal, 0.0, model::Stage::transient);
  EXPECT_DOUBLE_EQ(gas.gases()[0].mass, 1.0);
}

}  // namespace
}  // namespace crumple::test
