// Runs of ties: each tie in one, and no two add to one node unless both are known to meet others.
#include "contact/tied/tie_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace crumple::contact {
namespace {

using Segment = std::array<LocalId, 4>;

/// Three ties to each quadrilateral of a strip; successive segments share two nodes.
std::vector<Segment> strip(int segments) {
  std::vector<Segment> of_ties;
  for (int s = 0; s < segments; ++s)
    for (int k = 0; k < 3; ++k) of_ties.push_back({2 * s, 2 * s + 1, 2 * s + 3, 2 * s + 2});
  return of_ties;
}

bool share_node(const Segment& a, const Segment& b) { return std::ranges::find_first_of(a, b) != a.end(); }

TEST(TieRuns, MarkJustThoseThatShareANodeWithAnotherRun) {
  std::vector<Segment> ties = strip(25);
  ties[1] = ties[70];  // far from its neighbours
  for (const std::size_t runs : {1, 2, 3, 7}) {
    std::vector<std::size_t> run_of(ties.size(), runs);
    for (std::size_t run = 0; run < runs; ++run)
      for (std::size_t k = run_begin(ties.size(), run, runs); k < run_begin(ties.size(), run + 1, runs);
           ++k) {
        EXPECT_EQ(run_of[k], runs);
        run_of[k] = run;
      }
    const std::vector<char> meets = find_meetings(ties, runs, 52);
    ASSERT_EQ(meets.size(), ties.size());
    for (std::size_t k = 0; k < ties.size(); ++k) {
      EXPECT_LT(run_of[k], runs);
      bool shares = false;
      for (std::size_t j = 0; j < ties.size(); ++j)
        shares = shares || (run_of[j] != run_of[k] && share_node(ties[j], ties[k]));
      EXPECT_EQ(meets[k] != 0, shares) << k << " of " << runs << " runs";
    }
  }
}

}  // namespace
}  // namespace crumple::contact
