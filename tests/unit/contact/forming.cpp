// Forming contact: the fronts of tools, their offset, the sheet's thickness, and which way tools are turned.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "bench.hpp"

namespace crumple::contact::test {
namespace {

using model::ContactType;

constexpr double kSheet = 0.1;
const double kStiffness = 0.1 * 1000.0 / std::sqrt(2.0);

/// A tool of 4 x 4 at z = 0, part 1, and a sheet of one shell above or below it, part 2, with nodes from 25.
struct Formed {
  Bench bench;
  LocalId node = 25;

  explicit Formed(double height = 0.5, ContactType type = ContactType::nodes_to_surface) {
    bench.add_plate({0, 0, 0}, {4, 0, 0}, {0, 4, 0}, 4, 4, 0.2);
    bench.add_plate({1.2, 1.3, height}, {1, 0, 0}, {0, 1, 0}, 1, 1, kSheet);
    model::Contact& c = bench.add_contact(type, 2, 1);
    c.forming = true;
  }
  model::Contact& contact() { return bench.model.contacts[0]; }
  /// Along z on the node, which was in front before.
  double force_at(ContactRun& run, double z) const {
    run.move(node, Vec3{0, 0, z} - Vec3{0, 0, run.nodal.x[node].z}, 1e-3);
    return run.force(node).z;
  }
};

TEST(Forming, TheSheetHasThicknessAndTheToolHasNot) {
  Formed formed;
  ContactRun run(formed.bench);
  run.forces();
  EXPECT_DOUBLE_EQ(run.force(formed.node).z, 0.0);
  EXPECT_NEAR(formed.force_at(run, 0.051), 0.0, 1e-12);
  EXPECT_NEAR(formed.force_at(run, 0.03), kStiffness * 0.02, 1e-9);
  EXPECT_NEAR(formed.force_at(run, -0.01), kStiffness * 0.06, 1e-9) << "through the mesh of the tool";
  EXPECT_NEAR(norm(run.total_force()), 0.0, 1e-11);
}

TEST(Forming, HalfOfSbstMovesTheSurfaceForward) {
  Formed formed;
  formed.contact().stb = 0.06;
  ContactRun run(formed.bench);
  run.forces();
  EXPECT_NEAR(formed.force_at(run, 0.081), 0.0, 1e-12);
  EXPECT_NEAR(formed.force_at(run, 0.05), kStiffness * 0.03, 1e-9);
}

TEST(Forming, NodesOfToolsTouchBothSidesOfTheSheet) {
  Formed formed(0.2, ContactType::surface_to_surface);
  const LocalId under = 12;  // of the tool, below the sheet, at (2, 2)
  ContactRun run(formed.bench);
  run.forces();
  run.move(under, {0, 0, 0.16}, 1e-3);
  EXPECT_NEAR(run.force(under).z, -kStiffness * 0.01, 1e-9);
  EXPECT_NEAR(norm(run.total_force()), 0.0, 1e-11);
}

Vec3 normal_of(const ContactRun& run, std::size_t segment) {
  const auto& n = run.bench.model.contacts[0].b.segments[segment].nodes;
  const auto& x = run.bench.model.nodes.x;
  return cross(x[n[2]] - x[n[0]], x[n[3]] - x[n[1]]);
}

/// The tool with a wall down from its edge at x = 4, whose normals are consistent with its own.
Formed with_wall(double height) {
  Formed formed(height);
  Bench& b = formed.bench;
  for (int j = 0; j < 4; ++j) {
    const LocalId low = b.add_node({4, double(j), -1}), high = b.add_node({4, double(j + 1), -1});
    b.add_shell(0, {static_cast<LocalId>(5 * j + 9), static_cast<LocalId>(5 * j + 4), low, high});
  }
  return formed;
}

TEST(Forming, ToolsAreTurnedAsAWhole) {
  for (const double height : {0.5, -0.5}) {
    const ContactRun run(with_wall(height).bench);
    const double way = height > 0.0 ? 1.0 : -1.0;
    for (std::size_t s = 0; s < 16; ++s) EXPECT_GT(way * normal_of(run, s).z, 0.0) << height << " " << s;
    for (std::size_t s = 16; s < 20; ++s) EXPECT_GT(way * normal_of(run, s).x, 0.0) << height << " " << s;
  }
}

TEST(Forming, OrienKeepsToolsAndTurnsSets) {
  const auto first_normal = [](int orien, bool set) {
    Formed formed(-0.5);
    formed.contact().orien = orien;
    if (set) {
      model::SegmentSet segments;
      segments.id = 9;
      for (std::size_t s = 0; s < 16; ++s) segments.segments.push_back(formed.bench.model.shells.nodes[s]);
      formed.bench.model.sets.segments.push_back(segments);
      formed.contact().input_b = {0, 9, model::kNone};
    }
    return normal_of(ContactRun(formed.bench), 0).z;
  };
  EXPECT_LT(first_normal(1, false), 0.0);
  EXPECT_GT(first_normal(4, false), 0.0);
  EXPECT_GT(first_normal(1, true), 0.0);
  EXPECT_LT(first_normal(2, true), 0.0);
}

TEST(Forming, OppositeNormalsOfNeighboursAreReported) {
  const auto reported = [](Bench b) {
    const auto warnings = build_surfaces(b.model);
    return std::ranges::count_if(warnings, [](const auto& w) { return std::string(w.id) == "CR-C020"; });
  };
  Bench good = with_wall(0.5).bench;
  EXPECT_EQ(reported(good), 0);
  auto& nodes = good.model.shells.nodes.back();
  std::swap(nodes[0], nodes[2]);
  EXPECT_EQ(reported(good), 1);
}

}  // namespace
}  // namespace crumple::contact::test
