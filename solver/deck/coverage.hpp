// What became of every keyword and field of a deck: used, ignored, refused or not read by anybody.
#pragma once

#include <string>
#include <vector>

#include "deck/deck.hpp"
#include "deck/schema.hpp"

namespace crumple::deck {

/// How often a field was given another value than its default, and what became of it.
struct FieldCoverage {
  std::string name;
  std::size_t given = 0;  ///< of which the rest below
  std::size_t used = 0;
  std::size_t ignored = 0;  ///< warned about: CR-D202
  std::size_t refused = 0;  ///< CR-D203
  std::size_t unused = 0;   ///< nobody read it: CR-D201
};

struct KeywordCoverage {
  std::string keyword;  ///< canonical name; as in the deck if unknown
  std::string support;  ///< yes, partial, ignored, refused, unknown
  std::size_t blocks = 0;
  std::size_t records = 0;            ///< 0 if the cards were not read
  std::vector<FieldCoverage> fields;  ///< those given; none for bulk tables without special columns
};

/// One row per keyword in the deck, by name. Call it when the model has been built.
std::vector<KeywordCoverage> coverage_table(const Deck& deck);

/// The table as text, one line a keyword and below it the fields that were not simply used.
std::string to_text(const std::vector<KeywordCoverage>& table);

/// Report every field that was given and that nobody read, once per keyword and field (CR-D201).
/// Call it once, when the model has been built.
void report_unused(const Deck& deck);

/// The keyword matrix of docs/keywords.md, as Markdown.
std::string keyword_matrix(const Schema& schema);

}  // namespace crumple::deck
