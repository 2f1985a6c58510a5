// Where tied contacts hold nodes once all of them have moved theirs.
#include "preparation/find_ties.hpp"

#include <gtest/gtest.h>

#include "bench.hpp"

namespace crumple::contact::test {
namespace {

using preparation::find_ties;

using model::TiedOffset;

Vec3 point_of(const model::Model& m, const model::Tie& tie) {
  Vec3 point;
  for (std::size_t k = 0; k < 4; ++k) point += tie.weight[k] * m.nodes.x[tie.nodes[k]];
  return point;
}

/// A plate tied to a second one, and that, by a later contact, moved onto a third that slopes.
Bench three_plates(TiedOffset offset) {
  Bench b;
  b.add_plate({1, 1, 0.3}, {1, 0, 0}, {0, 1, 0}, 2, 2, 0.1);
  b.add_plate({0, 0, 0.2}, {4, 0, 0}, {0, 4, 0}, 2, 2, 0.1);
  b.add_plate({-1, -1, 0}, {6, 0, 0.1}, {0, 6, 0}, 1, 1, 0.1);
  for (const GlobalId part : {1, 2}) {
    model::Contact& c = b.add_contact(model::ContactType::tied_surface_to_surface, part, part + 1);
    c.offset = part == 1 ? offset : TiedOffset::none;
    c.sta = c.stb = -0.3;
  }
  build_surfaces(b.model);
  EXPECT_TRUE(find_ties(b.model).empty());
  EXPECT_EQ(b.model.contacts[0].ties.size(), 9u);
  return b;
}

TEST(FindTies, ArmsAreThoseAfterLaterContactsMovedTheSegments) {
  const Bench b = three_plates(TiedOffset::constrained);
  for (const model::Tie& tie : b.model.contacts[0].ties) {
    EXPECT_NEAR(norm(b.model.nodes.x[tie.node] - point_of(b.model, tie) - tie.arm), 0.0, 1e-14);
    EXPECT_GT(tie.arm.z, 0.2);  // it was 0.1
  }
}

TEST(FindTies, NodesWithoutOffsetStayOnSegmentsThatLaterContactsMove) {
  const Bench b = three_plates(TiedOffset::none);
  for (const model::Tie& tie : b.model.contacts[0].ties) {
    EXPECT_NEAR(norm(b.model.nodes.x[tie.node] - point_of(b.model, tie)), 0.0, 1e-14);
    EXPECT_EQ(tie.arm, Vec3{});
  }
}

TEST(FindTies, SpringsHoldWhatTheConstraintLeavesOut) {
  for (const bool backup : {false, true}) {
    Bench b;
    b.add_plate({1, 1, 0.1}, {1, 0, 0}, {0, 1, 0}, 2, 2, 0.1);
    b.add_plate({0, 0, 0}, {4, 0, 0}, {0, 4, 0}, 2, 2, 0.1);
    model::Contact& c = b.add_contact(model::ContactType::tied_surface_to_surface, 1, 2);
    c.sta = c.stb = -0.3;
    c.backup = backup;
    b.model.rigid_bodies.emplace_back().nodes = {0, 1};
    build_surfaces(b.model);
    EXPECT_EQ(find_ties(b.model).size(), backup ? 0u : 1u);  // CR-C031
    EXPECT_EQ(b.model.contacts[0].ties.size(), 7u);
    EXPECT_EQ(b.model.contacts[0].springs.size(), backup ? 2u : 0u);
    EXPECT_EQ(b.model.nodes.x[0].z, 0.1);  // they stay where they are
    EXPECT_NEAR(b.model.nodes.x[8].z, 0.0, 1e-15);
  }
}

}  // namespace
}  // namespace crumple::contact::test
