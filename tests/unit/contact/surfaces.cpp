// Surfaces of contacts: exterior faces, thickness rules, sets, boxes.
#include <gtest/gtest.h>

#include <map>

#include "bench.hpp"
#include "model/solid_faces.hpp"

namespace crumple::contact::test {
namespace {

using model::ContactType;
using model::ElementKind;
using model::exterior_faces;
using model::faces_of;
using model::SolidFace;

Vec3 area_vector(const model::Model& m, const SolidFace& f) {
  const auto& x = m.nodes.x;
  const auto& n = f.nodes;
  return 0.5 * (f.corners() == 4 ? cross(x[n[2]] - x[n[0]], x[n[3]] - x[n[1]])
                                 : cross(x[n[1]] - x[n[0]], x[n[2]] - x[n[0]]));
}

TEST(ExteriorFaces, OfABrickMesh) {
  Bench bench;
  bench.add_block({0, 0, 0}, {3, 2, 1}, {3, 2, 1});
  const auto faces = exterior_faces(bench.model);
  EXPECT_EQ(faces.size(), 22u);  // 2 (3*2 + 3*1 + 2*1)
  Vec3 sum;
  double area = 0.0, volume = 0.0;
  for (const SolidFace& f : faces) {
    const Vec3 a = area_vector(bench.model, f);
    sum += a;
    area += norm(a);
    volume += dot(a, bench.model.nodes.x[f.nodes[0]]) / 3.0;  // divergence theorem: outward means positive
  }
  EXPECT_NEAR(norm(sum), 0.0, 1e-14);
  EXPECT_NEAR(area, 22.0, 1e-12);
  EXPECT_NEAR(volume, 6.0, 1e-12);
}

TEST(ExteriorFaces, OfDegenerateBricks) {
  Bench bench;
  const LocalId part = bench.add_part(ElementKind::solid);
  for (const Vec3& x :
       {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}, Vec3{1, 1, 0}, Vec3{1, 0, 1}})
    bench.add_node(x);
  bench.add_solid(part, {0, 1, 2, 3, 3, 3, 3, 3});  // tetrahedron
  EXPECT_EQ(faces_of(bench.model, 0).size(), 4u);
  double volume = 0.0;
  for (const SolidFace& f : faces_of(bench.model, 0))
    volume += dot(area_vector(bench.model, f), bench.model.nodes.x[f.nodes[0]]) / 3.0;
  EXPECT_NEAR(volume, 1.0 / 6.0, 1e-14);
  bench.add_solid(part, {0, 1, 4, 2, 3, 3, 3, 3});  // pyramid
  EXPECT_EQ(faces_of(bench.model, 1).size(), 5u);
  bench.add_solid(part, {0, 1, 4, 2, 5, 5, 3, 3});  // wedge
  int triangles = 0;
  for (const SolidFace& f : faces_of(bench.model, 2)) triangles += f.corners() == 3 ? 1 : 0;
  EXPECT_EQ(faces_of(bench.model, 2).size(), 5u);
  EXPECT_EQ(triangles, 2);
}

TEST(Surfaces, OfASolidAndAPlate) {
  Bench bench;
  bench.add_block({0, 0, 0}, {1, 1, 1}, {2, 2, 2});
  bench.add_plate({0, 0, 2}, {1, 0, 0}, {0, 1, 0}, 2, 2, 0.1);
  bench.add_contact(ContactType::automatic_surface_to_surface, 1, 2).sftb = 2.0;
  build_surfaces(bench.model);
  const model::Contact& c = bench.model.contacts[0];
  EXPECT_EQ(c.a.segments.size(), 24u);
  EXPECT_EQ(c.a.nodes.size(), 26u);
  EXPECT_EQ(c.b.segments.size(), 4u);
  EXPECT_EQ(c.b.nodes.size(), 9u);
  EXPECT_DOUBLE_EQ(c.a.node_thickness[0], 0.0);
  EXPECT_DOUBLE_EQ(c.b.segments[0].thickness, 0.2);
  EXPECT_DOUBLE_EQ(c.b.node_thickness[4], 0.2);
}

TEST(Surfaces, ThicknessOfSingleSurfacesIsLimited) {
  Bench bench;
  bench.add_plate({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 2, 2, 0.4);  // edges of 0.5
  bench.add_contact(ContactType::automatic_single_surface);
  bench.add_contact(ContactType::automatic_single_surface).sta = 0.3;
  build_surfaces(bench.model);
  EXPECT_DOUBLE_EQ(bench.model.contacts[0].a.segments[0].thickness, 0.2);
  EXPECT_DOUBLE_EQ(bench.model.contacts[1].a.segments[0].thickness, 0.3);
  bench.model.parts[0].contact_thickness_given = true;
  bench.model.parts[0].contact_thickness = 0.45;
  build_surfaces(bench.model);
  EXPECT_DOUBLE_EQ(bench.model.contacts[0].a.segments[0].thickness, 0.45);
}

TEST(Surfaces, PartsScaleTheirThickness) {
  Bench bench;
  bench.add_plate({0, 0, 0}, {4, 0, 0}, {0, 4, 0}, 2, 2, 0.4);
  bench.add_contact(ContactType::automatic_single_surface).sfta = 0.5;
  bench.add_contact(ContactType::automatic_single_surface).sta = 0.3;
  bench.model.parts[0].contact_thickness_scale = 2.5;  // SFT of *PART_CONTACT
  build_surfaces(bench.model);
  EXPECT_DOUBLE_EQ(bench.model.contacts[0].a.segments[0].thickness, 0.5);
  EXPECT_DOUBLE_EQ(bench.model.contacts[1].a.segments[0].thickness, 0.3);
}

TEST(Surfaces, OfSetsAndBoxes) {
  Bench bench;
  bench.add_plate({0, 0, 0}, {4, 0, 0}, {0, 1, 0}, 4, 1, 0.1);
  bench.add_block({0, 0, 2}, {1, 1, 1}, {1, 1, 1});
  bench.model.sets.nodes.push_back({7, {0, 1, 2}});
  bench.model.sets.parts.push_back({8, {0}});
  bench.model.sets.shells.push_back({9, {3}});
  const auto& brick = bench.model.solids.nodes[0];
  // A shell's nodes turned round; the brick's bottom with its normal inwards; the bottom once more.
  bench.model.sets.segments.push_back(
      {10,
       {{6, 1, 0, 5}, {brick[0], brick[1], brick[2], brick[3]}, {brick[1], brick[2], brick[3], brick[0]}}});
  model::Box box;
  box.id = 1;
  box.low = {-1, -1, -1}, box.high = {2.1, 2, 1};
  bench.model.sets.boxes.push_back(box);
  auto& nodes = bench.add_contact(ContactType::automatic_nodes_to_surface);
  nodes.input_a = {4, 7, model::kNone};
  nodes.input_b = {0, 10, model::kNone};
  auto& boxed = bench.add_contact(ContactType::automatic_surface_to_surface);
  boxed.input_a = {2, 8, 0};
  boxed.input_b = {1, 9, model::kNone};
  bench.add_contact(ContactType::automatic_single_surface).input_a = {6, 8, model::kNone};
  build_surfaces(bench.model);
  const auto& c = bench.model.contacts;
  EXPECT_EQ(c[0].a.nodes.size(), 3u);
  EXPECT_DOUBLE_EQ(c[0].a.node_thickness[0], 0.1);
  ASSERT_EQ(c[0].b.segments.size(), 2u);
  EXPECT_EQ(c[0].b.segments[0].kind, ElementKind::shell);
  EXPECT_EQ(c[0].b.segments[0].element, 0);
  EXPECT_EQ(c[0].b.segments[1].kind, ElementKind::solid);
  EXPECT_LT(area_vector(bench.model, {c[0].b.segments[1].nodes, 0}).z, 0.0);  // outward
  EXPECT_EQ(c[1].a.segments.size(), 2u);
  EXPECT_EQ(c[1].b.segments.size(), 1u);
  EXPECT_EQ(c[2].a.segments.size(), 6u);  // all but the plate
}

TEST(Surfaces, UnknownSetIsAnError) {
  Bench bench;
  bench.add_plate({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 1, 1, 0.1);
  bench.add_contact(ContactType::automatic_single_surface).input_a = {2, 99, model::kNone};
  try {
    build_surfaces(bench.model);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.id(), "CR-C001");
  }
}

}  // namespace
}  // namespace crumple::contact::test
