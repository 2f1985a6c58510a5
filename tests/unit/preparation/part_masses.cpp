// Mass spread over parts: by area, by mass, up to a final mass, and what cannot be.
#include "preparation/part_masses.hpp"

#include <gtest/gtest.h>

#include <map>

namespace crumple::preparation {
namespace {

/// Two quadrilaterals in a row, 1 x 1 and 3 x 1, parts 1 and 2 of thickness 1 and 2, density 1.
model::Model two_plates() {
  model::Model m;
  m.nodes.x = {{0, 0, 0}, {1, 0, 0}, {4, 0, 0}, {0, 1, 0}, {1, 1, 0}, {4, 1, 0}};
  m.nodes.id = {1, 2, 3, 4, 5, 6};
  for (const double thickness : {1.0, 2.0}) {
    model::Section section;
    section.kind = model::ElementKind::shell;
    section.elform = 2;
    section.nip = 2;
    section.thickness.fill(thickness);
    m.sections.push_back(section);
  }
  model::Material material;
  material.law = 1;
  material.density = 1;
  material.fields = {{"E", 200.0}, {"PR", 0.3}};
  m.materials = {material};
  for (LocalId p = 0; p < 2; ++p)
    m.parts.push_back(
        model::Part{.id = p + 1, .section = p, .material = 0, .kind = model::ElementKind::shell});
  m.shells.id = {11, 12};
  m.shells.order = {0, 1};
  m.shells.part = {0, 1};
  m.shells.nodes = {{0, 1, 4, 3}, {1, 2, 5, 4}};
  return m;
}

std::map<LocalId, double> spread(model::Model& m, const model::PartMass& mass) {
  m.part_masses = {mass};
  spread_part_masses(m);
  EXPECT_TRUE(m.part_masses.empty());
  std::map<LocalId, double> of_node;
  for (std::size_t k = 0; k < m.masses.size(); ++k) of_node[m.masses.node[k]] += m.masses.mass[k];
  return of_node;
}

TEST(PartMasses, OfOnePartLieOnItsNodesOnly) {
  model::Model m = two_plates();
  const auto masses = spread(m, {.parts = {0}, .added = 8.0});
  EXPECT_EQ(masses.size(), 4u);
  for (const auto& [node, mass] : masses) EXPECT_DOUBLE_EQ(mass, 2.0) << node;
}

TEST(PartMasses, OfASetGoByAreaOrByMass) {
  model::Model m = two_plates();
  auto masses = spread(m, {.parts = {0, 1}, .added = 16.0});  // areas 1 and 3
  EXPECT_DOUBLE_EQ(masses[0], 1.0);
  EXPECT_DOUBLE_EQ(masses[1], 4.0);
  EXPECT_DOUBLE_EQ(masses[2], 3.0);
  m = two_plates();
  masses = spread(m, {.parts = {0, 1}, .added = 28.0, .by_mass = true});  // masses 1 and 6
  EXPECT_DOUBLE_EQ(masses[0], 1.0);
  EXPECT_DOUBLE_EQ(masses[1], 7.0);
  EXPECT_DOUBLE_EQ(masses[2], 6.0);
}

TEST(PartMasses, FinalMassIsWhatThePartHasThen) {
  model::Model m = two_plates();
  double sum = 0;
  for (const auto& [node, mass] : spread(m, {.parts = {1}, .final_mass = 10.0})) sum += mass;
  EXPECT_NEAR(sum, 4.0, 1e-14);
  m.part_masses = {{.parts = {1}, .final_mass = 5.0}};
  EXPECT_THROW(spread_part_masses(m), Error);
}

TEST(PartMasses, AreLostWithoutElementsToLieOn) {
  model::Model m = two_plates();
  m.parts.push_back(model::Part{.id = 3});
  m.part_masses = {{.parts = {2}, .added = 1.0}};
  m.part_masses[0].id = 3;
  const std::vector<model::PartMass> lost = spread_part_masses(m);
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].id, 3);
  EXPECT_EQ(m.masses.size(), 0u);
}

}  // namespace
}  // namespace crumple::preparation
