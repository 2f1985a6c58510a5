// Lines against lines: where they touch, with what force, and what that leaves unchanged.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "bench.hpp"
#include "contact/edges/closest_lines.hpp"
#include "state/archive_store.hpp"
#include "state/saved_rows.hpp"

namespace crumple::contact::test {
namespace {

using model::ContactType;
using model::ElementKind;

constexpr double kRadius = 0.1;

LocalId add_beam_part(Bench& b) {
  const LocalId part = b.add_part(ElementKind::beam);
  b.model.sections.back().ts = {2 * kRadius, 2 * kRadius};
  return part;
}

/// A chain of beams through the points; returns its first node.
LocalId add_chain(Bench& b, LocalId part, const std::vector<Vec3>& points) {
  const auto first = static_cast<LocalId>(b.model.nodes.size());
  for (const Vec3& x : points) b.add_node(x);
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    const auto n = static_cast<LocalId>(first + k);
    b.model.beams.id.push_back(static_cast<GlobalId>(b.model.beams.size() + 1));
    b.model.beams.order.push_back(static_cast<GlobalId>(b.model.beams.order.size()));
    b.model.beams.part.push_back(part);
    b.model.beams.nodes.push_back({n, n + 1, model::kNone});
  }
  return first;
}

/// A chain along x of three beams of length 1, and one beam across it, 0.15 above, at x.
Bench crossing(double x) {
  Bench b;
  const LocalId one = add_beam_part(b), two = add_beam_part(b);
  add_chain(b, one, {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}});
  add_chain(b, two, {{x, -0.4, 0.15}, {x, 0.6, 0.15}});
  b.add_contact(ContactType::automatic_general);
  return b;
}

/// A beam that lies 0.15 above a plate with edges at x = 0, 1, 2, 3, from x = 1.4 to 2.6 in the middle of its
/// shells.
Bench beam_on_plate(bool edges) {
  Bench b;
  b.add_plate({0, 0, 0}, {3, 0, 0}, {0, 3, 0}, 3, 3, 0.2);
  const LocalId part = add_beam_part(b);
  add_chain(b, part, {{1.4, 1.5, 0.15}, {2.6, 1.5, 0.15}});
  auto& c = b.add_contact(ContactType::automatic_nodes_to_surface, 2, 1);
  c.beams_on_surface = edges;
  if (!edges) c.input_a = {4, 9, model::kNone};
  b.model.sets.nodes.push_back({9, {16, 17}});
  return b;
}

/// Force on the last two nodes, which make the second chain, after everything moved by nothing in `dt`; what
/// was inside at the start gives no force, so the chain starts away.
Vec3 force_on_second(ContactRun& run, double height = 1.0) {
  const std::size_t n = run.nodal.size();
  for (std::size_t i : {n - 2, n - 1}) run.nodal.x[i].z += height;
  run.forces();
  for (std::size_t i : {n - 2, n - 1}) run.nodal.x[i].z -= height;
  run.forces(1e-3);
  return run.force(static_cast<LocalId>(n - 2)) + run.force(static_cast<LocalId>(n - 1));
}

TEST(ClosestLines, AreTheNearestOfAllPoints) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  for (int k = 0; k < 500; ++k) {
    Vec3 x[4];
    for (Vec3& p : x) p = {u(random), u(random), u(random)};
    const ClosestLines c = closest_lines(x[0], x[1], x[2], x[3]);
    const auto distance = [&](double s, double t) {
      return norm(((1 - s) * x[0] + s * x[1]) - ((1 - t) * x[2] + t * x[3]));
    };
    const double found = distance(c.s, c.t);
    for (int i = 0; i <= 20; ++i)
      for (int j = 0; j <= 20; ++j) EXPECT_GE(distance(0.05 * i, 0.05 * j), found - 1e-12);
  }
}

TEST(Lines, CrossingBeamsPushEachOtherByTheirPenetration) {
  ContactRun run(crossing(1.4));
  // E A / L * SLSFAC, bounded by a quarter of what is stable; the beams are 0.05 inside each other.
  const double k = 0.1 * run.bench.bulk * 3.141592653589793 * kRadius * kRadius;
  const Vec3 f = force_on_second(run);
  EXPECT_NEAR(f.z, k * 0.05, 1e-9);
  EXPECT_NEAR(norm(f - Vec3{0, 0, f.z}), 0.0, 1e-9);
  EXPECT_NEAR(norm(run.total_force()), 0.0, 1e-9);
  EXPECT_NEAR(norm(run.total_moment()), 0.0, 1e-9);
  EXPECT_NEAR(run.force(1).z / run.force(2).z, 0.6 / 0.4, 1e-6);
  const ContactResult r = run.system.results()[0];
  EXPECT_NEAR(norm(r.force_a + f), 0.0, 1e-9);
  EXPECT_NEAR(norm(r.force_b - f), 0.0, 1e-9);
}

TEST(Lines, BeamsTouchThatAreWhollyInTheBox) {
  for (const double end : {0.5, 0.7}) {  // of the box along y; the second beam's is at 0.6
    Bench b = crossing(1.4);
    model::Box box;
    box.low = {-1, -1, -1}, box.high = {4, end, 1};
    b.model.sets.boxes.push_back(box);
    b.model.contacts[0].input_a.box = 0;
    ContactRun run(std::move(b));
    const bool whole = end > 0.6;
    EXPECT_EQ(run.bench.model.contacts[0].a.lines.size(), whole ? 4u : 3u);
    EXPECT_EQ(run.bench.model.contacts[0].a.nodes.size(), whole ? 6u : 4u);
    EXPECT_EQ(force_on_second(run).z > 0.0, whole);
  }
}

TEST(Lines, ForceDoesNotJumpWhereOneBeamGoesOnFromAnother) {
  double middle = 0.0;
  for (const double x : {0.5, 0.9, 0.999999, 1.0, 1.000001, 1.1, 1.5}) {
    ContactRun run(crossing(x));
    const double f = force_on_second(run).z;
    if (middle == 0.0) middle = f;
    EXPECT_NEAR(f, middle, 1e-9 * middle) << x;
  }
  EXPECT_GT(middle, 0.0);
}

TEST(Lines, ForceDoesNotJumpFromAcrossToAlong) {
  double last = 0.0;
  for (int k = 0; k <= 200; ++k) {
    const double angle = 0.5 * 3.141592653589793 * k / 200;
    Bench b;
    const LocalId one = add_beam_part(b), two = add_beam_part(b);
    add_chain(b, one, {{-3, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {3, 0, 0}});
    add_chain(b, two,
              {{-0.5 * cos(angle), -0.5 * sin(angle), 0.15}, {0.5 * cos(angle), 0.5 * sin(angle), 0.15}});
    b.add_contact(ContactType::automatic_general).soft = 0;
    ContactRun run(std::move(b));
    const double f = force_on_second(run).z;
    EXPECT_GT(f, 0.0);
    if (k > 0) {
      EXPECT_NEAR(f, last, 0.1 * last) << angle;
    }
    EXPECT_NEAR(norm(run.total_moment()), 0.0, 1e-9);
    last = f;
  }
}

TEST(Lines, BeamsStayOnTheirSide) {
  ContactRun run(crossing(1.4));
  force_on_second(run);
  for (std::size_t i : {4, 5}) run.nodal.x[i].z -= 0.2;  // its axis passes the other's
  run.forces(1e-3);
  EXPECT_GT(run.force(4).z + run.force(5).z, 0.0);
  EXPECT_NEAR(run.system.results()[0].max_penetration, 0.25, 1e-9);
}

TEST(Lines, WhatIsInsideAtTheStartGivesNoForce) {
  ContactRun run(crossing(1.4));
  run.forces();
  EXPECT_EQ(norm(run.force(4)), 0.0);
  for (std::size_t i : {4, 5}) run.nodal.x[i].z -= 0.01;
  run.forces(1e-3);
  EXPECT_GT(run.force(4).z, 0.0);
}

TEST(Lines, FrictionIsAtMostCoulombs) {
  Bench b = crossing(1.4);
  b.model.contacts[0].fs = b.model.contacts[0].fd = 0.25;
  ContactRun run(std::move(b));
  const double normal = force_on_second(run).z;
  for (int k = 0; k < 200; ++k) {
    for (LocalId i : {4, 5}) {
      run.nodal.v[i] = {-1.0, 0.0, 0.0};
      run.nodal.x[i].x -= 1e-3;
    }
    run.forces(1e-3);
  }
  const Vec3 f = run.force(4) + run.force(5);
  EXPECT_NEAR(f.z, normal, 1e-6 * normal);
  EXPECT_NEAR(f.x, 0.25 * normal, 1e-6 * normal);
  const ContactResult r = run.system.results()[0];
  EXPECT_NEAR(r.friction_energy, r.sliding_energy(), 0.1 * r.friction_energy);
  EXPECT_NEAR(norm(run.total_force()), 0.0, 1e-9);
}

class EndsOfBeams : public testing::TestWithParam<ContactType> {};
INSTANTIATE_TEST_SUITE_P(Single, EndsOfBeams,
                         testing::Values(ContactType::automatic_general,
                                         ContactType::automatic_single_surface));

TEST_P(EndsOfBeams, TouchASheet) {
  const ContactType type = GetParam();
  Bench b;
  b.add_plate({0, 0, 0}, {3, 0, 0}, {0, 3, 0}, 3, 3, 0.2);
  const LocalId part = add_beam_part(b);
  add_chain(b, part, {{1.4, 1.4, 0.15}, {1.6, 1.6, 2.0}});
  b.add_contact(type);
  ContactRun run(std::move(b));
  run.forces();
  EXPECT_EQ(norm(run.force(16)), 0.0);  // it is inside from the start
  EXPECT_NEAR(run.system.results()[0].max_penetration, 0.05, 1e-9);
  run.nodal.x[16].z -= 0.01;
  run.forces(1e-3);
  EXPECT_GT(run.force(16).z, 0.0);
  run.system.delete_elements(run.nodal, std::vector<DeletedElement>{{ElementKind::beam, 0}});
  run.forces(1e-3);
  EXPECT_EQ(norm(run.force(16)), 0.0);
}

/// Two sheets, the second's border at right angles across the middle of the first's elements, 0.15 above.
Bench edges(ContactType type) {
  Bench b;
  b.add_plate({0, 0, 0}, {3, 0, 0}, {0, 0, -3}, 3, 3, 0.2);
  b.add_plate({1.5, -1.5, 0.15}, {0, 3, 0}, {0, 0, 3}, 3, 3, 0.2);
  b.add_contact(type).ignore = 0;
  return b;
}

TEST(Lines, RimsOfSheetsTouchWhereNoNodeDoes) {
  for (const ContactType type : {ContactType::automatic_single_surface, ContactType::automatic_general}) {
    Bench b = edges(type);
    for (std::size_t n = 16; n < 32; ++n) b.model.nodes.x[n].z += 0.5;
    ContactRun run(std::move(b));
    run.forces();
    for (std::size_t n = 16; n < 32; ++n) run.nodal.x[n].z -= 0.5;
    run.forces(1e-3);
    const bool general = type == ContactType::automatic_general;
    EXPECT_EQ(run.system.results()[0].touching, general ? 1 : 0);
    EXPECT_EQ(run.force(1).z < 0.0 && run.force(2).z < 0.0, general);
    EXPECT_NEAR(norm(run.total_moment()), 0.0, 1e-9);
  }
}

/// A roof whose ridge, from node 1 to node 4, is an edge of two shells, and a rim of nodes 6 to 9 across it.
Bench ridge_and_rim() {
  Bench b;
  const LocalId part = b.add_part(ElementKind::shell, 0.2);
  const std::vector<Vec3> x{{0, -1, -1}, {0, 0, 0}, {0, 1, -1}, {1, -1, -1}, {1, 0, 0}, {1, 1, -1}};
  for (const Vec3& p : x) b.add_node(p);
  b.add_shell(part, {0, 3, 4, 1});
  b.add_shell(part, {1, 4, 5, 2});
  const LocalId rim = b.add_part(ElementKind::shell, 0.2);
  for (const Vec3& p : {Vec3{0.4, -2, 0.65}, {0.4, 2, 0.65}, {0.4, 2, 3.65}, {0.4, -2, 3.65}}) b.add_node(p);
  b.add_shell(rim, {6, 7, 8, 9});
  return b;
}

/// Let the rim come down onto the ridge.
void lower_rim(ContactRun& run) {
  run.forces();
  for (std::size_t n = 6; n < 10; ++n) run.nodal.x[n].z -= 0.5;
  run.forces(1e-3);
}

TEST(Lines, InteriorEdgesTouchIfAsked) {
  for (const bool interior : {false, true}) {
    Bench b = ridge_and_rim();
    b.add_contact(ContactType::automatic_general).interior_edges = interior;
    ContactRun run(std::move(b));
    lower_rim(run);
    EXPECT_EQ(run.force(6).z > 0.0, interior);
    EXPECT_EQ(run.force(1).z < 0.0, interior);
  }
}

/// Touching pairs of ridge and rim after each of `dead` failed: of _INTERIOR, or of segment-based contact
/// with this DEPTH.
std::int64_t touching_after(int depth, const std::vector<LocalId>& dead) {
  Bench b = ridge_and_rim();
  if (depth == 0) {
    auto& contact = b.add_contact(ContactType::automatic_general);
    contact.interior_edges = contact.edges_only = true;
  } else {
    auto& contact = b.add_contact(ContactType::automatic_surface_to_surface, 1, 2);
    contact.soft = 2, contact.depth = depth;
  }
  ContactRun run(std::move(b));
  lower_rim(run);
  for (const LocalId shell : dead) {
    run.system.delete_elements(run.nodal, std::vector<DeletedElement>{{ElementKind::shell, shell}});
    run.forces(1e-3);
  }
  return run.system.results()[0].touching;
}

TEST(Lines, AnEdgeOfTwoShellsLivesAsLongAsOneOfThem) {
  for (const std::vector<LocalId>& dead : {std::vector<LocalId>{}, {0}, {1}, {0, 0, 0}, {1, 1}})
    EXPECT_EQ(touching_after(0, dead), 1);
  for (const std::vector<LocalId>& dead : {std::vector<LocalId>{0, 1}, {1, 0}, {1, 1, 0}})
    EXPECT_EQ(touching_after(0, dead), 0);
  // With DEPTH = 3 points of segments touch alone, with DEPTH = 5 the edges besides.
  for (const std::vector<LocalId>& dead : {std::vector<LocalId>{}, {0}, {1}})
    EXPECT_EQ(touching_after(5, dead), touching_after(3, dead) + 1);
  EXPECT_EQ(touching_after(5, {0, 1}), 0);
}

/// The ridge with a shell twice as thick and three times as stiff on one side, before the rim comes down.
Bench uneven_ridge(std::size_t thick) {
  Bench b = ridge_and_rim();
  b.model.shells.part[thick] = b.add_part(ElementKind::shell, 0.4);
  b.model.parts.back().contact_stiffness_scale = 3.0;
  auto& contact = b.add_contact(ContactType::automatic_general);
  contact.interior_edges = contact.edges_only = true;
  contact.slsfac = 0.01;  // far below what masses can bear
  return b;
}

/// What the shell that is left at the ridge alone would do.
TEST(Lines, AnEdgeIsAsThickAndStiffAsTheShellsThatLive) {
  for (const std::size_t thick : {0, 1})
    for (const LocalId dead : {0, 1}) {
      ContactRun two(uneven_ridge(thick));
      lower_rim(two);
      EXPECT_NEAR(two.system.results()[0].max_penetration, 0.15, 1e-12);
      two.system.delete_elements(two.nodal, std::vector<DeletedElement>{{ElementKind::shell, dead}});
      two.forces(1e-3);
      Bench alone = uneven_ridge(thick);
      alone.model.shells.nodes[dead] = {0, 2, 5, 5};  // away from the ridge
      ContactRun one(std::move(alone));
      lower_rim(one);
      EXPECT_GT(one.force(6).z, 0.0);
      EXPECT_EQ(two.force(6), one.force(6)) << thick << dead;
      EXPECT_EQ(two.system.results()[0].max_penetration, one.system.results()[0].max_penetration);
    }
}

TEST(Lines, DeadEdgesLetGo) {
  Bench b = edges(ContactType::automatic_general);
  b.model.contacts[0].edges_only = true;
  ContactRun run(std::move(b));
  run.forces();
  for (std::size_t n = 16; n < 32; ++n) run.nodal.x[n].z -= 0.01;
  run.forces(1e-3);
  EXPECT_EQ(run.system.results()[0].touching, 1);
  run.system.delete_elements(run.nodal, std::vector<DeletedElement>{{ElementKind::shell, 1}});
  run.forces(1e-3);
  EXPECT_EQ(run.system.results()[0].touching, 0);
  EXPECT_EQ(norm(run.total_force()), 0.0);
}

/// Sums of nodal forces and of forces on nodes whose ids lie in the range.
struct Measured {
  Vec3 sum, expected;
};
Measured sums_over(const ContactRun& run, GlobalId first, GlobalId last) {
  Measured m;
  for (const NodalContactForce& f : run.system.nodal_forces())
    if (f.node >= first && f.node <= last) m.sum += f.force;
  for (GlobalId id = first; id <= last; ++id) m.expected += run.force(static_cast<LocalId>(id - 1));
  return m;
}

TEST(Lines, NodalForcesAreWhatActs) {
  Bench beams = crossing(1.4);  // nodes 1 to 4, and 5 and 6
  beams.model.contacts[0].a_in_ncforc = true;
  ContactRun across(std::move(beams));
  EXPECT_GT(force_on_second(across).z, 0.1);
  EXPECT_EQ(across.system.nodal_forces().size(), 4u);
  Bench sheets = ridge_and_rim();  // nodes 1 to 6, and 7 to 10
  auto& contact = sheets.add_contact(ContactType::automatic_surface_to_surface, 1, 2);
  contact.soft = 2, contact.depth = 5;
  contact.a_in_ncforc = contact.b_in_ncforc = true;
  ContactRun ridge(std::move(sheets));
  lower_rim(ridge);
  for (const NodalContactForce& f : ridge.system.nodal_forces()) EXPECT_EQ(f.b, f.node > 6 ? 1 : 0);
  const std::array<std::pair<ContactRun*, std::array<GlobalId, 4>>, 2> cases{
      {{&across, {1, 4, 5, 6}}, {&ridge, {1, 6, 7, 10}}}};
  for (const auto& [run, range] : cases)
    for (GlobalId id = range[0]; id <= range[3]; ++id) {
      const Measured node = sums_over(*run, id, id);
      EXPECT_NEAR(norm(node.sum - node.expected), 0.0, 1e-9) << id;
    }
}

TEST(Lines, TransducersMeasureBeamsAndEdges) {
  Bench beams = crossing(1.4);
  Bench sheets = ridge_and_rim();
  sheets.add_contact(ContactType::automatic_general).interior_edges = true;
  for (const bool of_beams : {false, true}) {
    Bench b = of_beams ? std::move(beams) : std::move(sheets);
    b.add_contact(ContactType::force_transducer, 2);
    b.add_contact(ContactType::force_transducer, 2, 1);
    b.add_contact(ContactType::force_transducer, 1, 2);
    ContactRun run(std::move(b));
    if (of_beams)
      force_on_second(run);
    else
      lower_rim(run);
    const Vec3 on_first = of_beams ? sums_over(run, 1, 4).expected : sums_over(run, 1, 6).expected;
    EXPECT_LT(on_first.z, -0.1);
    const auto results = run.system.results();
    EXPECT_NEAR(norm(results[1].force_a + on_first), 0.0, 1e-9);
    EXPECT_NEAR(norm(results[2].force_a + on_first), 0.0, 1e-9);
    EXPECT_NEAR(norm(results[3].force_a - on_first), 0.0, 1e-9);
    EXPECT_NEAR(norm(results[3].force_b + on_first), 0.0, 1e-9);
  }
}

/// Two bundles of beams that fly through each other, some time with friction.
std::unique_ptr<ContactRun> bundles() {
  Bench b;
  const LocalId one = add_beam_part(b), two = add_beam_part(b);
  for (int k = 0; k < 4; ++k) {
    const double y = 0.31 * k;
    add_chain(b, one, {{0, y, 0}, {0.5, y, 0.02}, {1.1, y, 0}, {1.6, y, 0.05}});
    add_chain(b, two, {{y + 0.1, -0.3, 0.3}, {y + 0.2, 0.4, 0.3}, {y, 0.9, 0.35}, {y + 0.1, 1.4, 0.3}});
  }
  auto& contact = b.add_contact(ContactType::automatic_general);
  contact.soft = 1;
  contact.fs = contact.fd = 0.2;
  auto run = std::make_unique<ContactRun>(std::move(b));
  for (std::size_t n = 0; n < run->nodal.size(); ++n)
    run->nodal.v[n] = {0.1 * double(n % 3), 0.05, run->nodal.x[n].z > 0.2 ? -1.0 : 1.0};
  return run;
}

constexpr auto kNothing = [](LocalId) { return Vec3{}; };

TEST(Lines, DoNotDependOnWhenTheSortsAre) {
  std::vector<std::vector<Vec3>> ends;
  for (const double margin : {0.02, 0.3, 2.0}) {
    const auto bundle = bundles();
    ContactRun& run = *bundle;
    run.system.set_margin(margin);
    for (int k = 0; k < 400; ++k) run.step(1e-3, k == 0, kNothing);
    EXPECT_GT(run.system.results()[0].sliding_energy(), 0.01);
    ends.emplace_back(run.nodal.x.begin(), run.nodal.x.end());
  }
  EXPECT_EQ(ends[0], ends[1]);
  EXPECT_EQ(ends[0], ends[2]);
}

TEST(Lines, ContinueAfterARestart) {
  const auto first = bundles(), second = bundles();
  ContactRun &one = *first, &two = *second;
  int k = 0;
  for (; k < 400 && one.system.results()[0].touching < 4; ++k) one.step(1e-3, k == 0, kNothing);
  ASSERT_LT(k, 400);
  two.nodal = one.nodal;
  two.time = one.time;
  state::Store store;
  state::StoreWriter writer(store);
  one.system.archive(writer);
  state::StoreReader reader(store);
  two.system.archive(reader);
  state::refuse_unread(reader.unread());
  for (k = 0; k < 250; ++k) {
    one.step(1e-3, false, kNothing);
    two.step(1e-3, false, kNothing);
  }
  EXPECT_EQ(one.nodal.x, two.nodal.x);
  EXPECT_EQ(one.system.results()[0].sliding_energy(), two.system.results()[0].sliding_energy());
}

TEST(Lines, BeamsOnASurfaceTouchItsEdgesToo) {
  ContactRun with(beam_on_plate(true)), ends(beam_on_plate(false));
  for (ContactRun* const run : {&with, &ends}) {
    force_on_second(*run);
    EXPECT_NEAR(norm(run->total_force()), 0.0, 1e-9);
    EXPECT_NEAR(norm(run->total_moment()), 0.0, 1e-9);
  }
  EXPECT_GT(force_on_second(with).z, 0.0);
  EXPECT_DOUBLE_EQ(force_on_second(ends).z, 0.0) << "a node of a set has no thickness";
  EXPECT_EQ(with.system.results()[0].touching, 3) << "both ends, and the edge at x = 2";
}

TEST(Lines, SingleEdgesAreThoseOfShells) {
  const auto lines = [](bool without_beams) {
    Bench b = beam_on_plate(true);
    b.model.contacts.clear();
    auto& c = b.add_contact(ContactType::automatic_general);
    c.edges_only = true;
    c.without_beams = without_beams;
    build_surfaces(b.model);
    return b.model.contacts[0].a.lines.size();
  };
  EXPECT_EQ(lines(false), 13u);
  EXPECT_EQ(lines(true), 12u);
}

}  // namespace
}  // namespace crumple::contact::test
