// Mass properties of parts that become rigid: what is read and what is refused.
#include <gtest/gtest.h>

#include "built_deck.hpp"

namespace crumple::model {
namespace {

const char* const kInertia = "*DEFORMABLE_TO_RIGID_INERTIA\n1\n1.,0.5,0.25,3.\n2.,0.1,0.2,4.,0.3,5.\n";

TEST(SwitchedParts, HaveTheGivenMass) {
  const BuiltDeck d = plate_and(std::string("*DEFORMABLE_TO_RIGID\n1\n") + kInertia);
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.rigid_bodies.size(), 1u);
  const RigidBody& body = d.model.rigid_bodies[0];
  EXPECT_TRUE(body.inertia_given);
  EXPECT_FALSE(body.velocity_given);
  EXPECT_EQ(body.mass, 3.0);
  EXPECT_EQ(body.centre, (Vec3{1, 0.5, 0.25}));
  EXPECT_EQ(body.inertia, (std::array<double, 6>{2, 4, 5, 0.1, 0.3, 0.2}));
}

TEST(SwitchedParts, AreRefusedWithAReason) {
  EXPECT_TRUE(plate_and(kInertia).reported("no *DEFORMABLE_TO_RIGID switches part 1"));
  const std::string switched = "*DEFORMABLE_TO_RIGID\n1\n";
  EXPECT_TRUE(plate_and(switched + kInertia + kInertia).reported("part 1 is given twice"));
  EXPECT_TRUE(plate_and(switched + "*DEFORMABLE_TO_RIGID_INERTIA\n1\n0.,0.,0.,0.\n1.,0.,0.,1.,0.,1.\n")
                  .reported("mass TM = 0 must be positive"));
}

}  // namespace
}  // namespace crumple::model
