// Turns of free bodies by lanes: the bits of each body by itself, on every instruction set.
#include "constraints/free_turns.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace crumple::constraints {

namespace {

constexpr double kStep = 0.3;

std::vector<FreeTurn> some_bodies(int number) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  const auto some = [&] { return Vec3{u(random), u(random), u(random)}; };
  std::vector<FreeTurn> bodies(static_cast<std::size_t>(number));
  for (FreeTurn& body : bodies) {
    for (int k = 0; k < 3; ++k) body.inverse[k][k] = 1.0 + u(random) * 0.9;
    body.inverse[0].y = body.inverse[1].x = 0.05 * u(random);
    body.momentum = some();
    body.orientation = unit({u(random), some()});
  }
  bodies[0].momentum = {};
  bodies[1].momentum = {500.0, 400.0, 1.0};  // too fast
  return bodies;
}

/// As for one body: FreeTurn of `cayley_turn`.
FreeTurn alone(FreeTurn body) {
  const auto spin_at = [&](const Matrix3& r) {
    return r * (body.inverse * transpose_times(r, body.momentum));
  };
  const Vec3 w_start = spin_at(matrix(body.orientation));
  const std::optional<Vec3> turn = cayley_turn(body.orientation, w_start, kStep, true, spin_at);
  body.found = turn.has_value();
  body.theta = turn.value_or(kStep * w_start);
  body.orientation = unit(cayley(body.theta) * body.orientation);
  body.w_end = spin_at(matrix(body.orientation));
  return body;
}

class FreeTurnsOn : public testing::TestWithParam<int> {};

TEST_P(FreeTurnsOn, HaveTheBitsOfOneBody) {
  for (const int number : {2, 3, 8, 21}) {
    std::vector<FreeTurn> turns = some_bodies(number), expected;
    for (const FreeTurn& body : turns) expected.push_back(alone(body));
    find_free_turns(static_cast<elements::Isa>(GetParam()))(turns.data(), number, kStep);
    for (std::size_t k = 0; k < turns.size(); ++k) {
      EXPECT_EQ(turns[k].found, expected[k].found) << k;
      EXPECT_TRUE(turns[k].theta == expected[k].theta) << k;
      EXPECT_TRUE(turns[k].w_end == expected[k].w_end) << k;
      EXPECT_EQ(turns[k].orientation.s, expected[k].orientation.s) << k;
      EXPECT_TRUE(turns[k].orientation.v == expected[k].orientation.v) << k;
    }
    EXPECT_TRUE(turns[0].found);
    EXPECT_FALSE(turns[1].found);
  }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, FreeTurnsOn,
                         testing::Range(0, static_cast<int>(elements::best_isa()) + 1));

}  // namespace
}  // namespace crumple::constraints
