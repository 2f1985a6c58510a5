// How many failed points delete an element, from what the material says.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "state/groups.hpp"

namespace crumple::state {
namespace {

using model::ElementKind;

/// What elements of this form, shells with 5 layers, and of a law with these fields are told.
elements::GroupParameters told(ElementKind kind, int elform, int law,
                               const std::map<std::string, double>& fields) {
  model::Model m;
  model::Section section;
  section.kind = kind;
  section.elform = elform;
  section.nip = 5;
  section.thickness.fill(1.0);
  m.sections = {section};
  model::Material material;
  material.law = law;
  material.density = 1e-6;
  material.fields = {{"E", 200.0}, {"PR", 0.3}, {"SIGY", 0.3}};
  for (const auto& [name, value] : fields) material.fields[name] = value;
  m.materials = {material};
  m.parts = {model::Part{.id = 1, .section = 0, .material = 0, .kind = kind}};
  return part_formulation(m, m.parts[0], {{elform, {}}}).parameters;
}

/// The fraction of points that `numint` of MAT_123 asks of a shell form.
double fraction(double numint, int elform) {
  return told(ElementKind::shell, elform, 123, {{"NUMINT", numint}}).failed_points_to_delete;
}

/// The fraction that NUMFIP asks of points that the criteria of *MAT_ADD_EROSION fail.
double eroded(ElementKind kind, double numfip) {
  const auto group = told(kind, 2, 24, {{"EROSION.EXCL", 0}, {"EROSION.NUMFIP", numfip}});
  EXPECT_EQ(group.failed_points_to_delete, 0) << "all that the law fails";
  return group.eroded_points_to_delete;
}

TEST(PointsToFail, AreANumberAPercentageOrAll) {
  EXPECT_EQ(fraction(0, 2), 0);  // all
  EXPECT_DOUBLE_EQ(fraction(1, 2), 0.2);
  EXPECT_DOUBLE_EQ(fraction(3, 16), 0.15);  // points are counted one by one
  EXPECT_DOUBLE_EQ(fraction(7, 2), 1);
  EXPECT_DOUBLE_EQ(fraction(-40, 2), 0.4);
}

TEST(PointsToErode, ArePercentagesOfShellsOnly) {
  EXPECT_DOUBLE_EQ(eroded(ElementKind::shell, 2), 0.4);
  EXPECT_DOUBLE_EQ(eroded(ElementKind::shell, -60), 0.6);
  EXPECT_DOUBLE_EQ(eroded(ElementKind::solid, 2), 0.25);
  EXPECT_DOUBLE_EQ(eroded(ElementKind::solid, 9), 1);
  EXPECT_DOUBLE_EQ(eroded(ElementKind::solid, -60), 0.125);
  EXPECT_DOUBLE_EQ(eroded(ElementKind::solid, -103), 0.375);
}

}  // namespace
}  // namespace crumple::state
