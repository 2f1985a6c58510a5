// Rigid bodies, walls and loads split over three ranks give the bits of one rank.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "loads/rigid_body/rigid_body_load.hpp"
#include "small_world.hpp"

namespace crumple::test {
namespace {

constexpr int kShared = 60;  // 0-39 in two bodies, the rest free
constexpr int kPerBody = 20;
constexpr int kNodes = 70;  // those beyond kShared in two more bodies, each on one rank
constexpr int kPerWhole = 5;

/// Rank that owns a node, and a second rank that has a copy of those that ranks share.
int owner_of(int node, int size) {
  return node < kShared ? (node * 7) % size : (node - kShared) / kPerWhole % size;
}
int other_of(int node, int size) {
  return node < kShared ? (owner_of(node, size) + 1 + node % 2) % size : owner_of(node, size);
}

/// The share of `rank` of `size`: nodes in an order that differs between ranks.
World share(int rank, int size) {
  World world;
  std::vector<int> mine;
  for (int k = 0; k < kNodes; ++k)
    if (owner_of(k, size) == rank || other_of(k, size) == rank) mine.push_back(k);
  if (rank % 2) std::reverse(mine.begin(), mine.end());
  std::vector<LocalId> local(kNodes, model::kNone);
  for (const int k : mine) {
    const Vec3 x{std::sin(1.0 + k), std::cos(2.0 * k), 1.2 + std::sin(3.0 * k)};
    const Vec3 v{0.3 * std::cos(5.0 * k), 0.1 * k / kNodes, -2.0};
    local[k] = world.add_node(x, v, 0.1 + 0.01 * k, k % 3 ? 0.0 : 0.02, k + 1, owner_of(k, size));
    world.nodal.loads.back().force.scale = std::exp2(30 + k % 7);
    world.nodal.loads.back().moment.scale = std::exp2(32 + k % 5);
  }
  const auto add = [&](model::RigidBody body, int first, int count) {
    for (int k = first; k < first + count; ++k)
      if (local[k] != model::kNone) body.nodes.push_back(local[k]);
    world.model.rigid_bodies.push_back(body);
  };
  model::RigidBody free, held;
  free.part_id = 1;
  held.part_id = 2, held.cmo = 1, held.con1 = 1, held.con2 = 3;
  add(free, 0, kPerBody);
  add(held, kPerBody, kPerBody);
  free.part_id = 3;
  add(free, kShared, kPerWhole);
  held.part_id = 4;
  add(held, kShared + kPerWhole, kPerWhole);

  loads::BodyLoad gravity;
  gravity.axis = 2, gravity.curve = world.constant(9.81);
  world.model.features.of<loads::BodyLoad>().push_back(gravity);
  for (int w = 0; w < 2; ++w) {
    auto& wall = world.add_wall({0, 0, w == 0 ? 0.0 : -0.2}, w == 0 ? Vec3{0.1, 0, 1} : Vec3{0, 0.2, 1});
    wall.friction = 0.2;
    if (w == 0) wall.moving = true, wall.mass = 10.0, wall.v0 = 0.5;
    std::sort(wall.nodes.begin(), wall.nodes.end(),
              [&](LocalId a, LocalId b) { return world.nodal.id[a] < world.nodal.id[b]; });
  }
  for (int k = 0; k < kNodes; k += 5) {
    if (owner_of(k, size) != rank) continue;
    loads::NodalLoad load;
    load.node = local[k], load.dof = 1 + k % 3, load.curve = gravity.curve, load.scale = 0.1;
    world.model.features.of<loads::NodalLoad>().push_back(load);
  }
  model::PrescribedMotion motion;
  motion.rigid_body = 0, motion.dof = 6, motion.kind = 0, motion.curve = gravity.curve, motion.scale = 0.2;
  world.model.motions.push_back(motion);
  if (local[50] != model::kNone) {
    motion.rigid_body = model::kNone, motion.node = local[50], motion.dof = 2;
    world.model.motions.push_back(motion);
  }
  if (local[55] != model::kNone)
    world.model.constraints.push_back({local[55], 0b000011, model::kNone, 0, 1e20});
  return world;
}

parallel::Halo halo_of(const parallel::Communicator& comm, const World& world) {
  std::map<int, std::vector<LocalId>> shared;
  std::vector<LocalId> by_id(world.nodal.size());
  for (std::size_t i = 0; i < by_id.size(); ++i) by_id[i] = LocalId(i);
  std::sort(by_id.begin(), by_id.end(),
            [&](LocalId a, LocalId b) { return world.nodal.id[a] < world.nodal.id[b]; });
  for (const LocalId i : by_id) {
    const int k = static_cast<int>(world.nodal.id[i]) - 1;
    const int owner = owner_of(k, comm.size()), other = other_of(k, comm.size());
    if (owner != other) shared[owner == comm.rank() ? other : owner].push_back(i);
  }
  parallel::IndexMap::Parts parts;
  parts.rank = comm.rank();
  parts.owner = world.nodal.owner;
  for (const GlobalId id : world.nodal.id) parts.global.push_back(id - 1);
  for (auto& [rank, list] : shared) parts.neighbours.push_back(rank), parts.shared.push_back(list);
  return parallel::Halo(comm, parallel::IndexMap(std::move(parts)));
}

/// A force that each owner adds, as elements would.
void wind(state::Nodal& nodal, double time, int rank) {
  for (std::size_t i = 0; i < nodal.size(); ++i) {
    if (nodal.owner[i] != rank) continue;
    const double phase = 40 * time + static_cast<double>(nodal.id[i]);
    nodal.add_force(LocalId(i), {std::sin(phase), std::cos(phase), std::sin(2 * phase)});
    if (nodal.inertia[i] > 0) nodal.add_moment(LocalId(i), {0.01 * std::cos(phase), 0, 0.02});
  }
}

bool same_bits(const Vec3& a, const Vec3& b) { return std::memcmp(&a, &b, sizeof(Vec3)) == 0; }

TEST(SplitBodies, BitIdenticalToOneRank) {
  const parallel::Communicator comm;
  ASSERT_EQ(comm.size(), 3);
  World whole = share(0, 1), mine = share(comm.rank(), comm.size());
  ASSERT_EQ(whole.nodal.size(), std::size_t(kNodes));
  ASSERT_LT(mine.nodal.size(), std::size_t(kNodes));
  Simulation one(whole, alone(), parallel::Halo(alone()));
  Simulation split(mine, comm, halo_of(comm, mine));
  one.extra_forces = [](state::Nodal& n, double t) { wind(n, t, 0); };
  split.extra_forces = [&](state::Nodal& n, double t) { wind(n, t, comm.rank()); };
  for (int step = 0; step < 400; ++step) {
    const double dt = 0.004 + 0.001 * (step % 3);
    one.step(dt);
    split.step(dt);
  }
  for (std::size_t i = 0; i < mine.nodal.size(); ++i) {
    const std::size_t j = mine.nodal.id[i] - 1;
    EXPECT_TRUE(same_bits(mine.nodal.x[i], whole.nodal.x[j])) << mine.nodal.id[i];
    EXPECT_TRUE(same_bits(mine.nodal.v[i], whole.nodal.v[j])) << mine.nodal.id[i];
    EXPECT_TRUE(same_bits(mine.nodal.w[i], whole.nodal.w[j])) << mine.nodal.id[i];
    EXPECT_TRUE(same_bits(mine.nodal.a[i], whole.nodal.a[j])) << mine.nodal.id[i];
  }
  for (int b = 0; b < 2; ++b) {
    EXPECT_EQ(split.bodies.kinetic_energy(b), one.bodies.kinetic_energy(b));
    EXPECT_TRUE(same_bits(split.bodies.angular_momentum(b), one.bodies.angular_momentum(b)));
    EXPECT_GT(norm(one.bodies.state(b).displacement), 0.1);
  }
  const auto rows = split.walls.rows(), expected = one.walls.rows();
  for (int w = 0; w < 2; ++w) {
    EXPECT_TRUE(same_bits(rows[w].force, expected[w].force));
    EXPECT_TRUE(same_bits(rows[w].impulse, expected[w].impulse));
    EXPECT_TRUE(same_bits(rows[w].velocity, expected[w].velocity));
    EXPECT_GT(norm(expected[w].impulse), 0.1);
  }
  EXPECT_EQ(split.walls.absorbed_energies(), one.walls.absorbed_energies());
  std::array<parallel::ExactSum, 4> work{split.motion.work(), split.nodal_loads.work(),
                                         split.body_loads.work(), split.bodies.work()};
  parallel::ExactSum::reduce(comm, work);
  EXPECT_EQ(work[0].value(), one.motion.work().value());
  EXPECT_EQ(work[1].value(), one.nodal_loads.work().value());
  EXPECT_EQ(work[2].value(), one.body_loads.work().value());
  EXPECT_EQ(work[3].value(), one.bodies.work().value());
  EXPECT_NE(work[0].value(), 0.0);
  EXPECT_NE(work[1].value(), 0.0);
  EXPECT_NE(work[3].value(), 0.0);
  const auto states = split.bodies.kept_states(), alone = one.bodies.kept_states();
  for (std::size_t b = 0; comm.root() && b < states.size(); ++b) {
    EXPECT_TRUE(same_bits(states[b].position, alone[b].position)) << b;
    EXPECT_TRUE(same_bits(states[b].velocity, alone[b].velocity)) << b;
    EXPECT_TRUE(same_bits(states[b].rotation, alone[b].rotation)) << b;
    EXPECT_GT(norm(alone[b].displacement), 0.1);
  }
}

TEST(SplitBodies, OneOnARankIsMovedThere) {
  const parallel::Communicator comm;
  World mine = share(comm.rank(), comm.size());
  Simulation split(mine, comm, halo_of(comm, mine));
  EXPECT_TRUE(split.bodies.moves(0) && split.bodies.moves(1));
  EXPECT_EQ(split.bodies.moves(2), comm.rank() == 0);
  EXPECT_EQ(split.bodies.moves(3), comm.rank() == 1);
  const std::size_t of_two = split.bodies.n_resultants();
  loads::RigidBodyLoad load;
  load.body = 2;
  mine.model.features.of<loads::RigidBodyLoad>().push_back(load);
  const constraints::RigidBodies loaded(mine.model, mine.nodal, comm);
  EXPECT_TRUE(loaded.moves(2));
  EXPECT_EQ(loaded.n_resultants(), of_two * 3 / 2);
}

TEST(SplitBodies, AForceThatOverflowsOnOneRankIsAnErrorOfAll) {
  const parallel::Communicator comm;
  World mine = share(comm.rank(), comm.size());
  Simulation split(mine, comm, halo_of(comm, mine));
  split.extra_forces = [&](state::Nodal& n, double) {
    for (std::size_t i = 0; i < n.size(); ++i)
      if (n.id[i] == kNodes) n.add_force(LocalId(i), {1e300, 0, 0});
  };
  split.step(0.004);
  EXPECT_EQ(split.bodies.failed(), comm.rank() == 1 ? 3 : model::kNone);
  try {
    split.bodies.stop(3);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "CR-C104");
    EXPECT_NE(error.message().find("part 4 is not finite"), std::string::npos) << error.message();
  }
}

}  // namespace
}  // namespace crumple::test
