// The layout of a deck in memory: cells of records in one array, blocks and records as ranges of it.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "deck/deck.hpp"
#include "deck/diagnostics.hpp"
#include "deck/lexer.hpp"
#include "deck/parameters.hpp"
#include "deck/schema.hpp"
#include "deck/transforms.hpp"

namespace crumple::deck {

/// One field of one card.
struct Cell {
  enum Flag : std::uint8_t {
    given = 1,      ///< not blank
    used = 2,       ///< it was read, or its treatment was reported
    malformed = 4,  ///< already reported; reads as the default
  };
  union {
    double real;           ///< of F fields
    std::int64_t integer;  ///< of I fields
  };
  const char* text = nullptr;  ///< as in the deck, or the value of a parameter
  std::uint32_t length = 0;
  std::uint8_t flags = 0;

  Cell() : integer(0) {}
  std::string_view view() const { return {text, length}; }
  bool has(Flag flag) const { return flags & flag; }
};

struct Spot {
  std::int32_t file = -1, line = -1;
};

/// A card of a record, or the rows of a repeating one.
struct Group {
  std::uint32_t card;  ///< index in the entry
  std::uint32_t rows;
  std::size_t first_cell, first_spot;  ///< row r: first_cell + r * fields, first_spot + r
};

struct RecordData {
  std::size_t first_group = 0, groups = 0;
  std::size_t first_slot = 0;  ///< into slot_cells: cell of each slot, kNoCell if the card is missing
  Spot spot;
};

struct KeywordData {
  const EntrySchema* entry;
  std::uint64_t suffixes;
  std::string full_name;
  Spot spot;
  std::size_t first_record = 0, records = 0;
};

struct BulkData {
  const EntrySchema* entry = nullptr;
  std::uint64_t suffixes = 0;
  std::size_t blocks = 0;
  std::size_t released = 0;  ///< number of rows that were freed
  Bulk table;
};

/// A keyword of the deck whose cards were not read, and why.
struct SkippedKeyword {
  const EntrySchema* entry = nullptr;  ///< null: unknown
  bool refused = false;                ///< refused by the reader itself, without an entry
  std::size_t blocks = 0;
};

/// How often a field's treatment other than "used" applied.
struct FieldCount {
  std::size_t ignored = 0, refused = 0;
};

class DeckImpl {
 public:
  static constexpr std::uint32_t kNoCell = 0xffffffffu;

  DeckImpl(const Schema& s, const ReadOptions& o) : schema(s), options(o) {}

  const Schema& schema;
  ReadOptions options;
  Diagnostics diagnostics;
  Tallies tallies;
  std::string title;
  std::map<std::string, std::string> keyword_options;  ///< MEMORY, MEMORY2 of *KEYWORD
  std::vector<std::string> files;
  std::vector<std::unique_ptr<MappedFile>> maps;
  std::deque<std::string> texts;                   ///< replacements of parameters and tabs
  Parameters parameters;                           ///< values at the place that is being read
  std::map<std::int64_t, Affine> transformations;  ///< *DEFINE_TRANSFORMATION by number
  const Placement* placement = nullptr;  ///< of the file that is being read, null without transformation

  std::vector<KeywordData> keywords;
  std::vector<RecordData> records;
  std::vector<Group> groups;
  std::vector<Spot> spots;
  std::vector<Cell> cells;
  std::vector<std::uint32_t> slot_cells;
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_name;
  std::map<std::string, BulkData, std::less<>> bulks;
  std::map<std::string, SkippedKeyword> skipped;
  std::map<std::string, std::size_t> own_blocks;  ///< of keywords that the reader handles itself
  std::map<std::pair<const EntrySchema*, std::string>, FieldCount> field_counts;
  bool unused_reported = false;
  std::set<std::string, std::less<>> lost_names;  ///< keywords that were not read, or not completely
  bool lost_file = false;                         ///< an include file is missing
  std::set<std::pair<std::string, std::int32_t>> spoiled_lines;  ///< with a malformed field, by file
  Spot end;  ///< place where reading of the first file ended

  Place place(Spot spot, std::string card = {}, std::string field = {}) const;

  /// Read `text` (trimmed) into `cell`: resolves parameters, parses, reports malformed fields.
  void fill(Cell& cell, std::string_view text, const EntrySchema& entry, const CardSchema& card,
            const FieldSchema& field, Spot spot);

  /// Mark a line that could not be read: its definitions may be missing, and its values must not be checked
  /// further.
  void spoil(const EntrySchema& entry, Spot spot);

  /// Treat a given field that the schema marks as ignored, refused or partial. `applies` is its `when`.
  void treat(Cell& cell, const EntrySchema& entry, const CardSchema& card, const FieldSchema& field,
             Spot spot);

  /// Whether the current file's placement can be applied to a keyword; reports it if not.
  bool can_place(const EntrySchema& entry, Spot spot);
  /// Shift an id of a given field.
  void shift(Cell& cell, const FieldSchema& field, IdKind kind);
  /// Move three coordinates; blank ones are 0.
  void move_point(const std::array<Cell*, 3>& x) const;
  /// Report components that a rotation would change; LS-DYNA's treatment depends on the keyword.
  void report_stays(const EntrySchema& entry, Spot spot);
  void check_vector(const std::array<Cell*, 3>& v, const EntrySchema& entry, Spot spot);

  /// Report text outside the fields of the card.
  void report_rest(std::string_view rest, const EntrySchema& entry, const CardSchema& card, Spot spot);

  /// Report a line with tabs.
  void report_tabs(Spot spot);

  /// Severity of physics that is not supported.
  Severity unsupported() const { return options.allow_unsupported ? Severity::warning : Severity::error; }

 private:
  std::string_view resolve(std::string_view text, const EntrySchema& entry, const CardSchema& card,
                           const FieldSchema& field, Spot spot);
};

/// Numeric value of a cell, the default if it is blank or malformed.
double number(const Cell& cell, const FieldSchema& field);

/// Whether a given cell has the value of a blank field.
bool is_default(const Cell& cell, const FieldSchema& field);

/// One line of a block.
struct Line {
  std::string_view text;
  std::int32_t number;
};

/// Cut a block into records and add it to the deck. `lines` are in file `file`.
void add_block(DeckImpl& deck, const EntrySchema& entry, std::uint64_t suffixes, Format format,
               const std::vector<Line>& lines, Spot keyword);

/// Read the rows of a bulk keyword straight from `scanner`, up to the next keyword line.
void read_bulk(DeckImpl& deck, const EntrySchema& entry, std::uint64_t suffixes, Format format,
               LineScanner& scanner, Spot keyword);

}  // namespace crumple::deck
