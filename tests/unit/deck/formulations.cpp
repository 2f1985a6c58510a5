// The formulations that the keyword matrix names are those that have elements.
#include <gtest/gtest.h>

#include <set>

#include "deck/schema.hpp"
#include "elements/kernel.hpp"

namespace crumple::deck {
namespace {

std::set<int> registered(model::ElementKind kind) {
  std::set<int> found;
  for (const elements::Formulation& formulation : elements::formulations())
    if (formulation.kind == kind) found.insert(formulation.elform);
  return found;
}

TEST(Formulations, OfTheSchemaAreThoseOfTheElements) {
  using model::ElementKind;
  const std::pair<const char*, ElementKind> sections[] = {{"SECTION_SHELL", ElementKind::shell},
                                                          {"SECTION_SOLID", ElementKind::solid},
                                                          {"SECTION_BEAM", ElementKind::beam}};
  for (const auto& [keyword, kind] : sections) {
    const EntrySchema* const entry = builtin_schema().entry(keyword);
    ASSERT_NE(entry, nullptr) << keyword;
    const Formulations& named = entry->formulations;
    EXPECT_EQ(std::set<int>(named.read.begin(), named.read.end()), registered(kind)) << keyword;
    EXPECT_GE(named.of, static_cast<int>(named.read.size())) << keyword;
  }
}

}  // namespace
}  // namespace crumple::deck
