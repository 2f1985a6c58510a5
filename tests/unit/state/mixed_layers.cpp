// Layers of different laws in a shell: each has its law, the element the history of the longest and the
// elastic constants of the stiffest; axes go to layers that have them. Laws that cannot be mixed are refused.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "state/groups.hpp"

namespace crumple::state {
namespace {

using Fields = std::map<std::string, double>;

model::Material law(int number, double density, const Fields& fields) {
  model::Material m;
  m.id = number;
  m.law = number;
  m.name = "MAT_" + std::to_string(number);
  m.density = density;
  m.fields = fields;
  return m;
}
const model::Material kPane = law(280, 2.5e-6, {{"E", 70.0}, {"PR", 0.23}, {"FT", 0.05}, {"FC", 0.6}});
const model::Material kFilm = law(24, 1.1e-6, {{"E", 0.1}, {"PR", 0.45}, {"SIGY", 0.01}, {"ETAN", 0.01}});
const model::Material kFabric = law(2, 1.5e-6,
                                    {{"EA", 60.0},
                                     {"EB", 50.0},
                                     {"EC", 10.0},
                                     {"PRBA", 0.05},
                                     {"GAB", 5.0},
                                     {"GBC", 3.0},
                                     {"GCA", 3.0},
                                     {"BETA", 30.0}});

/// A shell part with these layers, of thicknesses 2, 1, 2 and so on.
PartFormulation layered(const std::vector<model::Material>& materials, bool own_rule = false) {
  model::Model m;
  m.nodes.id = {1, 2, 3, 4};
  m.nodes.x = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
  model::Section section;
  section.kind = model::ElementKind::shell;
  section.elform = 16;
  section.own_rule = own_rule;
  m.materials = materials;
  for (int k = 0; k < static_cast<int>(materials.size()); ++k)
    section.plies.push_back({.material = k, .thickness = k % 2 == 0 ? 2.0 : 1.0, .number = k + 1});
  section.nip = static_cast<int>(section.plies.size());
  section.thickness.fill(5.0);
  m.sections = {section};
  m.parts = {model::Part{.id = 1, .section = 0, .material = 0, .kind = model::ElementKind::shell}};
  return part_formulation(m, m.parts[0], {{16, {}}});
}

std::string refusal(const std::vector<model::Material>& materials) {
  try {
    layered(materials);
  } catch (const Error& error) {
    return error.id() + " " + error.message();
  }
  return "";
}

TEST(MixedLayers, HaveTheirLaws) {
  const PartFormulation of = layered({kPane, kFilm, kPane});
  const elements::GroupParameters& g = of.parameters;
  EXPECT_TRUE(g.laminated);
  ASSERT_EQ(g.layers.size(), 3u);
  EXPECT_EQ(g.layers[0].law.row->number, 280);
  EXPECT_EQ(g.layers[1].law.row->number, 24);
  EXPECT_EQ(g.layers[2].law.row->number, 280);
  EXPECT_EQ(g.n_history, of.plies[0].n_history) << "the longest";
  EXPECT_GT(of.plies[0].n_history, of.plies[1].n_history);
  EXPECT_EQ(g.young, 70.0);
  EXPECT_NEAR(g.density, (4 * 2.5e-6 + 1.1e-6) / 5, 1e-18);
  EXPECT_NEAR(g.layers[0].zeta, -0.6, 1e-15);
  EXPECT_NEAR(g.layers[1].weight, 0.4, 1e-15);
  EXPECT_TRUE(of.axes.empty());
}

TEST(MixedLayers, AxesGoToLayersThatHaveThem) {
  const PartFormulation of = layered({kPane, kFabric, kPane});
  ASSERT_EQ(of.axes.size(), 3u);
  EXPECT_NEAR(of.axes[1].angle, M_PI / 6, 1e-15);
}

TEST(MixedLayers, LaminatedGlassHasALayerOfEachMaterial) {
  const model::Material glass = law(32, 2.5e-6,
                                    {{"EG", 70.0},
                                     {"PRG", 0.22},
                                     {"SYG", 0.06},
                                     {"EFG", 1e-3},
                                     {"EP", 0.3},
                                     {"PRP", 0.4},
                                     {"SYP", 0.01},
                                     {"F2", 1.0}});
  const PartFormulation of = layered({glass, glass, glass}, true);
  ASSERT_EQ(of.plies.size(), 3u);
  EXPECT_EQ(of.plies[0].elastic.young, 70.0);
  EXPECT_EQ(of.plies[1].elastic.young, 0.3);
  EXPECT_EQ(of.plies[2].elastic.young, 70.0);
  EXPECT_EQ(of.parameters.young, 70.0);
}

TEST(MixedLayers, WhatCannotBeMixedIsRefused) {
  const std::string criteria =
      refusal({kPane,
               law(24, 1.1e-6,
                   {{"E", 0.1}, {"PR", 0.45}, {"SIGY", 0.01}, {"EROSION.EXCL", 0}, {"EROSION.MXEPS", 0.5}}),
               kPane});
  EXPECT_NE(criteria.find("CR-E106"), std::string::npos) << criteria;
  EXPECT_NE(criteria.find("*MAT_ADD_EROSION"), std::string::npos) << criteria;
  const std::string null = refusal({kPane, law(9, 1e-6, {}), kPane});
  EXPECT_NE(null.find("null law"), std::string::npos) << null;
  const std::string counted =
      refusal({kPane, law(123, 1.1e-6, {{"E", 0.1}, {"PR", 0.45}, {"SIGY", 0.01}, {"NUMINT", 1.0}}), kPane});
  EXPECT_NE(counted.find("numbers of failed points"), std::string::npos) << counted;
  EXPECT_EQ(refusal({kPane, kFilm}), "");
}

}  // namespace
}  // namespace crumple::state
