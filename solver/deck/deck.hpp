// The result of the deck reader: keywords, each a list of records with named fields.
//
// A deck is read once: text -> lines (lexer.hpp) -> keywords cut into cards by the schema (schema.hpp).
// A keyword block holds one or more records (*PART may list many parts). A record has the fields of its
// cards, accessed by their names in the manual, and, where the last card repeats (node lists, curve points),
// rows of values. Reading a field marks it as used. Fields that are not blank and not used are reported at
// the end (coverage.hpp): nothing is dropped silently.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"

namespace crumple::deck {

enum class Severity { warning, error };

/// One finding about the deck. Printed as `file:line: error CR-D101: text`.
struct Problem {
  Severity severity;
  std::string id;
  std::string text;
  Place place;
};

class DeckImpl;
class Schema;
struct Affine;

/// The fields of one record, by their names in the manual (upper case).
///
/// The readers apply the schema's default to a blank field. A value that does not parse is reported as a
/// Problem once and read as the default, so that one pass finds all errors.
class Record {
 public:
  Record(DeckImpl& deck, std::size_t keyword, std::size_t index)
      : deck_(&deck), keyword_(keyword), index_(index) {}

  double real(std::string_view field) const;
  std::int64_t integer(std::string_view field) const;
  std::string text(std::string_view field) const;  ///< blanks trimmed
  bool given(std::string_view field) const;        ///< present and not blank
  Place place(std::string_view field = {}) const;

  /// Names of all numeric fields on the record's plain cards (not rows), in the schema's order. This does not
  /// mark them as used.
  std::vector<std::string> numeric_fields() const;

  std::string title() const;           ///< of _TITLE, or *PART's heading; empty if not given
  std::optional<GlobalId> id() const;  ///< of _ID suffixes

  /// Rows of the repeating card `card` ("list" if the schema has only one).
  std::size_t rows(std::string_view card = "list") const;
  /// Value `column` of row `row`; blank gives the schema's default (0 without one).
  double real(std::size_t row, std::size_t column, std::string_view card = "list") const;
  std::int64_t integer(std::size_t row, std::size_t column, std::string_view card = "list") const;
  std::string text(std::size_t row, std::size_t column, std::string_view card = "list") const;
  bool given(std::size_t row, std::size_t column, std::string_view card = "list") const;
  Place row_place(std::size_t row, std::string_view card = "list") const;

 private:
  DeckImpl* deck_;
  std::size_t keyword_, index_;
};

/// One keyword block of the deck.
class Keyword {
 public:
  Keyword(DeckImpl& deck, std::size_t index) : deck_(&deck), index_(index) {}
  const std::string& name() const;  ///< canonical name, without suffixes: "MAT_PIECEWISE_LINEAR_PLASTICITY"
  bool suffix(std::string_view name) const;  ///< "TITLE", "ID", "SET", ...
  std::string full_name() const;             ///< with suffixes, as in the deck except for aliases
  std::vector<Record> records() const;
  Place place() const;

 private:
  DeckImpl* deck_;
  std::size_t index_;
};

/// Columns of a bulk keyword (*NODE, *ELEMENT_SHELL, ...), all blocks of the deck in order.
///
/// `integers[c][i]` and `reals[c][i]` are row i of the schema's c-th integer and c-th real column.
struct Bulk {
  std::vector<std::string> integer_names, real_names;
  std::vector<std::vector<GlobalId>> integers;
  std::vector<std::vector<double>> reals;
  std::vector<std::int32_t> file;  ///< of each row, index into Deck::files()
  std::vector<std::int32_t> line;
  std::size_t size() const { return line.size(); }
};

/// Bytes of all files, and of the rows of bulk keywords as tables.
struct DeckSize {
  double files = 0, rows = 0;
};

/// A deck read with all its includes.
class Deck {
 public:
  Deck(Deck&&) noexcept;
  Deck& operator=(Deck&&) noexcept;
  ~Deck();

  const std::string& title() const;
  /// All blocks of one canonical keyword, in deck order.
  std::vector<Keyword> all(std::string_view canonical_name) const;
  /// All blocks whose canonical name begins with `prefix` ("MAT_"), in deck order.
  std::vector<Keyword> family(std::string_view prefix) const;
  /// Rows of a bulk keyword; the suffix makes another table ("ELEMENT_SHELL_THICKNESS").
  /// An empty table if the deck has none.
  const Bulk& bulk(std::string_view canonical_name) const;
  /// Names of all bulk tables of the deck that begin with `prefix`, sorted.
  std::vector<std::string> bulk_names(std::string_view prefix = {}) const;
  const std::vector<std::string>& files() const;
  Place place(std::int32_t file, std::int32_t line) const;
  Place end() const;  ///< *END of the first file, or its last line

  /// Report a problem; for all code that reads the deck, e.g. for an unknown id. Without a place it belongs
  /// to the whole deck. An error at a line with a malformed field is left out, as it follows from that field.
  void report(Severity severity, std::string id, std::string text, Place place) const;
  const std::vector<Problem>& problems() const;
  bool has_errors() const;
  /// Whether keywords whose names begin with `prefix` were not completely read: refused, unknown or with a
  /// reported error. The entities that they define are missing, but this is not another error.
  bool lost(std::string_view prefix) const;
  /// Whether an include file is missing, which may define anything.
  bool lost_file() const;

  DeckSize size() const;
  /// MEMORY= or MEMORY2= of *KEYWORD ("20M"), empty if not given.
  std::string keyword_option(const std::string& name) const;
  /// The map of *DEFINE_TRANSFORMATION `id`; null if there is none, or one that was reported.
  const Affine* transformation(GlobalId id) const;
  /// Free the rows of bulk keywords when the model has them; their counts are kept for the coverage table.
  void release_rows();

  DeckImpl& impl() const { return *impl_; }  ///< for coverage.cpp

 private:
  friend Deck read_deck(const std::string&, const struct ReadOptions&, const Schema&);
  explicit Deck(std::unique_ptr<DeckImpl> impl);
  std::unique_ptr<DeckImpl> impl_;
};

struct ReadOptions {
  bool allow_unsupported = false;  ///< physics that is not supported: a warning instead of an error
  /// Subcases of the case that is read (deck/cases.hpp); none: the deck has no cases.
  std::optional<std::vector<std::int64_t>> subcases{};
};

/// Read a deck and everything it includes. Problems are collected, not thrown; only a root file that
/// cannot be opened raises Error CR-D001.
Deck read_deck(const std::string& path, const ReadOptions& options = {});
/// The same with a schema other than the built-in one; `schema` must outlive the deck.
Deck read_deck(const std::string& path, const ReadOptions& options, const Schema& schema);

}  // namespace crumple::deck
