// Rows of rcforc, sleout and ncforc from the results of contacts, of explicit and implicit runs.
#pragma once

#include <vector>

#include "output/results.hpp"
#include "output/results_view.hpp"

namespace crumple::output {

/// @param results one for each of Model::contacts
template <class Results>
std::vector<RcforcRow> rcforc_rows(const Results& results) {
  std::vector<RcforcRow> rows;
  for (const auto& c : results) rows.push_back({c.force_a, c.force_b, 0.0, 0.0});
  return rows;
}

/// @param results one for each of Model::contacts
template <class Results>
std::vector<SleoutRow> sleout_rows(const Results& results) {
  std::vector<SleoutRow> rows;
  for (const auto& c : results) rows.push_back({c.energy_a, c.energy_b, c.friction_energy});
  return rows;
}

template <class Forces>
std::vector<ContactNode> ncforc_rows(const Forces& forces) {
  std::vector<ContactNode> rows;
  for (const auto& f : forces) rows.push_back({f.contact, f.b != 0, f.node, f.force});
  return rows;
}

}  // namespace crumple::output
