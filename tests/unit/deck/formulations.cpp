// The formulations that the keyword matrix names are those that have elements.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "deck/schema.hpp"
#include "elements/kernel.hpp"
#include "model/section.hpp"

namespace crumple::deck {
namespace {

/// Numbers as in decks; thick shells are solids with numbers of their own.
std::set<int> registered(model::ElementKind kind, bool thick_shells) {
  std::set<int> found;
  for (const elements::Formulation& formulation : elements::formulations()) {
    const int number = formulation.elform;
    const bool thick = kind == model::ElementKind::solid && number > model::kThickShells;
    if (formulation.kind == kind && thick == thick_shells)
      found.insert(thick ? number - model::kThickShells : number);
  }
  return found;
}

TEST(Formulations, OfTheSchemaAreThoseOfTheElements) {
  using model::ElementKind;
  const std::pair<const char*, ElementKind> sections[] = {{"SECTION_SHELL", ElementKind::shell},
                                                          {"SECTION_SOLID", ElementKind::solid},
                                                          {"SECTION_TSHELL", ElementKind::solid},
                                                          {"SECTION_BEAM", ElementKind::beam}};
  for (const auto& [keyword, kind] : sections) {
    const EntrySchema* const entry = builtin_schema().entry(keyword);
    ASSERT_NE(entry, nullptr) << keyword;
    const Formulations& named = entry->formulations;
    EXPECT_EQ(std::set<int>(named.read.begin(), named.read.end()),
              registered(kind, keyword == std::string("SECTION_TSHELL")))
        << keyword;
    EXPECT_GE(named.of, static_cast<int>(named.read.size())) << keyword;
  }
}

}  // namespace
}  // namespace crumple::deck
