// Smooth particles of a deck: masses, sections, control, what is refused, and smoothing lengths.
#include <gtest/gtest.h>

#include "built_deck.hpp"
#include "preparation/smoothing_lengths.hpp"

namespace crumple::model {
namespace {

const std::string kParticles = R"(*ELEMENT_SPH
1,3,0.25
2,3,-0.5
3,3,0.25
*PART
particles
3,3,1
*SECTION_SPH
3,1.3,0.5,1.5,,7.0,0.5
)";

TEST(SphParticles, AreRead) {
  const BuiltDeck b =
      build(kPlate + kParticles + "*CONTROL_SPH\n1,0,9.0,3,150,1,0.25,300.\n1,0,0,0,2,0,1\n*END\n");
  const SphParticles& p = b.model.particles;
  ASSERT_EQ(p.size(), 3u) << b.problems();
  EXPECT_EQ(p.id[1], 2);
  EXPECT_EQ(b.model.nodes.id[at(p.nodes[1][0])], 2);
  EXPECT_EQ(p.mass, (std::vector{0.25, 1.0, 0.25})) << "a volume times the density 2";
  const Part& part = b.model.parts[at(p.part[0])];
  EXPECT_EQ(part.kind, ElementKind::sph);
  const SphSection& s = b.model.sections[at(part.section)].sph;
  EXPECT_EQ(s.factor, 1.3);
  EXPECT_EQ(s.least, 0.5);
  EXPECT_EQ(s.most, 1.5);
  EXPECT_EQ(s.length, 0.0);
  EXPECT_EQ(s.death, 7.0);
  EXPECT_EQ(s.birth, 0.5);
  const SphControl& c = b.model.control.sph;
  EXPECT_TRUE(c.renormalised && c.solid_viscosity && c.erodes && !c.parts_interact);
  EXPECT_EQ(c.birth, 0.25);
  EXPECT_EQ(c.death, 9.0);
  EXPECT_EQ(c.most_speed, 300.0);
  EXPECT_EQ(b.problems().find("error"), std::string::npos) << b.problems();
}

TEST(SphParticles, WrongInputIsReported) {
  const auto wrong = [](const std::string& from, const std::string& to, const std::string& said) {
    std::string text = kParticles;
    text.replace(text.find(from), from.size(), to);
    const BuiltDeck b = build(kPlate + text + "*END\n");
    EXPECT_TRUE(b.reported(said)) << b.problems();
  };
  wrong("1,3,0.25", "1,3,0.", "MASS is 0");
  wrong("1,3,0.25", "99,3,0.25", "node 99 does not exist");
  wrong("1,3,0.25", "1,3,0.25,3", "NEND");
  wrong("1.3,0.5,1.5", "0.9,0.5,1.5", "CSLH");
  wrong("1.3,0.5,1.5", "1.3,1.5,1.5", "HMIN");
  wrong("1.3,0.5,1.5", "1.3,0.5,0.5", "HMAX");
  wrong("7.0,0.5", "7.0,0.5,1", "SPHKERN");
}

TEST(SphParticles, SmoothingLengthIsThatOfTheWidestGap) {
  BuiltDeck b = build(kPlate + kParticles + "*END\n");
  Model& m = b.model;
  for (std::size_t k = 0; k < 3; ++k)
    m.nodes.x[at(m.particles.nodes[k][0])] = {std::array{0.0, 1.0, 3.5}[k], 0, 0};
  preparation::set_smoothing_lengths(m);
  EXPECT_EQ(m.particles.length, (std::vector{1.3 * 2.5, 1.3 * 2.5, 1.3 * 2.5}));
  m.sections[at(m.parts[at(m.particles.part[0])].section)].sph.length = 0.7;
  preparation::set_smoothing_lengths(m);
  EXPECT_EQ(m.particles.length, std::vector(3, 0.7));
}

TEST(SphParticles, TwoAtOnePlaceAreAnError) {
  BuiltDeck b = build(kPlate + kParticles + "*END\n");
  for (const auto& n : b.model.particles.nodes) b.model.nodes.x[at(n[0])] = {};
  EXPECT_THROW(preparation::set_smoothing_lengths(b.model), Error);
}

}  // namespace
}  // namespace crumple::model
