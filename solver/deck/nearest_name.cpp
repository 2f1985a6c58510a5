// The keyword that a misspelt one was most likely meant to be.
#include "deck/nearest_name.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
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

/// MAT_099 is no misspelt MAT_098.
std::string digits(std::string_view name) {
  std::string out;
  std::copy_if(name.begin(), name.end(), std::back_inserter(out),
               [](char c) { return c >= '0' && c <= '9'; });
  return out;
}

}  // namespace

std::string nearest_keyword(const Schema& schema, std::string_view name) {
  std::string nearest;
  std::size_t fewest = name.size() / 6 + 1;
  const std::string numbers = digits(name);
  const auto look_at = [&](const std::string& known) {
    if (digits(known) != numbers) return;
    if (const std::size_t n = edits(name, known); n < fewest) {
      fewest = n;
      nearest = known;
    }
  };
  for (const EntrySchema& entry : schema.entries()) {
    if (entry.support == Support::refused) continue;
    look_at(entry.name);
    for (const std::string& alias : entry.aliases) look_at(alias);
    for (const std::string& suffix : entry.suffixes) look_at(entry.name + "_" + suffix);
  }
  return nearest;
}

}  // namespace crumple::deck
