// *CONTACT_ENTITY: surfaces in their local axes, nodes, options, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "built_deck.hpp"
#include "loads/entity/contact_entity.hpp"

namespace crumple::model {
namespace {

using loads::ContactEntity;
using loads::EntityShape;

/// The plate, a rigid part 2 beside it, and an entity: its cards 1 to 5.
std::string with_entity(const std::string& cards, const std::string& name = "") {
  return std::string(kPlate) +
         "*NODE\n21,10,0,0\n22,11,0,0\n23,11,1,0\n24,10,1,0\n*ELEMENT_SHELL\n31,2,21,22,23,24\n*PART\nrigid\n"
         "2,1,2\n*MAT_RIGID\n2,1.0,100.0,0.3\n0.0\n*SET_NODE_LIST\n5\n3,1,22\n*DEFINE_CURVE\n8\n0,0\n1,5\n"
         "*CONTACT_ENTITY" +
         name + "\n" + cards + "\n*END\n";
}

const ContactEntity& only(const BuiltDeck& built) {
  const auto& all = built.model.features.of<ContactEntity>();
  EXPECT_EQ(all.size(), 1U) << built.problems();
  return all.front();
}

void expect_vector(const Vec3& a, const Vec3& b) {
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[k], b[k], 1e-12) << "component " << k;
}

TEST(ContactEntities, APlaneHasItsPointAndNormalInLocalAxes) {
  // x' = y, y' = z, z' = x
  const BuiltDeck built =
      build(with_entity("77,slope\n2,1,5,0,0.5,20.,0.3\n1.,9.,0,0,1\n10.,20.,30.,0.,2.,0.\n0.,1.,3.\n"
                        "0,1.,2.,3.,0.,3.,4.",
                        "_ID"));
  const ContactEntity& entity = only(built);
  EXPECT_EQ(entity.id, 77);
  EXPECT_EQ(entity.title, "slope");
  EXPECT_EQ(entity.shape, EntityShape::plane);
  expect_vector(entity.point, {10 + 3, 20 + 1, 30 + 2});
  expect_vector(entity.axis[2], {0.8, 0, 0.6});
  expect_vector(cross(entity.axis[0], entity.axis[1]), entity.axis[2]);
  EXPECT_EQ(entity.scale, 0.5);
  EXPECT_EQ(entity.damping, 0.2);
  EXPECT_EQ(entity.friction, 0.3);
  EXPECT_EQ(entity.birth, 1.0);
  EXPECT_EQ(entity.death, 9.0);
  EXPECT_EQ(ids(built.model, entity.nodes), (std::vector<GlobalId>{1, 3}));  // 22 is of its own body
  EXPECT_TRUE(built.reported("1 nodes of the rigid body that carries it are left out"));
  EXPECT_EQ(entity.half_thickness, (std::vector<double>{0.25, 0.25}));
}

TEST(ContactEntities, AnEllipsoidOfAPartWithCurves) {
  const BuiltDeck built =
      build(with_entity("2,4,1,1,,-8.\n0.,0.,-8\n0.,0.,0.,1.,0.,0.\n0.,1.,0.\n1,0.,0.,0.,3.,2.,1.,2."));
  const ContactEntity& entity = only(built);
  EXPECT_EQ(entity.shape, EntityShape::ellipsoid);
  EXPECT_TRUE(entity.inside);
  EXPECT_EQ(entity.size, (std::array<double, 3>{3, 2, 1}));
  EXPECT_EQ(entity.damping_curve, 0);
  EXPECT_EQ(entity.force_curve, 0);
  EXPECT_EQ(entity.scale, 1.0);
  EXPECT_GT(entity.death, 1e19);
  EXPECT_EQ(entity.nodes.size(), 6U);
  EXPECT_TRUE(entity.half_thickness.empty());
}

TEST(ContactEntities, TheSmallerRadiusOfATorusIsItsTube) {
  const BuiltDeck built = build(with_entity("2,5,1,1\n0.\n0.,0.,0.,1.,0.,0.\n0.,1.,0.\n0,0.,0.,0.,2.,7."));
  EXPECT_EQ(only(built).size[0], 7.0);
  EXPECT_EQ(only(built).size[1], 2.0);
  EXPECT_TRUE(built.reported("a tube of radius 2 around a circle of radius 7 about the local z axis"));
}

TEST(ContactEntities, ASphereNeedsNoAxes) {
  const BuiltDeck built = build(with_entity("2,2,1,1\n0.\n1.,2.,3.\n0.\n0,0.,0.,4.,5."));
  EXPECT_FALSE(built.reported("CR-D310")) << built.problems();
  expect_vector(only(built).point, {1, 2, 7});
  EXPECT_EQ(only(built).size[0], 5.0);
}

TEST(ContactEntities, WhatIsWrongOrMissingIsSaid) {
  const std::string axes = "0.,0.,0.,1.,0.,0.\n0.,1.,0.\n", sphere = "0,0.,0.,0.,5.";
  const auto says = [&](const std::string& cards, const std::string& text) {
    const BuiltDeck built = build(with_entity(cards));
    EXPECT_TRUE(built.reported(text)) << text << "\n" << built.problems();
  };
  says("1,2,1,1\n0.\n" + axes + sphere, "part 1");                                     // not rigid
  says("2,2,1,1\n0.\n" + axes + "0,0.,0.,0.,0.", "G4 = 0 must be positive");           // no radius
  says("2,1,1,1\n0.\n" + axes + "0,0.,0.,0.", "its direction G4, G5, G6 is missing");  // a plane without Q
  says("2,4,1,1\n0.\n0.\n0.\n0,0.,0.,0.,3.,2.,1.", "its axes A and B are missing or parallel");
  says("2,4,1,1\n0.\n" + axes + "0,0.,0.,0.,3.,2.,1.,4.", "order G7 = 4");
  says("2,5,1,1\n0.\n" + axes + "0,0.,0.,0.,3.,3.", "the two radii of the torus are equal");
  says("2,10,1,1\n0.\n" + axes + "0,0.,0.,0.,3.,3.", "GEOTYP");
  says("2,2,1,1,,,,2\n0.\n" + axes + sphere, "INTORD");
  says("2,2,1,1\n0.,0.,1\n" + axes + sphere, "SO = 1");
  says("2,2,1,1,-1.\n0.\n" + axes + sphere, "SF = -1 must be positive");
  says("2,2,1,1,9.\n0.\n" + axes + sphere, "its springs may be unstable");
  says("2,2,1,1,,,-0.1\n0.\n" + axes + sphere, "CF = -0.1 is negative");
  says("2,2,1,1\n0.,0.,0,0,1\n" + axes + sphere, "thickness is not considered");  // SSTYP = 1
}

}  // namespace
}  // namespace crumple::model
