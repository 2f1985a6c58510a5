// Rigid bodies of node sets: what they are made of, what merges, what is refused.
#include <gtest/gtest.h>

#include "built_deck.hpp"

namespace crumple::model {
namespace {

const char* const kLeft = "*SET_NODE_LIST\n7\n1,4,2\n";
const char* const kRight = "*SET_NODE_LIST\n8\n3,6\n";

TEST(NodalRigidBodies, TakeTheirNodesFromASet) {
  const BuiltDeck d = plate_and(std::string(kLeft) + kRight +
                                "*CONSTRAINED_NODAL_RIGID_BODY_TITLE\nthe left\n7\n"
                                "*CONSTRAINED_NODAL_RIGID_BODY\n90,0,8\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.rigid_bodies.size(), 2u);
  const RigidBody& left = d.model.rigid_bodies[0];
  EXPECT_EQ(left.part_id, 7);  // NSID = 0 means the set of the body's own number
  EXPECT_TRUE(left.nodal);
  EXPECT_TRUE(left.parts.empty());
  EXPECT_EQ(ids(d.model, left.nodes), (std::vector<GlobalId>{1, 2, 4}));
  EXPECT_EQ(d.model.rigid_bodies[1].part_id, 90);
  EXPECT_EQ(d.model.parts[0].rigid_body, kNone);
}

TEST(NodalRigidBodies, ReadConstraintsAndInertia) {
  const BuiltDeck d = plate_and(std::string(kLeft) + kRight +
                                "*CONSTRAINED_NODAL_RIGID_BODY_SPC\n90,0,7\n1.0,4,7\n"
                                "*CONSTRAINED_NODAL_RIGID_BODY_INERTIA_SPC\n91,0,8\n-1.0,0,100010\n"
                                "1.,2.,3.,4.,1\n5.,0,0,6.,0,7.\n.1,.2,.3,.4,.5,.6\n0,1,0,-1,0,0\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.rigid_bodies.size(), 2u);
  EXPECT_EQ(d.model.rigid_bodies[0].con1, 4);
  EXPECT_EQ(d.model.rigid_bodies[0].con2, 7);
  EXPECT_FALSE(d.model.rigid_bodies[0].inertia_given);
  const RigidBody& b = d.model.rigid_bodies[1];
  EXPECT_EQ(b.local_mask, 0b010001);
  EXPECT_EQ(b.mass, 4.0);
  EXPECT_EQ(b.centre, (Vec3{1, 2, 3}));
  EXPECT_EQ(b.inertia[0], 6.0);  // the local x axis is the global y axis
  EXPECT_EQ(b.inertia[1], 5.0);
  EXPECT_EQ(b.w, (Vec3{0.4, 0.5, 0.6}));
}

TEST(NodalRigidBodies, KeepACentreNode) {
  const std::string body = "*CONSTRAINED_NODAL_RIGID_BODY\n90,0,7,";
  const BuiltDeck d = plate_and(std::string(kLeft) + "*NODE\n50,9,9,9\n" + body + "50\n");
  EXPECT_EQ(d.problems(), "");
  const RigidBody& b = d.model.rigid_bodies[0];
  EXPECT_EQ(ids(d.model, b.nodes), (std::vector<GlobalId>{1, 2, 4, 50}));
  EXPECT_EQ(d.model.nodes.id[static_cast<std::size_t>(b.centre_node)], 50);
  EXPECT_TRUE(plate_and(kLeft + body + "5\n").reported("CR-D320"));
}

TEST(NodalRigidBodies, ThatShareNodesAreMerged) {
  const BuiltDeck d = plate_and(std::string(kLeft) +
                                "*SET_NODE_LIST\n8\n2,3\n*CONSTRAINED_NODAL_RIGID_BODY\n91,0,7\n"
                                "*CONSTRAINED_NODAL_RIGID_BODY\n90,0,8\n");
  EXPECT_TRUE(d.reported("nodal rigid body 91 and nodal rigid body 90 share node 2"));
  EXPECT_TRUE(d.reported(".k:")) << d.problems();
  ASSERT_EQ(d.model.rigid_bodies.size(), 1u);
  EXPECT_EQ(d.model.rigid_bodies[0].part_id, 90);
  EXPECT_EQ(ids(d.model, d.model.rigid_bodies[0].nodes), (std::vector<GlobalId>{1, 2, 3, 4}));
}

TEST(NodalRigidBodies, AreNamedByTheirPartNumber) {
  const BuiltDeck d = plate_and(std::string(kLeft) + kRight +
                                "*CONSTRAINED_NODAL_RIGID_BODY\n90,0,7\n91,0,8\n"
                                "*CONSTRAINED_RIGID_BODIES\n91,90\n*CONSTRAINED_EXTRA_NODES_NODE\n90,5\n"
                                "*DEFINE_CURVE\n4\n0,0\n1,1\n"
                                "*BOUNDARY_PRESCRIBED_MOTION_RIGID\n90,1,0,4\n"
                                "*INITIAL_VELOCITY_RIGID_BODY\n91,1.,2.,3.\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.rigid_bodies.size(), 1u);
  const RigidBody& b = d.model.rigid_bodies[0];
  EXPECT_EQ(b.part_id, 91);
  EXPECT_EQ(b.nodes.size(), 6u);
  EXPECT_EQ(b.v, (Vec3{1, 2, 3}));
  EXPECT_EQ(d.model.motions.at(0).rigid_body, 0);
}

TEST(NodalRigidBodies, AreRefusedWithAReason) {
  const auto body = [](const std::string& more) {
    return plate_and(
        "*SET_NODE_LIST\n7\n1,4\n*SET_NODE_LIST\n8\n3\n*NODE\n50,9,9,9\n51,9,9,8\n"
        "*SET_NODE_LIST\n9\n50,51\n" +
        more);
  };
  EXPECT_TRUE(body("*CONSTRAINED_NODAL_RIGID_BODY\n90,0,8\n").reported("node set 8 has 1 node"));
  EXPECT_TRUE(body("*CONSTRAINED_NODAL_RIGID_BODY\n90,0,9\n").reported("no node of node set 9 is on"));
  EXPECT_TRUE(body("*CONSTRAINED_NODAL_RIGID_BODY\n90,0,6\n").reported("CR-D305"));
  EXPECT_TRUE(body("*CONSTRAINED_NODAL_RIGID_BODY\n1,0,7\n").reported("CR-D301"));
  EXPECT_TRUE(body("*CONSTRAINED_NODAL_RIGID_BODY\n90,0,7,0,0,3\n").reported("CR-D203"));
  EXPECT_TRUE(body("*CONSTRAINED_NODAL_RIGID_BODY\n90,0,7,0,0,0,7\n").reported("CR-D203"));
  EXPECT_TRUE(body("*CONSTRAINED_NODAL_RIGID_BODY\n90,0,7\n*BOUNDARY_SPC_NODE\n4,0,1\n")
                  .reported("1 node is constrained of the rigid body of nodal body 90, the first is node 4"));
}

}  // namespace
}  // namespace crumple::model
