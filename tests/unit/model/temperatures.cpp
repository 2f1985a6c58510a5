// Temperatures and expansions of a deck: what is read, and what is refused. One rank.
#include "loads/temperature/temperatures.hpp"

#include <gtest/gtest.h>

#include "materials/wrappers/thermal_expansion.hpp"
#include "state/groups.hpp"
#include "unit/model/built_deck.hpp"

namespace crumple::model {
namespace {

using loads::Temperature;
using loads::ThermalExpansion;

const std::string kExpands = "*MAT_ADD_THERMAL_EXPANSION\n1,0,1e-5\n";
const std::string kCurve = "*DEFINE_CURVE\n3\n0.,20.\n1.,120.\n5.,120.\n";

/// The temperature of each node at a time.
std::vector<double> at_nodes(const BuiltDeck& d, double time) {
  std::vector<double> all(d.model.nodes.size(), 0.0);
  for (const Temperature& of : d.model.features.of<Temperature>())
    for (const LocalId n : of.nodes) all[at(n)] = loads::temperature_at(d.model, of, time, Stage::transient);
  return all;
}

TEST(Temperatures, OfSetsAndNodes) {
  const std::string sets =
      "*SET_NODE_LIST\n1\n1,2,3,4\n*SET_NODE_LIST\n2\n2,\n*DEFINE_BOX\n4,0.,1.5,-1.,0.5,-1.,1.\n";
  BuiltDeck d = plate_and(kExpands + sets +
                          "*LOAD_THERMAL_CONSTANT\n1,2,4\n50.,7.\n*LOAD_THERMAL_CONSTANT_NODE\n5,9.\n6,9.\n");
  EXPECT_EQ(d.problems(), "");
  EXPECT_EQ(at_nodes(d, 0.5), (std::vector{50., 7., 0., 0., 9., 9.}));  // nodes 3 and 4 are not in the box
  d = plate_and(
      kExpands + kCurve + sets +
      "*LOAD_THERMAL_VARIABLE\n1,2\n2.,-40.,3,1.,-20.,3\n*LOAD_THERMAL_VARIABLE_NODE\n6,0.5,-10.,3\n");
  EXPECT_EQ(d.problems(), "");
  EXPECT_EQ(at_nodes(d, 1.0), (std::vector{200., 100., 200., 200., 0., 50.}));
  EXPECT_EQ(loads::reference_of(d.model, d.model.features.of<Temperature>()[0]), 0.0);
}

TEST(Temperatures, OfACurveAreRelativeToTheirStart) {
  const BuiltDeck d = plate_and(kExpands + kCurve + "*LOAD_THERMAL_LOAD_CURVE\n3,\n");
  EXPECT_EQ(d.problems(), "");
  EXPECT_EQ(at_nodes(d, 0.5), std::vector<double>(6, 70.0));
  EXPECT_EQ(loads::reference_of(d.model, d.model.features.of<Temperature>()[0]), 20.0);
}

TEST(Temperatures, ElementsExpandByTheMeanOfTheirNodes) {
  const BuiltDeck d = plate_and(
      "*MAT_ADD_THERMAL_EXPANSION\n-1,5,2.\n*DEFINE_CURVE\n5\n0.,1e-5\n100.,3e-5\n*LOAD_THERMAL_CONSTANT_"
      "NODE\n1,10.\n4,30.\n2,40.\n5,20.\n");
  EXPECT_EQ(d.problems(), "");
  auto groups = state::make_groups<double>(d.model, elements::best_isa());
  ASSERT_EQ(groups.size(), 1u);
  const auto* law = materials::expansion_of(groups[0].ready.parameters.law);
  ASSERT_NE(law, nullptr);
  std::vector<state::WritableGroup> writable;
  writable.emplace_back(groups[0]);
  loads::Temperatures temperatures(d.model);
  temperatures.set(writable, 0.3, Stage::transient);
  const int first = groups[0].layout.history + law->law_history;
  // alpha = 2 (1e-5 + 2e-7 T), so e = 2 (1e-5 T + 1e-7 T^2); the means are 25 and 15
  for (int p = 0; p < groups[0].layout.n_points; ++p) {
    const int at = first + p * groups[0].layout.point_stride;
    EXPECT_NEAR(groups[0].variable(0, at), 2 * (25e-5 + 625e-7), 1e-16);
    EXPECT_NEAR(groups[0].variable(1, at), 2 * (15e-5 + 225e-7), 1e-16);
  }
}

TEST(Temperatures, TwoOfANodeAreAnError) {
  const std::string twice = kExpands + "*LOAD_THERMAL_CONSTANT_NODE\n5,9.\n*LOAD_THERMAL_CONSTANT\n0,\n9.,\n";
  EXPECT_EQ(plate_and(twice).problems(), "");  // they are the same
  EXPECT_TRUE(plate_and(twice + "*LOAD_THERMAL_CONSTANT_NODE\n6,8.\n").reported("node 5 has two different") ||
              plate_and(twice + "*LOAD_THERMAL_CONSTANT_NODE\n6,8.\n").reported("node 6 has two different"));
}

TEST(Temperatures, WhatHasNoEffectIsSaid) {
  EXPECT_TRUE(plate_and("*LOAD_THERMAL_CONSTANT\n0,\n9.,\n").reported("no part expands"));
  EXPECT_TRUE(plate_and(kExpands).reported("there are no temperatures"));
  EXPECT_TRUE(plate_and(kExpands + "*DEFINE_CURVE\n3\n0.,5.\n1.,6.\n*LOAD_THERMAL_LOAD_CURVE\n3,\n")
                  .reported("curve 3 ends at 1"));
  EXPECT_TRUE(plate_and(kExpands + kCurve + "*LOAD_THERMAL_VARIABLE\n0,\n1.,0.,3\n")
                  .reported("the temperature at the start is 20, and the reference is 0"));
  EXPECT_TRUE(plate_and("*MAT_ADD_THERMAL_EXPANSION\n1,\n").reported("nothing expands"));
}

TEST(Temperatures, ExpansionsThatAreNotSupportedAreRefused) {
  const std::string heat = "*LOAD_THERMAL_CONSTANT\n0,\n9.,\n";
  EXPECT_EQ(plate_and(heat + "*MAT_ADD_THERMAL_EXPANSION\n1,0,1e-5,0,1.,0,1.\n").problems(), "");
  EXPECT_TRUE(plate_and(heat + "*MAT_ADD_THERMAL_EXPANSION\n1,0,1e-5,0,2e-5\n")
                  .reported("another expansion along Y"));
  EXPECT_TRUE(plate_and(heat + "*MAT_ADD_THERMAL_EXPANSION\n9,0,1e-5\n").reported("part 9 does not exist"));
  EXPECT_TRUE(plate_and(heat + kExpands + kExpands).reported("part 1 has one already"));
  const std::string beam =
      "*NODE\n21,9,0,0\n22,9,1,0\n23,9,0,1\n*ELEMENT_BEAM\n31,2,21,22,23\n*PART\nbeam\n2,2,1\n*SECTION_"
      "BEAM\n2,2\n1.,1.,1.,1.,1.\n*MAT_ADD_THERMAL_EXPANSION\n2,0,1e-5\n";
  EXPECT_TRUE(plate_and(heat + beam).reported("part 2: beams of ELFORM 2 do not expand"));
}

TEST(Temperatures, TablesOfLawsMustHoldThem) {
  const std::string law =
      "*NODE\n21,9,0,0\n22,10,0,0\n23,10,1,0\n24,9,1,0\n*ELEMENT_SHELL\n31,2,21,22,23,24\n*PART\nhot\n2,1,2\n"
      "*MAT_ELASTIC_PLASTIC_THERMAL\n2,2.0\n0.,100.\n100.,80.\n0.3,0.3\n1e-5,1e-5\n1.,0.5\n,\n";
  EXPECT_EQ(plate_and(law + "*LOAD_THERMAL_CONSTANT\n0,\n90.,\n").problems(), "");
  EXPECT_TRUE(plate_and(law + "*LOAD_THERMAL_CONSTANT\n0,\n110.,\n")
                  .reported("node 21 of part 2 has temperatures from 0 to 110"));
  EXPECT_TRUE(plate_and(law + "*LOAD_THERMAL_CONSTANT\n0,\n90.,\n*MAT_ADD_THERMAL_EXPANSION\n2,0,1e-5\n")
                  .reported("a table of expansions of its own"));
}

}  // namespace
}  // namespace crumple::model
