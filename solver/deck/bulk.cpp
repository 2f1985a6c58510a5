// Rows of *NODE, *ELEMENT_... straight into columns: without allocation or stored text per row.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "deck/deck_impl.hpp"
#include "deck/numbers.hpp"

namespace crumple::deck {
namespace {

/// One column of a fixed card.
struct Column {
  const FieldSchema* field;
  std::size_t begin, width;
};

struct BulkCard {
  const CardSchema* schema;
  std::vector<Column> columns;
  std::size_t width = 0;
};

/// Reads one block. A row is collected in `values_` by slot, then appended to the columns.
class BulkReader {
 public:
  BulkReader(DeckImpl& deck, const EntrySchema& entry, std::uint64_t suffixes, Format format, Spot keyword)
      : deck_(deck),
        entry_(entry),
        suffixes_(suffixes),
        keyword_(keyword),
        data_(deck.bulks[entry.full_name(suffixes)]),
        values_(entry.slots.size()) {
    for (const CardSchema& card : entry.cards) add_card(card, format);
    make_columns();
    ++data_.blocks;
  }

  void read(LineScanner& scanner) {
    std::string_view line;
    bool first = true;
    while (next_line(scanner, line)) {
      if (trim(line).empty()) continue;
      if (first) reserve(scanner.bytes_left(), line.size());
      first = false;
      if (!row(scanner, line)) break;
    }
  }

 private:
  void add_card(const CardSchema& schema, Format format) {
    BulkCard card{&schema, {}, 0};
    for (const FieldSchema& field : schema.fields) {
      const auto width = static_cast<std::size_t>(field_width(field.width, format));
      card.columns.push_back({&field, card.width, width});
      card.width += width;
    }
    cards_.push_back(std::move(card));
  }

  // Columns of the table in the order of the first occurrence of names.
  void make_columns() {
    Bulk& table = data_.table;
    const bool fresh = data_.entry == nullptr;
    data_.entry = &entry_;
    data_.suffixes = suffixes_;
    for (std::size_t slot = 0; slot < entry_.slots.size(); ++slot) {
      const FieldSchema& field = entry_.field(slot);
      if (field.type == 'A') continue;
      (field.type == 'I' ? integer_slots_ : real_slots_).push_back(slot);
      if (fresh) (field.type == 'I' ? table.integer_names : table.real_names).push_back(field.name);
    }
    table.integers.resize(table.integer_names.size());
    table.reals.resize(table.real_names.size());
  }

  bool next_line(LineScanner& scanner, std::string_view& line) {
    if (!scanner.next(line)) return false;
    if (!line.empty() && line[0] == '*') {
      scanner.back();
      return false;
    }
    if (std::memchr(line.data(), '\t', line.size())) {
      deck_.report_tabs({keyword_.file, scanner.number()});
      expanded_ = expand_tabs(line);
      line = expanded_;
    }
    return true;
  }

  // Usually the table extends to the end of the file: one allocation instead of twenty.
  void reserve(std::size_t bytes, std::size_t line) {
    const std::size_t rows = std::min<std::size_t>(bytes / (line + 1) / cards_.size(), 50'000'000) + 1;
    Bulk& table = data_.table;
    if (table.line.capacity() - table.line.size() >= rows || rows < 1000) return;
    const std::size_t total = table.line.size() + rows + rows / 16;
    for (auto& column : table.integers) column.reserve(total);
    for (auto& column : table.reals) column.reserve(total);
    table.file.reserve(total);
    table.line.reserve(total);
  }

  bool row(LineScanner& scanner, std::string_view line) {
    std::fill(values_.begin(), values_.end(), Cell{});
    const Spot start{keyword_.file, scanner.number()};
    bool have_line = true;
    for (const BulkCard& card : cards_) {
      if (card.schema->when && value(*card.schema->when) == 0.0) continue;
      if (!have_line && !next_line(scanner, line)) {
        deck_.diagnostics.add(
            Severity::error, "CR-D105",
            fmt::format("*{}: card {} is missing", entry_.full_name(suffixes_), card.schema->name),
            deck_.place(start, card.schema->name), entry_.name);
        return false;
      }
      have_line = false;
      read_card(card, line, {keyword_.file, scanner.number()});
    }
    if (deck_.placement && deck_.can_place(entry_, start)) {
      place(start);
      if (deck_.placement->map.reflects()) turn_over();
    }
    append(start);
    return true;
  }

  void read_card(const BulkCard& card, std::string_view line, Spot spot) {
    if (std::memchr(line.data(), ',', std::min(line.size(), card.width)))
      return read_free_card(card, line, spot);
    for (const Column& column : card.columns) {
      if (column.begin >= line.size()) return;
      const std::string_view text = trim(line.substr(column.begin, column.width));
      if (!text.empty()) read_field(card, *column.field, text, spot);
    }
    if (line.size() > card.width) deck_.report_rest(line.substr(card.width), entry_, *card.schema, spot);
  }

  void read_free_card(const BulkCard& card, std::string_view line, Spot spot) {
    std::string_view rest;
    cut_free(line, card.columns.size(), card.schema->text_last, pieces_, rest);
    for (std::size_t i = 0; i < pieces_.size(); ++i)
      if (!pieces_[i].empty()) read_field(card, *card.columns[i].field, pieces_[i], spot);
    deck_.report_rest(rest, entry_, *card.schema, spot);
  }

  void read_field(const BulkCard& card, const FieldSchema& field, std::string_view text, Spot spot) {
    if (field.spacer) return deck_.report_rest(text, entry_, *card.schema, spot);
    Cell& cell = values_[field.slot];
    // The plain case first; then parameters, unusual forms and errors.
    const bool plain = field.type == 'I'   ? parse_integer(text, cell.integer)
                       : field.type == 'F' ? parse_real(text, cell.real)
                                           : false;
    cell.flags = Cell::given;
    if (!plain) {
      cell.flags = 0;
      deck_.fill(cell, text, entry_, *card.schema, field, spot);
    }
    if (field.support == Support::yes || (field.when && value(*field.when) == 0.0)) return;
    if (is_default(cell, field)) return;
    cell.text = text.data();
    cell.length = static_cast<std::uint32_t>(text.size());
    deck_.treat(cell, entry_, *card.schema, field, spot);
  }

  void place(Spot spot) {
    shifts_.clear();
    for (std::size_t slot = 0; slot < values_.size(); ++slot)
      for (const IdReference& id : entry_.field(slot).ids)
        if (values_[slot].has(Cell::given) && (!id.when || value(*id.when) != 0.0))
          shifts_.emplace_back(slot, id.kind);
    for (const auto& [slot, kind] : shifts_)
      values_[slot].integer = deck_.placement->shifted(values_[slot].integer, kind);
    const auto cells = [&](const std::array<std::size_t, 3>& slots) {
      return std::array<Cell*, 3>{&values_[slots[0]], &values_[slots[1]], &values_[slots[2]]};
    };
    for (const Coordinates& point : entry_.points) deck_.move_point(cells(point.slots));
    for (const Coordinates& vector : entry_.vectors) deck_.check_vector(cells(vector.slots), entry_, spot);
  }

  /// A reflection inverts elements; another order of nodes corrects this.
  void turn_over() {
    const auto node = [&](const char* name) -> Cell& { return values_[entry_.slot_of.find(name)->second]; };
    const auto swap = [&](const char* a, const char* b) { std::swap(node(a), node(b)); };
    if (entry_.name == "ELEMENT_SHELL") {
      const bool triangle = node("N4").integer == 0 || node("N4").integer == node("N3").integer;
      if (triangle) {
        swap("N2", "N3");
        node("N4") = node("N3");
      } else {
        swap("N2", "N4");
      }
      // Each thickness moves with its node; that of a triangle's fourth corner is not used.
      if (entry_.slot_of.contains("THIC2")) swap("THIC2", triangle ? "THIC3" : "THIC4");
    } else if (entry_.name == "ELEMENT_SOLID" || entry_.name == "ELEMENT_TSHELL") {
      const bool ten =
          entry_.name == "ELEMENT_SOLID" && (node("N9").integer != 0 || node("N10").integer != 0);
      const bool tetrahedron = node("N8").integer == 0 || node("N8").integer == node("N4").integer;
      swap("N1", "N2");
      if (ten) {  // nodes in the middle of edges go with them
        swap("N6", "N7");
        swap("N8", "N9");
      }
      if (ten || tetrahedron) return;
      swap("N3", "N4");
      swap("N5", "N6");
      swap("N7", "N8");
    }
  }

  void append(Spot spot) {
    Bulk& table = data_.table;
    for (std::size_t c = 0; c < integer_slots_.size(); ++c) {
      const Cell& cell = values_[integer_slots_[c]];
      const bool good = cell.has(Cell::given) && !cell.has(Cell::malformed);
      const double otherwise = entry_.field(integer_slots_[c]).number;
      table.integers[c].push_back(good ? cell.integer : static_cast<GlobalId>(otherwise));
    }
    for (std::size_t c = 0; c < real_slots_.size(); ++c)
      table.reals[c].push_back(number(values_[real_slots_[c]], entry_.field(real_slots_[c])));
    table.file.push_back(spot.file);
    table.line.push_back(spot.line);
  }

  double value(const Condition& condition) const {
    return condition.expression.evaluate([&](std::size_t i) {
      const auto& variable = condition.variables[i];
      using Source = Condition::Source;
      if (variable.source == Source::suffix) return suffixes_ >> variable.index & 1 ? 1.0 : 0.0;
      if (variable.source == Source::lines) return 1.0;
      const Cell& cell = values_[variable.index];
      if (variable.source == Source::given) return cell.has(Cell::given) ? 1.0 : 0.0;
      return number(cell, entry_.field(variable.index));
    });
  }

  DeckImpl& deck_;
  const EntrySchema& entry_;
  std::uint64_t suffixes_;
  Spot keyword_;
  BulkData& data_;
  std::vector<BulkCard> cards_;
  std::vector<std::size_t> integer_slots_, real_slots_;
  std::vector<Cell> values_;  // by slot
  std::vector<std::pair<std::size_t, IdKind>> shifts_;
  std::vector<std::string_view> pieces_;
  std::string expanded_;
};

}  // namespace

void read_bulk(DeckImpl& deck, const EntrySchema& entry, std::uint64_t suffixes, Format format,
               LineScanner& scanner, Spot keyword) {
  BulkReader(deck, entry, suffixes, format, keyword).read(scanner);
}

}  // namespace crumple::deck
