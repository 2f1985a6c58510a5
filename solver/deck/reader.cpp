// Reads a deck and its includes: passes each keyword to the code that reads its cards.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "deck/cases.hpp"
#include "deck/deck_impl.hpp"
#include "deck/includes.hpp"
#include "deck/nearest_name.hpp"
#include "deck/numbers.hpp"

namespace crumple::deck {
namespace {

/// Its file is of another model (springback/stamped_part.hpp).
constexpr std::string_view kOtherModel = "INCLUDE_STAMPED_PART";

/// Format of a file's cards, which its includes inherit.
struct FileFormat {
  Format format = Format::standard;
  bool by_columns = false;  ///< LONG=S or K: each file's own columns decide
};

class Reader {
 public:
  explicit Reader(DeckImpl& deck) : deck_(deck) {}

  void read_root(const std::string& path) {
    try {
      open(path);
    } catch (const std::system_error& error) {
      throw Error("CR-D001", fmt::format("cannot read the deck {}: {}", path, error.code().message()),
                  {path});
    }
    includes_.enter(path);
    read_file(0, {});
    deck_.tallies.flush(deck_.diagnostics);
  }

 private:
  // Index of the file in the deck.
  std::int32_t open(const std::string& path) {
    deck_.maps.push_back(std::make_unique<MappedFile>(path));
    deck_.files.push_back(path);
    return static_cast<std::int32_t>(deck_.files.size() - 1);
  }

  std::string_view text_of(std::int32_t file) const {
    std::string_view text = deck_.maps[static_cast<std::size_t>(file)]->text();
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark of UTF-8
    return text;
  }

  void read_file(std::int32_t file, FileFormat format) {
    const std::string_view text = text_of(file);
    if (format.by_columns) decide_by_columns(format, {file, 1});
    if (std::memchr(text.data(), 0, std::min<std::size_t>(text.size(), 65536)))
      return lose_file("CR-D006", "the file is binary, not a keyword deck", {file, 1});
    LineScanner scanner(text);
    std::string_view line;
    bool stray = false, ended = false;
    deck_.parameters.enter_file();
    while (!ended && scanner.next(line)) {
      const Spot spot{file, scanner.number()};
      if (!line.empty() && line[0] == '*') {
        ended = !read_keyword(parse_keyword_line(line), scanner, spot, format);
      } else if (!trim(line).empty() && !std::exchange(stray, true)) {
        error("CR-D006", fmt::format("'{}' is before the first keyword", trim(line).substr(0, 40)), spot);
      }
    }
    deck_.parameters.leave_file();
    if (subcase_ && subcase_->begin.file == file) report_open_subcase();
    if (!ended && !text.empty() && text.back() != '\n') warn_of_cut(file, scanner.number());
    if (file == 0) deck_.end = {file, std::max(scanner.number(), 1)};
  }

  // In a truncated file nodes or parts are missing, which shows elsewhere.
  void warn_of_cut(std::int32_t file, std::int32_t line) {
    deck_.diagnostics.add(
        Severity::warning, "CR-D010",
        "the file ends within a line, without *END: if definitions are missing, it may be truncated",
        deck_.place({file, line}));
  }

  // False at *END.
  bool read_keyword(const KeywordLine& head, LineScanner& scanner, Spot spot, FileFormat& file_format) {
    const std::string& name = head.name;
    if (name == "END") return false;
    const Format format = head.format_given ? head.format : file_format.format;
    if (!read_own(head, scanner, spot, file_format, format)) read_block(name, scanner, spot, format);
    return true;
  }

  // Keywords that control the reading itself; false for all others.
  bool read_own(const KeywordLine& head, LineScanner& scanner, Spot spot, FileFormat& file_format,
                Format format) {
    const std::string& name = head.name;
    const auto lines = [&] {
      ++deck_.own_blocks[name];
      return collect(scanner, spot.file);
    };
    if (name == "KEYWORD" || name.starts_with("KEYWORD_")) {
      read_keyword_options(head, lines(), spot, file_format);
    } else if (name == "TITLE") {
      const std::vector<Line> title = lines();
      if (!title.empty() && deck_.title.empty()) deck_.title = trim(title[0].text);
      report_more_titles(title, spot.file);
    } else if (name == "COMMENT" || name == "COMMENT_NOECHO") {
      lines();
    } else if (name == "INCLUDE_TRANSFORM") {
      read_include_transform(collect(scanner, spot.file), spot, file_format, format);
    } else if (name == "DEFINE_TRANSFORMATION" || name == "DEFINE_TRANSFORMATION_TITLE") {
      read_transformation(name, collect(scanner, spot.file), spot, format);
    } else if (name.starts_with("INCLUDE") && name != kOtherModel) {
      if (!is_include(name)) return refuse(name, "CR-D005", scanner, spot);
      read_include(name, lines(), spot, file_format);
    } else if (name.starts_with("PARAMETER_TYPE")) {
      return refuse(name, "CR-D102", scanner, spot);
    } else if (is_parameter_keyword(name)) {
      read_parameters(name, lines(), spot, format);
    } else if (name == "CASE") {
      lines();  // cases_of() has read them
      if (spot.file != 0)
        error("CR-D018", "*CASE is in an included file: it must be in the deck itself", spot);
    } else if (name.starts_with("CASE_BEGIN_") || name.starts_with("CASE_END_")) {
      lines();
      name.starts_with("CASE_B") ? begin_subcase(name, scanner, spot) : end_subcase(name, spot);
    } else {
      return false;
    }
    return true;
  }

  // Keywords of subcases that are not those of the case are passed over, with the files that they include.
  void begin_subcase(const std::string& name, LineScanner& scanner, Spot spot) {
    const std::int64_t id = subcase_of(name);
    if (id < 0) return error("CR-D018", fmt::format("*{} has no number", name), spot);
    if (subcase_)
      return error(
          "CR-D018",
          fmt::format("*{} in subcase {}: subcases in each other are not supported", name, subcase_->id),
          spot);
    const auto& active = deck_.options.subcases;
    if (!active)
      return error("CR-D018", fmt::format("*{}, but no *CASE says which run has subcase {}", name, id), spot);
    subcase_ = Subcase{id, spot};
    if (std::ranges::find(*active, id) == active->end()) pass_over_subcase(scanner, spot.file);
  }

  // Up to its end, which is read next.
  void pass_over_subcase(LineScanner& scanner, std::int32_t file) {
    std::string_view line;
    while (scanner.next(line)) {
      if (!line.starts_with("*")) continue;
      const std::string name = parse_keyword_line(line).name;
      if (name.starts_with("CASE_BEGIN_")) begin_subcase(name, scanner, {file, scanner.number()});
      if (name.starts_with("CASE_END_") || name == "END") return scanner.back();
    }
  }

  void end_subcase(const std::string& name, Spot spot) {
    if (!subcase_ || subcase_->id != subcase_of(name) || subcase_->begin.file != spot.file)
      return error("CR-D018", fmt::format("*{} without its beginning in this file", name), spot);
    subcase_.reset();
  }

  void report_open_subcase() {
    error("CR-D018", fmt::format("subcase {} has no *CASE_END_{} in this file", subcase_->id, subcase_->id),
          subcase_->begin);
    subcase_.reset();
  }

  void report_more_titles(const std::vector<Line>& lines, std::int32_t file) {
    for (std::size_t i = 1; i < lines.size(); ++i)
      if (const std::string_view text = trim(lines[i].text); !text.empty())
        deck_.tallies.add(Severity::warning, "CR-D106", "TITLE", "",
                          fmt::format("a title is one line; '{}' is not read", text),
                          deck_.place({file, lines[i].number}));
  }

  static bool is_include(const std::string& name) {
    return name == "INCLUDE" || name == "INCLUDE_PATH" || name == "INCLUDE_PATH_RELATIVE";
  }

  // A keyword that the reader knows but refuses.
  bool refuse(const std::string& name, const char* id, LineScanner& scanner, Spot spot) {
    collect(scanner, spot.file);
    SkippedKeyword& skipped = deck_.skipped[name];
    skipped.refused = true;
    ++skipped.blocks;
    if (name.starts_with("INCLUDE")) deck_.lost_file = true;
    const EntrySchema* const entry = deck_.schema.find(name).entry;
    std::string what = not_supported(name, entry ? entry->why : "");
    if (!entry) what += proposal(name);
    deck_.diagnostics.add(deck_.unsupported(), id, std::move(what), deck_.place(spot));
    return true;
  }

  std::string not_supported(const std::string& name, const std::string& why) const {
    const bool says_so = why.find("not supported") != std::string::npos;
    std::string text = fmt::format("*{}{}", name, says_so ? "" : " is not supported");
    if (!why.empty()) text += ": " + why;
    const std::string_view effect = deck_.schema.effect_of_leaving_out(name);
    return effect.empty() ? text : fmt::format("{}; without it {}", text, effect);
  }

  // ": did you mean *X?", or empty. Entities that X would define count as missing, too.
  std::string proposal(const std::string& name) {
    const auto [it, added] = nearest_.try_emplace(name);
    if (added) it->second = nearest_keyword(deck_.schema, name);
    if (it->second.empty()) return {};
    deck_.lost_names.insert(it->second);
    return fmt::format(": did you mean *{}?", it->second);
  }

  void read_block(const std::string& name, LineScanner& scanner, Spot spot, Format format) {
    const Schema::Match match = deck_.schema.find(name);
    const EntrySchema* const entry = match.entry;
    const bool readable = entry && (entry->support == Support::yes || entry->support == Support::partial);
    if (!readable) {
      collect(scanner, spot.file);
      note_skipped(name, match, spot);
    } else if (entry->bulk) {
      read_bulk(deck_, *entry, match.suffixes, format, scanner, spot);
    } else {
      add_block(deck_, *entry, match.suffixes, format, collect(scanner, spot.file), spot);
    }
  }

  void note_skipped(const std::string& name, const Schema::Match& match, Spot spot) {
    SkippedKeyword& skipped = deck_.skipped[match.entry ? match.entry->full_name(match.suffixes) : name];
    skipped.entry = match.entry;
    ++skipped.blocks;
    if (!match.entry || match.entry->support == Support::refused) deck_.lost_names.insert(name);
    if (!match.refused_option.empty()) {
      skipped.refused = true;
      deck_.tallies.add(deck_.unsupported(), "CR-D102", name, "", not_supported(name, match.refused_option),
                        deck_.place(spot));
      return;
    }
    if (!match.entry) {
      std::string what = proposal(name);
      if (what.empty() && !match.unknown_suffix.empty())
        what = fmt::format(" (option {} is not known)", match.unknown_suffix);
      deck_.tallies.add(deck_.unsupported(), "CR-D101", name, "",
                        fmt::format("unknown keyword *{}{}", name, what), deck_.place(spot));
      return;
    }
    const EntrySchema& entry = *match.entry;
    if (entry.support == Support::ignored)
      deck_.tallies.add(Severity::warning, "CR-D103", name, "",
                        fmt::format("*{} is ignored{}{}", name, entry.why.empty() ? "" : ": ", entry.why),
                        deck_.place(spot));
    else
      deck_.tallies.add(deck_.unsupported(), "CR-D102", name, "", not_supported(name, entry.why),
                        deck_.place(spot));
  }

  // Lines up to the next keyword.
  std::vector<Line> collect(LineScanner& scanner, std::int32_t file) {
    std::vector<Line> lines;
    std::string_view line;
    while (scanner.next(line)) {
      if (!line.empty() && line[0] == '*') {
        scanner.back();
        break;
      }
      if (std::memchr(line.data(), '\t', line.size())) {
        deck_.report_tabs({file, scanner.number()});
        line = deck_.texts.emplace_back(expand_tabs(line));
      }
      lines.push_back({line, scanner.number()});
    }
    return lines;
  }

  void read_keyword_options(const KeywordLine& head, const std::vector<Line>& lines, Spot spot,
                            FileFormat& format) {
    const std::string wide = option_value(head.options, "LONG"), i10 = option_value(head.options, "I10");
    if (!wide.empty()) format = {};
    if (wide == "Y") format = {Format::wide, false};
    if (i10 == "Y") format = {Format::i10, false};
    if ((wide == "S" || wide == "K") && i10 != "Y") decide_by_columns(format, spot);
    for (const char* const option : {"MEMORY", "MEMORY2"})
      if (const std::string value = option_value(head.options, option); !value.empty())
        deck_.keyword_options[option] = value;
    // The older form has only the words of memory.
    if (const std::string first = head.options.substr(0, head.options.find_first_of(" ,"));
        !first.empty() && first[0] >= '0' && first[0] <= '9')
      deck_.keyword_options["MEMORY"] = first;
    report_options(head.options, spot);
    const bool any =
        std::any_of(lines.begin(), lines.end(), [](const Line& l) { return !trim(l.text).empty(); });
    if (any)
      deck_.tallies.add(Severity::warning, "CR-D008", head.name, "lines",
                        fmt::format("the lines under *{} are ignored", head.name), deck_.place(spot));
  }

  void report_options(const std::string& options, Spot spot) {
    const auto words = option_words(options);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& option = words[i];
      const std::string name = option.substr(0, option.find('=')), value = option_value(options, name);
      const std::string_view letters = name == "LONG" ? "YNSK" : name == "I10" ? "YN" : "";
      const bool letter = value.size() == 1 && letters.find(value[0]) != letters.npos;
      const bool number = i == 0 && option[0] >= '0' && option[0] <= '9';
      const bool sign = option.size() == 1 && std::string_view("%+-").find(option[0]) != std::string::npos;
      const bool memory = (name == "MEMORY" || name == "MEMORY2") && !value.empty();
      if (!letter && !number && !sign && !memory)
        deck_.tallies.add(Severity::warning, "CR-D008", "KEYWORD", name,
                          fmt::format("{} of *KEYWORD is ignored", option), deck_.place(spot));
    }
  }

  void decide_by_columns(FileFormat& format, Spot spot) {
    format = {looks_wide(text_of(spot.file)) ? Format::wide : Format::standard, true};
    if (format.format == Format::standard)
      deck_.diagnostics.add(
          Severity::warning, "CR-D009",
          "LONG=S is given, but the columns of this file have standard width and are read so",
          deck_.place(spot));
  }

  void read_include(const std::string& name, const std::vector<Line>& lines, Spot spot, FileFormat format) {
    std::vector<std::string_view> texts;
    for (const Line& line : lines) texts.push_back(line.text);
    const auto files = join_file_names(texts);
    if (files.empty()) return report_no_file(name, spot);
    for (const auto& [file, line] : files) {
      const Spot at{spot.file, lines[line].number};
      if (name == "INCLUDE")
        include(file, at, format);
      else
        includes_.add_path(file, name == "INCLUDE_PATH_RELATIVE");
    }
  }

  // Usually its file names are commented out.
  void report_no_file(const std::string& name, Spot spot) {
    deck_.diagnostics.add(Severity::warning, "CR-D004", fmt::format("*{} names no file", name),
                          deck_.place(spot));
  }

  void include(const std::string& name, Spot spot, FileFormat format) {
    const auto path = includes_.find(name);
    if (!path) return lose_file("CR-D002", fmt::format("include file '{}' is not found", name), spot);
    if (!includes_.enter(*path))
      return error("CR-D003", fmt::format("'{}' includes itself: {} -> {}", name, includes_.chain(), *path),
                   spot);
    try {
      read_file(open(*path), format);
    } catch (const std::system_error& e) {
      lose_file("CR-D002", fmt::format("cannot read include file '{}': {}", *path, e.code().message()), spot);
    }
    includes_.leave();
  }

  // Keywords that the reader handles itself use the same records as all others.
  Record own_record(const std::string& name, const std::vector<Line>& lines, Spot spot, Format format) {
    const Schema::Match match = reader_schema().find(name);
    const Placement* const placement = std::exchange(deck_.placement, nullptr);
    add_block(deck_, *match.entry, match.suffixes, format, lines, spot);
    deck_.placement = placement;
    return Keyword(deck_, deck_.keywords.size() - 1).records().at(0);
  }

  void read_transformation(const std::string& name, const std::vector<Line>& lines, Spot spot,
                           Format format) {
    if (lines.empty()) return error("CR-D105", "*DEFINE_TRANSFORMATION: card 1 is missing", spot);
    const Record record = own_record(name, lines, spot, format);
    std::vector<TransformRow> rows(record.rows());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].option = upper(record.text(i, 0));
      for (std::size_t k = 0; k < arguments_of(rows[i].option); ++k) rows[i].a[k] = record.real(i, k + 1);
    }
    try {
      std::int64_t id = record.integer("TRANID");
      if (deck_.placement) id = deck_.placement->shifted(id, IdKind::define);
      deck_.transformations[id] = evaluate_transformation(rows);
    } catch (const Error& e) {
      deck_.diagnostics.add(deck_.unsupported(), e.id(), "*DEFINE_TRANSFORMATION: " + e.message(),
                            deck_.place(spot));
    }
  }

  void read_include_transform(std::vector<Line> lines, Spot spot, FileFormat file_format, Format format) {
    // The file name may continue over several lines; cards after it are counted from its last line.
    std::vector<std::string_view> name_lines;
    std::size_t n = 0;
    do name_lines.push_back(n < lines.size() ? lines[n].text : std::string_view{});
    while (trim(name_lines.back()).ends_with(" +") && ++n < lines.size());
    const auto names = join_file_names(name_lines);
    if (names.empty()) {
      const bool any =
          std::any_of(lines.begin(), lines.end(), [](const Line& l) { return !trim(l.text).empty(); });
      if (any) return lose_file("CR-D004", "*INCLUDE_TRANSFORM names no file", spot);
      return report_no_file("INCLUDE_TRANSFORM", spot);
    }
    lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(n));
    const Record record = own_record("INCLUDE_TRANSFORM", lines, spot, format);
    record.text("FILENAME");
    Placement placement;
    const char* const fields[kIdKinds] = {"IDNOFF", "IDEOFF", "IDPOFF", "IDMOFF",
                                          "IDSOFF", "IDFOFF", "IDDOFF", "IDROFF"};
    for (std::size_t i = 0; i < kIdKinds; ++i) placement.offset[i] = record.integer(fields[i]);
    if (std::int64_t id = record.integer("TRANID"); id != 0) {
      if (deck_.placement) id = deck_.placement->shifted(id, IdKind::define);
      const auto it = deck_.transformations.find(id);
      if (it == deck_.transformations.end())
        return lose_file("CR-D016", fmt::format("no *DEFINE_TRANSFORMATION {} before *INCLUDE_TRANSFORM", id),
                         spot);
      placement.map = it->second;
    }
    const Placement* const outer = deck_.placement;
    if (outer) placement = nested(*outer, placement);
    deck_.placement = placement.any() ? &placement : nullptr;
    include(names[0].first, {spot.file, spot.line + 1}, file_format);
    deck_.placement = outer;
  }

  void read_parameters(const std::string& name, const std::vector<Line>& lines, Spot spot, Format format) {
    const int width = field_width(10, format);
    const bool local = name.find("_LOCAL") != name.npos, is_mutable = name.find("_MUTABLE") != name.npos;
    if (name == "PARAMETER_DUPLICATION") return read_duplication(lines, spot, width);
    if (name.starts_with("PARAMETER_EXPRESSION"))
      return read_expressions(lines, spot, width, local, is_mutable);
    for (const Line& line : lines) {
      std::string_view rest;
      for (const Definition& definition : cut_definitions(line.text, width, rest))
        define(definition, {spot.file, line.number}, local, is_mutable, false);
      if (!trim(rest).empty())
        deck_.tallies.add(
            Severity::warning, "CR-D111", name, "",
            fmt::format("'{}' on a card of *{} is beyond its last field and not read", trim(rest), name),
            deck_.place({spot.file, line.number}));
    }
  }

  void read_duplication(const std::vector<Line>& lines, Spot spot, int width) {
    if (lines.empty()) return;
    const std::string_view line = lines[0].text;
    const std::string_view field =
        trim(line.substr(0, std::min(line.find(','), static_cast<std::size_t>(width))));
    std::int64_t flag = 1;
    if (!field.empty() && (!parse_integer(field, flag) || flag < 1 || flag > 5))
      return error("CR-D110",
                   fmt::format("*PARAMETER_DUPLICATION: found '{}' for DFLAG, expected 1 to 5", field),
                   {spot.file, lines[0].number});
    deck_.parameters.set_duplication(static_cast<Duplication>(flag));
  }

  void read_expressions(const std::vector<Line>& lines, Spot spot, int width, bool local, bool is_mutable) {
    std::vector<std::pair<Definition, std::int32_t>> found;
    for (const Line& line : lines) {
      if (trim(line.text).empty()) continue;
      Definition next = cut_expression_definition(line.text, width);
      if (next.type == 0 && next.name.empty() && !found.empty())
        found.back().first.value += next.value;
      else
        found.emplace_back(std::move(next), line.number);
    }
    for (const auto& [definition, line] : found)
      define(definition, {spot.file, line}, local, is_mutable, true);
  }

  void define(const Definition& d, Spot spot, bool local, bool is_mutable, bool expression) {
    if (d.type == 0 || d.name.empty())
      return error(
          "CR-D012",
          fmt::format("found '{}' = '{}', expected a parameter name that begins with its type R, I or C",
                      d.name.empty() && d.type != 0 ? std::string(1, d.type) : d.name, d.value),
          spot);
    if (!may_be_named(d.name))
      return error("CR-D012",
                   fmt::format("'{}' is no name of a parameter: its value begins in the wrong column, "
                               "or a comma is missing",
                               d.name),
                   spot);
    ParameterValue value{d.type, 0.0, {}};
    if (!parameter_value(d, expression, value, spot)) return;
    using Outcome = Parameters::Outcome;
    const Outcome outcome = deck_.parameters.define(d.name, value, local, is_mutable);
    if (outcome == Outcome::kept || outcome == Outcome::replaced)
      deck_.diagnostics.add(Severity::warning, "CR-D014",
                            fmt::format("parameter {} is defined again; the {} value counts", d.name,
                                        outcome == Outcome::kept ? "first" : "new"),
                            deck_.place(spot));
    if (outcome == Outcome::refused)
      error("CR-D014", fmt::format("parameter {} is defined again", d.name), spot);
  }

  bool parameter_value(const Definition& d, bool expression, ParameterValue& out, Spot spot) {
    if (d.type == 'C') {
      out.text = d.value;
      return true;
    }
    const auto bad = [&](const char* id, const std::string& what) {
      error(id, fmt::format("parameter {}: {}", d.name, what), spot);
      return false;
    };
    try {
      const bool refers = d.value.find('&') != std::string::npos;
      if (expression || refers)
        out.number = deck_.parameters.evaluate(d.value);
      else if (d.value.empty() || !parse_real(d.value, out.number))
        return bad("CR-D012", fmt::format("found '{}', expected a number", d.value));
    } catch (const Error& e) {
      return bad(e.id().c_str(), e.message());
    }
    if (d.type == 'I' && out.number != std::round(out.number)) {
      if (!expression) return bad("CR-D012", fmt::format("found '{}', expected an integer", d.value));
      out.number = std::trunc(out.number);
    }
    return true;
  }

  // From here on the definitions of the file count as missing.
  void lose_file(const char* id, std::string text, Spot spot) {
    deck_.lost_file = true;
    error(id, std::move(text), spot);
  }

  void error(const char* id, std::string text, Spot spot) {
    deck_.diagnostics.add(Severity::error, id, std::move(text), deck_.place(spot));
  }

  struct Subcase {
    std::int64_t id;
    Spot begin;
  };

  DeckImpl& deck_;
  Includes includes_;
  std::optional<Subcase> subcase_;              // that is being read or passed over
  std::map<std::string, std::string> nearest_;  // for unknown keywords
};

}  // namespace

Deck read_deck(const std::string& path, const ReadOptions& options, const Schema& schema) {
  auto impl = std::make_unique<DeckImpl>(schema, options);
  Reader(*impl).read_root(path);
  return Deck(std::move(impl));
}

Deck read_deck(const std::string& path, const ReadOptions& options) {
  return read_deck(path, options, builtin_schema());
}

}  // namespace crumple::deck
