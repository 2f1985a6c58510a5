// A kind of elements that only this test has goes where kinds go: counts, partition, order of nodes, masses,
// groups.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "decomposition/node_order.hpp"
#include "decomposition/partition.hpp"
#include "model/element_rows.hpp"
#include "state/groups.hpp"

namespace crumple::state {
namespace {

using model::ElementKind;

constexpr auto kParticle = static_cast<ElementKind>(7);

struct Particles {
  std::vector<GlobalId> id, order;
  std::vector<LocalId> part;
  std::vector<std::array<LocalId, 1>> nodes;
};
Particles particles;  // a model has no array for them

template <class T>
void no_forces(const elements::KernelArguments<T>& a) {
  for (std::int32_t b = a.begin; b < a.end; ++b)
    for (int l = 0; l < elements::kLanes; ++l) a.stable_step[b * elements::kLanes + l] = T(0.5);
}

elements::Formulation particle() {
  elements::Formulation f{};
  f.name = "particle";
  f.kind = kParticle;
  f.elform = 1;
  f.n_nodes = 1;
  f.cost = 3.0;
  f.prepare = [](const model::Section&, const model::Control&, elements::GroupParameters&) {};
  f.layout = [](const elements::GroupParameters&) {
    elements::StateLayout layout;
    layout.n_vars = 2;
    return layout;
  };
  f.mass = [](const elements::ElementInput&, const elements::GroupParameters& g) {
    elements::NodalShare share;
    share.mass[0] = g.density;
    return share;
  };
  f.initialise = [](const elements::ElementInput& in, const elements::GroupParameters&,
                    std::span<double> variables) { variables[1] = in.x[0].x; };
  return f;
}

const model::detail::RegisterElementKind kind_row({kParticle, "particle", 1, true, false,
                                                   model::PlotArray::none, [](const model::Model& m) {
                                                     return m.nodes.size() == 5 ? model::rows_of(particles)
                                                                                : model::ElementRows{};
                                                   }});
const elements::detail::RegisterFormulation formulation(particle());
const elements::detail::RegisterKernel kernel(elements::Isa::baseline, kParticle, 1, no_forces<float>,
                                              no_forces<double>);

/// One shell, and a particle at its first node and at another one.
model::Model model_with_particles() {
  model::Model m;
  for (int n = 0; n < 5; ++n) m.nodes.id.push_back(n + 1), m.nodes.x.push_back({1.0 * n, 1.0 * (n % 2), 0.0});
  m.shells.id = {10}, m.shells.order = {0}, m.shells.part = {0}, m.shells.nodes = {{0, 2, 3, 1}};
  model::Section shell, point;
  shell.kind = ElementKind::shell, shell.elform = 2, shell.nip = 2, shell.thickness.fill(1.0);
  point.kind = kParticle, point.elform = 1;
  m.sections = {shell, point};
  model::Material material;
  material.law = 1, material.density = 2.5, material.fields = {{"E", 200.0}, {"PR", 0.3}};
  m.materials = {material};
  m.parts = {model::Part{.id = 1, .section = 0, .material = 0, .kind = ElementKind::shell},
             model::Part{.id = 2, .section = 1, .material = 0, .kind = kParticle, .element_cost = 4.0}};
  particles = {{70, 71}, {0, 1}, {1, 1}, {{4}, {0}}};
  return m;
}

TEST(ElementKinds, AreKnownByNumberAndName) {
  EXPECT_EQ(model::element_kinds().back().kind, kParticle);
  EXPECT_STREQ(model::kind_name(kParticle), "particle");
  EXPECT_EQ(model::kind_named("beam"), ElementKind::beam);
  EXPECT_EQ(model::kind_named("particle"), kParticle);
  EXPECT_EQ(model::kind_named("brick"), ElementKind::none);
  EXPECT_STREQ(model::kind_name(ElementKind::none), "none");
}

TEST(ElementKinds, TheSameTwiceIsAnError) {
  model::ElementKindInfo same = model::info(kParticle);
  EXPECT_THROW(model::detail::RegisterElementKind{same}, Error);
  same.kind = static_cast<ElementKind>(8);  // the name is taken
  EXPECT_THROW(model::detail::RegisterElementKind{same}, Error);
}

TEST(ElementKinds, AKindThatIsOnlyARowIsPartitioned) {
  const model::Model m = model_with_particles();
  EXPECT_EQ(model::element_count(m), 3u);
  const auto points = decomposition::element_points(m);
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[1].centre, m.nodes.x[4]);
  EXPECT_EQ(points[1].cost, 4.0);
  const decomposition::Partition p = decomposition::partition(m, 2, decomposition::Method::rcb);
  EXPECT_EQ(p.of[kParticle].size(), 2u);
  EXPECT_EQ(decomposition::node_order(m), (std::vector<LocalId>{0, 2, 3, 1, 4}));
}

TEST(ElementKinds, AKindThatIsOnlyARowHasGroups) {
  const model::Model m = model_with_particles();
  EXPECT_EQ(compact(m, kParticle, 1).nodes, std::vector<LocalId>{0});
  model::Model alone = m;
  alone.shells = {};
  std::vector<ElementGroup<double>> groups = make_groups<double>(alone, elements::Isa::baseline);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].kind(), kParticle);
  EXPECT_EQ(groups[0].count, 2);
  EXPECT_EQ(groups[0].id[0], 70);
  EXPECT_EQ(groups[0].node(0, 0), 4);
  EXPECT_EQ(groups[0].variable(0, 1), 4.0);
  parallel::LoadSum none{};
  groups[0].run(Nodal{}, &none, 0.0, 0.0, 0, groups[0].blocks());
  EXPECT_EQ(groups[0].step[1], 0.5);
}

TEST(ElementKinds, PerKindHasRoomForEveryKind) {
  model::PerKind<int> counts;
  EXPECT_EQ(counts.items_.size(), static_cast<std::size_t>(kParticle) + 1);
  const int* const first = counts.items_.data();
  counts[kParticle] = 3;
  EXPECT_EQ(counts[kParticle], 3);
  EXPECT_EQ(counts[ElementKind::shell], 0);
  EXPECT_EQ(counts.items_.data(), first) << "threads look at once, so access must not grow it";
}

}  // namespace
}  // namespace crumple::state
