// Nodes, elements, parts, sections, materials, and what is wrong with them.
#include <gtest/gtest.h>

#include "built_deck.hpp"

namespace crumple::model {
namespace {

TEST(Mesh, PlateIsReadWithoutProblems) {
  const BuiltDeck d = plate_and("");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.nodes.size(), 6u);
  ASSERT_EQ(d.model.shells.size(), 2u);
  EXPECT_EQ(ids(d.model, {d.model.shells.nodes[1].begin(), d.model.shells.nodes[1].end()}),
            (std::vector<GlobalId>{2, 3, 6, 5}));
  const Part& part = d.model.parts[0];
  EXPECT_EQ(part.title, "plate");
  EXPECT_EQ(part.kind, ElementKind::shell);
  const Section& section = d.model.sections[static_cast<std::size_t>(part.section)];
  EXPECT_EQ(section.nip, 5);
  EXPECT_DOUBLE_EQ(section.shear_factor, 0.8333);
  const Material& material = d.model.materials[static_cast<std::size_t>(part.material)];
  EXPECT_EQ(material.law, 1);
  EXPECT_DOUBLE_EQ(material.density, 2.0);
  EXPECT_DOUBLE_EQ(material.field("E"), 100.0);
}

TEST(Mesh, TrianglesHaveTheirLastNodeTwice) {
  const BuiltDeck d = plate_and("*ELEMENT_SHELL\n21,1,1,2,5,0\n22,1,1,2,5,5\n23,1,1,1,2,5\n24,1,1,2,5,1\n");
  for (std::size_t e = 2; e < 6; ++e) {
    const auto& n = d.model.shells.nodes[e];
    EXPECT_EQ(n[2], n[3]);
    EXPECT_NE(n[0], n[1]);
  }
  EXPECT_TRUE(d.reported("4 triangles among the shells are computed with form 4"));
}

TEST(Mesh, ShellsMayHaveThicknessesOfTheirOwn) {
  const BuiltDeck d = plate_and("*ELEMENT_SHELL_THICKNESS\n21,1,1,2,5,4\n0.1,0.2,0.3\n");
  ASSERT_EQ(d.model.shells.thickness.size(), 3u);
  EXPECT_EQ(d.model.shells.thickness[2], (std::array<double, 4>{0.1, 0.2, 0.3, 0.0}));
  EXPECT_EQ(d.model.shells.thickness[0], (std::array<double, 4>{}));
}

TEST(Mesh, SolidsOnOneLineOrTwo) {
  const char* const head = R"(*KEYWORD
*CONTROL_TERMINATION
1.0
*PART
block
1,1,1
*SECTION_SOLID
1
*MAT_ELASTIC
1,2.0,100.0,0.3
*NODE
1,0,0,0
2,1,0,0
3,1,1,0
4,0,1,0
5,0,0,1
6,1,0,1
7,1,1,1
8,0,1,1
*ELEMENT_SOLID
)";
  const BuiltDeck one = build(std::string(head) + "1,1,1,2,3,4,5,6,7,8\n2,1,1,2,3,5\n*END\n");
  const BuiltDeck two = build(std::string(head) + "1,1\n1,2,3,4,5,6,7,8\n2,1\n1,2,3,5,5,5,5,5\n*END\n");
  EXPECT_EQ(one.problems(), "");
  EXPECT_EQ(two.problems(), "");
  EXPECT_EQ(one.model.solids.nodes, two.model.solids.nodes);
}

/// A weld between two parts, a plain beam of the same part after it.
TEST(Mesh, WeldsKeepThePartsTheyJoin) {
  const std::string weld =
      "*SECTION_BEAM\n9,9,1.0,2,1\n5.0,5.0,0,0\n*PART\nweld\n9,9,9\n*PART\nother\n2,1,1\n"
      "*MAT_SPOTWELD\n9,7.8e-6,210.0,0.3,0.5,2.1\n0.1\n*ELEMENT_BEAM\n1,9,1,2\n"
      "*ELEMENT_BEAM_PID\n2,9,2,3\n1,2\n3,9,1,4\n1,0\n";
  const BuiltDeck deck = plate_and(weld);
  EXPECT_EQ(deck.problems(), "");
  ASSERT_EQ(deck.model.beams.size(), 3u);
  const std::vector<std::array<LocalId, 2>> joins{{kNone, kNone}, {0, 2}, {0, kNone}};
  EXPECT_EQ(deck.model.beams.joins, joins);
  EXPECT_EQ(deck.model.sections.back().ts[1], 5.0);
  EXPECT_EQ(deck.model.materials.back().field("EFAIL"), 0.1);

  EXPECT_TRUE(plate_and(weld + "*ELEMENT_BEAM_PID\n4,9,5,6\n1,77\n").reported("77"));
  const std::string other = "*SECTION_BEAM\n9,9\n5.0,5.0\n*PART\nweld\n9,9,1\n*ELEMENT_BEAM\n1,9,1,2\n";
  EXPECT_TRUE(plate_and(other).reported("CR-D320"));
}

TEST(Mesh, MassesOfPartsAreOneOrTheOther) {
  const BuiltDeck deck =
      plate_and("*ELEMENT_MASS_PART\n1,0.5,0.0\n*SET_PART_LIST\n3\n1\n*ELEMENT_MASS_PART_SET\n3,0,4.0,0,1\n");
  EXPECT_EQ(deck.problems(), "");
  ASSERT_EQ(deck.model.part_masses.size(), 2u);
  const auto& sets = deck.model.part_masses[deck.model.part_masses[0].added > 0 ? 1 : 0];
  EXPECT_EQ(sets.final_mass, 4.0);
  EXPECT_TRUE(sets.by_mass);
  EXPECT_EQ(sets.parts, std::vector<LocalId>{0});
  EXPECT_TRUE(plate_and("*ELEMENT_MASS_PART\n1,0.5,1.0\n").reported("CR-D310"));
  EXPECT_TRUE(plate_and("*ELEMENT_MASS_PART\n8,0.5\n").reported("CR-D302"));
  EXPECT_TRUE(plate_and("*ELEMENT_MASS_PART\n1,0.5,0.0,4\n").reported("mass that changes"));
}

TEST(Mesh, CodesOfNodesBecomeConstraints) {
  const BuiltDeck d = plate_and("*NODE\n7,3,0,0,4,7\n8,3,1,0,6\n");
  ASSERT_EQ(d.model.constraints.size(), 2u);
  EXPECT_EQ(d.model.constraints[0].mask, 0b111011);  // x y, all rotations
  EXPECT_EQ(d.model.constraints[1].mask, 0b000101);  // z x
}

TEST(Mesh, TellsWhatIsMissingWithFileAndLine) {
  const BuiltDeck d =
      plate_and("*ELEMENT_SHELL\n21,1,1,2,99,4\n22,7,1,2,5,4\n11,1,1,2,5,4\n*NODE\n1,5,5,5\n");
  EXPECT_TRUE(d.reported(".k:23: error CR-D303: *ELEMENT_SHELL 21: node 99 does not exist"));
  EXPECT_TRUE(d.reported(".k:24: error CR-D302: *ELEMENT_SHELL 22: part 7 does not exist"));
  EXPECT_TRUE(d.reported(".k:25: error CR-D301: *ELEMENT_SHELL 11 is defined twice"));
  EXPECT_TRUE(d.reported(".k:27: error CR-D301: *NODE 1 is defined twice at different places"));
  EXPECT_TRUE(d.deck.has_errors());
}

TEST(Mesh, PartsNeedWhatTheyNameOnlyIfTheyHaveElements) {
  const BuiltDeck unused = plate_and("*PART\nspare\n2,8,9\n");
  EXPECT_FALSE(unused.deck.has_errors());
  EXPECT_TRUE(
      unused.reported("warning CR-D330: *PART 2: section 8 does not exist, and the part has no elements"));
  const BuiltDeck used = plate_and("*PART\nspare\n2,8,9\n*ELEMENT_SHELL\n21,2,1,2,5,4\n");
  EXPECT_TRUE(used.reported("error CR-D302: *PART 2: section 8 does not exist"));
  EXPECT_TRUE(used.reported("error CR-D302: *PART 2: material 9 does not exist"));
  std::vector<std::string> fields;
  for (const auto& problem : used.deck.problems()) fields.push_back(problem.place.field);
  EXPECT_EQ(fields, (std::vector<std::string>{"SECID", "MID"}));
}

TEST(Mesh, PartsHaveTheirOwnContact) {
  const BuiltDeck d = plate_and("*PART_CONTACT\nspare\n2,1,1\n0.0,0.0,0.0,0.0,0.7,1.5,2.0\n");
  const Part& part = d.model.parts[static_cast<std::size_t>(d.model.parts.size() - 1)];
  EXPECT_TRUE(part.contact_thickness_given);
  EXPECT_EQ(part.contact_thickness, 0.7);
  EXPECT_EQ(part.contact_thickness_scale, 1.5);
  EXPECT_EQ(part.contact_stiffness_scale, 2.0);
  EXPECT_FALSE(d.deck.has_errors()) << d.problems();
}

TEST(Mesh, TellsOfImpossibleValues) {
  const BuiltDeck d = plate_and(R"(*PART
second
2,2,2
*SECTION_SHELL
2,2
0.0
*MAT_ELASTIC
2,0.0,-1.0,0.5
*ELEMENT_SHELL
21,2,1,2,5,4
)");
  EXPECT_TRUE(d.reported("CR-D311: *MAT_ELASTIC 2 has no density: RO = 0, used by part 2"));
  EXPECT_TRUE(d.reported("E = -1 must be positive"));
  EXPECT_TRUE(d.reported("PR = 0.5 must lie between -1 and 0.5"));
  EXPECT_TRUE(d.reported("*PART 2: its section 2 has no thickness: give T1"));
}

TEST(Mesh, WhatIsNotThereIsAnErrorUnlessAllowed) {
  const char* const beams = "*SECTION_BEAM\n9,8\n5.0,5.0\n*PART\nweld\n9,9,1\n*ELEMENT_BEAM\n1,9,1,2\n";
  EXPECT_TRUE(plate_and(beams).reported("error CR-D320: *SECTION_BEAM 9: formulation ELFORM = 8"));
  const BuiltDeck allowed = plate_and(beams, true);
  EXPECT_TRUE(allowed.reported("warning CR-D320: *SECTION_BEAM 9: formulation ELFORM = 8"));
  EXPECT_FALSE(allowed.deck.has_errors());
}

TEST(Mesh, DefaultsOfSectionsComeFromControlShell) {
  const BuiltDeck d =
      plate_and("*CONTROL_SHELL\n,,,,16\n,1\n*SECTION_SHELL\n2,,,4\n1.0\n*SECTION_SHELL\n3,2,,2,,1.0\n1.0\n");
  EXPECT_EQ(d.model.sections[1].elform, 16);
  EXPECT_EQ(d.model.sections[1].quadrature, Quadrature::lobatto);
  EXPECT_EQ(d.model.sections[2].quadrature, Quadrature::trapezoidal);
  EXPECT_EQ(d.model.sections[0].quadrature, Quadrature::lobatto);
}

TEST(Mesh, DrillingIsForThePartsOfItsSet) {
  const char* const parts = "*PART\nother\n2,1,1\n*SET_PART_LIST\n7\n1\n";
  const auto built = [&](const char* card) {
    return plate_and(std::string("*CONTROL_SHELL\n20.0\n1.0\n0\n") + card + parts);
  };
  const BuiltDeck scaled = built(",,,,,7,2.5\n1\n");
  EXPECT_EQ(scaled.model.parts[0].drilling, 2.5);
  EXPECT_EQ(scaled.model.parts[1].drilling, 0.0);
  EXPECT_TRUE(scaled.reported("DRCMTH"));  // 1 is reported, 0 is what the solver does
  EXPECT_EQ(built(",,,,,7\n").model.parts[0].drilling, 1.0);
  EXPECT_EQ(built(",,,,,,2.5\n").model.parts[0].drilling, 0.0);
  EXPECT_TRUE(built(",,,,,8\n").reported("error CR-D305: *CONTROL_SHELL: part set 8 does not exist"));
  EXPECT_TRUE(built(",,,,,7,-1.0\n").reported("error CR-D310: *CONTROL_SHELL: DRCPRM = -1 is negative"));
}

TEST(Mesh, CurvesOfMaterialsMustExist) {
  const char* const law = "*MAT_PIECEWISE_LINEAR_PLASTICITY\n2,1.0,100.0,0.3,1.0\n0.0,0.0,5,6\n";
  const BuiltDeck d = plate_and(law);
  EXPECT_TRUE(d.reported("MAT_PIECEWISE_LINEAR_PLASTICITY 2: curve or table 5 of LCSS does not exist"));
  EXPECT_TRUE(d.reported("MAT_PIECEWISE_LINEAR_PLASTICITY 2: curve 6 does not exist"));
  const std::string curves =
      "*DEFINE_CURVE\n6\n0,1\n1,1\n*DEFINE_TABLE\n5\n0.0\n*DEFINE_CURVE\n7\n0,1\n1,2\n";
  EXPECT_EQ(plate_and(law + curves).problems(), "");
}

TEST(Mesh, HourglassOfPartsElseOfControl) {
  const BuiltDeck d = plate_and(R"(*HOURGLASS
5,4,0.05,,,,0.02
*PART
second
2,1,1,,5
*CONTROL_HOURGLASS
2,0.07
*CONTROL_BULK_VISCOSITY
1.2,0.05
)");
  const Hourglass &own = d.model.parts[1].hourglass, &all = d.model.parts[0].hourglass;
  EXPECT_EQ(own.type, 4);
  EXPECT_DOUBLE_EQ(own.qm, 0.05);
  EXPECT_DOUBLE_EQ(own.qb, 0.02);
  EXPECT_DOUBLE_EQ(own.qw, 0.02);
  EXPECT_DOUBLE_EQ(own.q1, 1.5);
  EXPECT_EQ(all.type, 2);
  EXPECT_DOUBLE_EQ(all.qw, 0.07);
  EXPECT_DOUBLE_EQ(all.q1, 1.2);
}

TEST(Mesh, SpringsToGroundAndAlongVectors) {
  const BuiltDeck d = plate_and(R"(*DEFINE_SD_ORIENTATION
4,0,0.0,3.0,4.0
*SECTION_DISCRETE
3,0
*MAT_SPRING_ELASTIC
3,10.0
*PART
spring
3,3,3
*ELEMENT_DISCRETE
1,3,1,2,0,2.0
2,3,0,3,4
*ELEMENT_MASS
1,6,0.25
*SET_NODE_LIST
8
1,2
*ELEMENT_MASS_NODE_SET
2,8,0.5
)");
  EXPECT_EQ(d.problems(), "");
  const Discretes& s = d.model.discretes;
  EXPECT_DOUBLE_EQ(s.scale[0], 2.0);
  EXPECT_DOUBLE_EQ(s.scale[1], 1.0);
  EXPECT_EQ(s.nodes[1], (std::array<LocalId, 2>{2, kNone}));
  EXPECT_EQ(s.orientation[0], kNone);
  EXPECT_NEAR(d.model.vectors[static_cast<std::size_t>(s.orientation[1])].y, 0.6, 1e-15);
  EXPECT_EQ(d.model.masses.mass, (std::vector<double>{0.25, 0.5, 0.5}));
}

}  // namespace
}  // namespace crumple::model
