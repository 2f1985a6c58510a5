// The list of problems of a deck: all in one pass, with a limit on repeats.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "deck/deck.hpp"

namespace crumple::deck {

/// Problems in the order of detection. Of problems with the same id, keyword and field, `cap` are kept, and
/// one more line has the number of the others.
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

/// Findings that are reported once per keyword and subject, with their count and first place.
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
  /// Report everything, in the order of first places, and clear it.
  void flush(Diagnostics& out);

 private:
  std::vector<Tally> tallies_;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> index_;
};

/// "file:line: error CR-D101: text", the form in which editors find the place.
std::string to_text(const Problem& problem);

}  // namespace crumple::deck
