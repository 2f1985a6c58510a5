// *CASE: the runs that a deck describes, found before the deck is read.
//
// A deck with *CASE is read once for each of its cases: with the keywords that are in no subcase, and with
// those between *CASE_BEGIN_n and *CASE_END_n for the subcases n that the case lists (LS-DYNA manual, *CASE).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/members.hpp"

namespace crumple::deck {

struct RunCase {
  std::int64_t id = 0;
  std::string job_id;              ///< prefix of its results: JOBID, else CASE and the number
  std::vector<std::string> words;  ///< of its command line: "ENDTIME=0.02"
  std::vector<std::int64_t> subcases;
  std::int32_t line = 0;  ///< of *CASE in the deck
};
CRUMPLE_MEMBERS(RunCase, id, job_id, words, subcases, line)

/// The cases of a deck in their order; none if it has no *CASE or cannot be read. *CASE is looked for in the
/// deck itself, not in its includes. Throws Error CR-D018 where a card cannot be used.
std::vector<RunCase> cases_of(const std::string& path);

/// The number of `*CASE_BEGIN_7` or `*CASE_END_7`: -1 if it has none.
std::int64_t subcase_of(std::string_view keyword);

}  // namespace crumple::deck
