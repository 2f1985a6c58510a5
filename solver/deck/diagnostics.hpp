// The list of problems found in a deck: all of them in one pass, without drowning the reader in repeats.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "deck/deck.hpp"

namespace crumple::deck {

/// Problems in the order they were found. Of those that share id, keyword and field, `cap` are kept and
/// one more line says how many followed.
class Diagnostics {
 public:
  explicit Diagnostics(std::size_t cap = 50) : cap_(cap) {}

  void add(Severity severity, std::string id, std::string text, Place place, const std::string& keyword = {});
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  struct Tally {
    std::size_t count = 0;
    std::size_t summary = 0;  ///< index of the line that counts the rest
  };
  std::size_t cap_;
  std::vector<Problem> problems_;
  std::map<std::tuple<std::string, std::string, std::string>, Tally> tallies_;
};

/// Findings that are reported once per keyword and subject, with their number and first place.
class Tallies {
 public:
  struct Tally {
    Severity severity;
    std::string id, keyword, subject, text;
    Place first;
    std::vector<Place> also;  ///< second and third place
    std::size_t count = 0;
  };
  void add(Severity severity, const std::string& id, const std::string& keyword, const std::string& subject,
           const std::string& text, const Place& place);
  /// Hand everything over, in the order of first places found, and forget it.
  void flush(Diagnostics& out);

 private:
  std::vector<Tally> tallies_;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> index_;
};

/// "file:line: error CR-D101: text", the form that editors jump to.
std::string to_text(const Problem& problem);

}  // namespace crumple::deck
