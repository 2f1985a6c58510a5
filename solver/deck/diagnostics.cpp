// Problems in order, with a limit on repeats.
#include "deck/diagnostics.hpp"

#include <fmt/format.h>

namespace crumple::deck {

void Diagnostics::add(Severity severity, std::string id, std::string text, Place place,
                      const std::string& keyword) {
  Tally& tally = tallies_[{id, keyword, place.field}];
  if (++tally.count <= cap_) {
    problems_.push_back({severity, std::move(id), std::move(text), std::move(place)});
    return;
  }
  if (tally.count == cap_ + 1) {
    tally.summary = problems_.size();
    problems_.push_back({severity, std::move(id), {}, std::move(place)});
  }
  Problem& summary = problems_[tally.summary];
  if (severity == Severity::error) summary.severity = severity;
  const std::string what = keyword.empty() ? std::string{} : fmt::format(" in *{}", keyword);
  summary.text = fmt::format("{} more of this kind{}, the first of them here", tally.count - cap_, what);
}

void Tallies::add(Severity severity, const std::string& id, const std::string& keyword,
                  const std::string& subject, const std::string& text, const Place& place) {
  const auto [it, added] = index_.try_emplace({id, keyword, subject}, tallies_.size());
  if (added) tallies_.push_back({severity, id, keyword, subject, text, place, {}, 0});
  Tally& tally = tallies_[it->second];
  if (tally.count > 0 && tally.also.size() < 2) tally.also.push_back(place);
  ++tally.count;
}

void Tallies::flush(Diagnostics& out) {
  for (Tally& tally : tallies_) {
    std::string text = std::move(tally.text);
    if (tally.count > 1) {
      text += fmt::format("; {} times, also at", tally.count);
      for (std::size_t i = 0; i < tally.also.size(); ++i)
        text += fmt::format("{} {}:{}", i ? "," : "", tally.also[i].file, tally.also[i].line);
      if (tally.count > tally.also.size() + 1) text += " ...";
    }
    out.add(tally.severity, std::move(tally.id), std::move(text), std::move(tally.first), tally.keyword);
  }
  tallies_.clear();
  index_.clear();
}

std::string to_text(const Problem& problem) {
  const char* const word = problem.severity == Severity::error ? "error" : "warning";
  const Place& at = problem.place;
  std::string where = at.file;
  if (!at.file.empty() && at.line > 0) where += fmt::format(":{}", at.line);
  if (!where.empty()) where += ": ";
  std::string inside;
  if (!at.card.empty()) inside += " card " + at.card;
  if (!at.field.empty()) inside += " field " + at.field;
  if (!inside.empty()) inside = " (" + inside.substr(1) + ")";
  return fmt::format("{}{} {}: {}{}", where, word, problem.id, problem.text, inside);
}

}  // namespace crumple::deck
