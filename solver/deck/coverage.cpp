// How every keyword and field of a deck was used.
#include "deck/coverage.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <regex>
#include <utility>

#include "deck/deck_impl.hpp"

namespace crumple::deck {
namespace {

// Headings are names for users; nothing is lost if they are not read.
bool is_heading(const FieldSchema& field) { return field.type == 'A' && field.width >= 70; }

/// Calls `visit(card, field, cell, spot)` for all cells of a keyword block with values other than the
/// defaults.
template <class Visit>
void for_each_given(const DeckImpl& deck, const KeywordData& keyword, Visit visit) {
  for (std::size_t r = keyword.first_record; r < keyword.first_record + keyword.records; ++r) {
    const RecordData& record = deck.records[r];
    for (std::size_t g = record.first_group; g < record.first_group + record.groups; ++g) {
      const Group& group = deck.groups[g];
      const CardSchema& card = keyword.entry->cards[group.card];
      const std::size_t n = card.fields.size();
      for (std::size_t i = 0; i < group.rows * n; ++i) {
        const FieldSchema& field = card.fields[i % n];
        const Cell& cell = deck.cells[group.first_cell + i];
        if (field.spacer || is_heading(field) || !cell.has(Cell::given) || is_default(cell, field)) continue;
        visit(card, field, cell, deck.spots[group.first_spot + i / n]);
      }
    }
  }
}

KeywordCoverage& row_of(std::map<std::string, KeywordCoverage>& rows, const std::string& name,
                        const std::string& support) {
  KeywordCoverage& row = rows[name];
  row.keyword = name;
  row.support = support;
  return row;
}

FieldCoverage& field_of(KeywordCoverage& row, const std::string& name) {
  const auto it = std::find_if(row.fields.begin(), row.fields.end(),
                               [&](const FieldCoverage& f) { return f.name == name; });
  if (it != row.fields.end()) return *it;
  row.fields.push_back({name});
  return row.fields.back();
}

// Ignored and refused fields were counted when they were read; the rest of `given` is used.
void settle(KeywordCoverage& row, const DeckImpl& deck, const EntrySchema& entry) {
  for (const auto& [key, count] : deck.field_counts) {
    if (key.first != &entry) continue;
    FieldCoverage& field = field_of(row, key.second);
    field.ignored = count.ignored;
    field.refused = count.refused;
    field.given = std::max(field.given, count.ignored + count.refused);
  }
  for (FieldCoverage& field : row.fields) {
    const std::size_t not_used = field.ignored + field.refused + field.unused;
    field.used = field.given > not_used ? field.given - not_used : 0;
  }
}

}  // namespace

std::vector<KeywordCoverage> coverage_table(const Deck& d) {
  const DeckImpl& deck = d.impl();
  std::map<std::string, KeywordCoverage> rows;
  std::map<std::string, const EntrySchema*> entries;
  for (const KeywordData& keyword : deck.keywords) {
    KeywordCoverage& row = row_of(rows, keyword.entry->name, to_text(keyword.entry->support));
    entries[row.keyword] = keyword.entry;
    ++row.blocks;
    row.records += keyword.records;
    for_each_given(deck, keyword, [&](const CardSchema&, const FieldSchema& field, const Cell& cell, Spot) {
      FieldCoverage& count = field_of(row, field.name);
      ++count.given;
      if (!cell.has(Cell::used)) ++count.unused;
    });
  }
  for (const auto& [name, bulk] : deck.bulks) {
    KeywordCoverage& row = row_of(rows, name, to_text(bulk.entry->support));
    entries[name] = bulk.entry;
    row.blocks += bulk.blocks;
    row.records += bulk.released + bulk.table.size();
  }
  for (const auto& [name, entry] : entries) settle(rows[name], deck, *entry);
  for (const auto& [name, blocks] : deck.own_blocks) row_of(rows, name, "yes").blocks = blocks;
  for (const auto& [name, skipped] : deck.skipped) {
    const char* const other = skipped.refused ? "refused" : "unknown";
    row_of(rows, name, skipped.entry ? to_text(skipped.entry->support) : other).blocks += skipped.blocks;
  }
  std::vector<KeywordCoverage> out;
  for (auto& [name, row] : rows) out.push_back(std::move(row));
  return out;
}

std::string to_text(const std::vector<KeywordCoverage>& table) {
  std::string out = fmt::format("{:<52} {:<8} {:>7} {:>9}\n", "keyword", "support", "blocks", "records");
  for (const KeywordCoverage& row : table) {
    out += fmt::format("{:<52} {:<8} {:>7} {:>9}\n", "*" + row.keyword, row.support, row.blocks, row.records);
    for (const FieldCoverage& field : row.fields) {
      if (field.used == field.given) continue;
      out += fmt::format("    {:<12} given {}: used {}", field.name, field.given, field.used);
      if (field.ignored) out += fmt::format(", ignored {}", field.ignored);
      if (field.refused) out += fmt::format(", refused {}", field.refused);
      if (field.unused) out += fmt::format(", not read {}", field.unused);
      out += "\n";
    }
  }
  return out;
}

void report_unused(const Deck& d) {
  DeckImpl& deck = d.impl();
  if (deck.unused_reported) return;
  deck.unused_reported = true;
  for (const KeywordData& keyword : deck.keywords) {
    const EntrySchema& entry = *keyword.entry;
    for_each_given(
        deck, keyword, [&](const CardSchema& card, const FieldSchema& field, const Cell& cell, Spot spot) {
          if (cell.has(Cell::used)) return;
          deck.tallies.add(
              Severity::warning, "CR-D201", entry.name, field.name,
              fmt::format("field {} of *{} is not used (found {})", field.name, entry.name, cell.view()),
              deck.place(spot, card.name, field.name));
        });
  }
  deck.tallies.flush(deck.diagnostics);
}

namespace {

std::string escape(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

bool is_read(const EntrySchema& entry) {
  return entry.support == Support::yes || entry.support == Support::partial;
}

/// Counts of what is read, of what is known.
struct Share {
  std::size_t read = 0, all = 0;
};

/// Names of keywords, other names of the same keyword included, options not.
Share names_read(const Schema& schema) {
  Share names;
  for (const EntrySchema& entry : schema.entries()) {
    const std::size_t n = 1 + entry.aliases.size();
    names.all += n;
    if (is_read(entry)) names.read += n;
  }
  return names;
}

/// The number of a law in a name such as MAT_024_TITLE or MAT_S01: three characters, "" for other names.
std::string law_number(const std::string& name) {
  static const std::regex numbered("MAT_(S?[0-9]{2,3})(_.*|[A-Z]*)");
  std::smatch found;
  return std::regex_match(name, found, numbered) && found[1].length() == 3 ? found[1].str() : std::string();
}

Share laws_read(const Schema& schema) {
  std::map<std::string, bool> laws;
  for (const EntrySchema& entry : schema.entries()) {
    std::vector<std::string> names = entry.aliases;
    names.push_back(entry.name);
    for (const std::string& name : names)
      if (const std::string number = law_number(name); !number.empty()) laws[number] |= is_read(entry);
  }
  const auto read = std::count_if(laws.begin(), laws.end(), [](const auto& law) { return law.second; });
  return {static_cast<std::size_t>(read), laws.size()};
}

std::string counts_text(const Schema& schema) {
  const Share names = names_read(schema), laws = laws_read(schema);
  std::string out = fmt::format(
      "Of {} names of keywords {} are read, in full or in part; of {} material laws that have numbers {}.",
      names.all, names.read, laws.all, laws.read);
  std::string formulations;
  for (const EntrySchema& entry : schema.entries()) {
    const Formulations& f = entry.formulations;
    if (f.of == 0) continue;
    formulations +=
        fmt::format("{} {} of {} of *{}", formulations.empty() ? "" : ",", f.read.size(), f.of, entry.name);
    if (!f.read.empty()) formulations += fmt::format(" ({})", fmt::join(f.read, ", "));
  }
  if (!formulations.empty()) out += fmt::format("\nElement formulations (ELFORM):{}.", formulations);
  return out + "\nWhat public decks use of them is in [public decks](decks.md).\n\n";
}

void append_list(std::string& out, const char* title, const std::vector<std::string>& names) {
  if (names.empty()) return;
  out += fmt::format("\n{}: ", title);
  for (std::size_t i = 0; i < names.size(); ++i) out += fmt::format("{}`{}`", i ? ", " : "", names[i]);
  out += "\n";
}

std::string field_text(const FieldSchema& field) {
  if (field.support == Support::yes) return field.name;
  std::string out = fmt::format("{} ({}", field.name, to_text(field.support));
  if (!field.ok_numbers.empty()) {
    out += "; read:";
    for (const double ok : field.ok_numbers) out += fmt::format(" {}", ok);
  }
  return out + (field.why.empty() ? ")" : ": " + field.why + ")");
}

void append_entry(std::string& out, const EntrySchema& entry) {
  out +=
      fmt::format("\n### *{}\n\n{}{}**{}**{}\n", entry.name, entry.summary, entry.summary.empty() ? "" : ". ",
                  to_text(entry.support), entry.why.empty() ? "" : ": " + entry.why);
  append_list(out, "Also", entry.aliases);
  append_list(out, "Options", entry.suffixes);
  if (!is_read(entry) || !entry.has_cards) return;
  out += "\n| card | fields |\n|---|---|\n";
  for (const CardSchema& card : entry.cards) {
    if (card.skip) continue;
    std::string fields;
    for (const FieldSchema& field : card.fields)
      if (!field.spacer && field.name[0] != '_') fields += (fields.empty() ? "" : ", ") + field_text(field);
    if (fields.empty()) continue;
    out += fmt::format("| {} | {} |\n", card.name, escape(fields));
  }
}

// Keywords with only a reason, grouped by that reason.
void append_families(std::string& out, const Schema& schema) {
  std::map<std::pair<std::string, std::string>, std::vector<std::string>> families;
  for (const EntrySchema& entry : schema.entries())
    if (entry.by_name) families[{entry.why, to_text(entry.support)}].push_back(entry.name);
  if (families.empty()) return;
  out +=
      "\n## Known by name\n\n"
      "Other keywords of LS-DYNA, with the usual options (`_TITLE`, `_ID`, `_SET`, ...). A keyword that is "
      "not on\n"
      "this page is unknown: most likely misspelt.\n";
  for (auto& [reason, names] : families) {
    std::sort(names.begin(), names.end());
    out += fmt::format("\n**{}**: {}.\n", reason.second, reason.first);
    std::string line;
    for (const std::string& name : names) {
      if (line.size() + name.size() > 105) out += std::exchange(line, {}) + "\n";
      line += (line.empty() ? "`" : " `") + name + "`";
    }
    out += line + "\n";
  }
}

}  // namespace

std::string keyword_matrix(const Schema& schema) {
  std::string out =
      "# Keywords\n\n"
      "Generated from solver/deck/schema; do not edit. A field without a remark is used. *ignored*: a "
      "warning if it\n"
      "is given. *refused*: an error if it is given (a warning with `--allow-unsupported`). *partial*: only "
      "the\n"
      "values named are read, others are refused.\n\n" +
      counts_text(schema) +
      "Read by the reader itself: `*KEYWORD`, `*TITLE`, `*END`, `*COMMENT`, `*PARAMETER`, "
      "`*PARAMETER_EXPRESSION`,\n"
      "`*PARAMETER_LOCAL`, `*PARAMETER_DUPLICATION`, `*INCLUDE`, `*INCLUDE_PATH`, `*INCLUDE_PATH_RELATIVE`,\n"
      "`*INCLUDE_TRANSFORM`, `*DEFINE_TRANSFORMATION`, `*CASE`, `*CASE_BEGIN_n`, `*CASE_END_n`.\n\n"
      "| keyword | support | |\n|---|---|---|\n";
  for (const EntrySchema& entry : schema.entries())
    if (!entry.by_name)
      out += fmt::format("| *{} | {} | {} |\n", entry.name, to_text(entry.support),
                         escape(entry.why.empty() ? entry.summary : entry.why));
  append_families(out, schema);
  out += "\n## Fields\n";
  for (const EntrySchema& entry : schema.entries()) {
    if (is_read(entry)) append_entry(out, entry);
  }
  return out;
}

}  // namespace crumple::deck
