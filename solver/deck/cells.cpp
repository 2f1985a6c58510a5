// One field: its parameter resolved, its number parsed, its treatment applied.
#include <fmt/format.h>

#include <algorithm>

#include "deck/deck_impl.hpp"
#include "deck/numbers.hpp"

namespace crumple::deck {

double number(const Cell& cell, const FieldSchema& field) {
  if (!cell.has(Cell::given) || cell.has(Cell::malformed)) return field.number;
  return field.type == 'I' ? static_cast<double>(cell.integer) : cell.real;
}

bool is_default(const Cell& cell, const FieldSchema& field) {
  if (field.type == 'A') return cell.view() == field.text;
  return cell.has(Cell::malformed) || number(cell, field) == field.number;
}

Place DeckImpl::place(Spot spot, std::string card, std::string field) const {
  Place out;
  if (spot.file >= 0) out.file = files[static_cast<std::size_t>(spot.file)];
  out.line = spot.line;
  out.card = std::move(card);
  out.field = std::move(field);
  return out;
}

std::string_view DeckImpl::resolve(std::string_view text, const EntrySchema& entry, const CardSchema& card,
                                   const FieldSchema& field, Spot spot) {
  const auto complain = [&](const char* id, const std::string& what) {
    diagnostics.add(Severity::error, id, fmt::format("*{}: {}", entry.name, what),
                    place(spot, card.name, field.name), entry.name);
    return std::string_view{};
  };
  const auto as_text = [&](double value) -> std::string_view {
    return texts.emplace_back(fmt::format("{}", value));
  };
  if (text.size() > 2 && text.front() == '<' && text.back() == '>') {
    try {
      return as_text(parameters.evaluate(text.substr(1, text.size() - 2)));
    } catch (const Error& error) {
      return complain("CR-D013", error.message());
    }
  }
  const Reference reference = parse_reference(text);
  if (reference.name.empty()) return text;
  const ParameterValue* const value = parameters.find(reference.name);
  if (!value) return complain("CR-D011", fmt::format("parameter &{} is not defined", reference.name));
  if (value->type != 'C') return as_text(reference.negative ? -value->number : value->number);
  if (reference.negative) return complain("CR-D013", fmt::format("parameter &{} is a text", reference.name));
  return texts.emplace_back(value->text);
}

void DeckImpl::spoil(const EntrySchema& entry, Spot spot) {
  lost_names.insert(entry.name);
  spoiled_lines.emplace(place(spot).file, spot.line);
}

void DeckImpl::fill(Cell& cell, std::string_view text, const EntrySchema& entry, const CardSchema& card,
                    const FieldSchema& field, Spot spot) {
  // A heading may begin with & or <.
  const bool heading = field.type == 'A' && field.width > 20;
  if (!heading && !text.empty() && (text.find('&') != text.npos || text.front() == '<')) {
    cell.flags |= Cell::given;
    text = resolve(text, entry, card, field, spot);
    if (text.empty()) {
      cell.flags |= Cell::malformed | Cell::used;
      spoil(entry, spot);
    }
  }
  cell.text = text.data();
  cell.length = static_cast<std::uint32_t>(text.size());
  if (text.empty()) return;
  cell.flags |= Cell::given;
  const bool good = field.type == 'A'   ? true
                    : field.type == 'I' ? parse_integer(text, cell.integer)
                                        : parse_real(text, cell.real);
  if (good) return;
  cell.flags |= Cell::malformed | Cell::used;
  spoil(entry, spot);
  diagnostics.add(Severity::error, "CR-D110",
                  fmt::format("*{}: found '{}', expected {}", entry.name, text,
                              field.type == 'I' ? "an integer" : "a number"),
                  place(spot, card.name, field.name), entry.name);
}

void DeckImpl::treat(Cell& cell, const EntrySchema& entry, const CardSchema& card, const FieldSchema& field,
                     Spot spot) {
  cell.flags |= Cell::used;
  if (!cell.has(Cell::given) || cell.has(Cell::malformed) || is_default(cell, field)) return;
  const auto listed = [&] {
    if (field.type == 'A') {
      const std::string word = upper(cell.view());
      return std::find(field.ok_texts.begin(), field.ok_texts.end(), word) != field.ok_texts.end();
    }
    return std::find(field.ok_numbers.begin(), field.ok_numbers.end(), number(cell, field)) !=
           field.ok_numbers.end();
  };
  if (listed()) {
    if (field.support == Support::partial) cell.flags &= static_cast<std::uint8_t>(~Cell::used);
    return;
  }
  const std::string why = field.why.empty() ? std::string{} : ": " + field.why;
  FieldCount& count = field_counts[{&entry, field.name}];
  if (field.support == Support::ignored) {
    ++count.ignored;
    tallies.add(
        Severity::warning, "CR-D202", entry.name, field.name,
        fmt::format("field {} of *{} is ignored (found {}){}", field.name, entry.name, cell.view(), why),
        place(spot, card.name, field.name));
    return;
  }
  ++count.refused;
  diagnostics.add(unsupported(), "CR-D203",
                  fmt::format("{} = {} of *{} is not supported{}", field.name, cell.view(), entry.name, why),
                  place(spot, card.name, field.name), entry.name);
}

bool DeckImpl::can_place(const EntrySchema& entry, Spot spot) {
  // Segments would have to be reordered like elements (bulk.cpp).
  const bool has_sides =
      entry.name == "SET_SEGMENT" || entry.name == "SET_SEGMENT_GENERAL" || entry.name == "LOAD_SEGMENT";
  if (has_sides && placement->map.reflects()) {
    tallies.add(unsupported(), "CR-D017", entry.name, "",
                fmt::format("*{} in a file that *INCLUDE_TRANSFORM mirrors: segments are not turned over",
                            entry.name),
                place(spot));
    return false;
  }
  if (entry.placeable) return true;
  tallies.add(unsupported(), "CR-D017", entry.name, "",
              fmt::format("*{} in a file of *INCLUDE_TRANSFORM: its ids and coordinates are not transformed",
                          entry.name),
              place(spot));
  return false;
}

void DeckImpl::shift(Cell& cell, const FieldSchema& field, IdKind kind) {
  if (!cell.has(Cell::given) || cell.has(Cell::malformed)) return;
  // Some real fields hold a length or an id.
  const auto id = static_cast<std::int64_t>(number(cell, field));
  const std::int64_t shifted = placement->shifted(id, kind);
  if (shifted == id) return;
  if (field.type == 'I')
    cell.integer = shifted;
  else
    cell.real = static_cast<double>(shifted);
  const std::string& text = texts.emplace_back(fmt::format("{}", shifted));
  cell.text = text.data();
  cell.length = static_cast<std::uint32_t>(text.size());
}

void DeckImpl::move_point(const std::array<Cell*, 3>& x) const {
  Vec3 point;
  for (int i = 0; i < 3; ++i) {
    const Cell& cell = *x[static_cast<std::size_t>(i)];
    if (cell.has(Cell::given) && !cell.has(Cell::malformed)) point[i] = cell.real;
  }
  const Vec3 moved = placement->map(point);
  for (int i = 0; i < 3; ++i) {
    Cell& cell = *x[static_cast<std::size_t>(i)];
    cell.real = moved[i];
    // A blank field that is moved was still not given by the user.
    if (!cell.has(Cell::given)) cell.flags |= Cell::given | Cell::used;
  }
}

void DeckImpl::check_vector(const std::array<Cell*, 3>& v, const EntrySchema& entry, Spot spot) {
  const bool any =
      std::any_of(v.begin(), v.end(), [](const Cell* c) { return c->has(Cell::given) && c->real != 0.0; });
  if (!any || !placement->map.turns()) return;
  diagnostics.add(unsupported(), "CR-D017",
                  fmt::format("*{} in a file that *INCLUDE_TRANSFORM rotates: its components are not rotated",
                              entry.name),
                  place(spot), entry.name);
}

void DeckImpl::report_stays(const EntrySchema& entry, Spot spot) {
  diagnostics.add(
      unsupported(), "CR-D017",
      fmt::format("*{} in a file that *INCLUDE_TRANSFORM moves: its coordinates are not moved", entry.name),
      place(spot), entry.name);
}

void DeckImpl::report_rest(std::string_view rest, const EntrySchema& entry, const CardSchema& card,
                           Spot spot) {
  if (rest.empty() || is_blank_or_zero(rest)) return;
  tallies.add(
      Severity::warning, "CR-D111", entry.name, card.name,
      fmt::format("'{}' on a card of *{} is beyond its last field and not read", trim(rest), entry.name),
      place(spot, card.name));
}

void DeckImpl::report_tabs(Spot spot) {
  tallies.add(Severity::warning, "CR-D007", files[static_cast<std::size_t>(spot.file)], "",
              "tabs are read as blanks up to the next multiple of 8 columns", place(spot));
}

}  // namespace crumple::deck
