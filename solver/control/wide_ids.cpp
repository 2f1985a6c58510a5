// Checks the columns with numbers of nodes and elements.
#include "control/wide_ids.hpp"

#include <fmt/format.h>

#include <limits>

namespace crumple::control {

namespace {

constexpr GlobalId kMost = std::numeric_limits<std::int32_t>::max();

/// The first number that is too large, its place, and the count of such numbers.
struct Wide {
  std::int64_t count = 0;
  GlobalId first = 0;
  Place place;

  void add(GlobalId id, const auto& place_of) {
    if (id <= kMost || count++ > 0) return;
    first = id;
    place = place_of();
  }
};

void report(const deck::Deck& deck, const std::string& what, const Wide& wide) {
  if (wide.count == 0) return;
  deck.report(
      deck::Severity::error, "CR-O110",
      fmt::format("*{} {}: the 4-byte words of d3plot hold numbers up to {}; {} {} above; renumber, or "
                  "let crumple-solver write 8-byte words: --double-files",
                  what, wide.first, kMost, wide.count, wide.count == 1 ? "is" : "are"),
      wide.place);
}

}  // namespace

void report_wide_ids(const deck::Deck& deck) {
  for (const std::string& name : deck.bulk_names()) {
    const bool nodes = name == "NODE";
    // Kinds whose numbers are in d3plot.
    const bool elements = name.starts_with("ELEMENT_SHELL") || name.starts_with("ELEMENT_SOLID") ||
                          name.starts_with("ELEMENT_BEAM") || name.starts_with("ELEMENT_TSHELL");
    if (!nodes && !elements) continue;
    const deck::Bulk& table = deck.bulk(name);
    Wide wide;
    for (std::size_t c = 0; c < table.integer_names.size(); ++c)
      if (table.integer_names[c] == (nodes ? "NID" : "EID"))
        for (std::size_t i = 0; i < table.size(); ++i)
          wide.add(table.integers[c][i], [&] { return deck.place(table.file[i], table.line[i]); });
    report(deck, name, wide);
  }
  Wide parts;
  for (const deck::Keyword& k : deck.all("PART"))
    for (const deck::Record& r : k.records()) parts.add(r.integer("PID"), [&] { return r.place("PID"); });
  report(deck, "PART", parts);
}

}  // namespace crumple::control
