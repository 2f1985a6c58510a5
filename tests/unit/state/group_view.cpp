// Views of groups: the same numbers in double, whatever the precision of the group.
#include "state/group_view.hpp"

#include <gtest/gtest.h>

namespace crumple::state {
namespace {

using model::ElementKind;

/// Shells in a row, one more than a block has.
model::Model strip() {
  model::Model m;
  constexpr int n = elements::kLanes + 1;
  for (int k = 0; k <= n; ++k)
    for (int side = 0; side < 2; ++side) {
      m.nodes.id.push_back(GlobalId(m.nodes.id.size() + 1));
      m.nodes.x.push_back({1.1 * k, 0.7 * side, 0.01 * k * side});
    }
  for (LocalId k = 0; k < n; ++k) {
    m.shells.id.push_back(100 + k), m.shells.order.push_back(k), m.shells.part.push_back(0);
    m.shells.nodes.push_back({2 * k, 2 * k + 2, 2 * k + 3, 2 * k + 1});
  }
  model::Section section;
  section.kind = ElementKind::shell;
  section.elform = 2;
  section.nip = 3;
  section.thickness.fill(0.1);
  m.sections = {section};
  model::Material material;
  material.law = 1;
  material.density = 1e-6;
  material.fields = {{"E", 200.0}, {"PR", 0.3}};
  m.materials = {material};
  m.parts = {model::Part{.id = 1, .section = 0, .material = 0, .kind = ElementKind::shell}};
  return m;
}

template <class T>
class GroupViews : public ::testing::Test {};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(GroupViews, Precisions);

TYPED_TEST(GroupViews, ShowWhatTheGroupHas) {
  const model::Model m = strip();
  auto groups = make_groups<TypeParam>(m, elements::Isa::baseline);
  ASSERT_EQ(groups.size(), 1U);
  ElementGroup<TypeParam>& g = groups[0];
  for (std::size_t k = 0; k < g.state.size(); ++k) g.state[k] = TypeParam(1) / TypeParam(3 + k);
  g.alive[elements::kLanes] = 0;
  g.step[2] = TypeParam(0.7);
  const std::vector<GroupView> views = views_of(groups);
  const GroupView& view = views.at(0);
  ASSERT_EQ(view.count, elements::kLanes + 1);
  EXPECT_EQ(view.blocks(), 2);
  EXPECT_EQ(view.kind(), ElementKind::shell);
  for (std::int32_t e = 0; e < view.count; ++e) {
    EXPECT_EQ(view.id[e], 100 + e);
    EXPECT_EQ(view.is_alive(e), e != elements::kLanes);
    for (int a = 0; a < 4; ++a) EXPECT_EQ(view.node(e, a), m.shells.nodes[e][a]);
    for (int k = 0; k < g.layout.n_vars; ++k) EXPECT_EQ(view.variable(e, k), g.variable(e, k));
  }
  EXPECT_EQ(view.step[2], static_cast<double>(TypeParam(0.7)));
}

TYPED_TEST(GroupViews, SetsVariablesInThePrecisionOfTheGroup) {
  const model::Model m = strip();
  auto groups = make_groups<TypeParam>(m, elements::Isa::baseline);
  const WritableGroup group(groups[0]);
  const double before = group.variable(elements::kLanes - 1, 1);
  group.set_variable(elements::kLanes, 1, 0.1);
  EXPECT_EQ(groups[0].variable(elements::kLanes, 1), static_cast<double>(TypeParam(0.1)));
  EXPECT_EQ(group.variable(elements::kLanes, 1), static_cast<double>(TypeParam(0.1)));
  EXPECT_EQ(group.variable(elements::kLanes - 1, 1), before);
}

}  // namespace
}  // namespace crumple::state
