// Partitions balance, and cut models hold every element once and every needed node.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "decomposition/distribution.hpp"
#include "decomposition/node_order.hpp"
#include "decomposition/partition.hpp"
#include "unit/decomposition/model_bytes.hpp"

namespace crumple::decomposition {
namespace {

/// A sheet of n x n shells in one part.
model::Model sheet(int n) {
  model::Model m;
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) {
      m.nodes.id.push_back(1000 + j * (n + 1) + i);
      m.nodes.x.push_back({double(i), double(j), 0.0});
    }
  const auto node = [n](int i, int j) { return static_cast<LocalId>(j * (n + 1) + i); };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      m.shells.order.push_back(static_cast<GlobalId>(m.shells.size()));
      m.shells.id.push_back(7 + 3 * m.shells.order.back());
      m.shells.part.push_back(0);
      m.shells.nodes.push_back({node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)});
    }
  m.sections.push_back({});
  m.sections[0].kind = model::ElementKind::shell;
  m.sections[0].elform = 2;
  m.parts.push_back({});
  m.parts[0].section = 0;
  m.parts[0].kind = model::ElementKind::shell;
  m.masses.add(1, 0, 2.0);
  return m;
}

class Partitions : public testing::TestWithParam<std::tuple<int, Method>> {};

TEST_P(Partitions, BalanceAndCoverTheModel) {
  const auto [ranks, method] = GetParam();
  const model::Model whole = sheet(20);
  const Partition parts = partition(whole, ranks, method);
  const Cutter cutter(whole, parts);
  std::multiset<GlobalId> elements;
  std::map<GlobalId, int> owners;
  std::size_t masses = 0;
  for (int r = 0; r < ranks; ++r) {
    const Subdomain subdomain = cutter.cut(r);
    EXPECT_NEAR(static_cast<double>(subdomain.model.shells.size()), 400.0 / ranks,
                0.08 * 400.0 / ranks + 1.0);
    for (const GlobalId id : subdomain.model.shells.id) elements.insert(id);
    for (std::size_t e = 0; e < subdomain.model.shells.size(); ++e)
      for (int c = 0; c < 4; ++c) {
        const auto order = static_cast<std::size_t>(subdomain.model.shells.order[e]);
        EXPECT_EQ(subdomain.model.nodes.id[subdomain.model.shells.nodes[e][c]],
                  whole.nodes.id[whole.shells.nodes[order][c]]);
      }
    for (const LocalId n : subdomain.nodes.owned()) ++owners[subdomain.model.nodes.id[n]];
    masses += subdomain.model.masses.size();
  }
  EXPECT_EQ(elements.size(), 400u);
  EXPECT_EQ(std::set<GlobalId>(elements.begin(), elements.end()).size(), 400u);
  EXPECT_EQ(owners.size(), whole.nodes.size());
  for (const auto& [id, count] : owners) EXPECT_EQ(count, 1) << "node " << id;
  EXPECT_EQ(masses, 1u);
}

/// Whatever numbers the deck gave: nodes of a sheet are met row by row, a rank's as all are.
TEST(NodeOrder, IsThatInWhichElementsComeToThem) {
  model::Model whole = sheet(3);
  const std::array<LocalId, 16> of_sheet{0, 1, 5, 4, 2, 6, 3, 7, 9, 8, 10, 11, 13, 12, 14, 15};
  EXPECT_TRUE(std::ranges::equal(node_order(whole), of_sheet));

  whole.parts.push_back(whole.parts[0]);
  whole.parts[1].rigid_body = 0;
  for (std::size_t e = 0; e < 6; ++e) whole.shells.part[e] = 1;
  whole.nodes.id.push_back(1);  // no element has it
  whole.nodes.x.push_back({});
  const std::array<LocalId, 17> deformable_first{8, 9, 13, 12, 10, 14, 11, 15, 0, 1, 5, 4, 2, 6, 3, 7, 16};
  EXPECT_TRUE(std::ranges::equal(node_order(whole), deformable_first));

  whole.masses = {};
  const Partition parts = partition(whole, 2, Method::rcb);
  const Cutter cutter(whole, parts);
  for (int r = 0; r < 2; ++r) {
    const Subdomain subdomain = cutter.cut(r);
    const auto mine = subdomain.nodes.global();
    std::vector<std::ptrdiff_t> places;
    for (const GlobalId n : mine)
      places.push_back(std::ranges::find(deformable_first, n) - deformable_first.begin());
    EXPECT_TRUE(std::ranges::is_sorted(places));
  }
}

TEST_P(Partitions, NeighboursListTheSameNodes) {
  const auto [ranks, method] = GetParam();
  const model::Model whole = sheet(12);
  const Partition parts = partition(whole, ranks, method);
  const Cutter cutter(whole, parts);
  std::vector<Subdomain> shares;
  for (int r = 0; r < ranks; ++r) shares.push_back(cutter.cut(r));
  const auto ids_with = [&](int r, int other) {
    std::vector<GlobalId> ids;
    const parallel::IndexMap& nodes = shares[r].nodes;
    for (std::size_t k = 0; k < nodes.neighbours().size(); ++k)
      if (nodes.neighbours()[k] == other)
        for (const LocalId n : nodes.shared(k)) ids.push_back(shares[r].model.nodes.id[n]);
    return ids;
  };
  for (int a = 0; a < ranks; ++a)
    for (int b = 0; b < ranks; ++b) EXPECT_EQ(ids_with(a, b), ids_with(b, a));
}

INSTANTIATE_TEST_SUITE_P(Ranks, Partitions,
                         testing::Combine(testing::Values(1, 2, 3, 7),
                                          testing::Values(Method::rcb, Method::metis)));

TEST(Partition, RefusesMoreRanksThanElements) { EXPECT_THROW(partition(sheet(2), 5, Method::rcb), Error); }

TEST(Partition, TiesAreOnTheSurfacesOfTheirContact) {
  model::Model m = sheet(4);
  m.contacts.push_back({});
  m.contacts[0].id = 9;
  for (const std::size_t shell : {0, 5, 10, 15}) {  // the diagonal: ten shells have three nodes of these
    model::Tie tie;
    tie.node = 0;
    tie.nodes = m.shells.nodes[shell];
    m.contacts[0].ties.push_back(tie);
  }
  Directions directions;
  directions.regions.push_back({});
  directions.regions[0].contacts = {9};
  directions.regions[0].ranks = 1;
  const Partition parts = partition(m, 2, Method::rcb, directions);
  std::array<std::ptrdiff_t, 2> count{};
  for (const int rank : parts.of[model::ElementKind::shell]) ++count[static_cast<std::size_t>(rank)];
  EXPECT_EQ(std::max(count[0], count[1]), 10 + 3);  // and half of the other six
}

TEST(Archive, ReturnsWhatWasPacked) {
  model::Model m = sheet(3);
  m.control.title = "a title";
  m.materials.push_back({});
  m.materials[0].fields["SIGY"] = 0.25;
  m.contacts.push_back({});
  m.contacts[0].a.segments.push_back({});
  m.contacts[0].a.segments[0].order = 42;
  const auto bytes = to_bytes(m);
  const model::Model back = from_bytes(bytes);
  EXPECT_EQ(to_bytes(back), bytes);
  EXPECT_EQ(back.control.title, "a title");
  EXPECT_EQ(back.materials[0].field("SIGY"), 0.25);
  EXPECT_EQ(back.contacts[0].a.segments[0].order, 42);
}

}  // namespace
}  // namespace crumple::decomposition
