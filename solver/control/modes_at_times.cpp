// Hands the state of a run to a solver of its own.
#include "control/modes_at_times.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "control/factor_memory.hpp"
#include "control/mode_plots.hpp"
#include "control/vibration_modes.hpp"

namespace crumple::control {

ModesAtTimes::ModesAtTimes(const RunInput& input, elements::Isa isa)
    : options_(input.options),
      comm_(input.comm),
      subdomain_(input.subdomain),
      version_(input.version),
      catalogue_(input.catalogue),
      how_(implicit_options(input.options, input.subdomain.model, isa, input.linear)) {
  how_.for_modes = true;
  how_.workers = nullptr;  // those of the run wait for its own equations
  how_.single_factor = false;
  const model::Model& m = subdomain_.model;
  const model::Curve& curve = m.curves[static_cast<std::size_t>(m.control.implicit.eigenvalues.by_curve)];
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (curve.x[i] < 0.0 || curve.y[i] < 1.0) continue;
    times_.push_back(curve.x[i]);
    counts_.push_back(static_cast<int>(curve.y[i]));
    how_.modes = std::max(how_.modes, static_cast<std::size_t>(counts_.back()));
  }
}

void ModesAtTimes::begin(double time) {
  while (next_ < times_.size() && time > 0.0 && time >= times_[next_] - tolerance()) ++next_;
}

std::string ModesAtTimes::write(const phases::CarriedState& state,
                                const std::function<void(const std::string&)>& say) {
  std::string text;
  const auto tell = [&](const std::string& piece) {
    say(piece);
    text += piece;
  };
  const std::string number = fmt::format("_{:04d}", next_ + 1);
  ModePlots plots(options_, comm_, subdomain_, catalogue_, version_, "d3eigv" + number);
  implicit::Solver solver(comm_, subdomain_, how_);
  solver.take(state);
  model::Eigenvalues wanted = subdomain_.model.control.implicit.eigenvalues;
  wanted.count = counts_[next_];
  tell(fmt::format("\n modes of free vibration at time {:.6e}\n", state.time));
  const VibrationModes found =
      write_vibration_modes(options_, solver, wanted, subdomain_.model.control.implicit.steps.first, plots,
                            tell, "eigout" + number);
  tell(fmt::format("\n{}\n{}\n", found.table, found.check));
  ++next_;
  return text;
}

}  // namespace crumple::control
