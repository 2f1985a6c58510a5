// Passes over ties have the bits of plain code on every instruction set, and leave it what they cannot treat.
#include "contact/tied/tie_passes.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace crumple::contact {

namespace {

/// Ties of nodes 0 to 19 to segments of nodes 20 to 59.
class TiePassesOn : public testing::TestWithParam<int> {
 protected:
  TiePassesOn() : loads(60), v(60), w(60), mass(60, 0.0), inertia(60, 0.0), ties(20) {
    for (std::size_t n = 0; n < loads.size(); ++n) {
      loads[n].force.scale = n % 3 == 0 ? 0x1p20 : 0x1p24;
      loads[n].moment.scale = 0x1p17;
      loads[n].force.sum = {whole(), whole(), whole()};
      loads[n].moment.sum = {whole(), whole(), whole()};
      v[n] = some(), w[n] = some();
    }
    for (std::size_t k = 0; k < ties.size(); ++k) {
      HeldTie& tie = ties[k];
      tie.node = static_cast<LocalId>(k);
      for (int a = 0; a < 4; ++a) tie.nodes[a] = static_cast<LocalId>(20 + (2 * k + 3 * a) % 40);
      tie.weight = {0.1, 0.2, 0.3, 0.4};
      if (k % 4 == 1) tie.nodes[3] = tie.nodes[2], tie.weight = {0.1, 0.2, 0.7, 0.0};
      if (k % 5 != 2) tie.arm = some();
      tie.kind = model::ElementKind::shell;
      tie.rotations = k % 3 != 0;
      tie.mine = true;
    }
  }
  double number() { return std::uniform_real_distribution<double>(-1.0, 1.0)(random); }
  Vec3 some() { return {number(), number(), number()}; }
  std::int64_t whole() { return static_cast<std::int64_t>(0x1p40 * number()); }
  const TiePasses& passes() const { return tie_passes(static_cast<elements::Isa>(GetParam())); }
  bool treats_none() const { return static_cast<elements::Isa>(GetParam()) == elements::Isa::baseline; }
  std::size_t give() {
    return passes().give(ties, 0, ties.size(), mass.data(), inertia.data(), loads.data());
  }

  std::mt19937 random{3};
  AlignedVector<parallel::LoadSum> loads;
  AlignedVector<Vec3> v, w;
  std::vector<double> mass, inertia;
  std::vector<HeldTie> ties;
};

TEST_P(TiePassesOn, GiveTheLoadsOfPlainCode) {
  if (treats_none()) GTEST_SKIP() << "plain code treats all";
  auto expected = loads;
  for (const HeldTie& tie : ties) {
    const Vec3 force = expected[tie.node].force.value();
    Vec3 moment = cross(tie.arm, force);
    if (tie.rotations) moment += expected[tie.node].moment.value();
    for (int a = 0; a < 4; ++a) {
      expected[tie.nodes[a]].force.add(tie.weight[a] * force);
      expected[tie.nodes[a]].moment.add(tie.weight[a] * moment);
    }
  }
  ASSERT_EQ(give(), ties.size());
  for (std::size_t n = 0; n < loads.size(); ++n) {
    EXPECT_EQ(loads[n].force.sum, expected[n].force.sum) << n;
    EXPECT_EQ(loads[n].moment.sum, expected[n].moment.sum) << n;
    EXPECT_EQ(loads[n].force.scale, expected[n].force.scale) << n;
    EXPECT_EQ(loads[n].moment.scale, expected[n].moment.scale) << n;
  }
}

TEST_P(TiePassesOn, LeaveToPlainCodeWhatTheyCannotTreat) {
  if (treats_none()) GTEST_SKIP() << "plain code treats all";
  const std::vector<HeldTie> all = ties;
  const auto stops_at_seven = [&](auto change) {
    ties = all;
    change(ties[7]);
    const auto before = loads;
    EXPECT_EQ(give(), 7U);
    loads = before;
  };
  stops_at_seven([](HeldTie& tie) { tie.alive = false; });
  stops_at_seven([](HeldTie& tie) { tie.mine = false; });
  stops_at_seven([](HeldTie& tie) { tie.shared = true; });
  stops_at_seven([](HeldTie& tie) { tie.meets = true; });
  stops_at_seven([](HeldTie& tie) { tie.torsion = true; });
  stops_at_seven([](HeldTie& tie) { tie.kind = model::ElementKind::solid; });
  stops_at_seven([this](HeldTie& tie) { mass[tie.node] = 1.0; });
  mass[7] = 0.0;
  stops_at_seven([this](HeldTie& tie) { inertia[tie.node] = 1.0; });
  inertia[7] = 0.0;
  stops_at_seven([this](HeldTie& tie) { loads[tie.node].force.sum[1] = std::int64_t{1} << 60; });
}

TEST_P(TiePassesOn, MoveAsPlainCodeDoes) {
  if (treats_none()) GTEST_SKIP() << "plain code treats all";
  constexpr double dt = 0.01;
  auto expected_v = v, expected_w = w;
  std::vector<Vec3> arms;
  for (const HeldTie& tie : ties) {
    Vec3 point, spin;
    for (int a = 0; a < 4; ++a) {
      point += tie.weight[a] * v[tie.nodes[a]];
      spin += tie.weight[a] * w[tie.nodes[a]];
    }
    Vec3 arm = tie.arm;
    if (!(arm == Vec3{})) {
      const Vec3 theta = dt * spin, once = cross(theta, arm);
      arm = arm + (1.0 / (1.0 + 0.25 * dot(theta, theta))) * (once + 0.5 * cross(theta, once));
      point += (1.0 / dt) * (arm - tie.arm);
    }
    arms.push_back(arm);
    expected_v[tie.node] = point;
    if (tie.rotations) expected_w[tie.node] = spin;
  }
  ASSERT_EQ(passes().move(ties, 0, ties.size(), dt, v.data(), w.data()), ties.size());
  for (std::size_t n = 0; n < v.size(); ++n) {
    EXPECT_TRUE(v[n] == expected_v[n]) << n;
    EXPECT_TRUE(w[n] == expected_w[n]) << n;
  }
  for (std::size_t k = 0; k < ties.size(); ++k) EXPECT_TRUE(ties[k].arm == arms[k]) << k;
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, TiePassesOn,
                         testing::Range(0, static_cast<int>(elements::best_isa()) + 1));

}  // namespace
}  // namespace crumple::contact
