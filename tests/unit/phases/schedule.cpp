// From decks to phases. 1 rank.
#include "phases/schedule.hpp"

#include <gtest/gtest.h>

#include "../model/built_deck.hpp"

namespace crumple::phases {
namespace {

/// The plate's run ends at 2.
std::vector<Phase> of(const std::string& cards) {
  const model::BuiltDeck built = model::plate_and(cards);
  EXPECT_FALSE(built.reported("error")) << built.problems();
  return schedule(built.model);
}

void expect(const Phase& phase, bool implicit, double begin, double end) {
  EXPECT_EQ(phase.implicit, implicit);
  EXPECT_DOUBLE_EQ(phase.begin, begin);
  EXPECT_DOUBLE_EQ(phase.end, end);
}

TEST(Schedule, OneSchemeIsOnePhase) {
  const std::vector<Phase> run = of("");
  ASSERT_EQ(run.size(), 1u);
  expect(run[0], false, 0.0, 2.0);
  EXPECT_TRUE(run[0].last);
  expect(of("*CONTROL_IMPLICIT_GENERAL\n1,0.1\n").front(), true, 0.0, 2.0);
  ASSERT_EQ(of("*CONTROL_IMPLICIT_GENERAL\n4,0.1\n").size(), 1u);
}

TEST(Schedule, ACurveChangesAtTheLastPointBeforeItDoes) {
  const std::string flag = "*CONTROL_IMPLICIT_GENERAL\n-7,0.1\n*DEFINE_CURVE\n7\n";
  const std::vector<Phase> run = of(flag + "0,1\n0.5,1\n0.6,0\n1.0,0\n1.0,1\n3.0,1\n3.1,0\n");
  ASSERT_EQ(run.size(), 3u);
  expect(run[0], true, 0.0, 0.5);
  expect(run[1], false, 0.5, 1.0);
  expect(run[2], true, 1.0, 2.0);
  EXPECT_FALSE(run[0].last || run[1].last);
  EXPECT_TRUE(run[2].last);
  const std::vector<Phase> late = of(flag + "0,0\n0,1\n1.5,1\n1.5,0\n");  // at once
  ASSERT_EQ(late.size(), 2u);
  expect(late[0], true, 0.0, 1.5);
}

TEST(Schedule, SpringbackFollowsTheRun) {
  const std::string parts = "*SET_PART_LIST\n3\n1\n*INTERFACE_SPRINGBACK_SEAMLESS\n3\n2,7,0\n";
  const std::vector<Phase> alone = of(parts);
  ASSERT_EQ(alone.size(), 2u);
  expect(alone[0], false, 0.0, 2.0);
  expect(alone[1], true, 2.0, 4.0);
  EXPECT_TRUE(alone[1].springback);
  const std::vector<Phase> steps = of(parts + "*CONTROL_IMPLICIT_GENERAL\n2,0.25,,3\n");
  expect(steps[1], true, 2.0, 2.75);
}

TEST(Schedule, RelaxationHasItsOwnTime) {
  const std::vector<Phase> run =
      of("*CONTROL_DYNAMIC_RELAXATION\n,,,0.5,,,,5\n*CONTROL_IMPLICIT_GENERAL\n0,0.25\n");
  ASSERT_EQ(run.size(), 2u);
  expect(run[0], true, 0.0, 0.5);
  EXPECT_TRUE(run[0].before_run);
  expect(run[1], false, 0.0, 2.0);
  EXPECT_EQ(of("*CONTROL_DYNAMIC_RELAXATION\n,,,0.5,,,,5\n*CONTROL_IMPLICIT_GENERAL\n1,0.25\n").size(), 2u);
}

}  // namespace
}  // namespace crumple::phases
