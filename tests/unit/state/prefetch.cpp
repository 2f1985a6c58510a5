// Nodes that kernels prefetch: each once, before the block that needs it.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "state/groups.hpp"

namespace crumple::state {
namespace {

using elements::kLanes;

/// A sheet of shells in rows of so many; the second half of the rows is another part.
model::Model sheet(int columns, int rows) {
  model::Model m;
  for (int n = 0; n < (columns + 1) * (rows + 1); ++n) {
    m.nodes.id.push_back(n + 1);
    m.nodes.x.push_back({double(n % (columns + 1)), double(n / (columns + 1)), 0.0});
  }
  for (int e = 0; e < columns * rows; ++e) {
    const LocalId n = e / columns * (columns + 1) + e % columns;
    m.shells.order.push_back(e);
    m.shells.id.push_back(e + 1);
    m.shells.part.push_back(e / columns < rows / 2 ? 0 : 1);
    m.shells.nodes.push_back({n, n + 1, n + columns + 2, n + columns + 1});
  }
  model::Section section;
  section.kind = model::ElementKind::shell;
  section.elform = 2;
  section.nip = 2;
  section.thickness.fill(1.0);
  m.sections = {section};
  model::Material material;
  material.law = 1;
  material.density = 1e-6;
  material.fields = {{"E", 200.0}, {"PR", 0.3}};
  m.materials = {material};
  for (const GlobalId id : {1, 2})
    m.parts.push_back(model::Part{.id = id, .section = 0, .material = 0, .kind = model::ElementKind::shell});
  return m;
}

/// Blocks before that in which a group first has one of its nodes, when it is asked for; -1: never.
std::vector<int> blocks_before(const ElementGroup<double>& group, std::span<const LocalId> nodes) {
  std::vector<int> before;
  for (const LocalId node : nodes) {
    const auto has = std::ranges::find(group.nodes, node) - group.nodes.begin();
    const int block = static_cast<int>(has) / (4 * kLanes);
    const auto asked = std::ranges::find(group.prefetch, node);
    const auto row = static_cast<std::int32_t>((asked - group.prefetch.begin()) / kLanes);
    const auto when = std::ranges::upper_bound(group.first_prefetch, row) - group.first_prefetch.begin() - 1;
    before.push_back(asked == group.prefetch.end() ? -1 : block - static_cast<int>(when));
  }
  return before;
}

TEST(NodesAhead, AreThoseThatNoBlockBeforeHadShortlyBeforeTheyAreNeeded) {
  const model::Model m = sheet(100, 40);
  const auto groups = make_groups<double>(m, elements::Isa::baseline);
  ASSERT_EQ(groups.size(), 2u);
  for (const ElementGroup<double>& group : groups) {
    ASSERT_EQ(static_cast<std::int32_t>(group.first_prefetch.size()), group.blocks() + 1);
    EXPECT_EQ(static_cast<std::size_t>(group.first_prefetch.back()) * kLanes, group.prefetch.size());
    const std::set<LocalId> once(group.prefetch.begin(), group.prefetch.end());
    EXPECT_EQ(once.size(), group.prefetch.size()) << "rows of 101 nodes stay in a cache of 32 blocks";
    EXPECT_GE(once.size(), 20 * 101 - kLanes)
        << "but for what the first blocks need, and the part before had";
    const std::vector<LocalId> nodes(once.begin(), once.end());
    for (const int blocks : blocks_before(group, nodes)) EXPECT_TRUE(blocks == 0 || blocks == 1);
  }
}

TEST(NodesAhead, AreAskedForAgainAfterManyBlocks) {
  const model::Model m = sheet(1000, 4);  // a row has 62 blocks
  const auto groups = make_groups<double>(m, elements::Isa::baseline);
  std::multiset<LocalId> asked(groups[0].prefetch.begin(), groups[0].prefetch.end());
  EXPECT_EQ(asked.count(1001 + 500), 2u) << "by the row below and that above";
  EXPECT_EQ(asked.count(500), 1u);
}

}  // namespace
}  // namespace crumple::state
