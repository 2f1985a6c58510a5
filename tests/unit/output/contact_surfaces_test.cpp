// Tractions of contact surfaces against closed forms; files of states, and how a run goes on with them.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "output/contact_surfaces/segment_tractions.hpp"
#include "output/contact_surfaces/surface_files.hpp"
#include "unit/output/folder.hpp"
#include "unit/output/sample_model.hpp"

namespace crumple::output {

using sample::Folder;
using sample::read_all;
using sample::read_text;

namespace {

/// Three by two nodes in the plane z = 0, with two squares of side 2.
struct TwoSquares {
  ContactSideInfo side;
  std::vector<NcforcRow> nodes;

  TwoSquares() {
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 3; ++i) nodes.push_back({{}, {2.0 * i, 2.0 * j, 0}});
    side.nodes = {0, 1, 2, 3, 4, 5};
    side.segments = {{0, 1, 4, 3}, {1, 2, 5, 4}};
  }
  /// Sum of traction times area.
  Vec3 total() const {
    Vec3 sum;
    for (const SegmentTraction& t : segment_tractions(side, nodes)) sum += 4.0 * t.traction;
    return sum;
  }
};

}  // namespace

TEST(ContactSurfaces, UniformPressure) {
  TwoSquares s;
  // A pressure of 3 on both: a corner has a quarter of 12, nodes of both have two.
  for (std::size_t n = 0; n < 6; ++n) s.nodes[n].force = {0, 0, n == 1 || n == 4 ? -6.0 : -3.0};
  for (const SegmentTraction& t : segment_tractions(s.side, s.nodes)) {
    EXPECT_DOUBLE_EQ(t.pressure, 3.0);
    EXPECT_DOUBLE_EQ(t.traction.z, -3.0);
    EXPECT_DOUBLE_EQ(t.shear, 0.0);
  }
}

TEST(ContactSurfaces, SumIsThatOfTheForces) {
  TwoSquares s;
  s.nodes[0].force = {1, 0, -3};
  s.nodes[1].force = {0, 2, -1};
  s.nodes[5].force = {0, 4, 0};  // in the plane
  const Vec3 sum = s.total();
  EXPECT_NEAR(sum.x, 1.0, 1e-14);
  EXPECT_NEAR(sum.y, 6.0, 1e-14);
  EXPECT_NEAR(sum.z, -4.0, 1e-14);
  const std::vector<SegmentTraction> t = segment_tractions(s.side, s.nodes);
  EXPECT_NEAR(t[0].pressure, (3.0 + 0.5) / 4, 1e-14);
  EXPECT_NEAR(t[0].shear, std::hypot(1.0, 1.0) / 4, 1e-14);
}

TEST(ContactSurfaces, TheFaceThatTouchesGetsTheForceOfAnEdge) {
  TwoSquares s;
  for (const std::size_t n : {2U, 5U}) s.nodes[n].x = {2, s.nodes[n].x.y, -2};  // the second is upright
  for (const std::size_t n : {1U, 4U}) s.nodes[n].force = {0, 0, -5};
  const std::vector<SegmentTraction> t = segment_tractions(s.side, s.nodes);
  EXPECT_DOUBLE_EQ(t[0].pressure, 2.5);
  EXPECT_DOUBLE_EQ(t[1].pressure, 0.0);
  EXPECT_DOUBLE_EQ(t[1].shear, 0.0);
}

TEST(ContactSurfaces, Triangle) {
  TwoSquares s;
  s.side.segments = {{0, 1, 4, 4}};
  for (const std::size_t n : {0U, 1U, 4U}) s.nodes[n].force = {0, 0, 2};
  const std::vector<SegmentTraction> t = segment_tractions(s.side, s.nodes);
  EXPECT_DOUBLE_EQ(t[0].pressure, 3.0);  // 6 on an area of 2
}

namespace {

struct SurfaceRun {
  Catalogue catalogue = sample::catalogue();
  std::vector<std::vector<NcforcRow>> blocks;

  SurfaceRun() {
    TwoSquares s;
    catalogue.contacts = {{7, "bumper", true, true}};
    catalogue.contact_sides = {s.side};
    blocks = {s.nodes};
  }
};

}  // namespace

TEST(ContactSurfaces, Names) {
  EXPECT_EQ(contact_surface_name(0), "intfor0001.vtp");
  for (const char* const name : {"intfor0001.vtp", "intfor12345.vtp", "intfor.pvd"})
    EXPECT_TRUE(is_contact_surface_name(name)) << name;
  for (const char* const name : {"intfor.vtp", "intfor1.vtu", "intfora.vtp", "run.intfor1.vtp", "intfor"})
    EXPECT_FALSE(is_contact_surface_name(name)) << name;
}

TEST(ContactSurfaces, StatesAndTheirList) {
  const Folder folder;
  const SurfaceRun run;
  ContactSurfaceFiles files(run.catalogue, folder.path(), "crash.", true);
  EXPECT_FALSE(folder.has("crash.intfor.pvd"));
  for (const double time : {0.0, 0.5}) files.write(time, run.blocks);
  EXPECT_EQ(read_all(folder.path()).size(), 3U);
  const std::string list = read_text(folder.path() + "/crash.intfor.pvd");
  EXPECT_NE(list.find("timestep=\"0.5\" part=\"0\" file=\"crash.intfor0002.vtp\""), std::string::npos)
      << list;
  const std::string state = read_text(folder.path() + "/crash.intfor0001.vtp");
  EXPECT_NE(state.find("NumberOfPoints=\"6\""), std::string::npos);
  EXPECT_NE(state.find("NumberOfPolys=\"2\""), std::string::npos);
  EXPECT_EQ(files.position().times, (std::vector{0.0, 0.5}));
}

TEST(ContactSurfaces, GoesOn) {
  const Folder whole, parts;
  const SurfaceRun run;
  ContactSurfaceFiles one(run.catalogue, whole.path(), "", false);
  for (const double time : {0.0, 0.5, 1.0}) one.write(time, run.blocks);
  ContactSurfacePosition position;
  {
    ContactSurfaceFiles first(run.catalogue, parts.path(), "", false);
    for (const double time : {0.0, 0.5}) {
      first.write(time, run.blocks);
      if (time == 0.0) position = first.position();
    }
    for (const double time : {0.6, 0.7}) first.write(time, run.blocks);  // states that are written again
  }
  ContactSurfaceFiles second(run.catalogue, parts.path(), "", false, position);
  EXPECT_EQ(read_all(parts.path()).size(), 2U);
  for (const double time : {0.5, 1.0}) second.write(time, run.blocks);
  EXPECT_TRUE(sample::differences(read_all(whole.path()), read_all(parts.path())).empty());
}

TEST(ContactSurfaces, EarlierRunsAreRemoved) {
  const Folder folder;
  const SurfaceRun run;
  {
    ContactSurfaceFiles files(run.catalogue, folder.path(), "", false);
    files.write(0.0, run.blocks);
  }
  const ContactSurfaceFiles next(run.catalogue, folder.path(), "", false);
  EXPECT_TRUE(read_all(folder.path()).empty());
}

}  // namespace crumple::output
