// Rigid bodies, constraints, velocities, loads, walls, contacts.
#include <gtest/gtest.h>

#include "built_deck.hpp"
#include "loads/body/body_load.hpp"
#include "loads/nodal/nodal_load.hpp"
#include "loads/part_gravity/part_gravity.hpp"
#include "loads/pressure/pressure_load.hpp"
#include "loads/rigid_body/rigid_body_load.hpp"
#include "loads/rigid_wall/rigid_wall.hpp"

namespace crumple::model {
namespace {

// A second part of the plate's right half, far right.
const char* const kSecondPart = R"(*NODE
21,10,0,0
22,11,0,0
23,11,1,0
24,10,1,0
*ELEMENT_SHELL
31,2,21,22,23,24
*PART
second
2,1,2
*MAT_RIGID
2,1.0,100.0,0.3
1.0,3,7
)";

const InitialVelocity* velocity(const Model& model, GlobalId node) {
  for (const auto& v : model.initial_velocities)
    if (model.nodes.id[static_cast<std::size_t>(v.node)] == node) return &v;
  return nullptr;
}

void expect_near(const Vec3& a, const Vec3& b) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 1e-12);
}

TEST(RigidBodies, OfMaterialWithExtraNodes) {
  const BuiltDeck d =
      plate_and(std::string(kSecondPart) + "*NODE\n25,12,0,0\n*CONSTRAINED_EXTRA_NODES_NODE\n2,25\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.rigid_bodies.size(), 1u);
  const RigidBody& b = d.model.rigid_bodies[0];
  EXPECT_EQ(b.part_id, 2);
  EXPECT_EQ(ids(d.model, b.nodes), (std::vector<GlobalId>{21, 22, 23, 24, 25}));
  EXPECT_EQ(b.cmo, 1);
  EXPECT_EQ(b.con1, 3);
  EXPECT_EQ(b.con2, 7);
  EXPECT_EQ(d.model.parts[1].rigid_body, 0);
  EXPECT_EQ(d.model.parts[0].rigid_body, kNone);
}

TEST(RigidBodies, PartsSwitchedToRigidAndMerged) {
  const BuiltDeck d = plate_and(std::string(kSecondPart) + "*DEFORMABLE_TO_RIGID\n1,2\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.rigid_bodies.size(), 1u);
  EXPECT_EQ(d.model.rigid_bodies[0].part_id, 2);
  EXPECT_EQ(d.model.rigid_bodies[0].nodes.size(), 10u);
  EXPECT_EQ(d.model.rigid_bodies[0].parts, (std::vector<LocalId>{0, 1}));
}

TEST(RigidBodies, PartsThatShareNodesMoveAsOne) {
  const BuiltDeck d = plate_and(R"(*ELEMENT_SHELL
31,2,3,6,5,2
*PART
second
2,1,2
*MAT_RIGID
2,1.0,100.0,0.3
1.0,3,7
*DEFORMABLE_TO_RIGID
1
)");
  ASSERT_EQ(d.model.rigid_bodies.size(), 1u);
  EXPECT_EQ(d.model.rigid_bodies[0].part_id, 2) << "the part that is constrained leads";
  EXPECT_EQ(d.model.rigid_bodies[0].cmo, 1);
  EXPECT_TRUE(
      d.reported("warning CR-D332: rigid parts 1 and 2 share node 2: they are merged, led by part 2"));
}

TEST(RigidBodies, GivenInertiaInLocalAxes) {
  const BuiltDeck d = plate_and(R"(*NODE
21,10,0,0
22,11,0,0
23,11,1,0
24,10,1,0
*ELEMENT_SHELL
31,2,21,22,23,24
*PART_INERTIA
second
2,1,2
10.5,0.5,0.0,3.0,1
1.0,0.1,0.2,2.0,0.3,3.0
1.0,2.0,3.0
0.0,1.0,0.0,0.0,0.0,1.0
*MAT_RIGID
2,1.0,100.0,0.3
-1.0,4,110001
*DEFINE_COORDINATE_VECTOR
4,1.0,0.0,0.0,0.0,1.0,0.0
*INITIAL_VELOCITY
0,0,0
9.0
)");
  EXPECT_EQ(d.problems(), "");
  const RigidBody& b = d.model.rigid_bodies[0];
  EXPECT_TRUE(b.inertia_given);
  EXPECT_DOUBLE_EQ(b.mass, 3.0);
  expect_near(b.centre, {10.5, 0.5, 0.0});
  // Local x, y, z are global y, z, x.
  const std::array<double, 6> want{3.0, 1.0, 2.0, 0.2, 0.1, 0.3};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(b.inertia[i], want[i], 1e-12) << i;
  EXPECT_EQ(b.local_mask, 0b100011);  // x, y, rz of frame 4
  EXPECT_EQ(b.system, 0);
  EXPECT_TRUE(b.velocity_given);
  expect_near(b.v, {1.0, 2.0, 3.0});
}

TEST(RigidBodies, AreHeldAtConstrainedNodes) {
  const BuiltDeck d = plate_and(std::string(kSecondPart) + "*BOUNDARY_SPC_NODE\n21,0,1,0,1,0,1\n5,0,1\n");
  EXPECT_TRUE(
      d.reported("warning CR-D334: 1 node is constrained of the rigid body of part 2, the first is node 21"));
  ASSERT_EQ(d.model.supports.size(), 1u);
  EXPECT_EQ(d.model.supports[0].mask, 0b010101);
  EXPECT_EQ(d.model.supports[0].body, 0);
  expect_near(d.model.supports[0].point, {10.0, 0.0, 0.0});
  EXPECT_EQ(d.model.constraints.size(), 1u);
  EXPECT_TRUE(plate_and(std::string(kSecondPart) + "*BOUNDARY_SPC_NODE_BIRTH_DEATH\n21,0,1\n0.5,1.0\n")
                  .reported("CR-D320"));
}

TEST(RigidBodyLoads, ReadTheirAxis) {
  const std::string turned =
      "*DEFINE_COORDINATE_VECTOR\n4,0.,1.,0.,-1.,0.,0.\n*DEFINE_CURVE\n7\n0.,0.\n1.,1.\n";
  const BuiltDeck d =
      plate_and(std::string(kSecondPart) + turned + "*LOAD_RIGID_BODY\n2,5,7,3.\n2,2,7,0.,4\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.features.of<loads::RigidBodyLoad>().size(), 2u);
  EXPECT_TRUE(d.model.features.of<loads::RigidBodyLoad>()[0].moment);
  expect_near(d.model.features.of<loads::RigidBodyLoad>()[0].direction, {1.0, 0.0, 0.0});
  EXPECT_FALSE(d.model.features.of<loads::RigidBodyLoad>()[1].moment);
  expect_near(d.model.features.of<loads::RigidBodyLoad>()[1].direction, {-1.0, 0.0, 0.0});
  EXPECT_EQ(d.model.features.of<loads::RigidBodyLoad>()[1].scale, 1.0);
  EXPECT_TRUE(
      plate_and(std::string(kSecondPart) + turned + "*LOAD_RIGID_BODY\n1,5,7\n").reported("is not rigid"));
  EXPECT_TRUE(plate_and(std::string(kSecondPart) + turned + "*LOAD_RIGID_BODY\n2,4,7\n").reported("CR-D203"));
}

TEST(Constraints, OfANodeAreJoined) {
  const BuiltDeck d = plate_and(R"(*BOUNDARY_SPC_NODE
6,0,1
1,0,1,0,0,0,0,1
*SET_NODE_LIST
1
1
*BOUNDARY_SPC_SET_ID
3,held
1,0,0,1
*BOUNDARY_SPC_SET_BIRTH_DEATH
1,0,0,0,1
0.5,0.7
)");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.constraints.size(), 3u);
  EXPECT_EQ(d.model.constraints[0].node, 0);
  EXPECT_EQ(d.model.constraints[0].mask, 0b100011);
  EXPECT_EQ(d.model.constraints[1].mask, 0b000100);
  EXPECT_DOUBLE_EQ(d.model.constraints[1].death, 0.7);
  EXPECT_EQ(d.model.constraints[2].node, 5);
}

TEST(Motions, OfSetsAlongVectorsAndOfBodies) {
  const BuiltDeck d = plate_and(std::string(kSecondPart) + R"(*DEFINE_CURVE
1
0,0
1,1
*DEFINE_VECTOR
3,0.0,0.0,0.0,0.0,3.0,4.0
*SET_NODE_LIST
1
1,2
*BOUNDARY_PRESCRIBED_MOTION_SET
1,4,2,1,0.0,3
*BOUNDARY_PRESCRIBED_MOTION_RIGID
2,3,0,1,-2.0,0,0.5,0.1
)");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.motions.size(), 3u);
  const PrescribedMotion &n = d.model.motions[0], &b = d.model.motions[2];
  EXPECT_EQ(n.node, 0);
  expect_near(n.direction, {0.0, 0.6, 0.8});
  EXPECT_DOUBLE_EQ(n.scale, 1.0) << "zero is the default";
  EXPECT_DOUBLE_EQ(n.death, 1e28);
  EXPECT_EQ(b.rigid_body, 0);
  EXPECT_DOUBLE_EQ(b.scale, -2.0);
  EXPECT_DOUBLE_EQ(b.birth, 0.1);
  EXPECT_DOUBLE_EQ(b.death, 0.5);
  EXPECT_TRUE(plate_and("*BOUNDARY_PRESCRIBED_MOTION_NODE\n1,1,0,8\n")
                  .reported("CR-D304: *BOUNDARY_PRESCRIBED_MOTION_NODE: curve 8 does not exist"));
}

/// The plate, and a rigid part 2 with a frame in its material, and a motion of it.
std::string local_motion(const std::string& frame, const std::string& motion) {
  std::string part = kSecondPart;
  return part + "*PART\nthird\n3,1,3\n*NODE\n31,20,0,0\n32,21,0,0\n33,21,1,0\n34,20,1,0\n" +
         "*ELEMENT_SHELL\n41,3,31,32,33,34\n*MAT_RIGID\n3,1.0,100.0,0.3\n\n" + frame +
         "\n*DEFINE_CURVE\n1\n0,0\n1,1\n*DEFINE_COORDINATE_VECTOR\n9,0,1,0,-1,0,0\n" +
         "*BOUNDARY_PRESCRIBED_MOTION_RIGID_LOCAL\n" + motion + "\n";
}

TEST(Motions, AlongAxesOfABody) {
  for (const char* const frame : {"9", "0,2,0,-1,1,0"}) {
    const BuiltDeck d = plate_and(local_motion(frame, "3,1,0,1\n3,6,2,1,3.0"));
    EXPECT_FALSE(d.deck.has_errors()) << d.problems();
    ASSERT_EQ(d.model.motions.size(), 2u);
    const PrescribedMotion &a = d.model.motions[0], &b = d.model.motions[1];
    EXPECT_TRUE(a.local && b.local);
    EXPECT_EQ(a.dof, 4);
    EXPECT_EQ(b.dof, 8);
    expect_near(a.direction, {0, 1, 0});
    expect_near(b.direction, {-1, 0, 0});
    EXPECT_EQ(b.scale, 3.0);
  }
  const auto says = [](const char* frame, const char* motion, const char* text) {
    const BuiltDeck d = plate_and(local_motion(frame, motion));
    EXPECT_TRUE(d.reported(text)) << d.problems();
  };
  says("9", "3,4,0,1,1.0,5", "vector 5 does not exist");
  says("9", "3,1,1,1", "VAD = 1");
  says("9", "3,1,4,1", "VAD = 4");
  says("9", "1,1,0,1", "part 1 is not rigid");
  says("8", "3,1,0,1", "coordinate system 8 does not exist");
  says("0", "3,1,0,1", "give LCO of *MAT_RIGID; principal axes are not supported");
  says("1,0,0,2,0,0", "3,1,0,1", "A and V of *MAT_RIGID are parallel");
  says("9", "3,1,0,1\n*BOUNDARY_PRESCRIBED_MOTION_RIGID\n3,2,0,1",
       "motion along global axes at the same time is not supported");
}

TEST(Velocities, ExemptSetsAndBoxes) {
  const BuiltDeck d = plate_and(R"(*SET_NODE_LIST
1
6
*DEFINE_BOX
2,0.5,2.5,-1.0,2.0,-1.0,1.0
*INITIAL_VELOCITY
0,1,2
1.0,2.0,3.0,4.0
7.0
)");
  EXPECT_EQ(d.problems(), "");
  EXPECT_EQ(velocity(d.model, 1), nullptr);
  expect_near(velocity(d.model, 5)->v, {1.0, 2.0, 3.0});
  expect_near(velocity(d.model, 5)->w, {4.0, 0.0, 0.0});
  expect_near(velocity(d.model, 6)->v, {7.0, 0.0, 0.0});
  EXPECT_EQ(d.model.initial_velocities.size(), 4u);
}

TEST(Velocities, RotationInALocalFrameAndLaterInputWins) {
  const BuiltDeck d = plate_and(R"(*DEFINE_COORDINATE_VECTOR
4,0.0,1.0,0.0,0.0,0.0,1.0
*INITIAL_VELOCITY_GENERATION
1,2,2.0,5.0,0.0,0.0,0,4
1.0,0.0,0.0,0.0,1.0,0.0
*INITIAL_VELOCITY_NODE
2,9.0
)");
  EXPECT_EQ(d.problems(), "");
  // Local x, y, z are global y, z, x: translation along y, rotation about global z through (1, 0, 0).
  expect_near(velocity(d.model, 3)->v, {0.0, 5.0 + 2.0, 0.0});
  expect_near(velocity(d.model, 4)->v, {-2.0, 5.0 - 2.0, 0.0});
  expect_near(velocity(d.model, 4)->w, {0.0, 0.0, 2.0});
  expect_near(velocity(d.model, 2)->v, {9.0, 0.0, 0.0});
}

TEST(Velocities, OfBodies) {
  const BuiltDeck d =
      plate_and(std::string(kSecondPart) + "*INITIAL_VELOCITY_RIGID_BODY\n2,1.0,0.0,0.0,0.0,0.0,3.0\n");
  EXPECT_TRUE(d.model.rigid_bodies[0].velocity_given);
  expect_near(d.model.rigid_bodies[0].w, {0.0, 0.0, 3.0});
  EXPECT_TRUE(plate_and("*INITIAL_VELOCITY_RIGID_BODY\n1,1.0\n").reported("part 1 is not rigid"));
}

TEST(Loads, BodyNodeAndPressure) {
  const BuiltDeck d = plate_and(R"(*DEFINE_CURVE
1
0,1
1,1
*LOAD_BODY_Z
1,9.81
*LOAD_BODY_RY
1,2.0,0,1.0,2.0,3.0
*SET_PART_LIST
3
1
*LOAD_BODY_PARTS
3
*LOAD_NODE_POINT
6,3,1,-5.0
*LOAD_SEGMENT
1,2.0,0.1,1,2,5,4
*LOAD_SHELL_ELEMENT
12,1
)");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.features.of<loads::BodyLoad>().size(), 2u);
  EXPECT_EQ(d.model.features.of<loads::BodyLoad>()[0].axis, 2);
  EXPECT_DOUBLE_EQ(d.model.features.of<loads::BodyLoad>()[0].scale, 9.81)
      << "the base's acceleration, its sign as in the deck";
  EXPECT_EQ(d.model.features.of<loads::BodyLoad>()[1].axis, 4);
  EXPECT_EQ(d.model.features.of<loads::BodyLoad>()[1].centre, (Vec3{1.0, 2.0, 3.0}));
  EXPECT_EQ(d.model.features.of<loads::BodyLoad>()[1].parts, (std::vector<LocalId>{0}));
  EXPECT_EQ(d.model.features.of<loads::NodalLoad>()[0].dof, 3);
  EXPECT_DOUBLE_EQ(d.model.features.of<loads::NodalLoad>()[0].scale, -5.0);
  ASSERT_EQ(d.model.features.of<loads::PressureLoad>().size(), 2u);
  EXPECT_DOUBLE_EQ(d.model.features.of<loads::PressureLoad>()[0].arrival, 0.1);
  EXPECT_EQ(d.model.features.of<loads::PressureLoad>()[1].nodes, d.model.shells.nodes[1]);
}

constexpr const char* kTurnedFrame = R"(*DEFINE_CURVE
1
0,1
1,1
*DEFINE_COORDINATE_SYSTEM
5,10.,20.,30.,10.,21.,30.
9.,20.,30.
)";  // x along global y, y along -x

TEST(Loads, BodyAlongAndAboutLocalAxes) {
  const BuiltDeck d = plate_and(std::string(kTurnedFrame) + R"(*LOAD_BODY_X
1,9.81,,,,,5
*LOAD_BODY_RX
1,2.0,,1.0,2.0,3.0,5
*LOAD_BODY_VECTOR
1,2.0,,,,,5
0.6,0.,0.8
)");
  EXPECT_EQ(d.problems(), "");
  const auto& loads = d.model.features.of<loads::BodyLoad>();
  ASSERT_EQ(loads.size(), 4u);
  EXPECT_EQ(loads[0].axis, 1);
  EXPECT_DOUBLE_EQ(loads[0].scale, 9.81);
  EXPECT_EQ(loads[1].axis, loads::BodyLoad::kAboutVector);
  expect_near(loads[1].about, {0.0, 1.0, 0.0});
  expect_near(loads[1].centre, {8.0, 21.0, 33.0});
  EXPECT_DOUBLE_EQ(loads[1].scale, 2.0);
  EXPECT_EQ(loads[2].axis, 1);
  EXPECT_DOUBLE_EQ(loads[2].scale, 1.2);
  EXPECT_EQ(loads[3].axis, 2);
  EXPECT_DOUBLE_EQ(loads[3].scale, 1.6);
  EXPECT_TRUE(
      plate_and(std::string(kTurnedFrame) + "*LOAD_BODY_VECTOR\n1,2.0\n3.,0.,4.\n").reported("of length 5"));
}

TEST(Loads, BodyOfNodesAndParts) {
  const BuiltDeck d = plate_and(std::string(kTurnedFrame) + R"(*LOAD_BODY_GENERALIZED
2,4,1,0,0,0,0
1.,0.,-2.,0.,3.,4.,0
*SET_PART_LIST
3
1
*LOAD_BODY_GENERALIZED_SET_PART
3,0,1
0.,0.,1.
)");
  EXPECT_EQ(d.problems(), "");
  const auto& loads = d.model.features.of<loads::BodyLoad>();
  ASSERT_EQ(loads.size(), 4u);
  EXPECT_EQ(loads[0].nodes, (std::vector<LocalId>{1, 2, 3}));
  EXPECT_TRUE(loads[0].by_nodes);
  EXPECT_FALSE(loads[0].on_all());
  EXPECT_EQ(loads[1].axis, 2);
  EXPECT_DOUBLE_EQ(loads[1].scale, -2.0);
  EXPECT_EQ(loads[2].axis, loads::BodyLoad::kAboutVector);
  EXPECT_DOUBLE_EQ(loads[2].scale, 5.0);
  expect_near(loads[2].about, {0.0, 0.6, 0.8});
  EXPECT_EQ(loads[3].parts, (std::vector<LocalId>{0}));
  const std::string coriolis = "*LOAD_BODY_GENERALIZED\n2,4,1\n0.,0.,0.,1.,0.,0.,0,CORI\n";
  EXPECT_TRUE(plate_and(kTurnedFrame + coriolis).reported("ANGTYP = CORI"));
  const std::string none = "*LOAD_BODY_GENERALIZED\n70,80,1\n1.,0.,0.\n";
  EXPECT_TRUE(plate_and(kTurnedFrame + none).reported("no node from 70 to 80"));
  EXPECT_TRUE(plate_and(std::string(kSecondPart) + kTurnedFrame + "*LOAD_BODY_GENERALIZED\n1,1,1\n1.,0.,0.\n")
                  .problems()
                  .empty());
}

TEST(Loads, NodesAlongLocalAxes) {
  const BuiltDeck d = plate_and(std::string(kTurnedFrame) + "*LOAD_NODE_POINT\n6,2,1,-5.0,5\n6,5,1,3.0,5\n");
  EXPECT_EQ(d.problems(), "");
  const auto& loads = d.model.features.of<loads::NodalLoad>();
  ASSERT_EQ(loads.size(), 2u);
  EXPECT_EQ(loads[0].dof, 1);
  EXPECT_DOUBLE_EQ(loads[0].scale, 5.0);
  EXPECT_EQ(loads[1].dof, 6);
  EXPECT_DOUBLE_EQ(loads[1].scale, 3.0);
}

TEST(Loads, GravityOfParts) {
  const BuiltDeck d = plate_and(std::string(kSecondPart) + R"(*DEFINE_CURVE
1
0,1
1,1
*DEFINE_CURVE
2
0,1
1,1
*SET_PART_LIST
3
2,1
*LOAD_GRAVITY_PART
1,3,1,-9.81
2,1,1,2.0,2
*LOAD_GRAVITY_PART_SET
3,2,2,4.0
)");
  EXPECT_EQ(d.problems(), "");
  const auto& loads = d.model.features.of<loads::PartGravity>();
  ASSERT_EQ(loads.size(), 3u);
  EXPECT_EQ(loads[0].parts, std::vector<LocalId>{0});
  EXPECT_EQ(loads[0].axis, 2);
  EXPECT_EQ(loads[0].curve, 0);
  EXPECT_EQ(loads[0].relaxation_curve, kNone);
  EXPECT_DOUBLE_EQ(loads[0].acceleration, -9.81);
  EXPECT_EQ(loads[1].axis, 0);
  EXPECT_EQ(loads[1].relaxation_curve, 1);
  EXPECT_EQ(loads[2].parts.size(), 2u);
  EXPECT_EQ(loads[2].curve, 1);
}

TEST(Loads, GravityOfPartsReportsWhatItCannotDo) {
  const std::string curve = "*DEFINE_CURVE\n1\n0,1\n1,1\n*LOAD_GRAVITY_PART\n";
  const auto says = [&](const std::string& card, const std::string& text) {
    const BuiltDeck d = plate_and(curve + card + "\n");
    EXPECT_TRUE(d.reported(text)) << d.problems();
  };
  says("1,3,1,9.81,0,2", "STGA");
  says("1,3,1,9.81,0,0,4", "STGR");
  says("1,3,1,9.81,0,2", "stages of construction are not supported");
  says("1,4,1,9.81", "DOF = 4 is none of 1 to 3");
  says("1,3,0,9.81", "LC is missing");
  says("1,3,1", "ACCEL is 0");
  says("1,3,1,9.81,8", "curve 8 does not exist");
  says("9,3,1,9.81", "part 9 does not exist");
}

TEST(Walls, PlanesTrackTheNodesTheyAreTold) {
  const BuiltDeck d = plate_and(std::string(kSecondPart) + R"(*SET_NODE_LIST
1
1
*RIGIDWALL_PLANAR_FINITE_MOVING_ID
5,barrier
0,1,0
3.0,0.0,0.0,1.0,0.0,0.0,0.3
3.0,0.0,2.0,4.0,8.0
100.0,7.0
*RIGIDWALL_GEOMETRIC_SPHERE
1
0.0,0.0,5.0,0.0,0.0,0.0,0.1
2.0
)");
  const auto& walls = d.model.features.of<loads::RigidWall>();
  ASSERT_EQ(walls.size(), 2u);
  const loads::RigidWall &w = walls[0], &s = walls[1];
  EXPECT_EQ(w.id, 5);
  EXPECT_EQ(w.title, "barrier");
  EXPECT_EQ(w.shape, loads::WallShape::finite_plane);
  EXPECT_EQ(w.normal, (Vec3{-1, 0, 0}));
  EXPECT_EQ(w.edge1, (Vec3{0, 0, 1}));
  EXPECT_EQ(w.edge2, (Vec3{0, 1, 0}));
  EXPECT_DOUBLE_EQ(w.length2, 8.0);
  EXPECT_TRUE(w.moving);
  EXPECT_DOUBLE_EQ(w.mass, 100.0);
  EXPECT_EQ(ids(d.model, w.nodes), (std::vector<GlobalId>{2, 3, 4, 5, 6}));
  EXPECT_TRUE(d.reported("4 nodes of rigid bodies pass through it, as RWPNAL = 0"));
  EXPECT_EQ(s.shape, loads::WallShape::sphere);
  EXPECT_DOUBLE_EQ(s.length1, 2.0);
  EXPECT_DOUBLE_EQ(s.friction, 0.1);
}

TEST(Contacts, NegativeFrictionIsAMistake) {
  const BuiltDeck d = plate_and("*CONTACT_AUTOMATIC_SINGLE_SURFACE\n\n0.2,-1.,-0.1\n\n");
  EXPECT_TRUE(
      d.reported("error CR-D310: *CONTACT_AUTOMATIC_SINGLE_SURFACE 1: FD = -1 is negative (card 2 field FD)"))
      << d.problems();
  EXPECT_TRUE(d.reported("DC = -0.1 is negative (card 2 field DC)"));
}

TEST(Contacts, ZeroMeansTheDefault) {
  const BuiltDeck d = plate_and(R"(*CONTROL_CONTACT
0.05
*CONTACT_AUTOMATIC_SINGLE_SURFACE_ID
8,all of it

0.2,0.1,,,20.0

*SET_PART_LIST
3
1
*CONTACT_SURFACE_TO_SURFACE
3,1,2,3


1,0.3
)");
  EXPECT_EQ(d.problems(), "");
  const Contact &all = d.model.contacts[0], &pair = d.model.contacts[1];
  EXPECT_EQ(all.id, 8);
  EXPECT_EQ(all.title, "all of it");
  EXPECT_EQ(all.input_a.type, 5) << "no surface named: everything";
  EXPECT_DOUBLE_EQ(all.fs, 0.2);
  EXPECT_DOUBLE_EQ(all.vdc, 20.0);
  EXPECT_DOUBLE_EQ(all.death, 1e20);
  EXPECT_DOUBLE_EQ(all.sfa, 1.0);
  EXPECT_DOUBLE_EQ(all.sfta, 1.0);
  EXPECT_DOUBLE_EQ(all.slsfac, 0.05);
  EXPECT_EQ(pair.id, 2);
  EXPECT_EQ(pair.input_a.type, 2);
  EXPECT_EQ(pair.input_b.type, 3);
  EXPECT_EQ(pair.soft, 1);
  EXPECT_DOUBLE_EQ(pair.sofscl, 0.3);
  EXPECT_DOUBLE_EQ(pair.sfta, 0.0) << "SHLTHK = 0: no thickness unless the contact is automatic";
  EXPECT_TRUE(plate_and("*CONTACT_AUTOMATIC_SURFACE_TO_SURFACE\n7,1,2,3\n\n\n")
                  .reported("CR-D305: *CONTACT_AUTOMATIC_SURFACE_TO_SURFACE 1: part set 7 does not exist"));
}

TEST(Contacts, CardsOfMppMayComeOnceOrTwice) {
  for (const std::string second : {"", "&         1\n"}) {
    const BuiltDeck d =
        plate_and("*CONTACT_AUTOMATIC_SINGLE_SURFACE_MPP\n1\n" + second + "0\n       0.4\n\n");
    ASSERT_EQ(d.model.contacts.size(), 1u);
    EXPECT_FALSE(d.deck.has_errors()) << d.problems();
    EXPECT_EQ(d.model.contacts[0].ignore, 1);
    EXPECT_DOUBLE_EQ(d.model.contacts[0].fs, 0.4);
  }
}

TEST(Control, WhatToRunAndWrite) {
  const BuiltDeck d = plate_and(R"(*DATABASE_GLSTAT
0.1,3
*DATABASE_BINARY_D3PLOT
,,,20
*DATABASE_HISTORY_NODE
4,2
*CONTROL_TIMESTEP
0.0,0.67
*DAMPING_GLOBAL
0,0.3
)");
  EXPECT_EQ(d.problems(), "");
  EXPECT_DOUBLE_EQ(d.model.output.glstat, 0.1);
  EXPECT_EQ(d.model.output.glstat_binary, 3);
  EXPECT_DOUBLE_EQ(d.model.output.d3plot, 0.1);
  EXPECT_EQ(ids(d.model, d.model.output.history_nodes), (std::vector<GlobalId>{2, 4}));
  EXPECT_DOUBLE_EQ(d.model.control.step_scale, 0.67);
  EXPECT_DOUBLE_EQ(d.model.control.end_time, 2.0);
  EXPECT_TRUE(d.model.control.mass_damping);
  EXPECT_EQ(d.model.control.damping_st, (Vec3{1, 1, 1}));
}

}  // namespace
}  // namespace crumple::model
