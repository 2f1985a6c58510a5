// Layers that are plotted; sizes of snapshots.
#include "output/results.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "unit/output/sample_model.hpp"

namespace crumple::output {

namespace {

std::vector<std::pair<int, int>> pairs(int nip, int maxint) {
  std::vector<std::pair<int, int>> result;
  for (const LayerPick& pick : plot_layers(nip, maxint)) result.emplace_back(pick.first, pick.second);
  return result;
}

using Pairs = std::vector<std::pair<int, int>>;

}  // namespace

TEST(PlotLayers, ThreeAreMiddleInnerOuter) {
  EXPECT_EQ(pairs(5, 3), (Pairs{{2, 2}, {0, 0}, {4, 4}}));
  EXPECT_EQ(pairs(4, 3), (Pairs{{1, 2}, {0, 0}, {3, 3}}));  // the middle lies between two points
  EXPECT_EQ(pairs(2, 3), (Pairs{{0, 1}, {0, 0}, {1, 1}}));
  EXPECT_EQ(pairs(1, 3), (Pairs{{0, 0}, {0, 0}, {0, 0}}));
}

TEST(PlotLayers, OtherNumbersAreTheFirstPoints) {
  EXPECT_EQ(pairs(5, 2), (Pairs{{0, 0}, {1, 1}}));
  EXPECT_EQ(pairs(2, 4), (Pairs{{0, 0}, {1, 1}, {1, 1}, {1, 1}}));
  EXPECT_EQ(pairs(3, 5).size(), 5u);
}

TEST(CheckSizes, AcceptsTheSampleAndEmptyArrays) {
  const Catalogue c = sample::catalogue();
  const Layout layout{5, 2, 8, 1, 4, true};
  PlotState s = sample::plot_state(c, layout, 1);
  EXPECT_NO_THROW(check_sizes(c, layout, s));
  s.v.clear(), s.shells.stress.clear(), s.beams.alive.clear();
  EXPECT_NO_THROW(check_sizes(c, layout, s));
}

TEST(CheckSizes, NamesTheArray) {
  const Catalogue c = sample::catalogue();
  PlotState s = sample::plot_state(c, {}, 1);
  s.shells.thickness.pop_back();
  try {
    check_sizes(c, {}, s);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "CR-O001");
    EXPECT_EQ(error.message(), "plot_state has 5 values of shell thickness, expected 6");
  }
  s = sample::plot_state(c, {}, 1);
  s.x.clear();
  EXPECT_THROW(check_sizes(c, {}, s), Error);
}

}  // namespace crumple::output
