// The elements of a rank through the interface that the solver has: copies, scaled steps, searches.
#include "explicit/elements.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace crumple::explicit_dynamics {
namespace {

using model::ElementKind;

constexpr int kShells = elements::kLanes + 3;

/// Shells in a row that become narrower, in motion.
struct Strip {
  model::Model model;
  state::Nodal nodal;
  std::unique_ptr<Elements> elements;

  explicit Strip(bool single_precision, int threads = 1) {
    for (int k = 0; k <= kShells; ++k)
      for (int side = 0; side < 2; ++side) {
        model.nodes.id.push_back(GlobalId(model.nodes.id.size() + 1));
        model.nodes.x.push_back({10.0 * std::sqrt(1.0 + k), 4.0 * side, 0.0});
      }
    for (LocalId k = 0; k < kShells; ++k) {
      model.shells.id.push_back(500 - k), model.shells.order.push_back(k), model.shells.part.push_back(0);
      model.shells.nodes.push_back({2 * k, 2 * k + 2, 2 * k + 3, 2 * k + 1});
    }
    model::Section section;
    section.kind = ElementKind::shell;
    section.elform = 2;
    section.nip = 2;
    section.thickness.fill(0.5);
    model.sections = {section};
    model::Material material;
    material.law = 1;
    material.density = 7.8e-6;
    material.fields = {{"E", 210.0}, {"PR", 0.3}};
    model.materials = {material};
    model.parts = {model::Part{.id = 7, .section = 0, .material = 0, .kind = ElementKind::shell}};
    nodal.id = model.nodes.id;
    nodal.x.assign(model.nodes.x.begin(), model.nodes.x.end());
    nodal.w.resize(nodal.size());
    for (std::size_t n = 0; n < nodal.size(); ++n) nodal.v.push_back({0.1 * n, 0.02 * n * n, 0.3 * (n % 3)});
    nodal.loads = parallel::zero_loads(nodal.size(), 0x1p40, 0x1p40);
    const std::vector<char> shared(nodal.size(), 0);
    elements = make_elements(single_precision, model, elements::Isa::baseline, shared, nodal.loads, threads);
  }

  void compute() {
    elements->add_border(nodal, 0.0, 1e-3, model::Stage::transient);
    elements->add_interior(nodal, 0.0, 1e-3, model::Stage::transient);
  }
};

class OfEitherPrecision : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Elements, OfEitherPrecision, ::testing::Bool());

TEST_P(OfEitherPrecision, CopiesOfAllDoWhatTheElementsWillDo) {
  Strip strip(GetParam());
  std::vector<LocalId> all, none;
  for (LocalId e = 0; e < kShells; ++e) all.push_back(kShells - 1 - e);
  const auto copies = strip.elements->copies([&](ElementKind kind) -> const std::vector<LocalId>& {
    return kind == ElementKind::shell ? all : none;
  });
  auto loads = strip.nodal.loads;
  copies->add_forces(strip.nodal, loads, 0.0, 1e-3);
  strip.compute();
  bool any = false;
  for (std::size_t n = 0; n < loads.size(); ++n)
    for (int k = 0; k < 3; ++k) {
      any = any || loads[n].force.sum[k] != 0;
      EXPECT_EQ(loads[n].force.sum[k], strip.nodal.loads[n].force.sum[k]);
      EXPECT_EQ(loads[n].moment.sum[k], strip.nodal.loads[n].moment.sum[k]);
    }
  EXPECT_TRUE(any);
  ASSERT_EQ(copies->groups().size(), 1U);
  const auto &copy = copies->groups()[0], &original = strip.elements->groups()[0];
  for (std::int32_t e = 0; e < kShells; ++e)
    for (int k = 0; k < copy.layout.n_vars; ++k) EXPECT_EQ(copy.variable(e, k), original.variable(e, k));
}

TEST_P(OfEitherPrecision, CopiesOfOneTouchItsNodesAlone) {
  Strip strip(GetParam());
  const std::vector<LocalId> third{3}, none;
  const auto copies = strip.elements->copies([&](ElementKind kind) -> const std::vector<LocalId>& {
    return kind == ElementKind::shell ? third : none;
  });
  copies->add_forces(strip.nodal, strip.nodal.loads, 0.0, 1e-3);
  for (LocalId n = 0; n < LocalId(strip.nodal.size()); ++n) {
    const bool at_element = std::ranges::count(strip.model.shells.nodes[3], n) > 0;
    EXPECT_EQ(norm(strip.nodal.force_at(n)) > 0, at_element) << n;
  }
}

/// Every element of one block has so many times its own mass.
struct HeavyBlock : MassFactors {
  std::int32_t heavy;
  std::vector<double> factors;
  HeavyBlock(std::int32_t block, double factor) : heavy(block), factors(elements::kLanes, factor) {}
  std::span<const double> of_block(std::size_t, std::int32_t block, double) override {
    return block == heavy ? factors : std::span<const double>();
  }
};

TEST_P(OfEitherPrecision, StepsGoWithTheRootOfTheMass) {
  Strip strip(GetParam(), 2);
  strip.compute();
  const state::GroupView& group = strip.elements->groups()[0];
  std::vector<double> before;
  for (std::int32_t e = 0; e < kShells; ++e) before.push_back(group.step[e]);
  HeavyBlock heavy(0, 4.0);
  strip.elements->scale_steps(true, heavy);
  strip.elements->scale_steps(false, heavy);
  double smallest = kNoLimit;
  for (std::int32_t e = 0; e < kShells; ++e) {
    EXPECT_EQ(group.step[e], e < elements::kLanes ? 2.0 * before[e] : before[e]);
    smallest = std::min(smallest, group.step[e]);
  }
  EXPECT_EQ(strip.elements->smallest_step(), smallest);
}

TEST_P(OfEitherPrecision, SearchesNameTheElements) {
  Strip strip(GetParam());
  strip.compute();
  const auto groups = strip.elements->groups();
  const auto steps = shortest_steps(groups, strip.model, 4);
  ASSERT_EQ(steps.size(), 4U);
  EXPECT_TRUE(std::ranges::is_sorted(steps, {}, [](const auto& s) { return s.first; }));
  EXPECT_EQ(steps[0].first, strip.elements->smallest_step());
  const ElementName least = element_with_step(groups, strip.model, strip.elements->smallest_step());
  EXPECT_EQ(least.id, steps[0].second.id);
  EXPECT_EQ(least.part, 7);
  EXPECT_EQ(first_broken(groups, strip.model).kind, ElementKind::none);
  const Suspect suspect = suspect_at(groups, strip.model, 2);  // of the first two shells
  EXPECT_EQ(suspect.step, std::min(groups[0].step[0], groups[0].step[1]));
  EXPECT_FALSE(limits(suspect_at(groups, strip.model, LocalId(strip.nodal.size())).step));
}

}  // namespace
}  // namespace crumple::explicit_dynamics
