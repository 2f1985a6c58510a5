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
#include "control/run_setup.hpp"
#include "implicit/eigen/modes.hpp"
#include "implicit/solver_results.hpp"
#include "model/units.hpp"
#include "output/ascii/eigout.hpp"
#include "output/d3plot/d3plot.hpp"
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
                const decomposition::Subdomain& subdomain, ImplicitStart start, const Version& version)
      : options_(options),
        comm_(comm),
        control_(subdomain.model.control),
        isa_(choose_isa(comm, options.isa)),
        solver_(comm, subdomain, implicit_options(options, subdomain.model, isa_, start.linear)),
        kept_(make_room(options, comm, nullptr)),
        catalogue_(start.catalogue),
        gather_(comm, subdomain, true),
        recorder_(comm, subdomain, std::move(start.catalogue), recorder_options(options, version, nullptr)),
        in_use_(options.directory, options.prefix()),
        dropped_(start.dropped),
        workers_(start.linear.workers),
        start_(std::chrono::steady_clock::now()) {
    const output::RecorderOptions run = recorder_options(options, version, nullptr);
    catalogue_.run = run.run;
    plot_.prefix = run.prefix;
    plot_.double_precision = run.double_precision;
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
    const Modes modes =
        find_modes({of.stiffness, of.mass, of.solver}, wanted_by(control_.implicit.eigenvalues));
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
    implicit::NodalForces motion(solver_.nodal().size());
    const Vec3 along = constraints::identity3()[static_cast<std::size_t>(axis % 3)];
    for (std::size_t n = 0; n < motion.force.size(); ++n) {
      motion.force[n] = axis < 3 ? along : cross(along, solver_.nodal().x[n]);
      motion.moment[n] = axis < 3 ? Vec3{} : along;
    }
    std::vector<double> q(of.mass.size());
    of.dofs->reduce(motion, q);
    return q;
  }

  /// Shapes in d3eigv have a largest displacement of a tenth of the model's size.
  void write(const FreeVibration& of, const Modes& found) {
    constexpr double part_of_size = 0.1;
    output::D3plotWriter plot(catalogue_, options_.directory, plot_);
    const implicit::eigen::Pencil pencil{of.stiffness, of.mass, of.solver};
    std::vector<std::vector<double>> rigid;
    std::array<double, 6> total{};
    for (int axis = 0; axis < 6; ++axis) {
      rigid.push_back(rigid_motion(of, axis));
      total[static_cast<std::size_t>(axis)] = pencil.product(rigid.back(), rigid.back());
    }
    for (const implicit::eigen::Mode& mode : found.modes) {
      output::ModeRow row{mode.value};
      for (std::size_t i = 0; i < 6; ++i) row.participation[i] = pencil.product(mode.shape, rigid[i]);
      implicit::Increment motion(solver_.nodal().size());
      of.dofs->add(1.0, mode.shape, motion);
      double largest = 0.0;
      for (const Vec3& u : motion.u) largest = std::max(largest, norm(u));
      row.scale = largest > 0.0 ? part_of_size * solver_.model_size() / largest : 1.0;
      plot.write(state_of(row, motion));
      rows_.push_back(row);
    }
    plot.close();
    output::write_whole(options_.directory + "/" + options_.prefix() + "eigout",
                        output::eigout_text(catalogue_, solver_.time(), rows_, total));
  }

  output::PlotState state_of(const output::ModeRow& row, const implicit::Increment& motion) const {
    std::vector<Vec3> x(motion.u.size());
    for (std::size_t n = 0; n < x.size(); ++n) x[n] = solver_.nodal().x[n] + row.scale * motion.u[n];
    output::PlotState state;
    state.time = row.cycles();
    state.x = gather_.nodes(x);
    state.v.resize(state.x.size());
    state.a.resize(state.x.size());
    state.parts.resize(catalogue_.parts.size());
    state.wall_force.resize(catalogue_.walls.size());
    return state;
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
    fmt::print("\n {}\n{} {}\n{} N o r m a l   t e r m i n a t i o n\n", speed, linear_times_text(solver_),
               held, without_text(dropped_));
    return static_cast<int>(Exit::clean);
  }

  const Options& options_;
  const parallel::Communicator& comm_;
  const model::Control& control_;
  elements::Isa isa_;
  implicit::Solver solver_;
  implicit::SolverResults results_{solver_};
  std::string kept_;  ///< new folder of the results of an earlier run
  output::Catalogue catalogue_;
  output::Gather gather_;
  output::Recorder recorder_;
  FolderInUse in_use_;
  output::D3plotOptions plot_{
      .sigflg = 3, .epsflg = 3, .shell_resultants = false, .shell_energies = false, .family = "d3eigv"};
  std::vector<output::ModeRow> rows_;
  std::size_t dropped_;
  implicit::linear::Workers* workers_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace

int run_eigenvalues(const Options& options, const parallel::Communicator& comm,
                    const decomposition::Subdomain& subdomain, ImplicitStart start, const Version& version) {
  return EigenvalueRun(options, comm, subdomain, std::move(start), version)();
}

}  // namespace crumple::control
