// Finds the most likely keyword for a misspelt one.
#include "deck/nearest_name.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <vector>

namespace crumple::deck {

std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

namespace {

using Words = std::vector<std::string_view>;

Words words_of(std::string_view name) {
  Words out;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('_', at), name.size());
    out.push_back(name.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string without_underscores(std::string_view name) {
  std::string out;
  std::copy_if(name.begin(), name.end(), std::back_inserter(out), [](char c) { return c != '_'; });
  return out;
}

bool has_digit(std::string_view word) {
  return std::any_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool all_digits(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string_view without_zeros(std::string_view number) {
  return number.substr(std::min(number.find_first_not_of('0'), number.size()));
}

/// Whether two neighbouring letters are swapped.
bool swapped(std::string_view a, std::string_view b) {
  const auto [i, j] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto at = static_cast<std::size_t>(i - a.begin());
  return a.size() == b.size() && at + 1 < a.size() && a[at] == b[at + 1] && a[at + 1] == b[at] &&
         a.substr(at + 2) == b.substr(at + 2);
}

/// All names that a deck may use, with the suffixes of supported ones, and the words in them.
struct Vocabulary {
  explicit Vocabulary(const Schema& schema) {
    for (const EntrySchema& entry : schema.entries()) {
      names.push_back(entry.name);
      names.insert(names.end(), entry.aliases.begin(), entry.aliases.end());
      if (entry.by_name) continue;
      for (const std::string& suffix : entry.suffixes) names.push_back(entry.name + "_" + suffix);
    }
    for (const char* const own : {"KEYWORD", "TITLE", "END", "COMMENT", "PARAMETER", "PARAMETER_EXPRESSION",
                                  "INCLUDE", "INCLUDE_PATH", "INCLUDE_TRANSFORM", "DEFINE_TRANSFORMATION"})
      names.emplace_back(own);
    for (const std::string& name : names)
      for (const std::string_view word : words_of(name)) words.insert(word);
  }
  std::vector<std::string> names;
  std::set<std::string_view> words;  // into names
};

/// Whether `word` may be a misspelt `known`. A word that occurs in keywords counts as correct, except with or
/// without the S of a plural; a number always counts as correct.
bool may_be_misspelt(std::string_view word, std::string_view known, const Vocabulary& vocabulary) {
  if (word == known) return true;
  const bool numbers = all_digits(word) && all_digits(known);
  if (has_digit(word) || has_digit(known)) return numbers && without_zeros(word) == without_zeros(known);
  const auto plural = [](std::string_view a, std::string_view b) {
    return a.size() == b.size() + 1 && a.ends_with('S') && a.starts_with(b);
  };
  if (plural(word, known) || plural(known, word)) return true;
  if (vocabulary.words.contains(word)) return false;
  const std::size_t length = std::min(word.size(), known.size());
  if (length > 3 && swapped(word, known)) return true;
  if (length > 0 && word.front() != known.front()) return false;  // the first letter is rarely misspelt
  return edits(word, known) <= (length < 3 ? 0u : length < 5 ? 1u : length < 9 ? 2u : 3u);
}

bool may_be_misspelt(const Words& words, const Words& known, const Vocabulary& vocabulary) {
  if (words.size() != known.size()) return false;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (!may_be_misspelt(words[i], known[i], vocabulary)) return false;
  return true;
}

}  // namespace

std::string nearest_keyword(const Schema& schema, std::string_view name) {
  const Vocabulary vocabulary(schema);
  const Words words = words_of(name);
  const std::string joined = without_underscores(name);
  std::string nearest;
  std::size_t fewest = std::max<std::size_t>(name.size() / 6, 2) + 1;
  for (const std::string& known : vocabulary.names) {
    const bool near =
        without_underscores(known) == joined || may_be_misspelt(words, words_of(known), vocabulary);
    if (!near) continue;
    if (const std::size_t n = edits(name, known); n < fewest) {
      fewest = n;
      nearest = known;
    }
  }
  return nearest;
}

}  // namespace crumple::deck
