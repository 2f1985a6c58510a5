// `crumple check`: the contents of a deck, its errors, and how each field is used.
#include "model/check.hpp"

#include <fmt/format.h>

#include "control/cases.hpp"
#include "control/factor_memory.hpp"
#include "control/first_step.hpp"
#include "control/freed_memory.hpp"
#include "control/input.hpp"
#include "control/memory.hpp"
#include "control/planned_output.hpp"
#include "deck/coverage.hpp"
#include "deck/schema.hpp"
#include "model/doubts.hpp"
#include "output/file.hpp"

namespace crumple::control {

namespace {

/// Estimate of the first step from lengths and speeds of sound.
model::FirstStep estimate(const Input& input) {
  model::FirstStep first;
  first.steps = model::geometric_steps(input.model);
  if (first.steps.empty()) return first;
  const double scale = input.model.control.step_scale;
  first.dt = scale * first.steps[0].dt;
  first.what = fmt::format("an estimate, {:g} of the smallest element's: the deck has errors", scale);
  return first;
}

/// The first step of the run, or an estimate if errors of the deck stop the run before.
model::FirstStep step_of_run(const Options& options, const Input& input) {
  if (input.deck.has_errors()) return estimate(input);
  try {
    return first_step(options, input);
  } catch (const Error& error) {
    input.deck.report(deck::Severity::error, error.id(), error.message(), error.place());
    return estimate(input);
  }
}

/// A doubt's own place, or that of its first keyword.
Place place_of(const deck::Deck& deck, const model::Doubt& doubt) {
  if (doubt.keyword.empty()) return doubt.place;
  const auto keywords = deck.family(doubt.keyword);
  return keywords.empty() ? Place{} : keywords.front().place();
}

/// The factor of an implicit run; what does not fit is a problem of the deck.
FactorPrediction factor_of_run(const Options& options, const Input& input) {
  if (!input.model.control.implicit.active || input.deck.has_errors()) return {};
  try {
    return predict_factor(options, input);
  } catch (const Error& error) {
    input.deck.report(deck::Severity::error, error.id(), error.message(), error.place());
    return {};
  }
}

/// Reports the memory that a run will need.
void report_memory(const Options& options, const Input& input) {
  // An implicit model is whole on rank 0.
  const int ranks = input.model.control.implicit.active ? 1 : options.check_ranks;
  const MemoryNeed need = memory_need(input.model, input.deck_size, ranks, options.single_precision);
  fmt::print("{}\n", to_text(need));
  const FactorPrediction factor = factor_of_run(options, input);
  if (!factor.text.empty()) fmt::print("{}\n", factor.text);
  if (!options.json.empty())
    output::write_whole(options.json, to_json(need, factor.json + planned_output(input.model)));
}

}  // namespace

int check(const Options& asked) {
  keep_freed_memory();
  const Options options = with_case(asked);
  const Input input = read_input(options);
  const model::ModelCheck what = model::check_model(input.model);
  const model::FirstStep first = step_of_run(options, input);
  fmt::print("{}\n", model::to_text(what, first, input.model.control.units));
  for (const model::Doubt& doubt : model::doubts(input.model, what))
    input.deck.report(deck::Severity::warning, doubt.id, doubt.message, place_of(input.deck, doubt));
  report_memory(options, input);
  if (!input.penetrations.empty())
    fmt::print("Initial penetrations\n{}\n", preparation::to_text(input.model, input.penetrations));
  fmt::print("Keyword coverage\n{}\n", deck::to_text(deck::coverage_table(input.deck)));
  if (print_problems(input.deck) > 0) return static_cast<int>(Exit::input);
  const bool warned = !input.deck.problems().empty();
  return static_cast<int>(options.strict && warned ? Exit::warnings : Exit::clean);
}

int print_keywords() {
  fmt::print("{}", deck::keyword_matrix(deck::builtin_schema()));
  return static_cast<int>(Exit::clean);
}

}  // namespace crumple::control
