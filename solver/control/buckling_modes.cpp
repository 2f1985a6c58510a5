// From the matrices to the files.
#include "control/buckling_modes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "control/requests.hpp"
#include "implicit/eigen/buckling.hpp"
#include "output/ascii/eigout.hpp"
#include "output/file.hpp"

namespace crumple::control {

std::string write_buckling_modes(const Options& options, implicit::Solver& solver, double dt,
                                 ModePlots& plots) {
  const implicit::Prestressed of = solver.prestressed(dt);
  const auto wanted = static_cast<std::size_t>(solver.model().control.implicit.buckling.count);
  const implicit::eigen::BucklingModes found =
      implicit::eigen::find_buckling(of.stiffness, of.stress, *of.solver, wanted, end_search_if_asked);
  std::vector<output::BucklingRow> rows;
  double worst = 0.0;
  for (const implicit::eigen::BucklingMode& mode : found.modes) {
    rows.push_back({mode.factor, plots.write(solver, mode.factor, mode.shape)});
    worst = std::max(worst, mode.residual);
  }
  plots.close();
  output::write_whole(options.directory + "/" + options.prefix() + "eigout",
                      output::buckling_text(plots.catalogue(), solver.time(), rows));
  std::string text = output::buckling_table(rows);
  if (found.modes.size() < wanted)
    text += fmt::format(" stresses make no more than these {} modes\n", found.modes.size());
  if (found.modes.empty()) return text;
  return text +
         fmt::format(
             " {} factors of a size up to {:.6e} by the Sturm count, {} found{}\n largest residual {:.1e}\n",
             found.counted, found.within, found.modes.size(),
             found.agrees()
                 ? ""
                 : ": warning CR-I304: they differ, so modes are missing or the count is not exact",
             worst);
}

}  // namespace crumple::control
