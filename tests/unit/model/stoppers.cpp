// Stoppers of rigid bodies, and velocities over displacement: what is read, and what is refused.
#include <gtest/gtest.h>

#include "built_deck.hpp"
#include "constraints/stoppers/stopper.hpp"

namespace crumple::model {
namespace {

using constraints::Stopper;

const char* const kBody =
    "*NODE\n21,10,0,0\n22,11,0,0\n23,11,1,0\n24,10,1,0\n*ELEMENT_SHELL\n31,2,21,22,23,24\n*PART\nsecond\n"
    "2,1,2\n*MAT_RIGID\n2,1.0,100.0,0.3\n0.\n\n*DEFINE_CURVE\n5\n0.,2.\n1.,3.\n*DEFINE_CURVE\n6\n0.,1.\n"
    "1.,1.\n*DEFINE_VECTOR\n4,0.,0.,0.,0.,3.,4.\n";

BuiltDeck body_and(const std::string& cards) {
  return plate_and(kBody + ("*CONSTRAINED_RIGID_BODY_STOPPERS\n" + cards + "\n"));
}

TEST(Stoppers, ReadBoundsAndDirections) {
  const BuiltDeck d = body_and("2,-5,5,0,0,6,4,4\n0.1,0.7\n2,5,0,0,0,0,2\n");
  EXPECT_EQ(d.problems(), "");
  const auto& all = d.model.features.of<Stopper>();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].upper, 0);
  EXPECT_TRUE(all[0].upper_of_displacement);
  EXPECT_EQ(all[0].lower, 0);
  EXPECT_FALSE(all[0].lower_of_displacement);
  EXPECT_EQ(all[0].fastest, 1);
  EXPECT_NEAR(norm(all[0].direction - Vec3{0, 0.6, 0.8}), 0, 1e-15);
  EXPECT_EQ(all[0].birth, 0.1);
  EXPECT_EQ(all[0].death, 0.7);
  EXPECT_EQ(all[1].direction, (Vec3{0, 1, 0}));
  EXPECT_GE(all[1].death, kNever);
}

TEST(Stoppers, AreRefusedWithAReason) {
  EXPECT_TRUE(body_and("1,5,0,0,0,0,1\n0.\n").reported("CR-D3"));  // part 1 is not rigid
  EXPECT_TRUE(body_and("2,9,0,0,0,0,1\n0.\n").reported("CR-D304"));
  EXPECT_TRUE(body_and("2,5,0,7,0,0,1\n0.\n").reported("CR-D203"));  // PSIDMX
  EXPECT_TRUE(body_and("2,5,0,0,0,0,6\n0.\n").reported("a bound of rotations"));
  EXPECT_TRUE(body_and("2,5,0,0,0,0,9\n0.\n").reported("DIR = 9 is none of"));
  EXPECT_TRUE(body_and("2,5,0,0,0,0,4,8\n0.\n").reported("vector 8 does not exist"));
  EXPECT_TRUE(body_and("2,0,0,0,0,0,1\n0.\n").reported("it has no bound"));
}

/// The velocity that is left, for steps of 0.5 from t = 0 on.
TEST(Stoppers, LeaveTheVelocityThatReachesTheBound) {
  const BuiltDeck d = body_and("2,5,-6,0,0,6,1\n0.,0.7\n");
  const Stopper& s = d.model.features.of<Stopper>().at(0);
  const auto left = [&](double v, double x, double start, double time = 0.0) {
    return constraints::stopped(s, d.model, v, x, start, time, 0.5, Stage::transient);
  };
  EXPECT_DOUBLE_EQ(left(0.9, 0.7, 0.0), 0.9);  // the displacement is to be 1 at the end
  EXPECT_DOUBLE_EQ(left(0.3, 0.7, 0.0), 0.6);
  EXPECT_DOUBLE_EQ(left(0.5, 1.5, 0.0), 0.5);       // no bound is reached
  EXPECT_NEAR(left(0.9, 2.3, 0.0), 0.4, 1e-14);     // 2.5 at the end of the step
  EXPECT_DOUBLE_EQ(left(-3.0, 2.0, 0.0), -1.0);     // the largest speed
  EXPECT_DOUBLE_EQ(left(0.9, 2.3, 0.0, 0.7), 0.9);  // after its death
}

TEST(Motions, VelocityOverDisplacementIsForBodies) {
  const std::string motion = "*BOUNDARY_PRESCRIBED_MOTION_RIGID\n2,1,3,5,2.\n";
  const BuiltDeck d = plate_and(kBody + motion);
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.motions.size(), 1u);
  EXPECT_EQ(d.model.motions[0].kind, 3);
  EXPECT_TRUE(
      plate_and(kBody + std::string("*BOUNDARY_PRESCRIBED_MOTION_NODE\n1,1,3,5,2.\n")).reported("CR-D203"));
}

}  // namespace
}  // namespace crumple::model
