// The plot file of modes, d3eigv: a state for each, of the geometry and the shape.
#pragma once

#include <optional>
#include <span>

#include "control/options.hpp"
#include "control/version.hpp"
#include "implicit/solver.hpp"
#include "output/d3plot/d3plot.hpp"
#include "output/gather.hpp"

namespace crumple::control {

class ModePlots {
 public:
  /// Nothing is written before the first mode. `family` names the files. Collective.
  ModePlots(const Options& options, const parallel::Communicator& comm,
            const decomposition::Subdomain& subdomain, output::Catalogue catalogue, const Version& version,
            std::string family = "d3eigv");

  const output::Catalogue& catalogue() const { return catalogue_; }
  /// Writes a mode by its unknowns.
  /// @param time of the state
  /// @returns the factor of the shape: its largest displacement is a tenth of the model's size
  double write(const implicit::Solver& solver, double time, std::span<const double> along);
  void close();

 private:
  const Options& options_;
  output::Catalogue catalogue_;
  output::Gather gather_;
  output::D3plotOptions plot_{
      .sigflg = 3, .epsflg = 3, .shell_resultants = false, .shell_energies = false, .family = "d3eigv"};
  std::optional<output::D3plotWriter> writer_;
};

}  // namespace crumple::control
