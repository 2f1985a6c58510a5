// Fields of records by name, keywords by name, tables by name.
#include "deck/deck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "deck/deck_impl.hpp"
#include "deck/numbers.hpp"

namespace crumple::deck {
namespace {

// A name that is not in the schema is an error of this program, not of the deck.
[[noreturn]] void unknown_name(const EntrySchema& entry, std::string_view name) {
  throw Error("CR-D901", fmt::format("the schema of *{} has no field or card '{}'", entry.name, name));
}

struct Found {
  Cell* cell;  ///< null: the card is missing
  const EntrySchema* entry;
  const CardSchema* card;
  const FieldSchema* field;
  Spot spot;
};

/// Finds cells of one record.
class RecordView {
 public:
  RecordView(DeckImpl& deck, std::size_t keyword, std::size_t index)
      : deck_(deck), entry_(*deck.keywords[keyword].entry), record_(deck.records[index]) {}

  const EntrySchema& entry() const { return entry_; }
  const RecordData& record() const { return record_; }

  bool knows(std::string_view name) const { return entry_.slot_of.contains(name); }

  Found field(std::string_view name) const {
    const auto it = entry_.slot_of.find(name);
    if (it == entry_.slot_of.end()) unknown_name(entry_, name);
    return slot(it->second);
  }

  Found slot(std::size_t slot) const {
    const auto& first = entry_.slots[slot];
    const std::uint32_t cell = deck_.slot_cells[record_.first_slot + slot];
    if (cell == DeckImpl::kNoCell)
      return {nullptr, &entry_, &entry_.cards[first.card], &entry_.field(slot), record_.spot};
    for (std::size_t g = record_.first_group; g < record_.first_group + record_.groups; ++g) {
      const Group& group = deck_.groups[g];
      const CardSchema& card = entry_.cards[group.card];
      if (cell < group.first_cell || cell >= group.first_cell + group.rows * card.fields.size()) continue;
      const FieldSchema& field = card.fields[(cell - group.first_cell) % card.fields.size()];
      return {&deck_.cells[cell], &entry_, &card, &field, deck_.spots[group.first_spot]};
    }
    unknown_name(entry_, entry_.slots[slot].name);
  }

  const Group* group(std::string_view card) const {
    const auto known = std::any_of(entry_.cards.begin(), entry_.cards.end(),
                                   [&](const CardSchema& c) { return c.name == card; });
    if (!known) unknown_name(entry_, card);
    for (std::size_t g = record_.first_group; g < record_.first_group + record_.groups; ++g)
      if (entry_.cards[deck_.groups[g].card].name == card) return &deck_.groups[g];
    return nullptr;
  }

  Found row(std::size_t row, std::size_t column, std::string_view card) const {
    const Group* const found = group(card);
    if (!found || row >= found->rows || column >= entry_.cards[found->card].fields.size())
      throw Error("CR-D901",
                  fmt::format("*{} card '{}' has no row {} column {}", entry_.name, card, row, column));
    const CardSchema& schema = entry_.cards[found->card];
    return {&deck_.cells[found->first_cell + row * schema.fields.size() + column], &entry_, &schema,
            &schema.fields[column], deck_.spots[found->first_spot + row]};
  }

 private:
  DeckImpl& deck_;
  const EntrySchema& entry_;
  const RecordData& record_;
};

// A text cell is parsed only when its number is requested.
double parse_text_cell(DeckImpl& deck, const Found& found, const char* expected) {
  double value = 0.0;
  Cell& cell = *found.cell;
  if (cell.has(Cell::malformed) || parse_real(cell.view(), value)) return value;
  cell.flags |= Cell::malformed;
  deck.diagnostics.add(Severity::error, "CR-D110",
                       fmt::format("*{}: found '{}', expected {}", found.entry->name, cell.view(), expected),
                       deck.place(found.spot, found.card->name, found.field->name), found.entry->name);
  return 0.0;
}

double read_real(DeckImpl& deck, const Found& found) {
  if (!found.cell) return found.field->number;
  found.cell->flags |= Cell::used;
  if (found.field->type != 'A') return number(*found.cell, *found.field);
  return found.cell->has(Cell::given) ? parse_text_cell(deck, found, "a number") : 0.0;
}

std::int64_t read_integer(DeckImpl& deck, const Found& found) {
  if (found.cell && found.field->type == 'I') {
    found.cell->flags |= Cell::used;
    if (found.cell->has(Cell::given) && !found.cell->has(Cell::malformed)) return found.cell->integer;
    return static_cast<std::int64_t>(found.field->number);
  }
  return static_cast<std::int64_t>(std::llround(read_real(deck, found)));
}

std::string read_text(const Found& found) {
  if (!found.cell || !found.cell->has(Cell::given)) return found.field->text;
  found.cell->flags |= Cell::used;
  return std::string(found.cell->view());
}

bool read_given(const Found& found) {
  if (!found.cell || !found.cell->has(Cell::given)) return false;
  found.cell->flags |= Cell::used;
  return true;
}

}  // namespace

double Record::real(std::string_view field) const {
  return read_real(*deck_, RecordView(*deck_, keyword_, index_).field(field));
}

std::int64_t Record::integer(std::string_view field) const {
  return read_integer(*deck_, RecordView(*deck_, keyword_, index_).field(field));
}

std::string Record::text(std::string_view field) const {
  return read_text(RecordView(*deck_, keyword_, index_).field(field));
}

bool Record::given(std::string_view field) const {
  return read_given(RecordView(*deck_, keyword_, index_).field(field));
}

Place Record::place(std::string_view field) const {
  const RecordView view(*deck_, keyword_, index_);
  if (field.empty()) return deck_->place(view.record().spot);
  const Found found = view.field(field);
  return deck_->place(found.spot, found.card->name, found.field->name);
}

std::vector<std::string> Record::numeric_fields() const {
  const RecordView view(*deck_, keyword_, index_);
  std::vector<std::string> out;
  for (const auto& slot : view.entry().slots) {
    const CardSchema& card = view.entry().cards[slot.card];
    if (!card.rows() && card.fields[slot.field].type != 'A' && slot.name[0] != '_') out.push_back(slot.name);
  }
  return out;
}

std::string Record::title() const {
  const RecordView view(*deck_, keyword_, index_);
  for (const char* const name : {"_TITLE", "_HEADING", "HEADING", "TITLE"}) {
    if (!view.knows(name)) continue;
    if (std::string text = read_text(view.field(name)); !text.empty()) return text;
  }
  return {};
}

std::optional<GlobalId> Record::id() const {
  const RecordView view(*deck_, keyword_, index_);
  if (!view.knows("_ID")) return std::nullopt;
  const Found found = view.field("_ID");
  if (!found.cell || !found.cell->has(Cell::given) || found.cell->has(Cell::malformed)) return std::nullopt;
  return read_integer(*deck_, found);
}

std::size_t Record::rows(std::string_view card) const {
  const Group* const group = RecordView(*deck_, keyword_, index_).group(card);
  return group ? group->rows : 0;
}

double Record::real(std::size_t row, std::size_t column, std::string_view card) const {
  return read_real(*deck_, RecordView(*deck_, keyword_, index_).row(row, column, card));
}

std::int64_t Record::integer(std::size_t row, std::size_t column, std::string_view card) const {
  return read_integer(*deck_, RecordView(*deck_, keyword_, index_).row(row, column, card));
}

std::string Record::text(std::size_t row, std::size_t column, std::string_view card) const {
  return read_text(RecordView(*deck_, keyword_, index_).row(row, column, card));
}

bool Record::given(std::size_t row, std::size_t column, std::string_view card) const {
  return read_given(RecordView(*deck_, keyword_, index_).row(row, column, card));
}

Place Record::row_place(std::size_t row, std::string_view card) const {
  return deck_->place(RecordView(*deck_, keyword_, index_).row(row, 0, card).spot, std::string(card));
}

const std::string& Keyword::name() const { return deck_->keywords[index_].entry->name; }

bool Keyword::suffix(std::string_view name) const {
  const KeywordData& data = deck_->keywords[index_];
  const int bit = data.entry->suffix_bit(name);
  return bit >= 0 && (data.suffixes >> bit & 1);
}

std::string Keyword::full_name() const { return deck_->keywords[index_].full_name; }

std::vector<Record> Keyword::records() const {
  const KeywordData& data = deck_->keywords[index_];
  std::vector<Record> out;
  out.reserve(data.records);
  for (std::size_t i = 0; i < data.records; ++i) out.emplace_back(*deck_, index_, data.first_record + i);
  return out;
}

Place Keyword::place() const { return deck_->place(deck_->keywords[index_].spot); }

Deck::Deck(std::unique_ptr<DeckImpl> impl) : impl_(std::move(impl)) {}
Deck::Deck(Deck&&) noexcept = default;
Deck& Deck::operator=(Deck&&) noexcept = default;
Deck::~Deck() = default;

const std::string& Deck::title() const { return impl_->title; }

std::vector<Keyword> Deck::all(std::string_view canonical_name) const {
  std::vector<Keyword> out;
  const auto it = impl_->by_name.find(canonical_name);
  if (it == impl_->by_name.end()) return out;
  out.reserve(it->second.size());
  for (const std::size_t index : it->second) out.emplace_back(*impl_, index);
  return out;
}

std::vector<Keyword> Deck::family(std::string_view prefix) const {
  std::vector<Keyword> out;
  for (std::size_t i = 0; i < impl_->keywords.size(); ++i)
    if (impl_->keywords[i].entry->name.starts_with(prefix)) out.emplace_back(*impl_, i);
  return out;
}

const Bulk& Deck::bulk(std::string_view canonical_name) const {
  static const Bulk empty;
  const auto it = impl_->bulks.find(canonical_name);
  return it == impl_->bulks.end() ? empty : it->second.table;
}

std::vector<std::string> Deck::bulk_names(std::string_view prefix) const {
  std::vector<std::string> out;
  for (const auto& [name, data] : impl_->bulks)
    if (name.starts_with(prefix)) out.push_back(name);
  return out;
}

DeckSize Deck::size() const {
  DeckSize size;
  for (const auto& map : impl_->maps) size.files += static_cast<double>(map->text().size());
  for (const auto& [name, data] : impl_->bulks) {
    const Bulk& table = data.table;
    const std::size_t row = table.integers.size() * sizeof(GlobalId) + table.reals.size() * sizeof(double) +
                            2 * sizeof(std::int32_t);
    size.rows += static_cast<double>(row * table.size());
  }
  return size;
}

std::string Deck::keyword_option(const std::string& name) const {
  const auto at = impl_->keyword_options.find(name);
  return at == impl_->keyword_options.end() ? std::string{} : at->second;
}

const Affine* Deck::transformation(GlobalId id) const {
  const auto at = impl_->transformations.find(id);
  return at == impl_->transformations.end() ? nullptr : &at->second;
}

void Deck::release_rows() {
  for (auto& [name, data] : impl_->bulks) {
    data.released += data.table.size();
    data.table = {};
  }
  for (const auto& map : impl_->maps) map->release_pages();
}

const std::vector<std::string>& Deck::files() const { return impl_->files; }

Place Deck::place(std::int32_t file, std::int32_t line) const { return impl_->place({file, line}); }

Place Deck::end() const { return impl_->place(impl_->end); }

void Deck::report(Severity severity, std::string id, std::string text, Place place) const {
  if (severity == Severity::error && impl_->spoiled_lines.contains({place.file, place.line})) return;
  if (place.file.empty() && !files().empty()) place.file = files().front();
  impl_->diagnostics.add(severity, std::move(id), std::move(text), std::move(place));
}

const std::vector<Problem>& Deck::problems() const { return impl_->diagnostics.problems(); }

bool Deck::has_errors() const {
  return std::any_of(problems().begin(), problems().end(),
                     [](const Problem& p) { return p.severity == Severity::error; });
}

bool Deck::lost(std::string_view prefix) const {
  const auto it = impl_->lost_names.lower_bound(prefix);
  return it != impl_->lost_names.end() && it->starts_with(prefix);
}

bool Deck::lost_file() const { return impl_->lost_file; }

}  // namespace crumple::deck
