// Sections of d3hsp on the input.
#include "control/echo.hpp"

#include <fmt/format.h>

#include "deck/coverage.hpp"
#include "model/check.hpp"
#include "model/units.hpp"

namespace crumple::control {

namespace {

constexpr const char* kWithout = " --allow-unsupported: the deck has this, but the run ignores it\n";

/// The line of d3hsp on units, if they are known.
std::string units_line(const std::string& name) {
  const auto units = model::find_units(name);
  return units ? fmt::format(" units {}: {}\n", units->name, model::labels(*units)) : std::string();
}

}  // namespace

Echo echo_of(const Input& input, const std::vector<std::string>& dropped) {
  const model::Control& c = input.model.control;
  std::string problems;
  for (const deck::Problem& p : input.deck.problems())
    problems += fmt::format(" {} {}: {}\n", p.place.text(), p.id, p.text);
  std::string without;
  for (const std::string& line : dropped) without += fmt::format(" {}\n", line);
  Echo echo{{"control", fmt::format(" end time {:g}\n scale of the time step {:g}\n end cycle {}\n shells: "
                                    "thickness update {}, BWC {}\n",
                                    c.end_time, c.step_scale, c.end_cycle, c.istupd, c.bwc) +
                            units_line(c.units)},
            {"model", model::to_text(model::check_model(input.model), {}, c.units)},
            {"initial penetrations",
             input.penetrations.empty()
                 ? " none\n"
                 : " initial penetrations of contacts by pair of parts, the deepest first\n" +
                       preparation::to_text(input.model, input.penetrations)},
            {"keyword coverage", deck::to_text(deck::coverage_table(input.deck))},
            {"warnings", problems.empty() ? " none\n" : problems}};
  if (!dropped.empty()) echo.emplace_back("left out", kWithout + without);
  return echo;
}

}  // namespace crumple::control
