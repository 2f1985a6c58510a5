// Passes over nodes: the same bits in one pass as in several and on every instruction set, and nothing done
// to nodes that others place.
#include "explicit/nodal_update.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "explicit/plain_block.hpp"

namespace crumple::explicit_dynamics {
namespace {

constexpr std::size_t kNodes = 302;  // no multiple of what a vector holds
constexpr LocalId kRigid = 7, kHeld = 20;

state::Nodal some_nodes() {
  state::Nodal nodal;
  for (std::size_t i = 0; i < kNodes; ++i) {
    const auto u = static_cast<double>(i);
    nodal.id.push_back(static_cast<GlobalId>(1000 - i));
    nodal.mass.push_back(i % 11 == 0 ? 0.0 : 0.3 + 0.01 * u);
    nodal.inertia.push_back(i % 40 < 12 || i % 11 == 3 ? 0.0 : 1e-3 + 1e-5 * u);
    nodal.v.push_back({std::sin(u), std::cos(u), 0.1 * u});
    nodal.w.push_back({std::cos(3 * u), 0.0, std::sin(2 * u)});
    parallel::LoadSum& loads = nodal.loads.emplace_back();
    loads.force.scale = std::ldexp(1.0, 20 + static_cast<int>(i % 9));
    loads.moment.scale = std::ldexp(1.0, 30 - static_cast<int>(i % 5));
    for (std::size_t k = 0; k < 3; ++k) {
      const auto c = static_cast<double>(k);
      loads.force.sum[k] = static_cast<std::int64_t>(1e12 * std::sin(7 * u + c));
      loads.moment.sum[k] = static_cast<std::int64_t>(1e13 * std::cos(5 * u - c));
    }
  }
  for (std::size_t i = 0; i < kNodes; ++i) nodal.x.push_back({0.1 * static_cast<double>(i), 1.0, -2.0});
  nodal.a.assign(kNodes, Vec3{});
  nodal.alpha.assign(kNodes, Vec3{});
  return nodal;
}

/// Those that this processor and this build have.
std::vector<elements::Isa> instruction_sets() {
  std::vector<elements::Isa> all;
  for (int i = 0; i <= static_cast<int>(elements::best_isa()); ++i)
    all.push_back(static_cast<elements::Isa>(i));
  return all;
}

constexpr double kNoneRead = std::numeric_limits<double>::infinity();

NodalUpdate update(elements::Isa isa = elements::Isa::baseline) {
  std::vector<char> rigid(kNodes, 0);
  rigid[kRigid] = 1;
  NodalUpdate update(rigid, isa);
  update.hold(kHeld);
  return update;
}

class Passes : public testing::TestWithParam<std::tuple<std::size_t, elements::Isa>> {};

TEST_P(Passes, GiveTheSameBits) {
  constexpr double dt = 1e-3;
  const auto [ahead, isa] = GetParam();
  state::Nodal together = some_nodes(), apart = some_nodes();
  const state::Nodal before = some_nodes();
  NodalUpdate a = update(isa), b = update();
  EXPECT_EQ(a.accelerate(together, false, ahead), kNoNode);
  EXPECT_EQ(b.accelerate(apart, true, 0), kNoNode);
  EXPECT_TRUE(together.a[kHeld] == apart.a[kHeld]);
  together.a[kHeld] = apart.a[kHeld] = {};
  const double fastest2 = a.advance(together, dt, kNoneRead).fastest2;
  EXPECT_EQ(fastest2, b.advance(apart, dt, kNoneRead).fastest2);
  for (std::size_t i = 0; i < kNodes; ++i) {
    if (i == kRigid) continue;
    EXPECT_TRUE(together.v[i] == apart.v[i] && together.w[i] == apart.w[i]) << i;
    EXPECT_TRUE(together.loads[i].is_zero()) << i;
    EXPECT_EQ(apart.loads[i].force.sum, before.loads[i].force.sum) << i;
    EXPECT_LE(dot(together.v[i], together.v[i]), fastest2) << i;
  }
  const double expected = before.v[1].x + dt * (1.0 / before.mass[1]) * before.force_at(1).x;
  EXPECT_NEAR(together.v[1].x, expected, 1e-14 * std::abs(expected));
  EXPECT_TRUE(together.v[kHeld] == before.v[kHeld]);
  EXPECT_EQ(together.loads[kRigid].force.sum, before.loads[kRigid].force.sum);
  for (auto [passes, nodal] : {std::pair(&a, &together), std::pair(&b, &apart)}) {
    passes->clear_forces(*nodal);
    for (const parallel::LoadSum& sum : nodal->loads) EXPECT_TRUE(sum.is_zero());
  }
}

INSTANTIATE_TEST_SUITE_P(Ahead, Passes,
                         testing::Combine(testing::Values(0, 100, 2 * kNodes),
                                          testing::ValuesIn(instruction_sets())));

TEST(NodalUpdate, StoresAccelerationsWhereTheyAreRead) {
  const state::Nodal before = some_nodes();
  const auto stored = [&](NodalUpdate& passes, double read_above) {
    state::Nodal nodal = some_nodes();
    nodal.a.assign(kNodes, {1.0, 2.0, 3.0});
    passes.accelerate(nodal, false, 0);
    passes.advance(nodal, 1e-3, read_above);
    const auto is_stored = [&](std::size_t i) {
      const double inverse = before.mass[i] > 0.0 ? 1.0 / before.mass[i] : 0.0;
      return nodal.a[i] == inverse * before.force_at(static_cast<LocalId>(i));
    };
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < kNodes; ++i) {
      if (i == kRigid || i == kHeld) continue;
      if (is_stored(i)) found.push_back(i);
      EXPECT_TRUE(is_stored(i) || norm(nodal.v[i]) <= read_above) << i;
    }
    return found;
  };
  for (const elements::Isa isa : instruction_sets()) {
    NodalUpdate passes = update(isa);
    EXPECT_TRUE(stored(passes, kNoneRead).empty());
    EXPECT_EQ(stored(passes, -1.0).size(), kNodes - 2);
    state::Nodal moved = some_nodes();
    passes.accelerate(moved, false, 0);
    const double fastest = std::sqrt(passes.advance(moved, 1e-3, kNoneRead).fastest2);
    const std::size_t some = stored(passes, 0.99 * fastest).size();
    EXPECT_GT(some, 0);
    EXPECT_LT(some, 9);
    const std::vector<LocalId> read{2, 50, static_cast<LocalId>(kNodes - 1), static_cast<LocalId>(kRigid)};
    passes.watch(read);
    const std::vector<std::size_t> found = stored(passes, kNoneRead);
    for (const std::size_t i : {std::size_t{2}, std::size_t{50}, kNodes - 1})
      EXPECT_TRUE(std::ranges::find(found, i) != found.end()) << i;
    passes.watch({});
    EXPECT_TRUE(stored(passes, kNoneRead).empty());
  }
}

TEST(NodalUpdate, MovesNodesThatNothingElsePlaces) {
  std::vector<char> welded(kNodes, 0);
  welded[30] = welded[kNodes - 1] = 1;
  const state::Nodal before = some_nodes();
  for (const elements::Isa isa : instruction_sets()) {
    state::Nodal nodal = some_nodes();
    const Fastest fastest = update(isa).advance_positions(nodal, welded, 0.3);
    double moved2 = 0.0, of_all2 = 0.0;
    for (std::size_t i = 0; i < kNodes; ++i) {
      const bool moves = i != kRigid && !welded[i];
      const Vec3 expected = moves ? before.x[i] + 0.3 * before.v[i] : before.x[i];
      EXPECT_TRUE(nodal.x[i] == expected) << i;
      const double speed2 = dot(before.v[i], before.v[i]);
      of_all2 = std::max(of_all2, speed2);
      if (moves) moved2 = std::max(moved2, speed2);
    }
    EXPECT_EQ(fastest.moved2, moved2);
    EXPECT_EQ(fastest.of_all2, of_all2);
    EXPECT_LT(moved2, of_all2);
  }
}

TEST(NodalUpdate, NamesTheLeastNodeThatHasOverflowed) {
  for (const elements::Isa isa : instruction_sets()) {
    state::Nodal nodal = some_nodes();
    nodal.loads[200].force.sum[0] = std::numeric_limits<std::int64_t>::min();
    nodal.loads[190].force.sum[1] = parallel::kOverflow;  // not yet
    nodal.loads[150].moment.sum[2] = parallel::kOverflow + 1;
    nodal.loads[201].moment.sum[2] = -parallel::kOverflow - 1;
    NodalUpdate passes = update(isa);
    EXPECT_EQ(passes.accelerate(nodal, false, 180), 850);
    EXPECT_EQ(passes.advance(nodal, 1e-3, kNoneRead).overflow, 799);
  }
}

TEST(LeastStep, IsOfBlocksInWhichAllLive) {
  std::vector<float> step(elements::kLanes, 3.0F), alive(elements::kLanes, 1.0F);
  step[13] = 2.0F;
  EXPECT_EQ(least_step_of_living(step.data(), alive.data()), 2.0F);
  for (const float bad : {0.0F, -1.0F, std::nanf("")}) {
    step[6] = bad;
    EXPECT_EQ(least_step_of_living(step.data(), alive.data()), 0.0F);
  }
  step[6] = 1.5F;
  EXPECT_EQ(least_step_of_living(step.data(), alive.data()), 1.5F);
  alive[9] = 0.0F;
  EXPECT_EQ(least_step_of_living(step.data(), alive.data()), 0.0F);
}

}  // namespace
}  // namespace crumple::explicit_dynamics
