// A run on two ranks goes on, from what it archives, on one: the same bits. With contact, plasticity and
// elements that are deleted before and after.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/packing.hpp"
#include "decomposition/distribution.hpp"
#include "explicit/solver.hpp"
#include "preparation/prepare.hpp"
#include "state/archive_store.hpp"
#include "unit/model/built_deck.hpp"

namespace crumple::explicit_dynamics {
namespace {

constexpr int kSide = 8;

/// A plate of shells: part, first number, height, edge.
void add_plate(std::string& nodes, std::string& shells, int part, int first, double z, double edge) {
  for (int j = 0; j <= kSide; ++j)
    for (int i = 0; i <= kSide; ++i)
      nodes += fmt::format("{},{},{},{}\n", first + j * (kSide + 1) + i, edge * (i - 0.5 * kSide),
                           edge * (j - 0.5 * kSide), z);
  for (int j = 0; j < kSide; ++j)
    for (int i = 0; i < kSide; ++i) {
      const int n = first + j * (kSide + 1) + i;
      shells += fmt::format("{},{},{},{},{},{}\n", first + j * kSide + i, part, n, n + 1, n + kSide + 2,
                            n + kSide + 1);
    }
}

/// A small stiff plate that is shot through a soft one.
std::string shot() {
  std::string nodes, shells, velocities;
  add_plate(nodes, shells, 1, 1, 0.0, 1.0);
  add_plate(nodes, shells, 2, 1001, 0.6, 0.45);
  for (int n = 0; n < (kSide + 1) * (kSide + 1); ++n) velocities += fmt::format("{},0,0,-4\n", 1001 + n);
  return "*KEYWORD\n*CONTROL_TERMINATION\n1.0\n*NODE\n" + nodes + "*ELEMENT_SHELL\n" + shells +
         "*PART\nsoft\n1,1,1\n*PART\nstiff\n2,1,2\n*SECTION_SHELL\n1,2,0.8333,3\n0.2,0.2,0.2,0.2\n"
         "*MAT_PLASTIC_KINEMATIC\n1,1.0,1000.0,0.3,5.0,10.0\n0,0,0.03\n*MAT_ELASTIC\n2,20.0,5000.0,0.3\n"
         "*INITIAL_VELOCITY_NODE\n" +
         velocities + "*CONTACT_AUTOMATIC_SINGLE_SURFACE\n0,0,0\n0.2,0.2\n\n*END\n";
}

model::Model model_of(const std::string& text) {
  model::BuiltDeck built = model::build(text);
  EXPECT_EQ(built.problems(), "");
  return preparation::prepare(std::move(built.model), {}).model;
}

struct Simulation {
  parallel::Communicator comm;
  decomposition::Subdomain subdomain;
  Solver solver;

  Simulation(const parallel::Communicator& of, const model::Model& whole, bool single_precision)
      : comm(of),
        subdomain(decomposition::distribute(comm, &whole, decomposition::Method::rcb)),
        solver(comm, subdomain, {.isa = elements::best_isa(), .single_precision = single_precision}) {}
  void steps(int n) {
    for (int k = 0; k < n; ++k) solver.step(false);
  }
  /// What all ranks say, on each of them.
  state::Store store() {
    state::Store mine, all;
    state::StoreWriter writer(mine);
    solver.archive(writer);
    const std::vector<std::vector<std::byte>> send(static_cast<std::size_t>(comm.size()), pack(mine));
    for (const auto& message : comm.all_to_all(send)) all.merge(Unpacker(message).take<state::Store>());
    return all;
  }
  void take(const state::Store& store) {
    state::StoreReader reader(store);
    solver.archive(reader);
    state::refuse_unread(reader.unread());
  }
};

class Archive : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Precisions, Archive, ::testing::Bool());

TEST_P(Archive, ARunGoesOnAloneFromWhatTwoRanksSay) {
  const model::Model whole = model_of(shot());
  Simulation two(parallel::Communicator(), whole, GetParam());
  ASSERT_EQ(two.comm.size(), 2);
  std::size_t deleted = 0;
  int steps = 0;
  for (; deleted < 4 && steps < 4000; ++steps) {
    two.steps(1);
    deleted = static_cast<std::size_t>(two.comm.sum(static_cast<std::int64_t>(two.solver.deleted_here())));
  }
  ASSERT_LT(steps, 4000);
  const state::Store store = two.store();
  Simulation one(parallel::Communicator(MPI_COMM_SELF), whole, GetParam());
  EXPECT_NE(one.solver.hash(), two.solver.hash());
  one.take(store);
  EXPECT_EQ(one.solver.hash(), two.solver.hash());
  EXPECT_EQ(one.solver.time(), two.solver.time());
  two.steps(300);
  one.steps(300);
  EXPECT_EQ(one.solver.hash(), two.solver.hash());
  EXPECT_EQ(one.solver.dt(), two.solver.dt());
  const auto alone = one.solver.contact_results(), together = two.solver.contact_results();
  EXPECT_EQ(alone[0].sliding_energy(), together[0].sliding_energy());
  EXPECT_EQ(one.solver.deleted_here(),
            static_cast<std::size_t>(two.comm.sum(static_cast<std::int64_t>(two.solver.deleted_here()))));
  EXPECT_GT(one.solver.deleted_here(), deleted);
}

TEST_P(Archive, FieldsAreNamed) {
  const model::Model whole = model_of(shot());
  Simulation run(parallel::Communicator(MPI_COMM_SELF), whole, GetParam());
  run.steps(2);
  state::FieldList list;
  run.solver.archive(list);
  const std::string text = list.text();
  for (const char* name : {"nodes/x", "elements/shell part 1 form 2 section 0/state",
                           "contact/side 0/segments/alive", "solver/time", "solver/deleted elements"})
    EXPECT_NE(text.find(name), std::string::npos) << name << " is not in\n" << text;
}

}  // namespace
}  // namespace crumple::explicit_dynamics
