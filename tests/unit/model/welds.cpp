// Welds and ties of nodes: what is read and what is refused.
#include <gtest/gtest.h>

#include "built_deck.hpp"
#include "constraints/linear/linear_constraint.hpp"
#include "constraints/stiff_links/stiff_link.hpp"
#include "constraints/weld_strains/weld_nodes.hpp"
#include "model/linked_nodes.hpp"

namespace crumple::model {
namespace {

TEST(Welds, ReadTheirStrength) {
  const BuiltDeck d =
      plate_and("*CONSTRAINED_SPOTWELD_ID\n77\n2,5,10.,20.,2.,3.,0.5\n*CONSTRAINED_SPOTWELD\n1,4\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.welds.size(), 2u);
  const Weld& weld = d.model.welds[0];
  EXPECT_EQ(weld.id, 77);
  EXPECT_EQ(weld.normal_strength, 10.0);
  EXPECT_EQ(weld.shear_strength, 20.0);
  EXPECT_EQ(weld.normal_power, 2.0);
  EXPECT_EQ(weld.shear_power, 3.0);
  EXPECT_EQ(weld.failure_time, 0.5);
  EXPECT_TRUE(weld.can_break());
  EXPECT_FALSE(d.model.welds[1].can_break());
  EXPECT_EQ(linked_nodes(d.model).size(), 2u);
}

TEST(Welds, ReadTheirFailureStrain) {
  const BuiltDeck d = plate_and("*CONSTRAINED_SPOTWELD\n2,5,0.,0.,0.,0.,0.,0.2\n1,4\n");
  EXPECT_EQ(d.problems(), "");
  EXPECT_EQ(d.model.welds.at(0).failure_strain, 0.2);
  EXPECT_TRUE(d.model.welds[0].can_break());
  EXPECT_FALSE(d.model.welds.at(1).can_break());
  const auto& torn = d.model.features.of<constraints::WeldNodes>();
  ASSERT_EQ(torn.size(), 1u);
  EXPECT_EQ(ids(d.model, torn[0].nodes), (std::vector<GlobalId>{2, 5}));
  EXPECT_EQ(torn[0].kinds[0], ElementKind::shell);
}

TEST(Welds, ReadTheirFilter) {
  const BuiltDeck d = plate_and(
      "*CONSTRAINED_SPOTWELD_FILTERED_FORCE\n2,5,10.,0.,2.\n20,0.3\n*SET_NODE_LIST\n7\n1,4\n"
      "*CONSTRAINED_GENERALIZED_WELD_SPOT\n7,0,5,0.1\n0.,0.,1.,0.,1.\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.welds.size(), 2u);
  EXPECT_EQ(d.model.welds[0].filter, 20);
  EXPECT_EQ(d.model.welds[0].window, 0.3);
  EXPECT_EQ(d.model.welds[0].normal_strength, 10.0);
  EXPECT_EQ(d.model.welds[1].filter, 5);
  EXPECT_TRUE(plate_and("*CONSTRAINED_SPOTWELD_FILTERED_FORCE\n2,5,10.,0.,2.\n-1\n").reported("NF = -1"));
}

TEST(Welds, OfASetFollowTheWeldsLine) {
  const BuiltDeck d = plate_and(
      "*NODE\n50,0,0,3\n51,0,0,1\n52,0,0,2\n*ELEMENT_MASS\n1,50,1.\n*SET_NODE_LIST\n7\n50,51,52,1\n"
      "*CONSTRAINED_GENERALIZED_WELD_SPOT\n7\n0.,0.,1.,0.,1.\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.welds.size(), 3u);
  std::vector<GlobalId> order{d.model.nodes.id[static_cast<std::size_t>(d.model.welds[0].nodes[0])]};
  for (const Weld& weld : d.model.welds)
    order.push_back(d.model.nodes.id[static_cast<std::size_t>(weld.nodes[1])]);
  if (order[0] == 50) std::reverse(order.begin(), order.end());
  EXPECT_EQ(order, (std::vector<GlobalId>{1, 51, 52, 50}));
}

TEST(Welds, AreRefusedWithAReason) {
  const auto weld = [](const std::string& cards, const std::string& more = "") {
    return plate_and("*NODE\n50,1,0,0\n51,9,9,8\n52,9,9,7\n*CONSTRAINED_SPOTWELD\n" + cards + "\n" + more);
  };
  EXPECT_TRUE(weld("2,2").reported("both nodes are node 2"));
  EXPECT_TRUE(weld("2,99").reported("CR-D303"));
  EXPECT_TRUE(weld("2,50,1.,0.,1.").reported("nodes 2 and 50 coincide"));
  EXPECT_EQ(weld("2,50").problems(), "");
  EXPECT_TRUE(weld("2,5,1.").reported("the exponent N must be positive"));
  EXPECT_TRUE(weld("2,5,-1.,0.,1.").reported("depend on temperature"));
  EXPECT_TRUE(weld("51,52").reported("is on an element or has a mass"));
  EXPECT_TRUE(weld("1,2,1.,0.,1.\n2,3\n3,1").reported("is in a ring of welds"));
  EXPECT_EQ(weld("1,2\n2,3\n3,1").problems(), "");
  const std::string body = "*SET_NODE_LIST\n7\n2,3\n*CONSTRAINED_NODAL_RIGID_BODY\n90,0,7\n";
  EXPECT_TRUE(weld("51,2,1.,0.,1.", body).reported("node 51 has no mass"));
  const std::string second = "*SET_NODE_LIST\n8\n4,5\n*CONSTRAINED_NODAL_RIGID_BODY\n91,0,8\n";
  EXPECT_TRUE(weld("4,2", body + second).reported("nodes 4 and 2 belong to rigid bodies 91 and 90"));
}

TEST(Welds, ThatNeverBreakJoinNodesToRigidBodies) {
  const BuiltDeck d = plate_and(
      "*SET_NODE_LIST\n7\n2,3\n*CONSTRAINED_NODAL_RIGID_BODY\n90,0,7\n*CONSTRAINED_SPOTWELD\n4,1\n1,2\n");
  EXPECT_EQ(d.problems(), "");
  EXPECT_TRUE(d.model.welds.empty());
  EXPECT_EQ(ids(d.model, d.model.rigid_bodies.at(0).nodes), (std::vector<GlobalId>{1, 2, 3, 4}));
}

TEST(Welds, OfNodesThatObeySomethingElseAreSprings) {
  using constraints::StiffLink;
  const std::string body = "*SET_NODE_LIST\n7\n2,3\n*CONSTRAINED_NODAL_RIGID_BODY\n90,0,7\n";
  const BuiltDeck d =
      plate_and(body +
                "*BOUNDARY_SPC_NODE\n5,0,1,1,1,1,1,1\n4,0,1\n"
                "*CONSTRAINED_SPOTWELD\n1,2,3.,0.,2.\n6,5,0.,0.,0.,0.,0.5,0.2\n2,3,1.,0.,1.\n");
  EXPECT_EQ(d.problems(), "");
  EXPECT_TRUE(d.model.welds.empty());
  const auto& links = d.model.features.of<StiffLink>();
  ASSERT_EQ(links.size(), 2u);  // both nodes of the third are of one body
  const auto named = [&](const StiffLink& l) { return ids(d.model, {l.nodes[0], l.nodes[1]}); };
  EXPECT_EQ(named(links[0]), (std::vector<GlobalId>{2, 1}));  // the body's node comes first
  EXPECT_EQ(links[0].bodies, (std::array<LocalId, 2>{0, kNone}));
  EXPECT_EQ(links[0].until.normal_strength, 3.0);
  EXPECT_EQ(named(links[1]), (std::vector<GlobalId>{6, 5}));
  EXPECT_EQ(links[1].turn_held, (std::array<std::uint8_t, 2>{0, 1}));
  EXPECT_EQ(links[1].until.failure_time, 0.5);
  EXPECT_EQ(links[1].number, 1);
  const auto& torn = d.model.features.of<constraints::WeldNodes>();
  ASSERT_EQ(torn.size(), 1u);
  EXPECT_EQ(ids(d.model, torn[0].nodes), (std::vector<GlobalId>{5, 6}));
  const BuiltDeck strained = plate_and(body + "*CONSTRAINED_SPOTWELD\n1,2,0.,0.,0.,0.,0.,0.2\n");
  EXPECT_EQ(strained.model.rigid_bodies.at(0).nodes.size(), 2u);
  EXPECT_EQ(strained.model.features.of<StiffLink>().size(), 1u);
  EXPECT_TRUE(plate_and(body + "*CONSTRAINED_SPOTWELD_FILTERED_FORCE\n1,2,3.,0.,2.\n20\n")
                  .reported("their forces are not filtered"));
}

TEST(NodeTies, OfRigidBodiesAndOfHeldNodesThatEndAreSprings) {
  using constraints::StiffLink;
  const std::string body = "*SET_NODE_LIST\n7\n2,3\n*CONSTRAINED_NODAL_RIGID_BODY\n90,0,7\n";
  const BuiltDeck d = plate_and(body + "*SET_NODE_LIST\n8\n1,3,4\n*CONSTRAINED_NODE_SET\n8,6,0.5\n");
  EXPECT_EQ(d.problems(), "");
  EXPECT_TRUE(d.model.node_ties.empty());
  const auto& links = d.model.features.of<StiffLink>();
  ASSERT_EQ(links.size(), 2u);
  for (const StiffLink& link : links) {
    EXPECT_EQ(link.kind, constraints::StiffLinkKind::axes);
    EXPECT_EQ(d.model.nodes.id[static_cast<std::size_t>(link.nodes[0])], 3);
    EXPECT_EQ(link.mask, 0b101);  // DOF = 6: z and x
    EXPECT_EQ(link.until.failure_time, 0.5);
  }
  const BuiltDeck held =
      plate_and("*SET_NODE_LIST\n7\n2,5,6\n*BOUNDARY_SPC_NODE\n5,0,1\n*CONSTRAINED_NODE_SET\n7,6,0.5\n");
  EXPECT_EQ(held.problems(), "");
  EXPECT_EQ(held.model.features.of<StiffLink>().size(), 2u);
  EXPECT_TRUE(held.model.features.of<constraints::LinearGroup>().empty());
}

TEST(NodeTies, OfHeldNodesAreLinearConstraints) {
  const std::string held = "*SET_NODE_LIST\n7\n2,5,6\n*BOUNDARY_SPC_NODE\n5,0,1\n";
  const BuiltDeck d = plate_and(held + "*CONSTRAINED_NODE_SET\n7,6\n");
  EXPECT_EQ(d.problems(), "");
  EXPECT_TRUE(d.model.node_ties.empty());
  const auto& all = d.model.features.of<constraints::LinearGroup>();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(ids(d.model, all[0].nodes), (std::vector<GlobalId>{2, 5, 6}));
  EXPECT_EQ(all[0].ids.size(), 4u);
  EXPECT_EQ(all[0].terms[0].place, 0);
  EXPECT_EQ(all[0].terms[0].along, (Vec3{1, 0, 0}));
  EXPECT_EQ(all[0].terms[1].place, 1);
  EXPECT_EQ(all[0].terms[1].along, (Vec3{-1, 0, 0}));
  EXPECT_EQ(all[0].terms[6].along, (Vec3{0, 0, 1}));
}

TEST(NodeTies, ReadTheirAxes) {
  const BuiltDeck d = plate_and("*SET_NODE_LIST\n7\n2,5\n*CONSTRAINED_NODE_SET\n7,6,0.5\n");
  EXPECT_EQ(d.problems(), "");
  ASSERT_EQ(d.model.node_ties.size(), 1u);
  EXPECT_EQ(d.model.node_ties[0].mask, 0b101);
  EXPECT_EQ(d.model.node_ties[0].failure_time, 0.5);
  EXPECT_TRUE(plate_and("*SET_NODE_LIST\n7\n2,5\n*CONSTRAINED_NODE_SET\n7,8\n").reported("DOF = 8"));
  EXPECT_TRUE(plate_and("*SET_NODE_LIST\n7\n2,5\n*CONSTRAINED_NODE_SET\n7,1\n*CONSTRAINED_SPOTWELD\n5,6\n")
                  .reported("node 5 is in another tie or weld"));
}

}  // namespace
}  // namespace crumple::model
