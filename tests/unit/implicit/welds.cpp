// Groups of welded nodes, forces of welds in a chain, and when they break; one rank.
#include "implicit/welds.hpp"

#include <gtest/gtest.h>

namespace crumple::implicit {
namespace {

/// Nodes along x, joined in pairs.
model::Model chain(std::size_t nodes, std::vector<std::array<LocalId, 2>> pairs, double normal = 1.0,
                   double shear = 2.0) {
  model::Model m;
  for (std::size_t n = 0; n < nodes; ++n) {
    m.nodes.id.push_back(GlobalId(10 * (n + 1)));
    m.nodes.x.push_back({double(n), 0.0, 0.0});
  }
  for (const auto& pair : pairs) {
    model::Weld weld;
    weld.nodes = pair;
    weld.normal_strength = normal;
    weld.shear_strength = shear;
    weld.normal_power = weld.shear_power = 2.0;
    m.welds.push_back(weld);
  }
  return m;
}

std::span<const Vec3> places(const model::Model& m) { return {m.nodes.x.data(), m.nodes.x.size()}; }

TEST(Welds, GroupsAndTheirNumber) {
  const model::Model m = chain(8, {{4, 3}, {3, 2}, {6, 7}});
  const Welds welds(m);
  const std::vector<std::vector<LocalId>> groups{{2, 3, 4}, {6, 7}};
  EXPECT_EQ(welds.groups(), groups);
  EXPECT_EQ(welds.most_groups(), 2u);
  EXPECT_EQ(Welds(chain(4, {{0, 1}, {1, 2}, {2, 3}})).most_groups(), 2u);
  EXPECT_EQ(Welds(chain(4, {{0, 1}, {1, 2}, {2, 3}}, 0.0, 0.0)).most_groups(), 1u);
  EXPECT_FALSE(Welds(chain(2, {{0, 1}}, 0.0, 0.0)).can_break());
}

/// A force at the end of a chain goes through all of it; the middle link breaks, and two groups are left.
TEST(Welds, ForceOfALinkIsThatOfItsSecondSide) {
  model::Model m = chain(4, {{0, 1}, {2, 1}, {2, 3}});
  m.welds[0].normal_strength = m.welds[2].normal_strength = 5.0;
  Welds welds(m);
  // Loads: -1 at the first node, 0.4 at the third, 0.6 at the last. What holds them is the negative.
  const std::vector<Vec3> held{{1.0, 0, 0}, {}, {-0.4, 0, 0}, {-0.6, 0, 0}};
  welds.measure(held, places(m));
  EXPECT_TRUE(welds.break_overloaded(0.3));
  ASSERT_EQ(welds.breaks().size(), 1u);
  const Welds::Break& b = welds.breaks()[0];
  EXPECT_EQ(b.first, 30);
  EXPECT_EQ(b.second, 20);
  EXPECT_EQ(b.time, 0.3);
  EXPECT_NEAR(b.normal, 1.0, 1e-15);
  EXPECT_NEAR(b.shear, 0.0, 1e-15);
  const std::vector<std::vector<LocalId>> groups{{0, 1}, {2, 3}};
  EXPECT_EQ(welds.groups(), groups);
  EXPECT_FALSE(welds.break_overloaded(0.4));
}

TEST(Welds, BothForcesCountAndPressureDoesNot) {
  const model::Model m = chain(2, {{0, 1}});
  const auto breaks = [&](const Vec3& on_second) {
    Welds welds(m);
    welds.measure(std::vector<Vec3>{-on_second, on_second}, places(m));
    return welds.break_overloaded(0.0);
  };
  EXPECT_FALSE(breaks({-0.99, 0.0, 0.0}));
  EXPECT_TRUE(breaks({-1.0, 0.0, 0.0}));
  EXPECT_FALSE(breaks({50.0, 0.0, 1.99}));
  EXPECT_TRUE(breaks({50.0, 0.0, 2.0}));
  EXPECT_FALSE(breaks({-0.6, 1.59, 0.0}));
  EXPECT_TRUE(breaks({-0.6, 1.61, 0.0}));  // 0.36 + 0.64
}

TEST(Welds, EndAtTheirTime) {
  model::Model m = chain(2, {{0, 1}}, 0.0, 0.0);
  m.welds[0].failure_time = 0.5;
  Welds welds(m);
  EXPECT_TRUE(welds.can_break());
  EXPECT_FALSE(welds.end_at(0.4, 0.1));
  EXPECT_TRUE(welds.end_at(0.4 + 0.1, 0.1));
  EXPECT_TRUE(welds.groups().empty());
}

}  // namespace
}  // namespace crumple::implicit
