// Reads the deck, and compares it with what the run may use.
#include "control/plan.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/error.hpp"
#include "control/cases.hpp"
#include "control/decompose.hpp"
#include "control/divide_factor.hpp"
#include "control/memory.hpp"
#include "decomposition/deck_cards.hpp"

namespace crumple::control {

namespace {

/// The directions of the pfile where given, else those of the deck.
decomposition::Directions directions_of(const Options& options, const Input& input) {
  if (options.pfile.empty()) return input.directions;
  decomposition::Directions directions = decomposition::read_pfile(options.pfile);
  for (const std::string& word : directions.ignored)
    fmt::print("warning CR-P022: {} of the pfile has no effect in this program\n", word);
  return decomposition::combine(std::move(directions), input.directions);
}

void warn_without_dumps(const model::Dumps& asked) {
  if ((asked.d3dump > 0 || asked.runrsf > 0) && !asked.suppressed) return;
  fmt::print(
      "warning CR-T020: neither the deck nor --dump-cycles asks for dumps: a run that fails can only "
      "start at its beginning again\n");
}

void read(Options& options, int ranks, Plan& plan) {
  options = with_case(std::move(options));
  plan.input = read_input(options, &plan.restart_decks);
  if (print_problems(plan.input->deck) > 0)
    throw Error("CR-K002", "the deck has errors (above); nothing was computed");
  if (plan.restart_decks.print_problems() > 0)
    throw Error("CR-K002", "the restart deck has errors (above); nothing was computed");
  options.memory = with_deck(options.memory, plan.input->deck);
  if (options.memory.memory || options.memory.memory2)
    check_memory(memory_need(plan.input->model, plan.input->deck_size,
                             plan.input->model.control.implicit.active ? 1 : ranks, options.single_precision),
                 options.memory);
  if (options.expect_dumps) warn_without_dumps(plan.input->model.output.dumps);
  plan.directions = directions_of(options, *plan.input);
  const int wanted = options.decompose_ranks > 0 ? options.decompose_ranks : plan.directions.ranks;
  plan.show = options.command == Command::decompose || plan.directions.show;
  if (plan.show && plan.input->model.control.implicit.active)
    return divide_factor(options, *plan.input, wanted > 0 ? wanted : ranks);
  if (plan.show) return decompose(*plan.input, options, plan.directions, wanted > 0 ? wanted : ranks);
  if (wanted > 0 && wanted != ranks)
    throw Error("CR-P013",
                fmt::format("the pfile or deck is for numproc {}, and this run has {} ranks", wanted, ranks));
}

}  // namespace

Exit read_on_root(Options& options, const parallel::Communicator& comm,
                  const std::optional<Restarted>& restarted, Plan& plan) {
  Exit status = Exit::clean;
  if (comm.root()) {
    try {
      if (restarted) plan.restart_decks = RestartDecks(options, *restarted);
      read(options, comm.size(), plan);
      if (restarted && plan.input) refuse_other_deck(*restarted, options, plan.input->deck_checksum);
    } catch (const Error& error) {
      fmt::print(stderr, "{}\n", error.what());
      status = error.status();
    }
  }
  return static_cast<Exit>(comm.max(static_cast<std::int64_t>(status)));
}

}  // namespace crumple::control
