// How many failed points delete a shell, from what the material says.
#include <gtest/gtest.h>

#include "state/groups.hpp"

namespace crumple::state {
namespace {

/// The fraction of points that `numint` of MAT_123 asks of a shell form with 5 layers.
double fraction(double numint, int elform) {
  model::Model m;
  model::Section section;
  section.kind = model::ElementKind::shell;
  section.elform = elform;
  section.nip = 5;
  section.thickness.fill(1.0);
  m.sections = {section};
  model::Material material;
  material.law = 123;
  material.density = 1e-6;
  material.fields = {{"E", 200.0}, {"PR", 0.3}, {"SIGY", 0.3}, {"NUMINT", numint}};
  m.materials = {material};
  m.parts = {model::Part{.id = 1, .section = 0, .material = 0, .kind = model::ElementKind::shell}};
  return part_formulation(m, m.parts[0], {elform, {}}).parameters.failed_points_to_delete;
}

TEST(PointsToFail, AreANumberAPercentageOrAll) {
  EXPECT_EQ(fraction(0, 2), 0);  // all
  EXPECT_DOUBLE_EQ(fraction(1, 2), 0.2);
  EXPECT_DOUBLE_EQ(fraction(3, 16), 0.15);  // points are counted one by one
  EXPECT_DOUBLE_EQ(fraction(7, 2), 1);
  EXPECT_DOUBLE_EQ(fraction(-40, 2), 0.4);
}

}  // namespace
}  // namespace crumple::state
