// Links by springs in the solver: the motion of a mass on one, and what two bodies keep.
#include "constraints/stiff_links/stiff_links.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "decomposition/distribution.hpp"
#include "explicit/solver.hpp"
#include "preparation/prepare.hpp"
#include "small_world.hpp"
#include "unit/explicit/archived_decks.hpp"
#include "unit/model/built_deck.hpp"

namespace crumple::test {
namespace {

using constraints::StiffLinks;
using explicit_dynamics::DeckText;

/// A solver of a deck on one rank.
struct Joined {
  model::Model whole;
  decomposition::Subdomain subdomain;
  explicit_dynamics::Solver solver;

  explicit Joined(const DeckText& deck)
      : whole(model_of(deck.text())),
        subdomain(decomposition::distribute(alone(), &whole, decomposition::Method::rcb)),
        solver(alone(), subdomain, {.isa = elements::best_isa()}) {}

  static model::Model model_of(const std::string& text) {
    model::BuiltDeck built = model::build(text);
    EXPECT_FALSE(built.deck.has_errors()) << built.problems();
    return preparation::prepare(std::move(built.model), {}).model;
  }
  const StiffLinks& links() const { return *solver.modules().find<StiffLinks>(); }
};

/// A mass with the speed 1 along x, beside a rigid block that is held; its number.
int put_mass_beside_block(DeckText& deck) {
  deck.part(1, "SOLID,1", "RIGID,7.85e-6,210.,0.3|1.,7,7");
  deck.block(1, {1, 1, 1}, {0, 0, 0}, {10, 10, 10});
  const int node = deck.node({13, 10, 10});
  deck.add(fmt::format("*ELEMENT_MASS\n1,{},0.002\n*INITIAL_VELOCITY_NODE\n{},1.", node, node));
  return node;
}

/// u'' = -(theta / dt)^2 (u + 2 xi dt / theta u'), with the velocity of the half step before; without a
/// spring in the first step, whose length is not known before.
void expect_oscillation(const Joined& start, Joined& run, int node) {
  constexpr double theta = 0.6, xi = 0.15;
  const auto& ids = start.solver.nodal().id;
  const auto n = static_cast<std::size_t>(std::ranges::find(ids, node) - ids.begin());
  const double first = start.solver.nodal().x[n].x;
  double u = 0, v = 1, dt = 0;
  for (int k = 0; k < 30; ++k) {
    run.solver.step(false);
    if (k == 0) dt = run.solver.dt();
    ASSERT_EQ(run.solver.dt(), dt);
    if (k > 0) v -= theta * theta * u / dt + 2 * theta * xi * v;
    u += dt * v;
    EXPECT_NEAR(run.solver.nodal().x[n].x - first, u, 1e-8 * dt) << "step " << k;
  }
}

TEST(StiffLinks, AMassOnARodOscillatesAsTheStiffnessSays) {
  DeckText deck;
  const int node = put_mass_beside_block(deck);
  deck.add(fmt::format("*CONSTRAINED_RIVET\n{},8", node));
  Joined start(deck), run(deck);
  expect_oscillation(start, run, node);
}

TEST(StiffLinks, AMassOnAnArmDoes) {
  DeckText deck;
  const int node = put_mass_beside_block(deck);
  deck.add(fmt::format("*CONSTRAINED_SPOTWELD\n{},8,1e6,1e6,1.,1.", node));
  Joined start(deck), run(deck);
  expect_oscillation(start, run, node);
}

/// Momentum, and angular momentum about the origin, of all bodies.
std::array<Vec3, 2> momenta(const constraints::RigidBodies& bodies) {
  Vec3 linear, angular;
  for (int b = 0; b < bodies.size(); ++b) {
    linear += bodies.momentum(b);
    angular += bodies.angular_momentum(b) + cross(bodies.motion(b).centre, bodies.momentum(b));
  }
  return {linear, angular};
}

TEST(StiffLinks, TwoBodiesKeepTheirMomenta) {
  for (const char* const link : {"*CONSTRAINED_SPOTWELD\n{},{},1e6,1e6,1.,1.", "*CONSTRAINED_RIVET\n{},{}"}) {
    DeckText deck;
    for (const int part : {1, 2}) deck.part(part, "SOLID,1", "RIGID,7.85e-6,210.,0.3|0.|");
    const auto low = deck.block(1, {1, 1, 1}, {0, 0, 0}, {10, 10, 10});
    const auto high = deck.block(2, {1, 1, 1}, {2, 3, 14}, {6, 8, 5});
    deck.add(fmt::format(fmt::runtime(link), low[7], high[0]));
    deck.set("PART", 9, {2});
    deck.add("*INITIAL_VELOCITY_GENERATION\n9,1,0.5,4.,-3.,2.\n5.,7.,16.,0.,0.6,0.8");
    Joined run(deck);
    const auto before = momenta(run.solver.rigid_bodies());
    const double energy = run.solver.rigid_bodies().kinetic_energy_now(1);
    for (int k = 0; k < 400; ++k) run.solver.step(false);
    const auto after = momenta(run.solver.rigid_bodies());
    EXPECT_LT(norm(after[0] - before[0]), 1e-8 * norm(before[0]));
    EXPECT_LT(norm(after[1] - before[1]), 1e-8 * norm(before[1]));
    const auto& bodies = run.solver.rigid_bodies();
    EXPECT_GT(norm(bodies.momentum(0)), 0.1 * norm(before[0]));
    EXPECT_LT(bodies.kinetic_energy_now(0) + bodies.kinetic_energy_now(1), energy * (1 + 1e-9));
    const StiffLinks::State& state = run.links().states().front();
    EXPECT_NEAR(bodies.kinetic_energy_now(0) + bodies.kinetic_energy_now(1) + state.work, energy,
                0.02 * energy);
  }
}

}  // namespace
}  // namespace crumple::test
