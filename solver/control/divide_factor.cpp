// Analyses the equations as a run on several ranks would, on one rank.
#include "control/divide_factor.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "control/factor_memory.hpp"
#include "decomposition/distribution.hpp"
#include "output/file.hpp"

namespace crumple::control {

void divide_factor(const Options& options, const Input& input, int ranks) {
  const parallel::Communicator self(MPI_COMM_SELF);
  const decomposition::Subdomain subdomain = decomposition::distribute(self, &input.model, options.method);
  implicit::SolverOptions how =
      implicit_options(options, subdomain.model, elements::best_isa(), {nullptr, ranks});
  how.predicted_ranks = ranks;
  how.elsewhere = true;
  implicit::Solver solver(self, subdomain, how);
  solver.prepare(subdomain.model.control.implicit.steps.first);
  fmt::print(" an implicit model is whole on rank 0; ranks share the factor of its equations\n{}",
             factor_text(solver, how.single_factor));
  const std::string json = solver.division(ranks);
  if (json.empty()) {
    fmt::print(" rank 0 solves these equations alone\n");
    return;
  }
  std::filesystem::create_directories(options.directory);
  const std::string path = options.directory + "/division.json";
  output::write_whole(path, json);
  fmt::print(" the division is in {}\n", path);
}

}  // namespace crumple::control
