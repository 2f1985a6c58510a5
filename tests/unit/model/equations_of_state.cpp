// Equations of state of parts: fields of the material, and what is refused.
#include <gtest/gtest.h>

#include "built_deck.hpp"

namespace crumple::model {
namespace {

/// One brick of a fluid, with the number of its equation of state and more keywords.
std::string brick(const std::string& eos, const std::string& more,
                  const std::string& law = "*MAT_NULL\n1,1e-6,-1e-3") {
  return "*KEYWORD\n*CONTROL_TERMINATION\n1.0\n*NODE\n1,0,0,0\n2,1,0,0\n3,1,1,0\n4,0,1,0\n5,0,0,1\n6,1,0,1\n"
         "7,1,1,1\n8,0,1,1\n*ELEMENT_SOLID\n1,1,1,2,3,4,5,6,7,8\n*SECTION_SOLID\n1,1\n*PART\nbrick\n1,1,1," +
         eos + "\n" + law + "\n" + more + "\n*END\n";
}

const char* const kGruneisen = "*EOS_GRUNEISEN\n5,1480,1.9,0,0,0.5,0,0\n1.0";

TEST(EquationsOfState, BecomeFieldsOfTheMaterial) {
  const BuiltDeck built = build(brick("5", kGruneisen));
  EXPECT_EQ(built.problems(), "");
  const Material& m = built.model.materials.at(0);
  EXPECT_EQ(m.field("EOS.FORM"), 4);
  EXPECT_EQ(m.field("EOS.C"), 1480);
  EXPECT_EQ(m.field("EOS.S1"), 1.9);
  EXPECT_EQ(m.field("EOS.GAMAO"), 0.5);
  EXPECT_EQ(m.field("PC"), -1e-3);
  const BuiltDeck tables =
      build(brick("7", "*EOS_TABULATED\n7,0.4,0.,1.\n0.1,0.,-0.1,-0.2\n\n-1.,0.,2.,5.\n\n1.,1.,1.,1.\n"));
  EXPECT_EQ(tables.problems(), "");
  EXPECT_EQ(tables.model.materials.at(0).field("EOS.EV4"), -0.2);
  EXPECT_EQ(tables.model.materials.at(0).field("EOS.C3"), 2);
  EXPECT_EQ(tables.model.materials.at(0).field("EOS.FORM"), 8);
  const BuiltDeck gas = build(brick("3", "*EOS_LINEAR_POLYNOMIAL\n3,,,,,0.4,0.4\n2.5e-4,1."));
  EXPECT_EQ(gas.problems(), "");
  EXPECT_EQ(gas.model.materials.at(0).field("EOS.C5"), 0.4);
  EXPECT_EQ(gas.model.materials.at(0).field("EOS.E0"), 2.5e-4);
}

TEST(EquationsOfState, AreRefusedWhereTheyCannotBe) {
  EXPECT_TRUE(build(brick("0", kGruneisen)).reported("needs an equation of state (EOSID) in solids"));
  EXPECT_TRUE(build(brick("6", kGruneisen)).reported("equation of state 6 does not exist"));
  EXPECT_TRUE(build(brick("5", kGruneisen, "*MAT_ELASTIC\n1,1e-6,200.,0.3")).reported("which takes none"));
  const std::string two = std::string(kGruneisen) +
                          "\n*EOS_LINEAR_POLYNOMIAL\n6,0,2.2\n0,1\n*PART\nother\n2,1,1,6\n*ELEMENT_SOLID\n"
                          "2,2,1,2,3,4,5,6,7,8";
  EXPECT_TRUE(build(brick("5", two)).reported("needs a material of its own"));
  EXPECT_TRUE(build(brick("5", std::string(kGruneisen) +
                                   "\n*SECTION_SHELL\n2,2\n1.\n*PART\nshell\n2,2,1,5\n*ELEMENT_SHELL\n2,2,"
                                   "1,2,3,4"))
                  .reported("equations of state are for solids"));
}

}  // namespace
}  // namespace crumple::model
