// Predicts the factor from its symbolic phase.
#include "control/factor_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/free_memory.hpp"
#include "decomposition/distribution.hpp"

namespace crumple::control {

namespace {

/// Of the memory that the machine has left: as RDCMEM of *CONTROL_IMPLICIT_SOLVER has by default.
constexpr double kOfMemory = 0.85;
constexpr double kGB = 1e9;

}  // namespace

double factor_memory(const Options& options, const model::Model& model) {
  if (options.memory.memory) {
    const double word = options.single_precision ? sizeof(float) : sizeof(double);
    const double of_model = memory_need(model, {}, 1, options.single_precision).first;
    return std::max(1.0, *options.memory.memory * word - of_model);
  }
  const double left = available_memory();
  return std::isfinite(left) ? kOfMemory * left : 0.0;
}

implicit::SolverOptions implicit_options(const Options& options, const model::Model& model,
                                         elements::Isa isa) {
  const bool modes = model.control.implicit.eigenvalues.count > 0;
  return {.isa = isa,
          .threads = options.threads,
          .single_factor = options.single_precision && !modes,
          .linear_memory = factor_memory(options, model),
          .folder = options.directory};
}

std::string factor_text(const implicit::Solver& solver, bool single_precision) {
  const implicit::linear::Analysis& is = solver.analysis();
  std::string text = fmt::format(" {} equations", solver.equations());
  if (is.levels > 0)
    return text + fmt::format(
                      ": conjugate gradients with smoothed aggregation of {} levels, which have {:.2f} of the "
                      "entries of the stiffness\n {:.3g} GB of memory for the stiffness and its levels\n",
                      is.levels, is.complexity, is.bytes / kGB);
  if (is.entries <= 0) return text + "\n";
  text += fmt::format(": a factor of {:.4g} entries in {} precision, {:.3g} operations, largest front {}\n",
                      is.entries, single_precision ? "single" : "double", is.flops, is.largest_front);
  if (is.bytes <= 0) return text;  // another solver's, which does not say
  text += fmt::format(" {:.3g} GB of memory for the stiffness and its factor", is.bytes / kGB);
  return text + (is.out_of_core
                     ? fmt::format(", out of core with {:.3g} GB on disk\n", is.bytes_on_disk / kGB)
                     : "\n");
}

FactorPrediction predict_factor(const Options& given, const Input& input) {
  Options options = given;
  options.memory = with_deck(options.memory, input.deck);
  const parallel::Communicator self(MPI_COMM_SELF);
  const decomposition::Subdomain subdomain = decomposition::distribute(self, &input.model, options.method);
  const implicit::SolverOptions how = implicit_options(options, subdomain.model, elements::best_isa());
  implicit::Solver solver(self, subdomain, how);
  const implicit::linear::Analysis& is = solver.prepare(subdomain.model.control.implicit.steps.first);
  return {"Linear equations of the first step\n" + factor_text(solver, how.single_factor),
          fmt::format(",\n \"factor\": {{\"equations\": {}, \"entries\": {:.0f}, \"operations\": {:.6g}, "
                      "\"out_of_core\": {}, \"bytes\": {:.0f}, \"disk_bytes\": {:.0f}, "
                      "\"in_memory_bytes\": {:.0f}, \"least_bytes\": {:.0f}, \"levels\": {}}}",
                      solver.equations(), is.entries, is.flops, is.out_of_core, is.bytes, is.bytes_on_disk,
                      is.bytes_in_core, is.bytes_least, is.levels)};
}

}  // namespace crumple::control
