// Decks that others wrote: read without errors, with every field accounted for.
#include <gtest/gtest.h>

#include "built_deck.hpp"
#include "model/check.hpp"

namespace crumple::model {
namespace {

struct RealDeck {
  const char* path;
  std::size_t nodes, shells, solids, beams, bodies, contacts;
};

class RealDecks : public testing::TestWithParam<RealDeck> {};

std::filesystem::path decks() { return std::filesystem::path(CRUMPLE_SOURCE_DIR) / "../shared/decks"; }

TEST_P(RealDecks, AreReadWithoutErrors) {
  if (!std::filesystem::exists(decks())) GTEST_SKIP() << "no folder " << decks();
  const RealDeck& want = GetParam();
  const BuiltDeck d = build_file((decks() / want.path).string());
  EXPECT_FALSE(d.deck.has_errors()) << d.problems();
  EXPECT_FALSE(d.reported("CR-D201")) << "a field that nobody read:\n" << d.problems();
  EXPECT_EQ(d.model.nodes.size(), want.nodes);
  EXPECT_EQ(d.model.shells.size(), want.shells);
  EXPECT_EQ(d.model.solids.size(), want.solids);
  EXPECT_EQ(d.model.beams.size(), want.beams);
  EXPECT_EQ(d.model.rigid_bodies.size(), want.bodies);
  EXPECT_EQ(d.model.contacts.size(), want.contacts);
  EXPECT_FALSE(d.model.initial_velocities.empty());
  EXPECT_GT(check_model(d.model).mass, 0.0);
}

INSTANTIATE_TEST_SUITE_P(Decks, RealDecks,
                         testing::Values(RealDeck{"pydyna/taylor_bar/input.k", 1122, 0, 768, 0, 0, 0},
                                         RealDeck{"pydyna/pipe_whip/pipe.k", 2049, 1400, 304, 0, 2, 2},
                                         RealDeck{"pydyna/pendulum/pendulum.k", 784, 768, 0, 8, 2, 1},
                                         RealDeck{"pydyna/bar_impact/input.k", 1411, 256, 768, 0, 0, 1},
                                         RealDeck{"dynakw/mat_piecewise_linear.plate-shatter.k", 1285, 1201,
                                                  0, 0, 0, 1},
                                         RealDeck{"boxdrop/box_drop_openrs.k", 1452, 100, 1000, 0, 0, 1}),
                         [](const auto& deck) {
                           return std::filesystem::path(deck.param.path).stem().string().substr(0, 3) +
                                  std::to_string(deck.index);
                         });

}  // namespace
}  // namespace crumple::model
