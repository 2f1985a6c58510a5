// Finds *CASE by a look at the beginnings of lines, and cuts its cards.
#include "deck/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "deck/lexer.hpp"
#include "deck/numbers.hpp"

namespace crumple::deck {

namespace {

constexpr int kIdWidth = 10, kJobWidth = 70;

/// One *CASE: its cards to a case.
class CaseCards {
 public:
  CaseCards(const std::string& path, std::int32_t line, Format format) : path_(path), format_(format) {
    found_.line = line;
  }

  RunCase read(LineScanner& scanner, std::int32_t before) {
    std::string_view line;
    bool first = true;
    while (scanner.next(line) && !line.starts_with("*")) {
      at_ = before + scanner.number();
      if (first) {
        names(line);
        first = false;
      } else if (!trim(line).empty()) {
        std::isdigit(static_cast<unsigned char>(trim(line).front())) ? subcases(line) : words(line);
      }
    }
    if (first) fail("*CASE has no card", found_.line);
    return std::move(found_);
  }

 private:
  [[noreturn]] void fail(const std::string& what, std::int32_t line) const {
    throw Error("CR-D018", what, {path_, line});
  }

  void names(std::string_view line) {
    const int width = field_width(kIdWidth, format_);
    std::vector<std::string_view> fields;
    std::string_view rest;
    if (is_free_format(line, static_cast<std::size_t>(width)))
      cut_free(line, 2, true, fields, rest);
    else
      cut_fixed(line, {width, kJobWidth}, true, fields, rest);
    if (!parse_integer(trim(fields[0]), found_.id) || found_.id <= 0)
      fail(fmt::format("*CASE: found '{}' for CASEID, expected a number", trim(fields[0])), at_);
    found_.job_id = fields.size() > 1 ? trim(fields[1]) : std::string_view{};
    if (found_.job_id.find_first_of(" /") != std::string::npos)
      fail(fmt::format("*CASE {}: JOBID '{}' has a blank or a slash, and begins the names of files",
                       found_.id, found_.job_id),
           at_);
    if (found_.job_id.empty()) found_.job_id = fmt::format("CASE{}", found_.id);
  }

  void words(std::string_view line) {
    for (std::size_t from = 0; (from = line.find_first_not_of(' ', from)) != std::string_view::npos;) {
      const std::size_t end = std::min(line.find(' ', from), line.size());
      found_.words.emplace_back(line.substr(from, end - from));
      from = end;
    }
  }

  void subcases(std::string_view line) {
    const int width = field_width(kIdWidth, format_);
    std::vector<std::string_view> fields;
    std::string_view rest;
    if (is_free_format(line, 8 * static_cast<std::size_t>(width)))
      cut_free(line, 8, false, fields, rest);
    else
      cut_fixed(line, std::vector<int>(8, width), false, fields, rest);
    fields.push_back(rest);
    for (const std::string_view field : fields) {
      std::int64_t id = 0;
      if (trim(field).empty()) continue;
      if (!parse_integer(trim(field), id) || id <= 0)
        fail(fmt::format("*CASE {}: found '{}' for a subcase, expected a number", found_.id, trim(field)),
             at_);
      found_.subcases.push_back(id);
    }
  }

  const std::string& path_;
  Format format_;
  std::int32_t at_ = 0;
  RunCase found_;
};

void refuse_equal(const std::vector<RunCase>& cases, const std::string& path) {
  for (std::size_t k = 1; k < cases.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (cases[j].id == cases[k].id || cases[j].job_id == cases[k].job_id)
        throw Error("CR-D018",
                    fmt::format("*CASE {} has the number or the JOBID of another case", cases[k].id),
                    {path, cases[k].line});
}

}  // namespace

std::int64_t subcase_of(std::string_view keyword) {
  const std::size_t before = keyword.rfind('_');
  std::int64_t id = -1;
  if (before == std::string_view::npos || !parse_integer(keyword.substr(before + 1), id) || id <= 0)
    return -1;
  return id;
}

std::vector<RunCase> cases_of(const std::string& path) {
  std::vector<RunCase> cases;
  std::unique_ptr<MappedFile> file;
  try {
    file = std::make_unique<MappedFile>(path);
  } catch (const std::system_error&) {
    return cases;  // the reader reports it
  }
  const std::string_view text = file->text();
  Format format = Format::standard;
  std::size_t begin = text.starts_with("*") ? 0 : text.find("\n*");
  if (begin != 0 && begin != std::string_view::npos) ++begin;
  while (begin != std::string_view::npos) {
    const std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
    const KeywordLine head = parse_keyword_line(line.substr(0, 80));
    if (head.name == "END") break;
    if (head.name == "KEYWORD" && option_value(head.options, "LONG") == "Y") format = Format::wide;
    if (head.name == "CASE") {
      const auto before = static_cast<std::int32_t>(
          std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
      LineScanner scanner(text.substr(begin));
      std::string_view keyword;
      scanner.next(keyword);
      CaseCards cards(path, before + 1, head.format_given ? head.format : format);
      cases.push_back(cards.read(scanner, before));
    }
    begin = text.find("\n*", begin);
    if (begin != std::string_view::npos) ++begin;
  }
  refuse_equal(cases, path);
  return cases;
}

}  // namespace crumple::deck
