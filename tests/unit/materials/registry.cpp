// The rows of all laws: no two alike, what they support is there, what they need is given or refused.
#include "unit/every_law.hpp"
//
#include <gtest/gtest.h>

#include "materials/prepare.hpp"

namespace crumple::materials {
namespace {

TEST(Registry, TwoLawsOfOneNumberOrKeywordAreAnError) {
  const Row one{.number = 1, .keyword = "MAT_ONE"}, number{.number = 1, .keyword = "MAT_TWO"},
      keyword{.number = 2, .keyword = "MAT_ONE"}, other{.number = 2, .keyword = "MAT_TWO"};
  Registry registry;
  registry.add(one);
  for (const Row* row : {&number, &keyword}) try {
      registry.add(*row);
      ADD_FAILURE() << row->number << ' ' << row->keyword;
    } catch (const Error& error) {
      EXPECT_EQ(error.id(), "CR-K005");
      EXPECT_NE(error.message().find("MAT_ONE"), std::string::npos) << error.message();
    }
  registry.add(other);
  EXPECT_EQ(registry.find(2), &other);
  EXPECT_EQ(registry.find(std::string_view("MAT_ONE")), &one);
  EXPECT_EQ(registry.find(3), nullptr);
}

TEST(Registry, HasTheLawsOfLsDynaByNumberAndKeyword) {
  EXPECT_EQ(registry().rows().size(), 88u);
  for (const Row* row : registry().rows()) {
    EXPECT_EQ(find_law(row->number), row);
    EXPECT_EQ(find_law(row->keyword), row);
    EXPECT_EQ(row->keyword.substr(0, 4), "MAT_");
    EXPECT_NE(row->prepare, nullptr) << row->keyword;
    EXPECT_EQ(row->supports.discrete, row->number > 1000) << row->keyword;
    EXPECT_EQ(row->supports.discrete, row->tangents != nullptr) << row->keyword;
  }
  EXPECT_EQ(linear_law(), 1);
  EXPECT_TRUE(is_rigid(20));
  EXPECT_TRUE(is_spot_weld(100));
  EXPECT_FALSE(supports(27, &Supports::beam));
  EXPECT_EQ(find_law(999), nullptr);
}

/// Every instruction set that the kernels are compiled for has the updates of every law.
TEST(Registry, UpdatesAreThereForAllInstructionSets) {
  const UpdatesByIsa& elastic = *find_law(1)->updates;
  for (const Row* row : registry().rows()) {
    if (row->rigid) continue;
    for (std::size_t isa = 0; isa < elastic.of.size(); ++isa)
      EXPECT_EQ(row->updates->of[isa] != nullptr, elastic.of[isa] != nullptr) << row->keyword << ' ' << isa;
  }
}

TEST(Registry, ALawThatNeedsWhatNoElementGivesIsRefusedByName) {
  const Row foam{
      .number = 57, .keyword = "MAT_FOAM", .needs = {.deformation_gradient = true, .energy = true}};
  model::Material material;
  material.id = 7;
  material.name = "MAT_FOAM";
  try {
    check_needs(foam.needs, material, {.energy = true}, "tetrahedron");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.id(), "CR-M109");
    EXPECT_EQ(
        error.message(),
        "material 7 (MAT_FOAM): the law needs the deformation gradient, which tetrahedron elements do not "
        "give");
  }
  EXPECT_NO_THROW(
      check_needs(foam.needs, material, {.deformation_gradient = true, .energy = true}, "tetrahedron"));
  EXPECT_EQ(missing({.material_axes = true, .element_size = true}, {}), "material axes, the element's size");
}

}  // namespace
}  // namespace crumple::materials
