// From the matrices to the files of modes.
#include "control/vibration_modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numbers>
#include <vector>

#include "control/factor_memory.hpp"
#include "implicit/eigen/modes.hpp"
#include "output/ascii/eigout.hpp"
#include "output/file.hpp"

namespace crumple::control {

namespace {

using implicit::FreeVibration;
using implicit::eigen::Modes;
using implicit::eigen::ModesWanted;

/// omega^2 of a frequency in cycles.
double eigenvalue_of(double cycles) {
  const double omega = 2.0 * std::numbers::pi * cycles;
  return std::copysign(omega * omega, cycles);
}

double cycles_of(double eigenvalue) { return output::ModeRow{eigenvalue}.cycles(); }

ModesWanted wanted_by(const model::Eigenvalues& input) {
  ModesWanted wanted;
  wanted.count = static_cast<std::size_t>(input.count);
  if (input.centre > 0.0) wanted.centre = eigenvalue_of(input.centre);
  if (input.from_left && input.left > 0.0) wanted.left = eigenvalue_of(input.left);
  if (input.to_right) wanted.right = eigenvalue_of(input.right);
  if (input.first_elastic > 0.0) wanted.lowest = eigenvalue_of(input.first_elastic);
  return wanted;
}

/// A line at most every ten seconds, so that short searches have none.
std::function<void(const std::string&)> in_long_searches(
    const std::function<void(const std::string&)>& tell) {
  return [&tell, last = std::chrono::steady_clock::now()](const std::string& line) mutable {
    const auto now = std::chrono::steady_clock::now();
    if (now - last < std::chrono::seconds(10)) return;
    last = now;
    tell(line);
  };
}

/// A motion of all nodes as a rigid body: along axis 0 to 2, or about axis 3 to 5 through the origin.
std::vector<double> rigid_motion(const implicit::Solver& solver, const FreeVibration& of, int axis) {
  const std::span<const Vec3> x = solver.points();
  implicit::NodalForces motion(x.size());
  const Vec3 along = constraints::identity3()[static_cast<std::size_t>(axis % 3)];
  for (std::size_t n = 0; n < motion.force.size(); ++n) {
    motion.force[n] = axis < 3 ? along : cross(along, x[n]);
    motion.moment[n] = axis < 3 ? Vec3{} : along;
  }
  std::vector<double> q(of.mass.size());
  of.dofs->reduce(motion, q);
  return q;
}

std::string check_of(const Modes& found) {
  const auto& c = found.check;
  std::string text = fmt::format(
      " {} eigenvalues {}to {:.6e} cycles by the Sturm count, {} found{}\n", c.counted,
      c.from_below ? std::string() : fmt::format("from {:.6e} ", cycles_of(c.from)), cycles_of(c.to), c.found,
      c.agrees() ? "" : ": warning CR-I304: they differ, so modes are missing or the count is not exact");
  double worst = 0.0;
  for (const auto& mode : found.modes) worst = std::max(worst, mode.residual);
  text += fmt::format(" largest residual {:.1e}, shift {:.4e}, {} factors, {} solutions\n", worst,
                      found.shift, found.factors, found.solves);
  if (found.unstable > 0)
    text += fmt::format(" {} eigenvalues are negative: the structure is unstable\n", found.unstable);
  return text;
}

}  // namespace

VibrationModes write_vibration_modes(const Options& options, implicit::Solver& solver,
                                     const model::Eigenvalues& wanted, double dt, ModePlots& plots,
                                     const std::function<void(const std::string&)>& tell,
                                     std::string_view eigout, const std::function<void()>& between) {
  const FreeVibration of = solver.free_vibration(dt);
  tell(factor_text(solver, false));
  if (solver.unattached() > 0)
    tell(fmt::format(" {} directions of nodes have no stiffness and are held (AUTOSPC)\n",
                     solver.unattached()));
  const implicit::eigen::Pencil pencil = of.pencil();
  ModesWanted search = wanted_by(wanted);
  search.tell = [&, show = in_long_searches(tell)](const std::string& line) {
    if (between) between();
    show(line);
  };
  if (solver.analysis().out_of_core) search.folder = options.directory;
  const Modes found = find_modes(pencil, search);
  std::vector<std::vector<double>> rigid;
  std::array<double, 6> total{};
  for (int axis = 0; axis < 6; ++axis) {
    rigid.push_back(rigid_motion(solver, of, axis));
    total[static_cast<std::size_t>(axis)] = pencil.product(rigid.back(), rigid.back());
  }
  std::vector<output::ModeRow> rows;
  for (const implicit::eigen::Mode& mode : found.modes) {
    output::ModeRow row{mode.value};
    for (std::size_t i = 0; i < 6; ++i) row.participation[i] = pencil.product(mode.shape, rigid[i]);
    row.scale = plots.write(solver, row.cycles(), mode.shape);
    rows.push_back(row);
  }
  plots.close();
  output::write_whole(fmt::format("{}/{}{}", options.directory, options.prefix(), eigout),
                      output::eigout_text(plots.catalogue(), solver.time(), rows, total));
  return {rows.size(), output::mode_table(rows), check_of(found)};
}

}  // namespace crumple::control
