// A run on two ranks goes on, from what it archives, on one and on two: the same bits. With contact,
// plasticity and elements that are deleted before and after, and all that constraints and loads carry.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <map>
#include <ostream>
#include <tuple>

#include "base/packing.hpp"
#include "constraints/prescribed_motion.hpp"
#include "decomposition/distribution.hpp"
#include "explicit/solver.hpp"
#include "loads/nodal/nodal_loads.hpp"
#include "loads/pressure/pressure_loads.hpp"
#include "preparation/prepare.hpp"
#include "state/archive_store.hpp"
#include "state/saved_rows.hpp"
#include "unit/explicit/archived_decks.hpp"
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
  EXPECT_FALSE(built.deck.has_errors()) << built.problems();
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
    std::vector<std::string> unread;  // by any rank
    std::map<std::string, std::int64_t> ranks;
    for (const auto& name : reader.unread()) ranks[name] = 1;
    for (const auto& [name, field] : store.fields)
      if (comm.sum(ranks[name]) == comm.size()) unread.push_back(name);
    state::refuse_unread(unread);
  }
  /// What is not in the hash: energies, forces, what broke.
  std::vector<double> results() {
    solver.step(true);
    const Balance b = solver.balance();
    std::vector<double> all{solver.time(),
                            solver.dt(),
                            b.total,
                            b.initial,
                            b.external_work,
                            b.damping,
                            b.sliding,
                            b.stonewall,
                            b.joint,
                            b.added_mass,
                            b.eroded_kinetic,
                            static_cast<double>(solver.broken_welds().size()),
                            static_cast<double>(solver.deleted_elements().size())};
    for (const contact::ContactResult& r : solver.contact_results())
      all.insert(all.end(), {norm(r.force_a), norm(r.force_b), r.sliding_energy()});
    for (const constraints::RigidBodyState& s : solver.rigid_bodies().kept_states())
      all.insert(all.end(), {norm(s.velocity), norm(s.rotation), norm(s.acceleration)});
    const constraints::RigidBodies& bodies = solver.rigid_bodies();
    for (int body = 0; body < bodies.size(); ++body)
      if (bodies.drive(body).work != 0.0)  // then all ranks advance it
        all.insert(all.end(), {bodies.drive(body).work, norm(bodies.bearing(body).moment)});
    std::array<parallel::ExactSum, 4> sums;  // of nodes
    const modules::Modules& modules = solver.modules();
    for (const DeletedElement& e : solver.deleted_elements())
      all.insert(all.end(), {e.time, static_cast<double>(e.name.id), static_cast<double>(e.cause)});
    for (const auto& broken : solver.broken_welds()) all.insert(all.end(), {broken.time, broken.normal});
    if (const auto* loads = modules.find<loads::NodalLoads>())
      for (const auto& f : loads->forces()) sums[0] += f.work;
    if (const auto* loads = modules.find<loads::PressureLoads>())
      for (const auto& f : loads->forces()) sums[1] += f.work;
    if (const auto* motion = modules.find<constraints::PrescribedMotion>())
      for (const auto& d : motion->drives(solver.nodal())) sums[2] += d.work;
    const std::vector<double> added = solver.mass_scaling().of_nodes(solver.nodal(), false);
    for (std::size_t n = 0; n < added.size(); ++n)
      if (subdomain.nodes.owns(n)) sums[3] += added[n];
    parallel::ExactSum::reduce(comm, sums);
    for (const parallel::ExactSum& sum : sums) all.push_back(sum.value());
    std::vector<std::byte> bytes = pack(all);  // some of it is known on rank 0 only
    comm.broadcast(bytes);
    return Unpacker(bytes).take<std::vector<double>>();
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

struct Case {
  const char* name;
  std::string deck;
  std::vector<const char*> fields;  ///< among those that are not all zero
  bool relaxes = false;
};
void PrintTo(const Case& which, std::ostream* out) { *out << which.name; }

std::vector<Case> cases() {
  return {
      {"ties", tied_deck("_CONSTRAINED_OFFSET"), {"ties/arm", "ties/let go", "ties/lost energy"}},
      {"springs", tied_deck("_OFFSET"), {"tie springs/loads/force", "tie springs/work"}},
      {"breaking ties",
       breaking_deck(),
       {"breaking ties/damage", "breaking ties/loads/force", "breaking ties/work"}},
      {"welds",
       welded_deck(),
       {"spot welds/group/inverse", "spot welds/break/normal", "spot welds/past/force",
        "rigid bodies/body/v"}},
      {"links by springs", sprung_deck(), {"stiff links/link/work", "stiff links/link/end"}},
      {"links of nodes", linked_deck(), {"linear constraints/work/done", "tied nodes/strain"}},
      {"contact entities",
       entity_deck(),
       {"contact entities/acted", "contact entities/force", "contact entities/friction",
        "contact entities/stiffness", "contact entities/work"}},
      {"joints",
       jointed_deck(),
       {"joints/stiffness", "joints/work/after", "joint stiffness/memory/friction", "interpolations/arm",
        "rigid bodies/prescribed motion/position", "rigid body loads/work/done", "rigid walls/pushed at",
        "rigid walls/velocity", "rigid walls/impacts/done", "body loads/work", "mass damping/energy"}},
      {"loads",
       loaded_deck("0.,0.9,0,0.,-4e-4"),
       {"prescribed motion/start/position", "nodal loads/load/force", "pressure loads/segment/work",
        "pressure loads/ended", "body loads/last acceleration", "part gravity/last acceleration",
        "part gravity/work", "mass scaling/factor solid", "elements/longer shell", "mass damping/energy",
        "interior contacts/force", "strains/"}},
      {"belts",
       belted_deck(),
       {"belts/element/length", "belts/sensor/triggered", "belts/retractor/pull_out", "belts/ring/slip",
        "belts/pretensioner/fired", "belts/work", "belts in run/last velocity"}},
      // Elements are deleted for their steps, with the mass that they got at the start.
      {"short steps",
       loaded_deck("0.,0.9,0,0.,-4e-4,0,11,1", "*CONTROL_TERMINATION\n1.0,0,0.9"),
       {"elements/least step solid", "solver/deleted element/cause"}},
      {"relaxation",
       loaded_deck("0.,0.9",
                   "*CONTROL_DYNAMIC_RELAXATION\n10,1e-12,,,,,,1\n*INITIAL_VELOCITY_NODE\n81,1.,2.,3."),
       {"dynamic relaxation/v"},
       true},
  };
}

class GoesOn : public ::testing::TestWithParam<std::tuple<Case, bool>> {};
INSTANTIATE_TEST_SUITE_P(Decks, GoesOn, ::testing::Combine(::testing::ValuesIn(cases()), ::testing::Bool()));

/// From three moments, on one rank and on two; relaxation ends between the second and the third.
TEST_P(GoesOn, WithTheSameBits) {
  const auto& [which, single_precision] = GetParam();
  const model::Model whole = model_of(which.deck);
  Simulation run(parallel::Communicator(), whole, single_precision);
  // In every cycle: whether the last force of a segment that is deleted counts in the sliding energy depends
  // on whether a sort comes with the deletion, and after reading sorts come at other times.
  const auto sort_always = [](Simulation& s) { s.solver.contact().set_margin(1e-9); };
  sort_always(run);
  // Contact asks for the first step before any forces.
  EXPECT_GT(run.solver.modules().stable_step(run.solver.rigid_bodies()), 0.0);
  if (which.relaxes) run.solver.begin_relaxation();
  run.results();  // the energy at the start, too, is carried
  std::deque<Simulation> alone, together;
  std::string said;
  const auto all = [&](auto&& act) {
    act(run);
    for (auto* list : {&alone, &together})
      for (Simulation& other : *list) act(other);
  };
  for (const int more : {1, 40, 150}) {
    all([&](Simulation& s) { s.steps(more); });
    const state::Store store = run.store();
    alone.emplace_back(parallel::Communicator(MPI_COMM_SELF), whole, single_precision).take(store);
    sort_always(alone.back());
    together.emplace_back(parallel::Communicator(), whole, single_precision).take(store);
    sort_always(together.back());
    for (const auto& [name, field] : store.fields)
      if (std::ranges::any_of(field.values, [](std::byte b) { return b != std::byte{0}; }))
        said += name + "\n";
    if (which.relaxes && more == 40) all([](Simulation& s) { s.solver.end_relaxation(); });
  }
  all([](Simulation& s) { s.steps(150); });
  for (const char* field : which.fields) EXPECT_NE(said.find(field), std::string::npos) << field;
  const std::uint64_t hash = run.solver.hash();
  const std::vector<double> results = run.results();
  for (auto* list : {&alone, &together})
    for (Simulation& other : *list) {
      EXPECT_EQ(other.solver.hash(), hash);
      EXPECT_EQ(other.results(), results);
    }
}

}  // namespace
}  // namespace crumple::explicit_dynamics
