// How every keyword and field of a deck was used: used, ignored, refused or not read.
#pragma once

#include <string>
#include <vector>

#include "deck/deck.hpp"
#include "deck/schema.hpp"

namespace crumple::deck {

/// How often a field had a value other than its default, and how it was used.
struct FieldCoverage {
  std::string name;
  std::size_t given = 0;  ///< the sum of the counts below
  std::size_t used = 0;
  std::size_t ignored = 0;  ///< warned about: CR-D202
  std::size_t refused = 0;  ///< CR-D203
  std::size_t unused = 0;   ///< not read: CR-D201
};

struct KeywordCoverage {
  std::string keyword;  ///< canonical name; as in the deck if unknown
  std::string support;  ///< yes, partial, ignored, refused, unknown
  std::size_t blocks = 0;
  std::size_t records = 0;            ///< 0 if the cards were not read
  std::vector<FieldCoverage> fields;  ///< given fields; none for bulk tables without special columns
};

/// One row per keyword in the deck, by name. Call it when the model has been built.
std::vector<KeywordCoverage> coverage_table(const Deck& deck);

/// The table as text: one line per keyword, and below it the fields that were ignored, refused or not read.
std::string to_text(const std::vector<KeywordCoverage>& table);

/// Report every given field that was not read, once per keyword and field (CR-D201). Call it once, when the
/// model has been built.
void report_unused(const Deck& deck);

/// The keyword matrix of docs/keywords.md, as Markdown.
std::string keyword_matrix(const Schema& schema);

}  // namespace crumple::deck
