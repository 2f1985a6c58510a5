// Forces of elements in the first cycle of a run from dynain are those at the end of the run that wrote it.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <map>

#include "decomposition/distribution.hpp"
#include "explicit/solver.hpp"
#include "explicit/solver_results.hpp"
#include "output/dynain/dynain.hpp"
#include "preparation/prepare.hpp"
#include "unit/explicit/archived_decks.hpp"
#include "unit/model/built_deck.hpp"

namespace crumple::explicit_dynamics {
namespace {

constexpr const char* kSteel = "PIECEWISE_LINEAR_PLASTICITY,7.85e-6,210.,0.3,0.25,1.0|0|0|0";

constexpr const char* kKinematic = "PLASTIC_KINEMATIC,7.85e-6,210.,0.3,0.25,1.0,0.2|0|";

/// What both runs have. Bulk viscosity, which ends with the first run, is off.
void add_parts(DeckText& deck) {
  deck.part(1, "SHELL,16,0.8333,5|1,1,1,1", kSteel);
  deck.part(2, "SHELL,4,0.8333,3|1,1,1,1", kKinematic);
  deck.part(3, "SOLID,2", kKinematic);
  deck.part(4, "BEAM,1,1.0,2|2,2,2,2", kSteel);
  deck.part(5, "BEAM,3|3.", kSteel);
  deck.add("*CONTROL_BULK_VISCOSITY\n1e-30,1e-30");
  deck.add("*SET_PART_LIST\n9\n1,2,3,4,5\n*INTERFACE_SPRINGBACK_LSDYNA\n9,6");
}

/// Shells, solids and beams whose nodes fly apart and yield.
std::string first_deck() {
  DeckText deck(10.0);
  add_parts(deck);
  std::vector<int> nodes = deck.plate(1, 3, 2, {0, 0, 0}, {6, 0, 1}, {0, 4, 0});
  const std::vector<int> corners = deck.plate(1, 1, 1, {20, 0, 0}, {3, 0, 1}, {0, 2, 0});
  nodes.insert(nodes.end(), corners.begin(), corners.end());
  const int a = deck.node({0, 10, 0}), b = deck.node({3, 10, 0}), c = deck.node({0, 13, 1});
  deck.element("SHELL", 2, {a, b, c, c});
  const std::vector<int> bricks = deck.block(3, {2, 1, 1}, {0, 20, 0}, {6, 3, 3});
  nodes.insert(nodes.end(), bricks.begin(), bricks.end());
  const int d = deck.node({0, 30, 0}), e = deck.node({3, 30, 0}), f = deck.node({3, 33, 1}),
            third = deck.node({0, 30, 5});
  deck.element("BEAM", 4, {d, e, third});
  deck.element("BEAM", 5, {e, f});
  nodes.insert(nodes.end(), {a, b, c, d, e, f});
  deck.add("*INITIAL_VELOCITY_NODE");
  for (std::size_t k = 0; k < nodes.size(); ++k)
    deck.add(fmt::format("{},{},{},{}", nodes[k], 30 * std::sin(1.0 + 3.0 * double(k)),
                         30 * std::sin(2.0 + 5.0 * double(k)), 30 * std::cos(7.0 * double(k))));
  return deck.text();
}

struct Simulation {
  parallel::Communicator comm;
  model::Model whole;
  decomposition::Subdomain subdomain;
  Solver solver;

  explicit Simulation(const std::string& text)
      : whole(model_of(text)),
        subdomain(decomposition::distribute(comm, &whole, decomposition::Method::rcb)),
        solver(comm, subdomain, {.isa = elements::best_isa()}) {}
  static model::Model model_of(const std::string& text) {
    model::BuiltDeck built = model::build(text);
    EXPECT_FALSE(built.deck.has_errors()) << built.problems();
    return preparation::prepare(std::move(built.model), {}).model;
  }
  /// Force and moment of each node, by number.
  std::map<GlobalId, std::array<Vec3, 2>> forces() const {
    std::map<GlobalId, std::array<Vec3, 2>> all;
    const state::Nodal& n = solver.nodal();
    for (std::size_t k = 0; k < n.size(); ++k)
      all[n.id[k]] = {n.loads[k].force.value(), n.loads[k].moment.value()};
    return all;
  }
};

TEST(Springback, ForcesOfTheFirstCycleAreThoseOfTheLast) {
  const auto path = std::filesystem::temp_directory_path() / fmt::format("crumple-dynain-{}", ::getpid());
  Simulation first(first_deck());
  for (int k = 0; k < 400; ++k) first.solver.step(false);
  first.solver.step(true);
  ASSERT_TRUE(output::write_dynain(first.comm, first.subdomain, SolverResults(first.solver), path.string(),
                                   "a test"));
  DeckText next(10.0);
  add_parts(next);
  next.add(fmt::format("*INCLUDE\n{}", path.string()));
  Simulation second(next.text());
  std::filesystem::remove(path);
  second.solver.step(true);
  const auto before = first.forces(), after = second.forces();
  std::array<double, 2> largest{}, difference{};
  for (const auto& [node, now] : after)
    for (const std::size_t k : {0, 1}) {
      largest[k] = std::max(largest[k], norm(before.at(node)[k]));
      difference[k] = std::max(difference[k], norm(now[k] - before.at(node)[k]));
    }
  EXPECT_GT(largest[0], 0.1);
  EXPECT_GT(largest[1], 0.01);
  EXPECT_LT(difference[0], 1e-12 * largest[0]);
  EXPECT_LT(difference[1], 1e-12 * largest[1]);
  const Balance kept = second.solver.balance();
  EXPECT_GT(kept.parts.internal, 1e-3 * first.solver.balance().parts.internal);
  EXPECT_LT(kept.parts.internal, first.solver.balance().parts.internal);
}

}  // namespace
}  // namespace crumple::explicit_dynamics
