// Predicts the factor from its symbolic phase.
#include "control/factor_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/free_memory.hpp"
#include "decomposition/distribution.hpp"

namespace crumple::control {

namespace {

constexpr double kGB = 1e9;
constexpr std::size_t kRanksTold = 8;

/// Memory and work of each rank.
std::string text_of_ranks(const std::vector<implicit::linear::RankNeeds>& ranks) {
  if (ranks.empty()) return {};
  double flops = 0, most = 0;
  for (const implicit::linear::RankNeeds& rank : ranks) {
    flops += rank.flops;
    most = std::max(most, rank.flops);
  }
  std::string text = fmt::format(" on {} ranks: operations of the busiest {:.0f} % of all; GB of memory",
                                 ranks.size(), flops > 0 ? 100.0 * most / flops : 0.0);
  for (std::size_t r = 0; r < std::min(ranks.size(), kRanksTold); ++r)
    text += fmt::format("{} {:.3g}", r == 0 ? "" : ",", ranks[r].bytes / kGB);
  return text + (ranks.size() > kRanksTold ? ", ...\n" : "\n");
}

std::string rank_bytes(const std::vector<implicit::linear::RankNeeds>& ranks) {
  std::string list;
  for (const implicit::linear::RankNeeds& rank : ranks)
    list += fmt::format("{}{:.0f}", list.empty() ? "" : ", ", rank.bytes);
  return list;
}

/// What the bits of solutions depend on.
std::string bits_text(const implicit::Solver& solver) {
  return solver.model().control.implicit.mumps
             ? " MUMPS solves on rank 0 alone: bits as on one rank and one thread\n"
             : " the same bits on any number of ranks and threads\n";
}

}  // namespace

double factor_memory(const Options& options, const model::Model& model, int on_machine) {
  if (options.memory.memory) {
    const double word = options.single_precision ? sizeof(float) : sizeof(double);
    const double of_model = memory_need(model, {}, 1, options.single_precision).first;
    return std::max(1.0, *options.memory.memory * word - of_model);
  }
  const double left = available_memory();
  return std::isfinite(left) ? kOfMemory * left / on_machine : 0.0;
}

implicit::SolverOptions implicit_options(const Options& options, const model::Model& model, elements::Isa isa,
                                         const LinearRanks& linear) {
  const int modes = std::max(0, model.control.implicit.eigenvalues.count);
  return {.isa = isa,
          .threads = options.threads,
          .single_factor = options.single_precision && modes == 0,
          .linear_memory = factor_memory(options, model, linear.on_machine),
          .folder = options.directory,
          .workers = linear.workers,
          .modes = static_cast<std::size_t>(modes)};
}

std::string factor_text(const implicit::Solver& solver, bool single_precision) {
  const implicit::linear::Analysis& is = solver.analysis();
  std::string text = fmt::format(" {} equations", solver.equations());
  if (is.levels > 0)
    return text +
           fmt::format(
               ": conjugate gradients with smoothed aggregation of {} levels, which have {:.2f} of the "
               "entries of the stiffness\n {:.3g} GB of memory for the stiffness and its levels, on rank 0\n",
               is.levels, is.complexity, is.bytes / kGB) +
           bits_text(solver);
  if (is.entries <= 0) return text + "\n";
  text += fmt::format(": a factor of {:.4g} entries in {} precision, {:.3g} operations, largest front {}\n",
                      is.entries, single_precision ? "single" : "double", is.flops, is.largest_front);
  if (is.bytes <= 0) return text + bits_text(solver);  // another solver's, which does not say
  text += fmt::format(" {:.3g} GB of memory for the stiffness{} factor{}", is.bytes / kGB,
                      is.vectors_beside > 0 ? ", its" : " and its",
                      is.vectors_beside > 0
                          ? fmt::format(" and {} vectors from which modes are made", is.vectors_beside)
                          : "");
  text +=
      is.out_of_core ? fmt::format(", out of core with {:.3g} GB on disk\n", is.bytes_on_disk / kGB) : "\n";
  return text + text_of_ranks(is.ranks) + bits_text(solver);
}

FactorPrediction predict_factor(const Options& given, const Input& input) {
  Options options = given;
  options.memory = with_deck(options.memory, input.deck);
  const parallel::Communicator self(MPI_COMM_SELF);
  const decomposition::Subdomain subdomain = decomposition::distribute(self, &input.model, options.method);
  implicit::SolverOptions how =
      implicit_options(options, subdomain.model, elements::best_isa(), {nullptr, options.check_ranks});
  how.predicted_ranks = options.check_ranks;
  implicit::Solver solver(self, subdomain, how);
  const implicit::linear::Analysis& is = solver.prepare(subdomain.model.control.implicit.steps.first);
  return {"Linear equations of the first step\n" + factor_text(solver, how.single_factor),
          fmt::format(",\n \"factor\": {{\"equations\": {}, \"entries\": {:.0f}, \"operations\": {:.6g}, "
                      "\"out_of_core\": {}, \"bytes\": {:.0f}, \"disk_bytes\": {:.0f}, "
                      "\"in_memory_bytes\": {:.0f}, \"least_bytes\": {:.0f}, \"levels\": {}, "
                      "\"rank_bytes\": [{}]}}",
                      solver.equations(), is.entries, is.flops, is.out_of_core, is.bytes, is.bytes_on_disk,
                      is.bytes_in_core, is.bytes_least, is.levels, rank_bytes(is.ranks))};
}

}  // namespace crumple::control
