// Blocks of ordinary keywords cut into records by their schema.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "deck/deck_impl.hpp"
#include "deck/numbers.hpp"

namespace crumple::deck {
namespace {

/// Cuts one block. `next_` is the current line; the current record is at the end of the deck's arrays.
class BlockCutter {
 public:
  BlockCutter(DeckImpl& deck, const EntrySchema& entry, std::uint64_t suffixes, Format format,
              const std::vector<Line>& lines, Spot keyword)
      : deck_(deck), entry_(entry), suffixes_(suffixes), format_(format), lines_(lines), keyword_(keyword) {
    end_ = lines.size();
    while (end_ > 0 && trim(lines[end_ - 1].text).empty()) --end_;
  }

  void cut() {
    KeywordData data{&entry_, suffixes_, entry_.full_name(suffixes_), keyword_, deck_.records.size(), 0};
    const bool may_be_empty = std::all_of(
        entry_.cards.begin(), entry_.cards.end(),
        [](const CardSchema& card) { return card.optional || card.rest || card.when.has_value(); });
    if (lines_.empty() && !may_be_empty && !entry_.repeat)
      deck_.diagnostics.add(Severity::warning, "CR-D107", fmt::format("*{} has no cards", data.full_name),
                            deck_.place(keyword_), entry_.name);
    else if (!entry_.repeat)
      record();
    while (entry_.repeat && next_ < end_ && !broken_) record();
    data.records = deck_.records.size() - data.first_record;
    report_leftover(data.full_name);
    deck_.by_name[entry_.name].push_back(deck_.keywords.size());
    deck_.keywords.push_back(std::move(data));
  }

 private:
  void record() {
    RecordData record;
    record.first_group = deck_.groups.size();
    record.first_slot = slots_ = deck_.slot_cells.size();
    record.spot = next_ < lines_.size() ? spot(next_) : keyword_;
    deck_.slot_cells.resize(slots_ + entry_.slots.size(), DeckImpl::kNoCell);
    for (std::size_t c = 0; c < entry_.cards.size() && !broken_; ++c) {
      const CardSchema& card = entry_.cards[c];
      if (card.when && value(*card.when) == 0.0) continue;
      if (card.optional && next_ >= lines_.size()) break;
      if (!take(static_cast<std::uint32_t>(c))) break;
    }
    record.groups = deck_.groups.size() - record.first_group;
    if (deck_.placement && deck_.can_place(entry_, record.spot)) place(record);
    treat(record);
    if (spoiled(record)) deck_.spoil(entry_, record.spot);
    deck_.records.push_back(record);
  }

  // Reads the lines of a card; false if a mandatory one is missing.
  bool take(std::uint32_t index) {
    const CardSchema& card = entry_.cards[index];
    std::size_t wanted = 1;
    if (card.rest) wanted = end_ > next_ ? end_ - next_ : 0;
    if (card.count) {
      const double count = value(*card.count);
      wanted = count > 0.0 ? static_cast<std::size_t>(std::min(count, 1e9)) : 0;  // 0 also for NaN
    }
    Group group{index, 0, deck_.cells.size(), deck_.spots.size()};
    for (; group.rows < wanted && next_ < lines_.size(); ++group.rows) row(card, group.rows == 0);
    deck_.groups.push_back(group);
    if (group.rows == wanted || card.skip) return true;
    if (card.without_effect()) {
      deck_.tallies.add(Severity::warning, "CR-D112", entry_.name, card.name,
                        fmt::format("*{}: card {} is missing; nothing of it is used",
                                    entry_.full_name(suffixes_), card.name),
                        deck_.place(lines_.empty() ? keyword_ : spot(lines_.size() - 1), card.name));
      return true;
    }
    broken_ = true;
    deck_.lost_names.insert(entry_.name);
    deck_.diagnostics.add(Severity::error, "CR-D105",
                          fmt::format("*{}: card {} is missing", entry_.full_name(suffixes_), card.name),
                          deck_.place(lines_.empty() ? keyword_ : spot(lines_.size() - 1), card.name),
                          entry_.name);
    return false;
  }

  void row(const CardSchema& card, bool first) {
    const Spot at = spot(next_);
    cut_line(card, lines_[next_++].text, at);
    deck_.spots.push_back(at);
    for (std::size_t i = 0; i < card.fields.size(); ++i) {
      const FieldSchema& field = card.fields[i];
      Cell cell;
      const std::string_view text = i < pieces_.size() ? pieces_[i] : std::string_view{};
      if (field.spacer) {
        if (!card.skip) deck_.report_rest(text, entry_, card, at);
        cell.flags = Cell::used;
      } else {
        deck_.fill(cell, text, entry_, card, field, at);
        if (card.skip) cell.flags |= Cell::used;
        std::uint32_t& slot = deck_.slot_cells[slots_ + field.slot];
        if (first && (slot == DeckImpl::kNoCell || cell.has(Cell::given)))
          slot = static_cast<std::uint32_t>(deck_.cells.size());
      }
      deck_.cells.push_back(cell);
    }
  }

  void cut_line(const CardSchema& card, std::string_view line, Spot at) {
    if (&card != widths_of_) {
      widths_of_ = &card;
      widths_.clear();
      for (const FieldSchema& field : card.fields) widths_.push_back(field_width(field.width, format_));
      columns_ = columns_before(card.text_last ? card.text_at : widths_.size());
    }
    std::string_view rest;
    if (is_free_format(line, columns_))
      cut_free(line, card.fields.size(), card.text_last, pieces_, rest);
    else
      cut_fixed(line, widths_, card.text_last, pieces_, rest);
    if (!card.skip) deck_.report_rest(rest, entry_, card, at);
  }

  std::size_t columns_before(std::size_t field) const {
    return static_cast<std::size_t>(
        std::accumulate(widths_.begin(), widths_.begin() + static_cast<std::ptrdiff_t>(field), 0));
  }

  bool spoiled(const RecordData& record) const {
    if (record.first_group == deck_.groups.size()) return false;
    return std::any_of(
        deck_.cells.begin() + static_cast<std::ptrdiff_t>(deck_.groups[record.first_group].first_cell),
        deck_.cells.end(), [](const Cell& cell) { return cell.has(Cell::malformed); });
  }

  void treat(const RecordData& record) {
    for (std::size_t g = record.first_group; g < deck_.groups.size(); ++g) {
      const Group group = deck_.groups[g];
      const CardSchema& card = entry_.cards[group.card];
      for (std::size_t i = 0; i < card.fields.size(); ++i) {
        const FieldSchema& field = card.fields[i];
        if (field.support == Support::yes || (field.when && value(*field.when) == 0.0)) continue;
        for (std::size_t r = 0; r < group.rows; ++r)
          deck_.treat(deck_.cells[group.first_cell + r * card.fields.size() + i], entry_, card, field,
                      deck_.spots[group.first_spot + r]);
      }
    }
  }

  // Applies the transformation of *INCLUDE_TRANSFORM to the record. Conditions use values as read, so ids are
  // shifted after all conditions have been evaluated.
  void place(const RecordData& record) {
    struct Shift {
      std::size_t cell;
      const FieldSchema* field;
      IdKind kind;
    };
    std::vector<Shift> shifts;
    for (std::size_t g = record.first_group; g < deck_.groups.size(); ++g) {
      const Group& group = deck_.groups[g];
      const auto& fields = entry_.cards[group.card].fields;
      for (std::size_t i = 0; i < group.rows * fields.size(); ++i)
        for (const IdReference& id : fields[i % fields.size()].ids)
          if (!id.when || value(*id.when) != 0.0)
            shifts.push_back({group.first_cell + i, &fields[i % fields.size()], id.kind});
      if (!entry_.cards[group.card].rest) continue;
      for (std::size_t r = 0; r < group.rows; ++r)
        if (const OptionIds* const ids = option_ids(deck_.cells[group.first_cell + r * fields.size()]))
          for (std::size_t i = 1; i <= ids->columns; ++i)
            shifts.push_back({group.first_cell + r * fields.size() + i, &fields[i], ids->kind});
    }
    for (const auto& [cell, field, kind] : shifts) deck_.shift(deck_.cells[cell], *field, kind);
    std::array<Cell*, 3> cells;
    const auto counts = [&](const Coordinates& c) {
      return (!c.when || value(*c.when) != 0.0) && find(c.slots, cells);
    };
    for (const Coordinates& point : entry_.points)
      if (counts(point)) deck_.move_point(cells);
    for (const Coordinates& vector : entry_.vectors)
      if (counts(vector)) deck_.check_vector(cells, entry_, record.spot);
    const bool stays = entry_.stays && (!entry_.stays_where || value(*entry_.stays_where) != 0.0);
    if (stays && deck_.placement->moves()) deck_.report_stays(entry_, record.spot);
  }

  // The ids in the columns after an option ("DPART" like "PART"); null if it has none.
  const OptionIds* option_ids(const Cell& option) const {
    const std::string name = upper(option.view());
    auto it = entry_.option_ids.find(name);
    if (it == entry_.option_ids.end() && name.starts_with('D'))
      it = entry_.option_ids.find(std::string_view(name).substr(1));
    return it == entry_.option_ids.end() ? nullptr : &it->second;
  }

  bool find(const std::array<std::size_t, 3>& slots, std::array<Cell*, 3>& cells) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t cell = deck_.slot_cells[slots_ + slots[i]];
      if (cell == DeckImpl::kNoCell) return false;
      cells[i] = &deck_.cells[cell];
    }
    return true;
  }

  double value(const Condition& condition) const {
    return condition.expression.evaluate([&](std::size_t i) {
      const auto& variable = condition.variables[i];
      using Source = Condition::Source;
      if (variable.source == Source::suffix) return suffixes_ >> variable.index & 1 ? 1.0 : 0.0;
      if (variable.source == Source::lines) return static_cast<double>(lines_.size() - next_);
      if (variable.source == Source::ampersand)
        return next_ < lines_.size() && lines_[next_].text.starts_with('&') ? 1.0 : 0.0;
      const std::uint32_t cell = deck_.slot_cells[slots_ + variable.index];
      if (variable.source == Source::given)
        return cell != DeckImpl::kNoCell && deck_.cells[cell].has(Cell::given) ? 1.0 : 0.0;
      const FieldSchema& field = entry_.field(variable.index);
      return cell == DeckImpl::kNoCell ? field.number : number(deck_.cells[cell], field);
    });
  }

  void report_leftover(const std::string& name) const {
    if (broken_ || next_ >= end_) return;
    deck_.diagnostics.add(Severity::warning, "CR-D106",
                          fmt::format("{} line{} after the last card of *{} are not read: '{}'", end_ - next_,
                                      end_ - next_ > 1 ? "s" : "", name, trim(lines_[next_].text)),
                          deck_.place(spot(next_)), entry_.name);
  }

  Spot spot(std::size_t line) const { return {keyword_.file, lines_[line].number}; }

  DeckImpl& deck_;
  const EntrySchema& entry_;
  std::uint64_t suffixes_;
  Format format_;
  const std::vector<Line>& lines_;
  Spot keyword_;
  std::size_t next_ = 0, end_ = 0;  // end_: one after the last line that is not blank
  std::size_t slots_ = 0;
  bool broken_ = false;
  std::vector<std::string_view> pieces_;
  const CardSchema* widths_of_ = nullptr;
  std::vector<int> widths_;
  std::size_t columns_ = 0;  // in which a comma makes a line free format
};

}  // namespace

void add_block(DeckImpl& deck, const EntrySchema& entry, std::uint64_t suffixes, Format format,
               const std::vector<Line>& lines, Spot keyword) {
  BlockCutter(deck, entry, suffixes, format, lines, keyword).cut();
}

}  // namespace crumple::deck
