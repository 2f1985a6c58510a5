// Scales shapes and writes states.
#include "control/mode_plots.hpp"

#include <algorithm>
#include <utility>

#include "control/run_setup.hpp"
#include "output/recorder.hpp"

namespace crumple::control {

ModePlots::ModePlots(const Options& options, const parallel::Communicator& comm,
                     const decomposition::Subdomain& subdomain, output::Catalogue catalogue,
                     const Version& version, std::string family)
    : options_(options), catalogue_(std::move(catalogue)), gather_(comm, subdomain, true) {
  const output::RecorderOptions run = recorder_options(options, version, nullptr);
  catalogue_.run = run.run;
  plot_.prefix = run.prefix;
  plot_.double_precision = run.double_precision;
  plot_.family = std::move(family);
}

double ModePlots::write(const implicit::Solver& solver, double time, std::span<const double> along) {
  constexpr double part_of_size = 0.1;
  if (!writer_) writer_.emplace(catalogue_, options_.directory, plot_);
  const implicit::Increment motion = solver.motion_of(along);
  std::vector<Vec3> x(solver.nodal().size());
  double largest = 0.0;
  for (std::size_t n = 0; n < x.size(); ++n) largest = std::max(largest, norm(motion.u[n]));
  const double scale = largest > 0.0 ? part_of_size * solver.model_size() / largest : 1.0;
  for (std::size_t n = 0; n < x.size(); ++n) x[n] = solver.nodal().x[n] + scale * motion.u[n];
  output::PlotState state;
  state.time = time;
  state.x = gather_.nodes(x);
  state.v.resize(state.x.size());
  state.a.resize(state.x.size());
  state.parts.resize(catalogue_.parts.size());
  state.wall_force.resize(catalogue_.walls.size());
  writer_->write(state);
  return scale;
}

void ModePlots::close() {
  if (writer_) writer_->close();
}

}  // namespace crumple::control
