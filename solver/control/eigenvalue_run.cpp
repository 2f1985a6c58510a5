// From the matrices to the files of modes.
#include "control/eigenvalue_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "base/error.hpp"
#include "control/earlier_results.hpp"
#include "control/factor_memory.hpp"
#include "control/mode_plots.hpp"
#include "control/run_setup.hpp"
#include "implicit/eigen/modes.hpp"
#include "implicit/solver_results.hpp"
#include "model/units.hpp"
#include "output/ascii/eigout.hpp"
#include "output/recorder.hpp"

namespace crumple::control {

namespace {

using Seconds = std::chrono::duration<double>;
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

class EigenvalueRun {
 public:
  EigenvalueRun(const Options& options, const parallel::Communicator& comm,
                const decomposition::Subdomain& subdomain, RunInput& start, const Version& version)
      : options_(options),
        comm_(comm),
        control_(subdomain.model.control),
        isa_(choose_isa(comm, options.isa)),
        solver_(comm, subdomain, implicit_options(options, subdomain.model, isa_, start.linear)),
        kept_(make_room(options, comm, nullptr)),
        plots_(options, comm, subdomain, start.catalogue, version),
        recorder_(comm, subdomain, std::move(start.catalogue), recorder_options(options, version, nullptr)),
        in_use_(options.directory, options.prefix()),
        dropped_(start.dropped),
        workers_(start.linear.workers),
        start_(std::chrono::steady_clock::now()) {
    start.start_up.done("initialise");
    recorder_.echo("run", fmt::format(" deck {}\n {}\n", options.deck, size()));
    for (const auto& [title, text] : start.echo) recorder_.echo(title, text);
  }

  int operator()() {
    print_header();
    results_.set_next(control_.implicit.steps.first);
    recorder_.record(results_);
    const FreeVibration of = solver_.free_vibration(control_.implicit.steps.first);
    fmt::print("{}", factor_text(solver_, false));
    if (solver_.unattached() > 0)
      fmt::print(" {} directions of nodes have no stiffness and are held (AUTOSPC)\n", solver_.unattached());
    std::fflush(stdout);
    const Modes modes = find_modes(of.pencil(), wanted_by(control_.implicit.eigenvalues));
    write(of, modes);
    return finish(modes);
  }

 private:
  std::string size() const {
    return fmt::format("free vibration: {} elements, mass {:.6g}{}, {} thread{}, double precision, {}",
                       solver_.n_elements(), solver_.mass(),
                       model::behind(control_.units, &model::Units::mass), options_.threads,
                       options_.threads == 1 ? "" : "s", elements::isa_name(isa_));
  }

  void print_header() const {
    fmt::print("\n {} \n {}\n", control_.title.empty() ? "(no title)" : control_.title, size());
    fmt::print("{}", moved_text(kept_));
  }

  /// A motion of all nodes as a rigid body: along axis 0 to 2, or about axis 3 to 5 through the origin.
  std::vector<double> rigid_motion(const FreeVibration& of, int axis) const {
    const std::span<const Vec3> x = solver_.points();
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

  void write(const FreeVibration& of, const Modes& found) {
    const implicit::eigen::Pencil pencil = of.pencil();
    std::vector<std::vector<double>> rigid;
    std::array<double, 6> total{};
    for (int axis = 0; axis < 6; ++axis) {
      rigid.push_back(rigid_motion(of, axis));
      total[static_cast<std::size_t>(axis)] = pencil.product(rigid.back(), rigid.back());
    }
    for (const implicit::eigen::Mode& mode : found.modes) {
      output::ModeRow row{mode.value};
      for (std::size_t i = 0; i < 6; ++i) row.participation[i] = pencil.product(mode.shape, rigid[i]);
      row.scale = plots_.write(solver_, row.cycles(), mode.shape);
      rows_.push_back(row);
    }
    plots_.close();
    output::write_whole(options_.directory + "/" + options_.prefix() + "eigout",
                        output::eigout_text(plots_.catalogue(), solver_.time(), rows_, total));
  }

  std::string check_of(const Modes& found) const {
    const auto& c = found.check;
    std::string text = fmt::format(
        " {} eigenvalues {}to {:.6e} cycles by the Sturm count, {} found{}\n", c.counted,
        c.from_below ? std::string() : fmt::format("from {:.6e} ", cycles_of(c.from)), cycles_of(c.to),
        c.found,
        c.agrees() ? "" : ": warning CR-I304: they differ, so modes are missing or the count is not exact");
    double worst = 0.0;
    for (const auto& mode : found.modes) worst = std::max(worst, mode.residual);
    text += fmt::format(" largest residual {:.1e}, shift {:.4e}, {} factors, {} solutions\n", worst,
                        found.shift, found.factors, found.solves);
    if (found.unstable > 0)
      text += fmt::format(" {} eigenvalues are negative: the structure is unstable\n", found.unstable);
    return text;
  }

  int finish(const Modes& found) {
    const std::string table = output::mode_table(rows_), check = check_of(found);
    fmt::print("\n{}\n{}", table, check);
    recorder_.echo("eigenvalue analysis", table + check);
    const std::string speed =
        fmt::format("{} modes of {} equations in {:.1f} s", rows_.size(), solver_.equations(),
                    Seconds(std::chrono::steady_clock::now() - start_).count());
    const std::string held = workers_ ? peak_memory_text(workers_->peak_memory()) : peak_memory_text(comm_);
    recorder_.end(true, fmt::format(" {}\n {}\n{}", speed, held, without_text(dropped_)));
    recorder_.close();
    fmt::print("\n {}\n {}\n{} N o r m a l   t e r m i n a t i o n\n", speed, held, without_text(dropped_));
    return static_cast<int>(Exit::clean);
  }

  const Options& options_;
  const parallel::Communicator& comm_;
  const model::Control& control_;
  elements::Isa isa_;
  implicit::Solver solver_;
  implicit::SolverResults results_{solver_};
  std::string kept_;  ///< new folder of the results of an earlier run
  ModePlots plots_;
  output::Recorder recorder_;
  FolderInUse in_use_;
  std::vector<output::ModeRow> rows_;
  std::size_t dropped_;
  implicit::linear::Workers* workers_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace

int run_eigenvalues(RunInput& input) {
  if (input.restarted != nullptr)
    throw Error("CR-I101", "restarts of runs that find modes are not supported: they have no dumps");
  return EigenvalueRun(input.options, input.comm, input.subdomain, input, input.version)();
}

}  // namespace crumple::control
