// Shells whose surfaces are around a plane beside their nodes, and solids and shells with a thickness or
// stiffness of the contact.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "bench.hpp"

namespace crumple::contact::test {
namespace {

using model::ContactType;

/// Of unit shells: slsfac K A / diagonal.
const double kOfPlate = 0.1 * 1000.0 / std::sqrt(2.0);

/// 4 x 4 unit shells of thickness 0.2 in z = 0, and one shell of thickness 0.1 that is moved as a whole.
struct TwoPlates {
  Bench bench;
  LocalId upper = 0;

  TwoPlates(ContactType type, double lower_nloc, double upper_nloc) {
    bench.add_plate({0, 0, 0}, {4, 0, 0}, {0, 4, 0}, 4, 4, 0.2);
    upper = static_cast<LocalId>(bench.model.nodes.size());
    bench.add_plate({1.3, 1.4, 5}, {1, 0, 0}, {0, 1, 0}, 1, 1, 0.1);
    bench.model.sections[0].nloc = lower_nloc;
    bench.model.sections[1].nloc = upper_nloc;
    auto& contact = bench.add_contact(type, 2, 1);
    contact.reference_planes = 1;
    if (is_single(type)) contact.input_a = {5, 0, model::kNone};
  }
  void put(ContactRun& run, double z) const {
    for (LocalId k = 0; k < 4; ++k) run.nodal.x[upper + k].z = z;
    run.forces();
  }
  Vec3 pushed(const ContactRun& run) const {
    Vec3 sum;
    for (LocalId k = 0; k < 4; ++k) sum += run.force(upper + k);
    return sum;
  }
};

// The middle surface is 0.1 below the nodes: the faces are at 0 and -0.2.
TEST(ReferencePlanes, FacesAreAroundThePlane) {
  TwoPlates plates(ContactType::automatic_nodes_to_surface, 1.0, 0.0);
  ContactRun run(plates.bench);
  for (const double side : {1.0, -1.0}) {
    const double face = side > 0.0 ? 0.05 : -0.25;  // and half of the node's thickness
    plates.put(run, face + 0.01 * side);
    EXPECT_NEAR(norm(plates.pushed(run)), 0.0, 1e-12);
    plates.put(run, face - 0.02 * side);
    EXPECT_NEAR(plates.pushed(run).z, side * 4 * kOfPlate * 0.02, 1e-9);
    EXPECT_NEAR(norm(run.total_force()), 0.0, 1e-11);
    plates.put(run, side * 3.0);
    plates.put(run, -side * 3.0);
  }
}

// Both meshes are where the sheets touch: a node that crosses the other mesh stays on its side.
TEST(ReferencePlanes, MeshesMayBeOnTheFacesThatTouch) {
  for (const auto type : {ContactType::automatic_surface_to_surface, ContactType::automatic_single_surface}) {
    TwoPlates plates(type, 1.0, -1.0);
    ContactRun run(plates.bench);
    plates.put(run, 0.01);
    EXPECT_NEAR(norm(plates.pushed(run)), 0.0, 1e-12);
    for (const double depth : {0.02, 0.05}) {
      plates.put(run, -depth);
      EXPECT_NEAR(plates.pushed(run).z, 5 * kOfPlate * depth,
                  1e-9);  // four nodes, and one of the lower plate
      EXPECT_NEAR(norm(run.total_force()), 0.0, 1e-11);
    }
  }
}

TEST(ReferencePlanes, TurnWithTheShells) {
  TwoPlates plates(ContactType::automatic_surface_to_surface, 1.0, -1.0);
  ContactRun run(plates.bench);
  for (LocalId k = 0; k < 4; ++k) run.nodal.x[plates.upper + k].z = 0.01;
  for (Vec3& x : run.nodal.x) x = {x.z, x.x, x.y};
  run.forces();
  EXPECT_NEAR(norm(plates.pushed(run)), 0.0, 1e-12);
  for (LocalId k = 0; k < 4; ++k) run.nodal.x[plates.upper + k].x = -0.03;
  run.forces();
  EXPECT_NEAR(plates.pushed(run).x, 5 * kOfPlate * 0.03, 1e-9);
  EXPECT_NEAR(std::hypot(plates.pushed(run).y, plates.pushed(run).z), 0.0, 1e-10);
}

// SOFT = 2 has points on segments, which have the segment's plane.
TEST(ReferencePlanes, OfPointsOnSegments) {
  TwoPlates plates(ContactType::automatic_surface_to_surface, 1.0, -1.0);
  plates.bench.model.contacts[0].soft = 2;
  ContactRun run(plates.bench);
  run.system.expect_step(1e-3);
  plates.put(run, 0.01);
  EXPECT_EQ(run.system.active(), 0u);
  plates.put(run, -0.02);
  EXPECT_GT(plates.pushed(run).z, 0.0);
  EXPECT_NEAR(run.system.results()[0].max_penetration, 0.02, 1e-12);
  EXPECT_NEAR(norm(run.total_force()), 0.0, 1e-9);
}

TEST(ReferencePlanes, AreScaledByTheThicknessOfTheContact) {
  for (const int planes : {0, 1, 2}) {
    TwoPlates plates(ContactType::automatic_surface_to_surface, 1.0, 0.5);
    model::Contact& contact = plates.bench.model.contacts[0];
    contact.reference_planes = planes;
    contact.stb = 0.05;
    build_surfaces(plates.bench.model);
    const double expected[3] = {0.0, -0.1, -0.025};
    EXPECT_DOUBLE_EQ(contact.b.segments[0].plane, expected[planes]);
    EXPECT_DOUBLE_EQ(contact.b.segments[0].thickness, 0.05);
    ASSERT_EQ(contact.a.node_plane.size(), planes == 0 ? 0u : 4u);
    if (planes > 0) {
      EXPECT_DOUBLE_EQ(contact.a.node_plane[0], -0.025);
    }
  }
}

TEST(ReferencePlanes, OfElementsAndSegmentSets) {
  TwoPlates plates(ContactType::automatic_surface_to_surface, 1.0, 0.0);
  model::Model& m = plates.bench.model;
  m.parts[0].own_offsets = true;
  m.shells.offset.assign(m.shells.size(), 0.07);
  const auto [a, b, c, d] = m.shells.nodes[5];
  m.sets.segments.push_back({9, {{a, b, c, d}, m.shells.nodes[6], {b, a, d, c}}});
  m.sets.segments[0].segments[0] = {d, c, b, a};  // from the other side
  m.contacts[0].input_b = {0, 9, model::kNone};
  m.contacts[0].nodes_stay = true;
  build_surfaces(m);
  const model::Surface& set = m.contacts[0].b;
  ASSERT_EQ(set.segments.size(), 2u);  // the third is the first once more
  EXPECT_DOUBLE_EQ(set.segments[0].plane, -0.07);
  EXPECT_DOUBLE_EQ(set.segments[1].plane, 0.07);
  EXPECT_TRUE(m.contacts[0].a.node_plane.empty());
}

/// A block of unit bricks below z = 1, and a shell of thickness 0.1 above it.
struct BlockAndPlate {
  Bench bench;
  LocalId upper = 0;

  BlockAndPlate() {
    bench.add_block({0, 0, 0}, {4, 4, 1}, {4, 4, 1});
    upper = static_cast<LocalId>(bench.model.nodes.size());
    bench.add_plate({10, 10, 5}, {1, 0, 0}, {0, 1, 0}, 1, 1, 0.1);
    bench.add_contact(ContactType::automatic_nodes_to_surface, 2, 1);
  }
  double force_at(double z) const {
    ContactRun run(bench);
    run.nodal.x[upper] = {1.3, 2.6, z};
    run.forces();
    EXPECT_NEAR(norm(run.total_force()), 0.0, 1e-11);
    return run.force(upper).z;
  }
};

TEST(SolidsInContact, HaveTheThicknessThatIsGiven) {
  BlockAndPlate block;
  EXPECT_NEAR(block.force_at(1.06), 0.0, 1e-12);
  block.bench.model.contacts[0].solid_thickness = 0.3;
  EXPECT_NEAR(block.force_at(1.21), 0.0, 1e-12);
  EXPECT_NEAR(block.force_at(1.18), kOfPlate * 0.02, 1e-9);
}

TEST(SolidsInContact, HaveTheModulusThatIsGiven) {
  BlockAndPlate block;
  block.bench.model.contacts[0].solid_modulus = 100.0;
  EXPECT_NEAR(block.force_at(1.03), 0.1 * 100.0 * 0.02, 1e-9);
  block.bench.model.parts[0].contact_stiffness_scale = 2.0;
  EXPECT_NEAR(block.force_at(1.03), 0.2 * 100.0 * 0.02, 1e-9);
}

TEST(ShellsInContact, MayHaveNoThickness) {
  TwoPlates plates(ContactType::automatic_nodes_to_surface, 0.0, 0.0);
  plates.bench.model.contacts[0].ignroff = 1;
  ContactRun run(plates.bench);
  plates.put(run, 0.06);
  EXPECT_NEAR(norm(plates.pushed(run)), 0.0, 1e-12);
  plates.put(run, 0.03);
  EXPECT_NEAR(plates.pushed(run).z, 4 * kOfPlate * 0.02, 1e-9);
  plates.bench.model.contacts[0].ignroff = 3;
  EXPECT_THROW(build_surfaces(plates.bench.model), Error);
}

// SOFT = 1: SOFSCL m* / (2 dt^2), with DTSTIF for dt unless that is less than the step.
TEST(SoftContact, HasTheStepThatIsGiven) {
  for (const double given : {0.0, 1e-3, 4e-3}) {
    TwoPlates plates(ContactType::automatic_nodes_to_surface, 0.0, 0.0);
    model::Contact& contact = plates.bench.model.contacts[0];
    contact.soft = 1;
    contact.sofscl = 0.2;
    contact.stiffness_step = given;
    ContactRun run(plates.bench);
    for (LocalId n = 0; n < plates.upper; ++n) run.nodal.mass[n] = kUnmovable;
    run.system.expect_step(2e-3);
    plates.put(run, 0.13);
    const double dt = std::max(given, 2e-3);
    EXPECT_NEAR(plates.pushed(run).z, 4 * 0.5 * 0.2 / (dt * dt) * 0.02, 1e-6);
  }
}

// Faces at x = 0 whose nodes do not move along x are left out.
TEST(SolidsInContact, HaveNoFacesOnPlanesOfSymmetry) {
  Bench bench;
  bench.add_block({0, 0, 0}, {2, 2, 2}, {2, 2, 2});
  for (std::size_t n = 0; n < bench.model.nodes.size(); ++n)
    if (bench.model.nodes.x[n].x == 0.0) {
      model::NodeConstraint constraint;
      constraint.node = static_cast<LocalId>(n);
      constraint.mask = 1;
      bench.model.constraints.push_back(constraint);
    }
  bench.add_contact(ContactType::automatic_single_surface).symmetric = true;
  build_surfaces(bench.model);
  EXPECT_EQ(bench.model.contacts[0].a.segments.size(), 20u);
}

}  // namespace
}  // namespace crumple::contact::test
