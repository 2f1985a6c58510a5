// The schema of each keyword: cards, fields, defaults and support, read from JSON data.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "deck/expression.hpp"
#include "deck/transforms.hpp"

namespace crumple::deck {

enum class Support : std::uint8_t { yes, partial, ignored, refused };
const char* to_text(Support support);

/// An expression with its variables resolved to fields and suffixes of an entry.
struct Condition {
  enum class Source : std::uint8_t { field, given, suffix, lines, ampersand };
  struct Variable {
    Source source;
    std::size_t index;  ///< slot of a field, or bit of a suffix
  };
  Expression expression;
  std::vector<Variable> variables;
  std::string text;
};

/// Three fields that *INCLUDE_TRANSFORM treats as a point or a vector.
struct Coordinates {
  std::array<std::size_t, 3> slots{};
  std::optional<Condition> when;  ///< none: always
};

/// A field holds an id of this kind, if `when` holds.
struct IdReference {
  IdKind kind;
  std::optional<Condition> when;
};

/// Ids in the first columns after an option at the beginning of a row.
struct OptionIds {
  IdKind kind;
  std::size_t columns;
};

struct FieldSchema {
  std::string name;
  char type = 'A';      ///< I, F or A
  bool spacer = false;  ///< "-": columns without a meaning
  bool has_default = false;
  double number = 0.0;  ///< default of I and F, 0 if it has none
  std::string text;     ///< default of A
  int width = 10;
  Support support = Support::yes;
  std::vector<double> ok_numbers;
  std::vector<std::string> ok_texts;
  std::string why;
  std::optional<Condition> when;  ///< `support` applies only then
  std::size_t slot = 0;           ///< index of its name in the entry
  std::vector<IdReference> ids;   ///< ids that *INCLUDE_TRANSFORM shifts
};

struct CardSchema {
  std::string name;
  std::vector<FieldSchema> fields;
  std::optional<Condition> when, count;
  bool optional = false;
  bool rest = false;        ///< all remaining lines are its rows
  bool skip = false;        ///< of a refused option: its lines are skipped without a report
  bool text_last = false;   ///< its last field is text and has the rest of the line
  std::size_t text_at = 0;  ///< index of that field
  bool rows() const { return rest || count.has_value(); }
  /// Whether the card has no effect: no field of it is used.
  bool without_effect() const;
};

/// Element formulations of a section.
struct Formulations {
  std::vector<int> read;  ///< numbers of ELFORM that are supported
  int of = 0;             ///< how many LS-DYNA has; 0: the keyword has none
};

struct EntrySchema {
  std::string name, summary, why;
  Support support = Support::yes;
  std::vector<std::string> aliases, suffixes;
  bool repeat = false, bulk = false, has_cards = false;
  bool by_name = false;           ///< of a family of names with a common reason, without a summary
  std::vector<CardSchema> cards;  ///< the cards of _TITLE and _ID first

  bool placeable = false;  ///< the effect of *INCLUDE_TRANSFORM is known
  std::vector<Coordinates> points, vectors;
  bool stays = false;                                        ///< has coordinates that are not transformed
  std::optional<Condition> stays_where;                      ///< only if this holds
  std::map<std::string, OptionIds, std::less<>> option_ids;  ///< by the first field of a row
  Formulations formulations;

  struct Slot {
    std::string name;
    std::size_t card, field;  ///< first occurrence
  };
  std::vector<Slot> slots;
  std::map<std::string, std::size_t, std::less<>> slot_of;

  int suffix_bit(std::string_view suffix) const;  ///< -1 if there is none
  /// Name and suffixes of the bits in schema order, e.g. "ELEMENT_SHELL_THICKNESS".
  std::string full_name(std::uint64_t suffixes_given) const;
  const FieldSchema& field(std::size_t slot) const {
    return cards[slots[slot].card].fields[slots[slot].field];
  }
};

/// The entries of all names that a deck may use.
class Schema {
 public:
  /// From JSON texts (solver/deck/schema/README.md). Throws Error CR-D900 with the entry and the mistake.
  explicit Schema(std::span<const std::string> texts);

  struct Match {
    const EntrySchema* entry = nullptr;  ///< null: unknown
    std::uint64_t suffixes = 0;
    std::string unknown_suffix;  ///< the rest after a matching name
    std::string refused_option;  ///< reason why the rest is not supported; `entry` is null
  };
  Match find(std::string_view name) const;
  const EntrySchema* entry(std::string_view canonical_name) const;
  /// What changes if the keyword is left out, as half a sentence; empty if nothing is known of it.
  std::string_view effect_of_leaving_out(std::string_view name) const;
  const std::vector<EntrySchema>& entries() const { return entries_; }  ///< by name

 private:
  /// Options in LS-DYNA of keywords with a common prefix that are not supported.
  struct RefusedOptions {
    std::vector<std::string> beginnings, options;
    std::string why;
  };
  void add_entry(EntrySchema entry);
  void add_families(const std::string& text);
  void add_references(const std::string& text);
  void add_effects(const std::string& text);
  std::string_view strip_option(std::string_view left, const EntrySchema& entry, std::string& why) const;
  std::string refused_option(std::string_view name) const;

  std::vector<RefusedOptions> refused_options_;
  std::vector<EntrySchema> entries_;
  std::map<std::string, std::size_t, std::less<>> names_;
  std::map<std::string, std::string, std::less<>> effects_;  ///< by the beginning of names
};

/// The schema that is built into the program.
const Schema& builtin_schema();

/// *INCLUDE_TRANSFORM and *DEFINE_TRANSFORMATION, which the reader handles itself.
const Schema& reader_schema();

/// JSON texts of solver/deck/schema, generated by the build.
std::vector<std::string> schema_texts();

}  // namespace crumple::deck
