// Impacts of free nodes: momentum, energy, independence of sorts, histories that are saved.
#include <gtest/gtest.h>
#include <omp.h>

#include "bench.hpp"
#include "state/archive_store.hpp"
#include "state/saved_rows.hpp"

namespace crumple::contact::test {
namespace {

using model::ContactType;

const auto kNothing = [](LocalId) { return Vec3{}; };

/// Two plates of free nodes with different meshes fly at each other, turned a little.
Bench two_plates(ContactType type) {
  Bench b;
  b.add_plate({0, 0, 0}, {4, 0, 0}, {0, 4, 0}, 4, 4, 0.2);
  b.add_plate({0.33, 0.41, 0.3}, {3.1, 0.3, 0.02}, {-0.2, 2.9, 0}, 3, 5, 0.2);
  b.add_contact(type, type == ContactType::automatic_single_surface ? 0 : 1, 2);
  return b;
}

void launch(ContactRun& run) {
  for (std::size_t n = 0; n < run.nodal.size(); ++n)
    run.nodal.v[n] = n < 25 ? Vec3{0, 0, 1.0} : Vec3{0.3, 0, -2.0};
}

Vec3 momentum(const ContactRun& run) {
  Vec3 p;
  for (std::size_t n = 0; n < run.nodal.size(); ++n) p += run.nodal.mass[n] * run.nodal.v[n];
  return p;
}

class Impact : public testing::TestWithParam<ContactType> {};

TEST_P(Impact, ConservesMomentumAndGivesEnergyBack) {
  ContactRun run(two_plates(GetParam()));
  launch(run);
  const Vec3 before = momentum(run);
  const double dt = 2e-3;
  run.step(dt, true, kNothing);
  const double start = run.kinetic;
  double least = start, worst = 0.0;
  for (int k = 0; k < 1500; ++k) {
    run.step(dt, false, kNothing);
    least = std::min(least, run.kinetic);
    const double sliding = run.system.results()[0].sliding_energy();
    worst = std::max(worst, std::abs(run.kinetic + sliding - start));
  }
  EXPECT_LT(least, 0.6 * start);                              // it was a real impact
  if (GetParam() != ContactType::automatic_single_surface) {  // there loose nodes of one plate may meet
    EXPECT_EQ(run.system.active(), 0u);
  }
  EXPECT_NEAR(run.kinetic / start, 1.0, 0.01);
  EXPECT_LT(worst, 1e-9 * start);  // the work is that of the scheme, not only in the end
  EXPECT_NEAR(norm(momentum(run) - before), 0.0, 1e-7);
  const ContactResult r = run.system.results()[0];
  EXPECT_NEAR(r.sliding_energy(), start - run.kinetic, 1e-9 * start);
}

INSTANTIATE_TEST_SUITE_P(Types, Impact,
                         testing::Values(ContactType::automatic_single_surface,
                                         ContactType::automatic_surface_to_surface,
                                         ContactType::surface_to_surface));

TEST(ImpactOfSolids, ConservesMomentumAndGivesEnergyBack) {
  Bench b;
  b.add_block({0, 0, 0}, {2, 2, 1}, {2, 2, 1});
  b.add_block({0.15, 0.25, 1.01}, {1.5, 1.4, 1}, {2, 2, 1});
  b.add_contact(ContactType::automatic_surface_to_surface, 1, 2);
  ContactRun run(b);
  for (std::size_t n = 0; n < run.nodal.size(); ++n) run.nodal.v[n].z = n < 18 ? 0.2 : -0.3;
  const double dt = 1e-3;
  // Each block is rigid and does not turn.
  const auto share = [&](LocalId from, LocalId to) {
    Vec3 sum;
    for (LocalId n = from; n < to; ++n) sum += run.force(n);
    return (1.0 / (to - from)) * sum;
  };
  const auto kinetic = [&] {
    double e = 0.0;
    for (std::size_t n = 0; n < run.nodal.size(); ++n) e += 0.5 * dot(run.nodal.v[n], run.nodal.v[n]);
    return e;
  };
  const double start = kinetic();
  double least = start;
  const Vec3 before = momentum(run);
  for (int k = 0; k < 3000; ++k) {
    run.forces(k == 0 ? 0.0 : dt);
    const Vec3 a = share(0, 18), c = share(18, 36);
    for (std::size_t n = 0; n < run.nodal.size(); ++n) run.nodal.v[n] += dt * (n < 18 ? a : c);
    for (std::size_t n = 0; n < run.nodal.size(); ++n) run.nodal.x[n] += dt * run.nodal.v[n];
    least = std::min(least, kinetic());
  }
  EXPECT_LT(least, 0.1 * start);
  EXPECT_EQ(run.system.active(), 0u);
  EXPECT_NEAR(kinetic() / start, 1.0, 0.01);
  EXPECT_NEAR(run.nodal.v[0].z, -0.3, 0.003);  // equal masses swap velocities
  EXPECT_NEAR(norm(momentum(run) - before), 0.0, 1e-8);
}

/// A free node of mass 1 falls at speed 1 on an unmovable plate, `phase` of its first step short of touching.
/// Returns what its kinetic energy grew by over what it was; `expected` from where the contact began and
/// ended.
double growth(double q, double phase, double& expected) {
  Bench b;
  b.add_plate({0, 0, 0}, {4, 0, 0}, {0, 4, 0}, 1, 1, 0.2);
  b.add_plate({1.5, 1.5, 5}, {1, 0, 0}, {0, 1, 0}, 1, 1, 0.1);
  const double k = 0.1 * 1000.0 * 16.0 / std::sqrt(32.0);  // slsfac K A / diagonal, of the plate
  b.model.contacts.clear();
  b.add_contact(ContactType::automatic_nodes_to_surface, 2, 1).penopt = 2;
  ContactRun run(b);
  const double dt = std::sqrt(q / k);
  for (LocalId n = 0; n < 8; ++n) run.nodal.mass[n] = n == 4 ? 1.0 : kUnmovable;
  run.nodal.v[4] = {0, 0, -1.0};
  run.nodal.x[4] = {1.3, 2.6, 0.15 + phase * dt};
  expected = 0.0;
  double depth = 0.15 - run.nodal.x[4].z, last = 0.0;
  for (int c = 0; c < 200 && (depth >= 0.0 || last >= 0.0 || c < 3); ++c) {
    run.step(dt, c == 0, kNothing);
    last = depth;
    depth = 0.15 - run.nodal.x[4].z;
    if (depth < 0.0 && last > 0.0) expected += k * last * -depth;
    if (depth > 0.0 && last < 0.0) expected -= k * depth * -last;
  }
  run.step(dt, false, kNothing);
  EXPECT_NEAR(run.system.results()[0].sliding_energy(), 0.5 * (1.0 - run.nodal.v[4].z * run.nodal.v[4].z),
              1e-12);
  return run.nodal.v[4].z * run.nodal.v[4].z - 1.0;
}

/// In contact the scheme keeps m v_{n+1/2}^2 + k x_n x_{n+1}; what it gives away or keeps is the product of
/// depth and gap at either end, each at most (v dt)^2 / 4. So an impact errs by q / 4 at most,
/// q = omega^2 dt^2 (kStableShare for the stiffest pair), and by its phase up or down alike.
TEST(ImpactOfANode, ErrsInEnergyByAQuarterOfTheSquaredStepAtMost) {
  for (const double q : {0.05, 0.125, 0.25}) {
    double most = 0.0, sum = 0.0;
    for (int k = 0; k < 50; ++k) {
      double expected = 0.0;
      const double grown = growth(q, 0.01 + 0.0197 * k, expected);
      EXPECT_NEAR(grown, expected, 1e-10) << q << " " << k;
      most = std::max(most, std::abs(grown));
      sum += grown;
    }
    EXPECT_LE(most, q / 4);
    EXPECT_NEAR(sum / 50, 0.0, 0.1 * q / 4);
  }
}

TEST(Sorting, DoesNotChangeTheResult) {
  std::vector<std::vector<Vec3>> ends;
  std::vector<std::int64_t> sorts;
  for (const double margin : {0.05, 0.3, 2.0}) {
    Bench b = two_plates(ContactType::automatic_single_surface);
    b.model.contacts[0].fs = b.model.contacts[0].fd = 0.2;
    ContactRun run(b);
    run.system.set_margin(margin);
    launch(run);
    for (int k = 0; k < 800; ++k) run.step(2e-3, k == 0, kNothing);
    ends.emplace_back(run.nodal.x.begin(), run.nodal.x.end());
    sorts.push_back(run.system.timing().sorts);
  }
  EXPECT_GT(sorts[0], sorts[1]);
  EXPECT_GT(sorts[1], sorts[2]);
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

TEST(Sorting, IsHardlyMoreFrequentWhereMotionIsAgreedOnACycleBefore) {
  std::vector<std::vector<Vec3>> ends;
  std::vector<std::int64_t> sorts;
  for (const bool agrees : {false, true}) {
    ContactRun run(two_plates(ContactType::automatic_single_surface));
    run.agrees = agrees;
    launch(run);
    for (int k = 0; k < 800; ++k) run.step(2e-3, k == 0, kNothing);
    sorts.push_back(run.system.timing().sorts);
    ends.emplace_back(run.nodal.x.begin(), run.nodal.x.end());
    EXPECT_EQ(run.system.timing().late, 0);
  }
  EXPECT_GT(sorts[0], 5);
  EXPECT_GE(sorts[1], sorts[0]);
  EXPECT_LE(sorts[1], sorts[0] + sorts[0] / 5);
  EXPECT_EQ(ends[0], ends[1]);
}

/// One plate jumps at once through most of the way to the other: too far for the margin, and from rest.
TEST(Sorting, CountsCyclesThatItCouldNotForesee) {
  ContactRun run(two_plates(ContactType::automatic_single_surface));
  run.agrees = true;
  run.forces();
  run.forces();
  EXPECT_EQ(run.system.timing().sorts, 1);
  const Vec3 jump{0.0, 0.0, 2.0};
  run.nodal.x[0] += jump;
  run.last_way = norm(jump);
  run.forces(2e-3);
  EXPECT_EQ(run.system.timing().sorts, 1);
  EXPECT_EQ(run.system.timing().late, 1);
  run.last_way = 0.0;
  run.forces(2e-3);
  EXPECT_EQ(run.system.timing().sorts, 2);
  EXPECT_EQ(run.system.timing().late, 1);
}

/// Nodes that a belt's device puts elsewhere: neither their speed nor their last step tells of it.
TEST(Sorting, FollowsNodesThatHaveBeenPutElsewhere) {
  ContactRun run(two_plates(ContactType::automatic_single_surface));
  run.agrees = true;
  run.forces();
  run.nodal.x[0] += {0.0, 0.0, 2.0};
  run.forces(2e-3);
  EXPECT_EQ(run.system.timing().sorts, 1);  // it does not know
  run.system.sort_next();
  run.forces(2e-3);
  EXPECT_EQ(run.system.timing().sorts, 2);
  run.forces(2e-3);
  EXPECT_EQ(run.system.timing().sorts, 2);
}

TEST(Threads, DoNotChangeTheResult) {
  std::vector<std::vector<Vec3>> ends;
  for (const int threads : {1, 2}) {
    omp_set_num_threads(threads);
    Bench b;  // large enough for loops to be shared out
    b.add_plate({0, 0, 0}, {40, 0, 0}, {0, 40, 0}, 40, 40, 0.2);
    b.add_plate({0.33, 0.41, 0.21}, {38, 1, 0.02}, {-2, 39, 0}, 37, 41, 0.2);
    b.add_contact(ContactType::automatic_single_surface).fs = 0.3;
    ContactRun run(b);
    for (std::size_t n = 0; n < run.nodal.size(); ++n)
      run.nodal.v[n] = {0.1 * double(n % 7), 0.1 * double(n % 5), n < 1681 ? 1.0 : -2.0};
    for (int k = 0; k < 30; ++k) run.step(2e-3, k == 0, kNothing);
    EXPECT_GT(run.system.active(), 1000u);
    ends.emplace_back(run.nodal.x.begin(), run.nodal.x.end());
  }
  omp_set_num_threads(1);
  EXPECT_EQ(ends[0], ends[1]);
}

TEST(Sorting, IgnoresCommonMotion) {
  ContactRun run(two_plates(ContactType::automatic_single_surface));
  for (Vec3& v : run.nodal.v) v = {100.0, -30.0, 5.0};
  for (int k = 0; k < 100; ++k) run.step(1e-2, k == 0, kNothing);
  EXPECT_EQ(run.system.timing().sorts, 1);
}

TEST(Histories, ContinueAfterARestart) {
  Bench b = two_plates(ContactType::automatic_single_surface);
  b.model.contacts[0].fs = b.model.contacts[0].fd = 0.2;
  b.model.contacts[0].ignore = 1;
  ContactRun one(b);
  launch(one);
  const auto run = [](ContactRun& r, int from, int to) {
    for (int k = from; k < to; ++k) r.step(2e-3, k == 0, kNothing);
  };
  run(one, 0, 45);
  ContactRun two(b);
  two.nodal = one.nodal;
  two.time = one.time;
  EXPECT_GT(one.system.active(), 0u);
  state::Store store;
  state::StoreWriter writer(store);
  one.system.archive(writer);
  state::StoreReader reader(store);
  two.system.archive(reader);
  state::refuse_unread(reader.unread());
  run(one, 45, 400);
  run(two, 45, 400);
  EXPECT_EQ(one.nodal.x, two.nodal.x);
  const auto r1 = one.system.results()[0], r2 = two.system.results()[0];
  EXPECT_EQ(r1.sliding_energy(), r2.sliding_energy());
  EXPECT_EQ(r1.friction_energy, r2.friction_energy);
}

TEST(Transducer, MeasuresWhatOthersDo) {
  Bench b = two_plates(ContactType::automatic_surface_to_surface);
  b.add_contact(ContactType::force_transducer, 2);
  ContactRun run(b);
  launch(run);
  double largest = 0.0;
  for (int k = 0; k < 500; ++k) {
    run.step(2e-3, k == 0, kNothing);
    const auto r = run.system.results();
    largest = std::max(largest, norm(r[0].force_b));
    EXPECT_NEAR(norm(r[1].force_a - r[0].force_b), 0.0, 1e-9);
    EXPECT_NEAR(norm(r[0].force_a + r[0].force_b), 0.0, 1e-9);
  }
  EXPECT_GT(largest, 1.0);
}

}  // namespace
}  // namespace crumple::contact::test
