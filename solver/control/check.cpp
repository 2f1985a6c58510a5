// `crumple check`: what is in a deck, what is wrong with it, what became of every field.
#include "model/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "control/input.hpp"
#include "control/memory.hpp"
#include "deck/coverage.hpp"
#include "deck/schema.hpp"
#include "explicit/element_forces.hpp"
#include "output/file.hpp"

namespace crumple::control {

namespace {

/// The `count` smallest steps as the kernels give them at t = 0.
std::vector<model::StepEstimate> kernel_steps(const model::Model& m, std::size_t count) {
  state::Nodal nodal;
  const std::size_t n = m.nodes.size();
  nodal.x.assign(m.nodes.x.begin(), m.nodes.x.end());
  for (auto* array : {&nodal.v, &nodal.w}) array->assign(n, Vec3{});
  nodal.loads = parallel::zero_loads(n);
  explicit_dynamics::ElementForces<double> elements(m, elements::best_isa(), std::vector<char>(n, 0),
                                                    nodal.loads, 1);
  elements.add_interior(nodal, 0.0, 0.0);

  std::vector<model::StepEstimate> steps;
  for (const auto& g : elements.groups())
    for (std::int32_t e = 0; e < g.count; ++e)
      if (g.step[e] < 1e29) steps.push_back({g.id[e], m.parts[g.part].id, g.kind(), g.step[e]});
  const auto before = [](const model::StepEstimate& a, const model::StepEstimate& b) {
    return std::tie(a.dt, a.kind, a.element) < std::tie(b.dt, b.kind, b.element);
  };
  count = std::min(count, steps.size());
  std::partial_sort(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(count), steps.end(), before);
  steps.resize(count);
  return steps;
}

/// Steps from the kernels, or from lengths and speeds of sound where the deck has errors that stop them.
std::vector<model::StepEstimate> smallest_steps(const Input& input) {
  constexpr std::size_t count = 10;
  if (input.deck.has_errors()) return model::geometric_steps(input.model, count);
  try {
    return kernel_steps(input.model, count);
  } catch (const Error& error) {
    input.deck.report(deck::Severity::error, error.id(), error.message(), error.place());
    return model::geometric_steps(input.model, count);
  }
}

/// What a run will need; a limit given as for a run is compared with it.
void tell_of_memory(const Options& options, const Input& input) {
  const MemoryNeed need =
      memory_need(input.model, input.deck_size, options.check_ranks, options.single_precision);
  fmt::print("{}\n", to_text(need));
  if (!options.json.empty()) output::write_whole(options.json, to_json(need));
}

}  // namespace

int check(const Options& options) {
  const Input input = read_input(options);
  const std::vector<model::StepEstimate> steps = smallest_steps(input);
  fmt::print("{}\n", model::to_text(model::check_model(input.model), steps, input.model.control.step_scale));
  tell_of_memory(options, input);
  if (!input.penetrations.empty())
    fmt::print("Initial penetrations\n{}\n", contact::to_text(input.model, input.penetrations));
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
