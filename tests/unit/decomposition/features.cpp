// What features have of their own is cut to ranks, renumbered and sent like the rest of the model.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "constraints/linear/linear_constraint.hpp"
#include "constraints/tied_nodes/tied_nodes.hpp"
#include "decomposition/distribution.hpp"
#include "loads/airbag/airbag.hpp"
#include "loads/entity/contact_entity.hpp"
#include "loads/part_gravity/part_gravity.hpp"
#include "model/feature.hpp"
#include "springback/initial_state.hpp"
#include "springback/request.hpp"
#include "unit/decomposition/model_bytes.hpp"

namespace crumple::decomposition {
namespace {

/// A strip of shells, each of which is a segment of an airbag, too.
model::Model strip_with_bag(int n) {
  model::Model m;
  m.sections.push_back({});
  m.sections[0].kind = model::ElementKind::shell;
  m.parts.push_back({});
  m.parts[0].section = 0;
  m.parts[0].kind = model::ElementKind::shell;
  loads::Airbag bag;
  bag.id = 4;
  bag.title = "cushion";
  bag.curve = 6;
  for (LocalId i = 0; i <= n; ++i)
    for (LocalId j = 0; j < 2; ++j) {
      m.nodes.id.push_back(1000 - 2 * i - j);
      m.nodes.x.push_back({double(i), double(j), 0.0});
      bag.nodes.push_back(2 * i + j);
    }
  for (LocalId e = 0; e < n; ++e) {
    m.shells.id.push_back(e + 1);
    m.shells.order.push_back(e);
    m.shells.part.push_back(0);
    m.shells.nodes.push_back({2 * e, 2 * e + 2, 2 * e + 3, 2 * e + 1});
    bag.segments.push_back(m.shells.nodes.back());
    bag.order.push_back(e);
  }
  m.features.of<loads::Airbag>().push_back(bag);
  return m;
}

TEST(Features, InputsAreFoundByTheirType) {
  model::FeatureInputs inputs;
  const model::FeatureInputs& read_only = inputs;
  EXPECT_TRUE(read_only.of<loads::Airbag>().empty());
  inputs.of<loads::Airbag>().resize(2);
  inputs.of<int>().push_back(3);
  EXPECT_EQ(read_only.of<loads::Airbag>().size(), 2u);
  EXPECT_EQ(read_only.of<int>(), std::vector<int>{3});
  const model::FeatureInputs copy = inputs;
  inputs.of<int>().clear();
  EXPECT_EQ(copy.of<int>().size(), 1u);
}

TEST(Features, SegmentsOfAnAirbagAreOnOneRankEachWithTheirNodes) {
  const model::Model whole = strip_with_bag(12);
  const Partition parts = partition(whole, 3, Method::rcb);
  const Cutter cutter(whole, parts);
  const loads::Airbag& all = whole.features.of<loads::Airbag>()[0];
  std::map<GlobalId, int> segments, nodes;
  for (int r = 0; r < 3; ++r) {
    const auto sent = to_bytes(cutter.cut(r).model);
    const model::Model m = from_bytes(sent);
    ASSERT_EQ(m.features.of<loads::Airbag>().size(), 1u);
    const loads::Airbag& bag = m.features.of<loads::Airbag>()[0];
    EXPECT_EQ(bag.title, "cushion");
    EXPECT_EQ(bag.curve, 6);  // curves are whole on every rank
    ASSERT_EQ(bag.order.size(), bag.segments.size());
    for (std::size_t k = 0; k < bag.segments.size(); ++k) {
      ++segments[bag.order[k]];
      for (std::size_t a = 0; a < 4; ++a)
        EXPECT_EQ(m.nodes.id[static_cast<std::size_t>(bag.segments[k][a])],
                  whole.nodes
                      .id[static_cast<std::size_t>(all.segments[static_cast<std::size_t>(bag.order[k])][a])]);
    }
    for (const LocalId n : bag.nodes) ++nodes[m.nodes.id[static_cast<std::size_t>(n)]];
  }
  EXPECT_EQ(segments.size(), all.segments.size());
  EXPECT_EQ(nodes.size(), all.nodes.size());
  for (const auto& [order, count] : segments) EXPECT_EQ(count, 1) << "segment " << order;
  for (const auto& [id, count] : nodes) EXPECT_EQ(count, 1) << "node " << id;
}

TEST(Features, ThicknessesOfContactEntitiesStayWithTheirNodes) {
  model::Model whole = strip_with_bag(12);
  loads::ContactEntity entity;
  entity.body = 3;
  entity.axis[2] = {0, 0, 1};
  for (std::size_t n = 0; n < whole.nodes.id.size(); n += 2) {
    entity.nodes.push_back(static_cast<LocalId>(n));
    entity.half_thickness.push_back(static_cast<double>(whole.nodes.id[n]));
  }
  whole.features.of<loads::ContactEntity>().push_back(entity);
  const Partition parts = partition(whole, 3, Method::rcb);
  const Cutter cutter(whole, parts);
  std::set<GlobalId> found;
  for (int r = 0; r < 3; ++r) {
    const model::Model m = from_bytes(to_bytes(cutter.cut(r).model));
    const auto& all = m.features.of<loads::ContactEntity>();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].body, 3);
    EXPECT_EQ(all[0].axis[2], (Vec3{0, 0, 1}));
    ASSERT_EQ(all[0].nodes.size(), all[0].half_thickness.size());
    for (std::size_t k = 0; k < all[0].nodes.size(); ++k) {
      const GlobalId id = m.nodes.id[at(all[0].nodes[k])];
      EXPECT_EQ(all[0].half_thickness[k], static_cast<double>(id));
      found.insert(id);
    }
  }
  EXPECT_EQ(found.size(), entity.nodes.size());
}

TEST(Features, LoadsOnPartsAreWholeOnEveryRank) {
  model::Model whole = strip_with_bag(12);
  whole.features.of<loads::PartGravity>().push_back({{0}, 1, 6, 8, -9.81});
  const Partition parts = partition(whole, 3, Method::rcb);
  const Cutter cutter(whole, parts);
  for (int r = 0; r < 3; ++r) {
    const model::Model m = from_bytes(to_bytes(cutter.cut(r).model));
    const auto& loads = m.features.of<loads::PartGravity>();
    ASSERT_EQ(loads.size(), 1u);
    EXPECT_EQ(loads[0].parts, std::vector<LocalId>{0});
    EXPECT_EQ(loads[0].axis, 1);
    EXPECT_EQ(loads[0].curve, 6);
    EXPECT_EQ(loads[0].relaxation_curve, 8);
    EXPECT_EQ(loads[0].acceleration, -9.81);
  }
  std::set<LocalId> curves;
  for (const model::Feature* const feature : model::features()) feature->add_curves(whole.features, curves);
  EXPECT_TRUE(curves.contains(8));
}

/// A constraint and a tie of nodes at both ends of the strip: a rank with one of them has all.
TEST(Features, LinkedNodesAreTogether) {
  model::Model whole = strip_with_bag(12);
  whole.features.of<constraints::LinearGroup>().push_back(
      {{1, 24}, {31}, {0, 2}, {{0, 0, {1, 0, 0}}, {1, 0, {-1, 0, 0}}}});
  whole.features.of<constraints::TiedNodes>().push_back({5, {0, 12, 25}, 0.1, model::ElementKind::shell});
  const Partition parts = partition(whole, 3, Method::rcb);
  const Cutter cutter(whole, parts);
  int ranks = 0, with_tie = 0;
  for (int r = 0; r < 3; ++r) {
    const model::Model m = from_bytes(to_bytes(cutter.cut(r).model));
    const auto id = [&](LocalId n) { return m.nodes.id[at(n)]; };
    for (const constraints::LinearGroup& group : m.features.of<constraints::LinearGroup>()) {
      ++ranks;
      ASSERT_EQ(group.nodes.size(), 2u);
      EXPECT_EQ(id(group.nodes[0]), whole.nodes.id[1]);
      EXPECT_EQ(id(group.nodes[1]), whole.nodes.id[24]);
      EXPECT_EQ(group.terms.size(), 2u);
    }
    ASSERT_EQ(m.features.of<constraints::TiedNodes>().size(), 1u);  // on all ranks, which sum for it
    const constraints::TiedNodes& tied = m.features.of<constraints::TiedNodes>()[0];
    EXPECT_EQ(tied.failure_strain, 0.1);
    if (tied.nodes.empty()) continue;
    ++with_tie;
    ASSERT_EQ(tied.nodes.size(), 3u);
    EXPECT_EQ(id(tied.nodes[2]), whole.nodes.id[25]);
  }
  EXPECT_EQ(ranks, 2);
  EXPECT_EQ(with_tie, 3);
}

TEST(Features, InitialStressesAreWhereTheirElementsAre) {
  model::Model whole = strip_with_bag(12);
  for (LocalId e = 1; e < 12; e += 2)
    whole.features.of<springback::InitialStress>().push_back(
        {model::ElementKind::shell, e, 1, {1.0 * e, 0, 0, 0, 0, 0, 0, 2.0 * e}});
  whole.features.of<springback::Request>().push_back({{0}, 3, true, {{1000, 7, 1}}});
  const Partition parts = partition(whole, 3, Method::rcb);
  const Cutter cutter(whole, parts);
  std::map<GlobalId, int> found;
  for (int r = 0; r < 3; ++r) {
    const model::Model m = from_bytes(to_bytes(cutter.cut(r).model));
    for (const springback::InitialStress& s : m.features.of<springback::InitialStress>()) {
      const GlobalId order = m.shells.order[at(s.element)];
      ++found[order];
      EXPECT_EQ(s.n_history, 1);
      EXPECT_EQ(s.values.front(), 1.0 * double(order));
      EXPECT_EQ(s.values.back(), 2.0 * double(order));
    }
    const auto& requests = m.features.of<springback::Request>();
    ASSERT_EQ(requests.size(), 1u);
    EXPECT_EQ(requests[0].parts, std::vector<LocalId>{0});
    ASSERT_EQ(requests[0].held.size(), 1u);
    EXPECT_EQ(requests[0].held[0].node, 1000);
  }
  EXPECT_EQ(found.size(), 6u);
  for (const auto& [order, count] : found) EXPECT_EQ(count, 1) << order;
}

TEST(Features, CurvesAndPushedNodesAreTold) {
  const model::Model whole = strip_with_bag(2);
  std::set<LocalId> curves;
  std::vector<LocalId> pushed;
  for (const model::Feature* const feature : model::features()) {
    feature->add_curves(whole.features, curves);
    feature->add_pushed_nodes(whole.features, pushed);
  }
  EXPECT_TRUE(curves.contains(6));
  EXPECT_EQ(std::set<LocalId>(pushed.begin(), pushed.end()).size(), 6u);
}

}  // namespace
}  // namespace crumple::decomposition
