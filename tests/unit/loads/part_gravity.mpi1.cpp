// Body forces on parts: the fraction of shared nodes, momentum through ties, rigid bodies, work, archives.
#include <gtest/gtest.h>

#include <cmath>

#include "../constraints/small_world.hpp"
#include "decomposition/distribution.hpp"
#include "explicit/solver.hpp"
#include "loads/part_gravity/part_gravities.hpp"
#include "preparation/prepare.hpp"
#include "state/archive_store.hpp"
#include "unit/explicit/archived_decks.hpp"
#include "unit/model/built_deck.hpp"

namespace crumple::test {
namespace {

using explicit_dynamics::DeckText;

model::Model prepared(const std::string& text) {
  model::BuiltDeck built = model::build(text);
  EXPECT_EQ(built.problems(), "");
  return preparation::prepare(std::move(built.model), {}).model;
}

decomposition::Subdomain alone_with(const model::Model& whole) {
  return decomposition::distribute(alone(), &whole, decomposition::Method::rcb);
}

/// The plate of two shells; the second is of another part that is twice as dense. Its nodes 2 and 5 are
/// shared. The value of the load's curve is 2.
std::string plate_of_two_parts(const std::string& more) {
  std::string text = model::kPlate;
  text.replace(text.find("12,1,"), 5, "12,2,");
  return text + "*PART\nsecond\n2,1,2\n*MAT_ELASTIC\n2,4.0,100.0,0.3\n*DEFINE_CURVE\n1\n0,2\n9,2\n" + more +
         "*END\n";
}

/// The loads of a model without ties, and its nodes.
struct Loaded {
  decomposition::Subdomain subdomain;
  parallel::Halo halo;
  state::Nodal nodal;
  constraints::RigidBodies bodies;
  loads::PartGravities loads;

  explicit Loaded(const model::Model& whole)
      : subdomain(alone_with(whole)),
        halo(alone(), subdomain.nodes),
        nodal(state::make_nodal(subdomain, alone(), halo)),
        bodies(subdomain.model, nodal, alone()),
        loads(
            subdomain.model, nodal, nodal.mass, [](std::vector<double> mass) { return mass; }, halo,
            alone()) {}
  /// Nothing but the loads.
  void steps(int first, int count, double dt) {
    for (int k = first; k < first + count; ++k) {
      std::ranges::fill(nodal.a, Vec3{});
      loads.pull(nodal, bodies, dt * k, k == 0 ? 0.0 : dt, model::Stage::transient);
      loads.accelerate(nodal, bodies);
      for (std::size_t i = 0; i < nodal.size(); ++i) {
        nodal.v[i] += (k == 0 ? 0.5 : 1.0) * dt * nodal.a[i];
        nodal.x[i] += dt * nodal.v[i];
      }
    }
  }
};

TEST(PartGravity, ASharedNodeHasTheLoadedPartsFractionOfTheAcceleration) {
  Loaded world(prepared(plate_of_two_parts("*LOAD_GRAVITY_PART\n2,3,1,5.\n")));
  world.steps(0, 1, 0.01);
  Vec3 force;
  for (std::size_t i = 0; i < 6; ++i) {
    const Vec3& a = world.nodal.a[i];
    const GlobalId id = world.nodal.id[i];
    const double wanted = id == 1 || id == 4 ? 0.0 : id == 2 || id == 5 ? -10.0 * 4 / (2 + 4) : -10.0;
    EXPECT_NEAR(a.z, wanted, 1e-13) << "node " << id;
    EXPECT_EQ(a.x, 0.0);
    EXPECT_EQ(a.y, 0.0);
    force += world.nodal.mass[i] * a;
  }
  EXPECT_NEAR(force.z, -10.0 * 4.0 * 0.5, 1e-12);  // density, thickness, unit area
  EXPECT_EQ(world.loads.nodes().size(), 4u);
}

TEST(PartGravity, NegativeAccelerationsActAlongTheAxisAndLoadsAddUp) {
  Loaded world(prepared(plate_of_two_parts("*LOAD_GRAVITY_PART\n1,1,1,-3.\n2,1,1,-3.\n2,2,1,-1.\n")));
  world.steps(0, 1, 0.01);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_NEAR(world.nodal.a[i].x, 6.0, 1e-13);
}

TEST(PartGravity, ASetIsLoadedAsAWhole) {
  Loaded world(prepared(plate_of_two_parts("*SET_PART_LIST\n7\n1,2\n*LOAD_GRAVITY_PART_SET\n7,2,1,-3.\n")));
  world.steps(0, 1, 0.01);
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(world.nodal.a[i].y, 6.0) << "exact where all mass is loaded";
}

TEST(PartGravity, AnotherCurveReplacesTheFirstInRelaxation) {
  Loaded world(prepared(plate_of_two_parts("*DEFINE_CURVE\n2\n0,7\n9,7\n*LOAD_GRAVITY_PART\n2,3,1,-1.,2\n")));
  const auto at = [&](model::Stage stage) {
    std::ranges::fill(world.nodal.a, Vec3{});
    world.loads.pull(world.nodal, world.bodies, 0.1, 0.0, stage);
    world.loads.accelerate(world.nodal, world.bodies);
    return world.nodal.a[static_cast<std::size_t>(world.loads.nodes().back())].z;
  };
  EXPECT_EQ(at(model::Stage::relaxation), 7.0);
  EXPECT_EQ(at(model::Stage::transient), 2.0);
}

TEST(PartGravity, WorkIsTheWeightsTimesTheirWays) {
  Loaded world(prepared(plate_of_two_parts("*LOAD_GRAVITY_PART\n2,3,1,5.\n")));
  world.steps(0, 101, 0.01);
  double work = 0.0;
  for (std::size_t i = 0; i < 6; ++i) {  // work counts whole steps
    const double way = world.nodal.x[i].z - 0.01 * world.nodal.v[i].z;
    work += world.nodal.mass[i] * world.nodal.a[i].z * way;
  }
  EXPECT_GT(work, 50.0);
  EXPECT_NEAR(world.loads.work().value(), work, 1e-10);
}

TEST(PartGravity, GoesOnFromAnArchive) {
  const model::Model whole =
      prepared(plate_of_two_parts("*DEFINE_CURVE\n2\n0,0\n9,50\n*LOAD_GRAVITY_PART\n2,3,2,5.\n"));
  Loaded one(whole), other(whole);
  one.steps(0, 5, 0.01);
  state::Store store;
  state::StoreWriter writer(store);
  one.loads.archive(writer, one.subdomain.nodes);
  state::StoreReader reader(store);
  other.loads.archive(reader, other.subdomain.nodes);
  EXPECT_TRUE(reader.unread().empty());
  other.nodal = one.nodal;
  one.steps(5, 4, 0.01);
  other.steps(5, 4, 0.01);
  EXPECT_NE(one.loads.work().value(), 0.0);
  EXPECT_EQ(one.loads.work().value(), other.loads.work().value());
}

// ---- in the solver -------------------------------------------------------------------------------

/// Momentum of a model after some steps of the solver, and the time to which its velocities belong.
struct Pushed {
  Vec3 momentum;
  double time = 0;

  Pushed(const model::Model& whole, int steps) {
    const decomposition::Subdomain subdomain = alone_with(whole);
    explicit_dynamics::Solver solver(alone(), subdomain, {.isa = elements::best_isa()});
    for (int k = 0; k < steps; ++k) solver.step(false);
    time = solver.time() - 0.5 * solver.dt();
    const state::Nodal& nodal = solver.nodal();
    for (std::size_t i = 0; i < nodal.size(); ++i) momentum += nodal.mass[i] * nodal.v[i];
  }
};

/// Two elastic blocks, of which the upper is loaded sideways and stands on the lower.
DeckText blocks(const std::string& acceleration) {
  DeckText deck;
  for (int part : {1, 2}) deck.part(part, "SOLID,1", "ELASTIC,7.85e-6,210.,0.3");
  deck.block(1, {2, 2, 2}, {0, 0, 0}, {10, 10, 4});
  deck.block(2, {3, 3, 2}, {1, 1, 4}, {6, 6, 3});
  deck.add("*DEFINE_CURVE\n1\n0.,1.\n1000.,1.\n*LOAD_GRAVITY_PART\n2,1,1," + acceleration);
  return deck;
}
constexpr double kUpper = 7.85e-6 * 6 * 6 * 3, kLower = 7.85e-6 * 10 * 10 * 4;

TEST(PartGravity, MomentumOfATiedPartGoesToWhatItIsTiedTo) {
  DeckText deck = blocks("-40.");
  deck.add("*CONTACT_TIED_SURFACE_TO_SURFACE\n2,1,3,3\n,\n1.,1.,-1.,-1.");
  const Pushed result(prepared(deck.text()), 200);
  EXPECT_NEAR(result.momentum.x / (kUpper * 40. * result.time), 1.0, 1e-9);
}

TEST(PartGravity, MassThatScalingAddsFallsWithItsPart) {
  DeckText deck = blocks("-40.");
  deck.add("*CONTROL_TIMESTEP\n0.,0.9,0,0.,-1e-3");
  const model::Model whole = prepared(deck.text());
  const decomposition::Subdomain subdomain = alone_with(whole);
  explicit_dynamics::Solver solver(alone(), subdomain, {.isa = elements::best_isa()});
  for (int k = 0; k < 50; ++k) solver.step(false);
  double mass = 0.0;
  const double time = solver.time() - 0.5 * solver.dt();
  for (std::size_t i = 27; i < solver.nodal().size(); ++i) {
    mass += solver.nodal().mass[i];
    EXPECT_NEAR(solver.nodal().v[i].x, 40. * time, 1e-9 * 40. * time);
  }
  EXPECT_GT(mass, 1.5 * kUpper);
}

TEST(PartGravity, ALoadedPartOfAMergedBodyPushesAndTurnsIt) {
  DeckText deck = blocks("-40.");
  deck.add("*DEFORMABLE_TO_RIGID\n1\n2,1");
  const model::Model whole = prepared(deck.text());
  ASSERT_EQ(whole.rigid_bodies.size(), 1u);
  const decomposition::Subdomain subdomain = alone_with(whole);
  explicit_dynamics::Solver solver(alone(), subdomain, {.isa = elements::best_isa()});
  for (int k = 0; k < 10; ++k) solver.step(false);
  const double time = solver.time() - 0.5 * solver.dt();
  const constraints::RigidBodyState state = solver.rigid_bodies().state(0);
  EXPECT_NEAR(state.velocity.x / (kUpper / (kUpper + kLower) * 40. * time), 1.0, 1e-5);
  EXPECT_GT(state.angular_velocity.y, 0.0);  // the force is above the centre
}

TEST(PartGravity, ABodyWithGivenMassIsAcceleratedAtItsCentre) {
  std::string text = blocks("-40.").text();
  const std::size_t at = text.find("*PART\npart\n2,2,2\n");
  text.replace(at, 17, "*PART_INERTIA\npart\n2,2,2\n4.,4.,5.,0.01,0\n1.,0.,0.,1.,0.,1.\n0.,0.,0.,0.,0.,0.\n");
  text.insert(text.find("*END"), "*DEFORMABLE_TO_RIGID\n2\n");
  const model::Model whole = prepared(text);
  ASSERT_TRUE(whole.rigid_bodies[0].inertia_given);
  const decomposition::Subdomain subdomain = alone_with(whole);
  explicit_dynamics::Solver solver(alone(), subdomain, {.isa = elements::best_isa()});
  for (int k = 0; k < 10; ++k) solver.step(k == 9);  // the balance is of a cycle that is kept
  const double time = solver.time() - 0.5 * solver.dt();
  EXPECT_NEAR(solver.rigid_bodies().state(0).velocity.x / (40. * time), 1.0, 1e-12);
  EXPECT_EQ(solver.rigid_bodies().state(0).angular_velocity.y, 0.0);
  EXPECT_GT(solver.balance().external_work, 0.0);
}

}  // namespace
}  // namespace crumple::test
