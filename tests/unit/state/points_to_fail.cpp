// How many failed points delete an element, from what the material says.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "elements/failed_points.hpp"
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
  model::Curve curve;
  curve.id = 5;
  curve.x = {0, 1};
  curve.y = {1, 1};
  m.curves = {curve};
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

/// What NUMFIP asks of points that a damage model fails: the fraction, and whether it is one of layers.
std::pair<double, bool> damaged(ElementKind kind, double numfip) {
  const auto group =
      told(kind, 16, 24,
           {{"EROSION.EXCL", 0}, {"EROSION.IDAM", 1}, {"EROSION.LCSDG", 5}, {"EROSION.NUMFIP", numfip}});
  EXPECT_GE(group.law.damage, 0);
  return {group.damaged_points_to_delete, group.damaged_layers};
}

TEST(PointsToDamage, AreANumberOrAPercentageOfLayers) {
  EXPECT_EQ(damaged(ElementKind::shell, 4), std::pair(0.2, false));
  EXPECT_EQ(damaged(ElementKind::shell, -60), std::pair(0.6, true));
}

TEST(PointsToDamage, ALayerFailsWithOneOfItsPoints) {
  elements::GroupParameters group;
  group.n_points = 8;  // four columns of two layers
  group.layers.resize(2);
  group.law.damage = 1;
  constexpr int stride = 3;
  std::vector<double> history(8 * stride * elements::kLanes, 0.0);
  const auto fail = [&](int point) { history[(1 + point * stride) * elements::kLanes] = 1; };
  const auto gone = [&](bool layers, double fraction) {
    group.damaged_layers = layers;
    group.damaged_points_to_delete = fraction;
    return elements::enough_failed<double>(group, 0.0, history.data(), stride);
  };
  EXPECT_FALSE(gone(true, 0.5));
  fail(1);
  EXPECT_TRUE(gone(true, 0.5));
  EXPECT_FALSE(gone(false, 0.25));
  fail(5);  // the same layer
  EXPECT_FALSE(gone(true, 1));
  EXPECT_TRUE(gone(false, 0.25));
  fail(6);
  EXPECT_TRUE(gone(true, 1));
  EXPECT_FALSE(gone(false, 1));
}

}  // namespace
}  // namespace crumple::state
