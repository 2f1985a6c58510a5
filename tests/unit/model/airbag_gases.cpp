// Airbags with several gases, joined airbags, and simple laws of their pressure: what is read and refused.
#include <gtest/gtest.h>

#include "built_deck.hpp"
#include "loads/airbag/airbag.hpp"

namespace crumple::model {
namespace {

using loads::Airbag;
using loads::BagLink;

/// A closed box over the plate's first element as segment set 4, another over the second as set 5, and curves
/// 5 to 7.
const std::string kTwoBoxes =
    "*NODE\n51,0,0,3\n52,1,0,3\n53,1,1,3\n54,0,1,3\n55,2,0,3\n56,2,1,3\n*SET_SEGMENT\n4\n4,5,2,1\n51,52,53,"
    "54\n"
    "1,2,52,51\n2,5,53,52\n5,4,54,53\n4,1,51,54\n*SET_SEGMENT\n5\n5,6,3,2\n52,55,56,53\n2,3,55,52\n3,6,56,"
    "55\n"
    "6,5,53,56\n5,2,52,53\n*DEFINE_CURVE\n5\n0,0\n1,2\n*DEFINE_CURVE\n6\n0,400\n1,500\n*DEFINE_CURVE\n7\n0,"
    "3\n"
    "1,3\n";

/// A hybrid airbag of two gases in box 4; `cards` are those of the gases.
std::string hybrid(const std::string& ambient, const std::string& fourth, const std::string& cards) {
  return kTwoBoxes + "*AIRBAG_HYBRID_ID\n3,bag\n4,0\n" + ambient + "\n0.7,0,0.1,0,0,0,0,0\n" + fourth + "\n" +
         cards;
}
const std::string kAmbient = "200.,7.,0.0175,20.,1.", kFourth = "0,2.,2";
const std::string kGases = "5,6,,10.,0.,30.,0.02,-1.e-5\n0.\n0,0,,10.,1.,50.,0.01,0.\n0.\n";

TEST(AirbagGases, HybridHasAMixture) {
  const BuiltDeck d = plate_and(hybrid(kAmbient, kFourth, kGases));
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.features.of<Airbag>().size(), 1u);
  const loads::Inflation& gas = d.model.features.of<Airbag>()[0].inflation;
  EXPECT_TRUE(gas.active);
  EXPECT_EQ(gas.ambient_pressure, 7);
  EXPECT_EQ(gas.ambient_temperature, 200);
  EXPECT_EQ(gas.pop_pressure, 2);
  ASSERT_EQ(gas.orifices.size(), 1u);
  EXPECT_TRUE(gas.orifices[0].pops);
  ASSERT_EQ(gas.gases.size(), 2u);
  EXPECT_EQ(gas.gases[0].kind.constant, 2);
  EXPECT_EQ(gas.gases[0].kind.heat, 3);
  EXPECT_DOUBLE_EQ(gas.gases[0].kind.heat_slope, 0.002);
  EXPECT_DOUBLE_EQ(gas.gases[0].kind.heat_curvature, -1e-6);
  EXPECT_EQ(gas.gases[0].inflow, 0);
  EXPECT_EQ(gas.gases[0].temperature_curve, 1);
  EXPECT_EQ(gas.gases[0].share, 0);
  EXPECT_EQ(gas.gases[1].inflow, kNone);
  EXPECT_EQ(gas.gases[1].share, 1);
  const BuiltDeck m = plate_and(hybrid(kAmbient + ",4.", "0,0.,2,0,7", kGases));
  EXPECT_EQ(m.problems(), "");
  EXPECT_EQ(m.model.features.of<Airbag>()[0].inflation.total_inflow, 2);
  EXPECT_EQ(m.model.features.of<Airbag>()[0].inflation.heat_convection, 4);
}

TEST(AirbagGases, HybridRefusesByName) {
  const auto with = [](const std::string& first, const std::string& mass) {
    return plate_and(hybrid(kAmbient, kFourth, first + "\n" + mass + "\n0,0,,10.,1.,50.,0.01,0.\n0.\n"));
  };
  const std::string good = "5,6,,10.,0.,30.,0.02,-1.e-5";
  EXPECT_EQ(with(good, "0.").problems(), "");
  EXPECT_TRUE(with(good, "0.3").reported("FMASS"));
  EXPECT_TRUE(with("-5,6,,10.,0.,30.,0.02,-1.e-5", "0.").reported("LCIDM = -5"));
  EXPECT_TRUE(with("5,0,,10.,0.,30.,0.02,-1.e-5", "0.").reported("LCIDT of its inflow is missing"));
  EXPECT_TRUE(with("5,6,,0.,0.,30.,0.02,-1.e-5", "0.").reported("MW must be positive"));
  EXPECT_TRUE(with("5,6,,10.,0.2,30.,0.02,-1.e-5", "0.").reported("have the sum 1.2"));
  EXPECT_TRUE(with("5,6,,10.,0.,30.,0.02,-1.e-3", "0.").reported("must be above GC"));  // at 500
  EXPECT_TRUE(plate_and(hybrid("200.,7.,0.035,20.,1.", kFourth, kGases)).reported("ATMOSD = 0.035"));
  EXPECT_TRUE(plate_and(hybrid("200.,7.,0.0175,20.,2.", kFourth, kGases)).reported("CC"));
  EXPECT_TRUE(plate_and(hybrid(kAmbient, "2,2.,2", kGases)).reported("OPT = 2"));
  EXPECT_TRUE(plate_and(hybrid(kAmbient, "0,2.,2,0,0,1", kGases)).reported("VNTOPT"));
  EXPECT_TRUE(plate_and(hybrid(kAmbient, "0,2.,0", "")).reported("NGAS is 0"));
}

/// Two bags, 3 and 4.
std::string two_bags(const std::string& link) {
  return kTwoBoxes +
         "*AIRBAG_SIMPLE_AIRBAG_MODEL_ID\n3,one\n4,0\n2.,3.,500.,5,0.,0.,7.,0.035\n0\n"
         "*AIRBAG_SIMPLE_AIRBAG_MODEL_ID\n4,other\n5,0\n2.,3.,500.,0,0.,0.,7.,0.035\n0\n*AIRBAG_"
         "INTERACTION\n" +
         link + "\n";
}

TEST(AirbagGases, BagsAreJoined) {
  const BuiltDeck d = plate_and(two_bags("3,4,0.2,0.6,0,0,-1"));
  EXPECT_EQ(d.problems(), "");
  const auto& bags = d.model.features.of<Airbag>();
  ASSERT_EQ(bags.size(), 2u);
  ASSERT_EQ(bags[0].links.size(), 1u);
  EXPECT_EQ(bags[0].links[0].to, 1);
  EXPECT_EQ(bags[0].links[0].way, BagLink::Way::forward);
  EXPECT_EQ(bags[0].links[0].hole.area, 0.2);
  EXPECT_EQ(bags[0].links[0].hole.coefficient, 0.6);
  ASSERT_EQ(bags[0].inflation.gases.size(), 1u);
  EXPECT_EQ(bags[0].inflation.gases[0].kind, (loads::GasKind{1, 3, 0, 0}));
  EXPECT_EQ(bags[0].inflation.gases[0].inflow, 0);
  EXPECT_EQ(bags[1].inflation.gases.size(), 1u);
  const BuiltDeck part = plate_and(two_bags("4,3,0.,-7,1"));
  EXPECT_EQ(part.problems(), "");
  const BagLink& by_part = part.model.features.of<Airbag>()[1].links[0];
  EXPECT_EQ(by_part.hole.area, 2);  // of the plate
  EXPECT_EQ(by_part.hole.coefficient_by_time, 2);
  EXPECT_EQ(by_part.way, BagLink::Way::both);
  const BuiltDeck pressure = plate_and(two_bags("4,3,-5.,0.7"));
  EXPECT_EQ(pressure.problems(), "");
  EXPECT_EQ(pressure.model.features.of<Airbag>()[1].links[0].hole.area_by_pressure, 0);
  const BuiltDeck by_curve = plate_and(two_bags("3,4,0.,0.,0,5,1"));
  EXPECT_EQ(by_curve.problems(), "");
  EXPECT_EQ(by_curve.model.features.of<Airbag>()[0].links[0].flow_by_difference, 0);
}

TEST(AirbagGases, JoinedBagsAreRefusedByName) {
  const auto deck = [](const std::string& link) { return plate_and(two_bags(link)); };
  EXPECT_TRUE(deck("3,5,0.2,0.6").reported("airbag 5 does not exist"));
  EXPECT_TRUE(deck("3,3,0.2,0.6").reported("the same airbag"));
  EXPECT_TRUE(deck("3,4,0.2,0.").reported("nothing flows"));
  EXPECT_TRUE(deck("3,4,0.,0.6").reported("nothing flows"));
  EXPECT_TRUE(deck("3,4,0.2,0.6,0,5").reported("no effect with LCID"));
  EXPECT_TRUE(deck("3,4,0.2,0.6,1").reported("PID has no effect"));
  EXPECT_TRUE(deck("3,4,0.,0.,0,9").reported("curve 9"));
  EXPECT_TRUE(plate_and(kTwoBoxes +
                        "*AIRBAG_SIMPLE_PRESSURE_VOLUME_ID\n3,one\n4,0\n0.1,1.5\n"
                        "*AIRBAG_SIMPLE_AIRBAG_MODEL_ID\n4,other\n5,0\n2.,3.,500.,0,0.,0.,7.,0.035\n0\n"
                        "*AIRBAG_INTERACTION\n3,4,0.2,0.6\n")
                  .reported("airbag 3, whose gas has no mass"));
}

TEST(AirbagGases, StartOfWangNefskeAndItsHeat) {
  const BuiltDeck d = plate_and(kTwoBoxes +
                                "*AIRBAG_WANG_NEFSKE\n4,0\n0.,0.,500.,0,5,0.,0,250.\n0.7,0,0.1,0,0,0,0,0\n"
                                "7.,0.035,1.,0,3.,2.\n200.,60.,2.,20.,20.,0.4\n");
  EXPECT_EQ(d.problems(), "");
  const loads::Inflation& gas = d.model.features.of<Airbag>()[0].inflation;
  EXPECT_EQ(gas.pressure_at_start(), 10);
  EXPECT_EQ(gas.temperature_at_start(), 250);
  EXPECT_EQ(gas.heat_convection, 0.4);
  ASSERT_EQ(gas.gases.size(), 1u);
  EXPECT_EQ(gas.gases[0].kind, (loads::GasKind{1, 3, 0.1, 0}));
  EXPECT_EQ(gas.gases[0].inflow_temperature, 500);
}

TEST(AirbagGases, SimpleLawsOfPressure) {
  const BuiltDeck d = plate_and(kTwoBoxes +
                                "*AIRBAG_ADIABATIC_GAS_MODEL\n4,0,0,0.,2.\n1.5,0,1.4,3.,7.\n"
                                "*AIRBAG_LOAD_CURVE\n5,0\n0.3,5\n");
  EXPECT_EQ(d.problems(), "");
  const auto& bags = d.model.features.of<Airbag>();
  ASSERT_EQ(bags.size(), 2u);
  EXPECT_EQ(bags[0].pressure_scale, 3);
  EXPECT_EQ(bags[0].exponent, 1.4);
  EXPECT_EQ(bags[0].first_pressure, 10);
  EXPECT_EQ(bags[0].outside_pressure, 7);
  EXPECT_EQ(bags[1].pressure_by_time, 0);
  EXPECT_EQ(bags[1].begins, 0.3);
  const auto adiabatic = [](const std::string& card) {
    return plate_and(kTwoBoxes + "*AIRBAG_ADIABATIC_GAS_MODEL\n4,0\n" + card + "\n");
  };
  EXPECT_TRUE(adiabatic("1.,5,1.4,3.,7.").reported("preload"));
  EXPECT_TRUE(adiabatic("1.,0,0.,3.,7.").reported("GAMMA is 0"));
  EXPECT_TRUE(adiabatic("1.,0,1.4,-8.,7.").reported("P0 is -8"));
  EXPECT_TRUE(plate_and(kTwoBoxes + "*AIRBAG_LOAD_CURVE\n5,0\n0.3,0,1.2,1.,1.\n").reported("curve LCID"));
}

TEST(AirbagGases, Liquids) {
  const auto deck = [](const std::string& cards) {
    return plate_and(kTwoBoxes + "*AIRBAG_LINEAR_FLUID\n4,0\n" + cards + "\n");
  };
  const BuiltDeck d = deck("200.,1.5,5,6,7,5,0,0\n3.,0,0");
  EXPECT_EQ(d.problems(), "");
  const loads::Liquid& liquid = d.model.features.of<Airbag>()[0].liquid;
  EXPECT_TRUE(liquid.active);
  EXPECT_EQ(liquid.bulk, 200);
  EXPECT_EQ(liquid.density, 1.5);
  EXPECT_EQ(liquid.limit, 3);
  EXPECT_EQ(liquid.inflow, 0);
  EXPECT_EQ(liquid.outflow, 1);
  EXPECT_EQ(liquid.outflow_by_pressure, 2);
  EXPECT_EQ(liquid.added, 0);
  EXPECT_EQ(deck("0.,1.5,0,0,0,0,5").problems(), "");
  EXPECT_TRUE(deck("0.,1.5").reported("BULK is 0"));
  EXPECT_TRUE(deck("200.,0.").reported("RO is missing"));
  EXPECT_TRUE(deck("200.,-5.").reported("RO over time"));
  EXPECT_TRUE(deck("200.,1.5,0,0,0,0,0,5").reported("LCID"));
  EXPECT_TRUE(deck("200.,1.5\n0.,0,1").reported("NONULL"));
}

}  // namespace
}  // namespace crumple::model
