// Linear constraints, rivets and tied nodes: what is read and what is refused.
#include <gtest/gtest.h>

#include "built_deck.hpp"
#include "constraints/fibres/fibre.hpp"
#include "constraints/linear/linear_constraint.hpp"
#include "constraints/rivets/rivet.hpp"
#include "constraints/stiff_links/stiff_link.hpp"
#include "constraints/tied_edges/tied_edge.hpp"
#include "constraints/tied_nodes/tied_nodes.hpp"

namespace crumple::model {
namespace {

using constraints::LinearGroup;
using constraints::RivetGroup;
using constraints::TiedNodes;

const char* const kBodyOfNodes = "*SET_NODE_LIST\n7\n2,3\n*CONSTRAINED_NODAL_RIGID_BODY\n90,0,7\n";
const char* const kAxes = "*DEFINE_COORDINATE_SYSTEM\n4,0.,0.,0.,0.,1.,0.\n-1.,0.,0.\n";

TEST(LinearConstraints, ThatShareNodesAreOneGroup) {
  const BuiltDeck d = plate_and(
      "*CONSTRAINED_LINEAR_GLOBAL\n31\n6,1,2.\n1,5,-1.\n*CONSTRAINED_LINEAR_GLOBAL\n32\n5,3,1.\n4,3,-3.\n"
      "*CONSTRAINED_LINEAR_GLOBAL\n33\n1,2,1.\n2,2,1.\n");
  EXPECT_EQ(d.problems(), "");
  const auto& all = d.model.features.of<LinearGroup>();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].ids, (std::vector<GlobalId>{31, 33}));
  EXPECT_EQ(ids(d.model, all[0].nodes), (std::vector<GlobalId>{1, 2, 6}));
  EXPECT_EQ(all[0].first, (std::vector<std::int32_t>{0, 2, 4}));
  EXPECT_EQ(all[0].terms[0].place, 2);
  EXPECT_EQ(all[0].terms[0].turns, 0);
  EXPECT_EQ(all[0].terms[0].along, (Vec3{2, 0, 0}));
  EXPECT_EQ(all[0].terms[1].turns, 1);
  EXPECT_EQ(all[0].terms[1].along, (Vec3{0, -1, 0}));
  EXPECT_EQ(all[1].ids, (std::vector<GlobalId>{32}));
}

TEST(LinearConstraints, HaveLocalAxes) {
  const BuiltDeck d = plate_and(std::string(kAxes) + "*CONSTRAINED_LINEAR_LOCAL\n31\n6,1,4,2.\n1,1,0,-1.\n");
  EXPECT_EQ(d.problems(), "");
  const auto& all = d.model.features.of<LinearGroup>();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_NEAR(norm(all[0].terms[0].along - Vec3{0, 2, 0}), 0.0, 1e-15);
  EXPECT_EQ(all[0].terms[1].along, (Vec3{-1, 0, 0}));
}

TEST(LinearConstraints, AreRefusedWithAReason) {
  const auto linear = [](const std::string& terms, const std::string& more = "") {
    return plate_and("*NODE\n50,9,9,8\n" + more + "*CONSTRAINED_LINEAR_GLOBAL\n31\n" + terms + "\n");
  };
  EXPECT_TRUE(linear("1,7,1.").reported("electric voltage"));
  EXPECT_TRUE(linear("1,8,1.").reported("DOF = 8"));
  EXPECT_TRUE(linear("1,1,0.").reported("COEF = 0"));
  EXPECT_TRUE(linear("77,1,1.").reported("CR-D303"));
  EXPECT_TRUE(linear("1,1,1.\n50,1,-1.").reported("node 50 has no mass"));
  EXPECT_EQ(linear("1,1,1.\n50,1,-1.", "*BOUNDARY_SPC_NODE\n50,0,1\n").problems(), "");
  EXPECT_TRUE(linear("1,2,1.\n50,2,-1.", "*BOUNDARY_SPC_NODE\n50,0,1\n").reported("node 50 has no mass"));
  EXPECT_TRUE(linear("2,1,1.", kBodyOfNodes).reported("belongs to the rigid body of part 90"));
  EXPECT_TRUE(linear("2,1,1.", "*CONSTRAINED_SPOTWELD\n2,5\n").reported("is placed by a spot weld"));
}

TEST(Rivets, ReadTheirLength) {
  const BuiltDeck d =
      plate_and("*CONSTRAINED_RIVET_ID\n77\n6,1,0.5\n*CONSTRAINED_RIVET\n2,1\n*CONSTRAINED_RIVET\n4,5\n");
  EXPECT_EQ(d.problems(), "");
  const auto& all = d.model.features.of<RivetGroup>();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(ids(d.model, all[0].nodes), (std::vector<GlobalId>{1, 2, 6}));
  ASSERT_EQ(all[0].rivets.size(), 2u);
  EXPECT_EQ(all[0].rivets[0].places, (std::array<std::int32_t, 2>{2, 0}));
  EXPECT_DOUBLE_EQ(all[0].rivets[0].length, std::sqrt(5.0));
  EXPECT_EQ(all[0].rivets[0].failure_time, 0.5);
  EXPECT_GE(all[0].rivets[1].failure_time, kNever);
}

TEST(Rivets, AreRefusedWithAReason) {
  const auto rivet = [](const std::string& cards, const std::string& more = "") {
    return plate_and("*NODE\n50,1,0,0\n51,9,9,8\n" + more + "*CONSTRAINED_RIVET\n" + cards + "\n");
  };
  EXPECT_TRUE(rivet("2,99").reported("CR-D303"));
  EXPECT_TRUE(rivet("2,51").reported("node 51 has no mass"));
  EXPECT_TRUE(rivet("2,50", "*ELEMENT_MASS\n1,50,1.\n").reported("nodes 2 and 50 coincide"));
  EXPECT_TRUE(rivet("2,51", kBodyOfNodes).reported("node 51 has no mass"));
  EXPECT_TRUE(rivet("1,4", "*CONSTRAINED_LINEAR_GLOBAL\n1\n4,1,1.\n5,1,1.\n")
                  .reported("is placed by *CONSTRAINED_LINEAR"));
}

TEST(Rivets, OfRigidBodiesAreSprings) {
  const BuiltDeck d = plate_and(std::string(kBodyOfNodes) + "*CONSTRAINED_RIVET\n4,2,0.5\n2,3\n1,5\n");
  EXPECT_EQ(d.problems(), "");
  EXPECT_EQ(d.model.features.of<RivetGroup>().size(), 1u);
  const auto& links = d.model.features.of<constraints::StiffLink>();
  ASSERT_EQ(links.size(), 1u);  // a body keeps the distance of 2 and 3
  EXPECT_EQ(links[0].kind, constraints::StiffLinkKind::rod);
  EXPECT_EQ(ids(d.model, {links[0].nodes[0], links[0].nodes[1]}), (std::vector<GlobalId>{2, 4}));
  EXPECT_EQ(links[0].until.failure_time, 0.5);
  EXPECT_EQ(links[0].welds, 0);
}

/// Nodes 2, 21 and 22 are on a line; 21 and 22 have masses.
BuiltDeck fibre_and(const std::string& more) {
  return plate_and("*NODE\n21,1,0,-2\n22,1,0,1\n23,1,0,0.5\n*ELEMENT_MASS\n1,21,1.\n2,22,1.\n3,23,1.\n" +
                   more);
}

TEST(Fibres, HaveTheirNodesInOrder) {
  const BuiltDeck d = fibre_and("*SET_NODE_LIST\n7\n22,23,21\n*CONSTRAINED_SHELL_TO_SOLID\n2,7\n");
  EXPECT_EQ(d.problems(), "");
  const auto& all = d.model.features.of<constraints::Fibre>();
  ASSERT_EQ(all.size(), 1u);
  std::vector<GlobalId> order = ids(d.model, all[0].nodes);
  const bool up = order.front() == 21;
  EXPECT_EQ(order, up ? (std::vector<GlobalId>{21, 23, 22, 2}) : (std::vector<GlobalId>{22, 23, 21, 2}));
  EXPECT_NEAR(all[0].share, up ? 2.0 / 3.0 : 1.0 / 3.0, 1e-15);
}

TEST(Fibres, AreRefusedWithAReason) {
  const auto fibre = [](const std::string& nodes, const std::string& node) {
    return fibre_and("*SET_NODE_LIST\n7\n" + nodes + "\n*CONSTRAINED_SHELL_TO_SOLID\n" + node + ",7\n");
  };
  EXPECT_TRUE(fibre("21", "2").reported("set 7 has 1 nodes"));
  EXPECT_TRUE(fibre("21,22,5", "2").reported("is not on the line"));
  EXPECT_TRUE(fibre("23,22", "2").reported("beyond the solids' nodes"));
  EXPECT_TRUE(fibre("21,22", "2,7\n2").reported("is on another fibre"));
}

/// The plate, whose second shell has nodes of its own.
BuiltDeck cut_plate_and(const std::string& more) {
  std::string text = kPlate;
  text.replace(text.find("12,1,2,3,6,5"), 12, "12,1,8,3,6,9");
  return build(text + "*NODE\n8,1,0,0\n9,1,1,0\n*SET_NODE_LIST\n7\n2,5,8,9\n" + more + "*END\n");
}

TEST(TiedNodes, AreGroupsByPlace) {
  const BuiltDeck d = cut_plate_and("*CONSTRAINED_TIED_NODES_FAILURE\n7,0.2\n");
  EXPECT_EQ(d.problems(), "");
  const auto& all = d.model.features.of<TiedNodes>();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(ids(d.model, all[0].nodes), (std::vector<GlobalId>{2, 8}));
  EXPECT_EQ(ids(d.model, all[1].nodes), (std::vector<GlobalId>{5, 9}));
  EXPECT_EQ(all[1].failure_strain, 0.2);
  EXPECT_EQ(all[1].kind, ElementKind::shell);
}

TEST(TiedNodes, OfRigidBodiesAreSprings) {
  const BuiltDeck d = cut_plate_and(
      "*SET_NODE_LIST\n8\n2,1\n*CONSTRAINED_NODAL_RIGID_BODY\n90,0,8\n*CONSTRAINED_TIED_NODES_FAILURE\n7,0."
      "2\n");
  EXPECT_EQ(d.problems(), "");
  const auto& all = d.model.features.of<TiedNodes>();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].by_springs, 1);
  EXPECT_EQ(all[1].by_springs, 0);
  const auto& links = d.model.features.of<constraints::StiffLink>();
  ASSERT_EQ(links.size(), 1u);
  EXPECT_EQ(ids(d.model, {links[0].nodes[0], links[0].nodes[1]}), (std::vector<GlobalId>{2, 8}));
  EXPECT_EQ(links[0].seam, 0);
}

TEST(TiedNodes, AreRefusedWithAReason) {
  EXPECT_TRUE(cut_plate_and("*CONSTRAINED_TIED_NODES_FAILURE\n7,0.\n").reported("EPPF must be positive"));
  EXPECT_TRUE(cut_plate_and("*CONSTRAINED_TIED_NODES_FAILURE\n7,0.2,1\n").reported("no solid is at node 2"));
  EXPECT_TRUE(cut_plate_and("*CONSTRAINED_TIED_NODES_FAILURE\n7,0.2,2\n").reported("CR-D203"));
  EXPECT_TRUE(cut_plate_and("*SET_NODE_LIST\n9\n2,8,1\n*CONSTRAINED_TIED_NODES_FAILURE\n9,0.2\n")
                  .reported("no other node of the set is at the place of node 1"));
  EXPECT_TRUE(cut_plate_and("*CONSTRAINED_TIED_NODES_FAILURE\n7,0.2\n7,0.3\n").reported("by another set"));
  EXPECT_TRUE(cut_plate_and("*CONSTRAINED_SPOTWELD\n2,3\n*CONSTRAINED_TIED_NODES_FAILURE\n7,0.2\n")
                  .reported("is placed by a spot weld"));
}

TEST(TiedEdges, FindTheirPlaces) {
  std::string text = kPlate;
  text.replace(text.find("12,1,2,3,6,5"), 12, "12,1,8,3,6,9");
  const auto built = [&](const std::string& cards) {
    return build(text + "*NODE\n8,1,0.25,0\n9,1,1,0\n*SET_NODE_LIST\n7\n8,9\n*SET_NODE_LIST\n8\n5,2\n" +
                 "*CONSTRAINED_TIE-BREAK\n" + cards + "\n*END\n");
  };
  const BuiltDeck d = built("7,8,0.1");
  EXPECT_EQ(d.problems(), "");
  const auto& all = d.model.features.of<constraints::TiedEdge>();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(ids(d.model, all[0].nodes), (std::vector<GlobalId>{2, 5, 8, 9}));
  ASSERT_EQ(all[0].tied.size(), 2u);
  EXPECT_EQ(all[0].tied[0].node, 2);
  EXPECT_EQ(all[0].tied[0].ends, (std::array<std::int32_t, 2>{0, 1}));
  EXPECT_DOUBLE_EQ(all[0].tied[0].share, 0.25);
  EXPECT_DOUBLE_EQ(all[0].tied[1].share, 1.0);
  EXPECT_TRUE(built("7,8,0.").reported("EPPF must be positive"));
  EXPECT_TRUE(built("7,7,0.1").reported("is on both edges"));
  EXPECT_TRUE(built("8,7,0.1").reported("node 2 is on no edge"));
  EXPECT_TRUE(built("7,8,0.1\n7,8,0.1").reported("of another seam"));
}

TEST(Planes, HoldTheNodesInThem) {
  const BuiltDeck d = plate_and("*CONSTRAINED_GLOBAL\n1,5,1,1.,0.,0.,0.\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.constraints.size(), 2u);
  EXPECT_EQ(d.model.nodes.id[at(d.model.constraints[0].node)], 2);
  EXPECT_EQ(d.model.nodes.id[at(d.model.constraints[1].node)], 5);
  EXPECT_EQ(d.model.constraints[0].mask, 0b110001);  // x; rotations about y and z
  EXPECT_EQ(plate_and("*CONSTRAINED_GLOBAL\n1,0,1,1.0,0.,0.,1.2\n").model.constraints.size(), 6u);
  EXPECT_EQ(plate_and("*CONSTRAINED_GLOBAL\n1,0,1,1.0,0.,0.,0.5\n").model.constraints.size(), 2u);
  EXPECT_TRUE(plate_and("*CONSTRAINED_GLOBAL\n1,0,2,0.,0.5,0.\n").reported("no node is in its plane"));
  EXPECT_TRUE(plate_and("*CONSTRAINED_GLOBAL\n0,0,1\n").reported("it constrains nothing"));
  EXPECT_TRUE(plate_and("*CONSTRAINED_GLOBAL\n8,0,1\n").reported("TC = 8"));
}

}  // namespace
}  // namespace crumple::model
