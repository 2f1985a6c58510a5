// What MAT_034 refuses. Its stresses are tested with its elements, in elements_shell/fabric.cpp.
#include <gtest/gtest.h>

#include "one_point.hpp"

namespace crumple::materials::testing_ {
namespace {

model::Material fabric(std::initializer_list<std::pair<const std::string, double>> fields) {
  model::Material m = material(34, {{"EA", 0.3}, {"EB", 0.2}, {"GAB", 0.05}, {"PRBA", 0.1}});
  for (const auto& [name, value] : fields) m.fields[name] = value;
  return m;
}

model::Model with_curves() {
  model::Model model;
  model.curves.push_back(curve(1, {0, 0.1, 0.4}, {0, 0.01, 0.07}));
  model.curves.push_back(curve(2, {0, 0.1}, {0.1, 0.2}));
  model.curves.push_back(curve(3, {0, 0.4}, {0, 0.2}));
  model.curves.push_back(curve(4, {0, 0.1, 0.2}, {0, 0.2, 0.1}));
  model.curves.push_back(curve(5, {-0.1, 0, 0.2}, {-0.2, 0, 0.1}));
  return model;
}

std::string id_of(std::initializer_list<std::pair<const std::string, double>> fields) {
  try {
    prepare(with_curves(), fabric(fields));
  } catch (const Error& error) {
    return error.id() + " " + error.place().field;
  }
  return "";
}

TEST(Fabric, RefusesByName) {
  EXPECT_EQ(id_of({{"FORM", 12}}), "CR-M105 FORM");
  EXPECT_EQ(id_of({{"AOPT", -3}}), "CR-M105 AOPT");
  EXPECT_EQ(id_of({{"AOPT", 2}}), "CR-M108 A1");
  EXPECT_EQ(id_of({{"AOPT", 2}, {"A1", 1}, {"BETA", 30}}), "CR-M105 BETA");
  EXPECT_EQ(id_of({{"EA", 0}}), "CR-M103 EA");
  EXPECT_EQ(id_of({{"GAB", 0}}), "CR-M103 GAB");
  EXPECT_EQ(id_of({{"PRBA", 0.4}, {"EB", 0.01}}), "CR-M104 PRBA");
  EXPECT_EQ(id_of({{"LRATIO", 0.1}}), "CR-M103 EL");
  EXPECT_EQ(id_of({{"FORM", 4}, {"LCA", 9}}), "CR-M106 LCA");
  EXPECT_EQ(id_of({{"FORM", 4}, {"LCA", 2}}), "CR-M107 LCA");
  EXPECT_EQ(id_of({{"FORM", 4}, {"LCA", 4}}), "CR-M107 LCA");
  EXPECT_EQ(id_of({{"FORM", 4}, {"LCA", 5}}), "CR-M107 LCA");
  EXPECT_EQ(id_of({{"FORM", 14}, {"LCA", 5}}), "");
  EXPECT_EQ(id_of({{"FORM", 4}, {"LCUA", 3}}), "CR-M105 LCUA");
  EXPECT_EQ(id_of({{"EROSION.EXCL", 0}, {"EROSION.MXEPS", 0.1}}), "CR-M105 ");
}

TEST(Fabric, StepIsOfTheSteepestCurve) {
  EXPECT_DOUBLE_EQ(prepare(with_curves(), fabric({{"FORM", 14}, {"LCA", 1}})).elastic.young, 0.3);
  EXPECT_DOUBLE_EQ(prepare(with_curves(), fabric({{"FORM", 14}, {"LCA", 3}})).elastic.young, 0.5);
}

}  // namespace
}  // namespace crumple::materials::testing_
