// The loop over steps with everything around it.
#include "control/implicit_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "control/displaced_nodes.hpp"
#include "control/earlier_results.hpp"
#include "control/eigenvalue_run.hpp"
#include "control/factor_memory.hpp"
#include "control/freed_memory.hpp"
#include "control/requests.hpp"
#include "control/run_setup.hpp"
#include "control/time_limit.hpp"
#include "implicit/solver_results.hpp"
#include "implicit/step_size.hpp"
#include "model/units.hpp"
#include "output/dynain/dynain.hpp"
#include "output/recorder.hpp"
#include "preparation/prepare.hpp"

namespace crumple::control {

namespace {

using Clock = std::chrono::steady_clock;
using implicit::Iteration;
using implicit::StepResult;

/// Prints to the screen at once.
void say(const std::string& text) {
  fmt::print("{}", text);
  std::fflush(stdout);
}

class ImplicitRun {
 public:
  ImplicitRun(const Options& options, const parallel::Communicator& comm,
              const decomposition::Subdomain& subdomain, ImplicitStart start, const Version& version)
      : options_(options),
        comm_(comm),
        subdomain_(subdomain),
        program_(recorder_options(options, version, nullptr).run.program()),
        control_(subdomain.model.control),
        print_(control_.implicit.iterations.print),
        isa_(choose_isa(comm, options.isa)),
        solver_(comm, subdomain, implicit_options(options, subdomain.model, isa_, start.linear)),
        kept_(make_room(options, comm, nullptr)),
        recorder_(comm, subdomain, std::move(start.catalogue), recorder_options(options, version, nullptr)),
        in_use_(std::in_place, options.directory, options.prefix()),
        size_(control_.implicit.steps),
        dropped_(start.dropped),
        workers_(start.linear.workers),
        start_(Clock::now()) {
    limit_ = limits_of_run(options, control_, start.began);
    start.start_up.done("initialise");
    recorder_.echo("run", fmt::format(" deck {}\n {}\n", options.deck, size()));
    for (const auto& [title, text] : start.echo) recorder_.echo(title, text);
    recorder_.echo("implicit analysis", settings());
  }

  int operator()() {
    print_header();
    keep_freed_memory();
    const double first = size_.next(0.0, control_.end_time);
    results_.set_next(first);
    recorder_.record(results_);
    solver_.prepare(first);
    say(factor_text(solver_, options_.single_precision));
    while (!at_end()) {
      const Request request = requested();
      if (request == Request::stop || request == Request::stop_with_dump) return stop();
      if (request == Request::plot) recorder_.record_plot(results_);
      if (request == Request::dump) say(" implicit runs have no dumps yet: none was written\n");
      if (std::string trouble = step(); !trouble.empty()) return fail(trouble);
      record();
    }
    return finish();
  }

 private:
  bool at_end() const {
    return solver_.time() >= control_.end_time ||
           (control_.end_cycle > 0 && solver_.cycle() >= control_.end_cycle);
  }

  /// Makes one step, at smaller lengths if need be. @returns why there is none; empty if it is made
  std::string step() {
    for (;;) {
      const double dt = size_.next(solver_.time(), control_.end_time);
      lines_.clear();
      tell(
          fmt::format(" step {:6d}  time {:.5e}  dt {:.4e}\n", solver_.cycle() + 1, solver_.time() + dt, dt));
      const StepResult result = solver_.step(dt, [&](const Iteration& i) { tell(line_of(i)); });
      if (result.converged()) {
        size_.converged(result.outcome.iterations);
        end_of_step(result);
        return {};
      }
      tell(fmt::format(" step {:6d}  not converged: {}\n", solver_.cycle() + 1, result.trouble));
      recorder_.echo(fmt::format("step {}", solver_.cycle() + 1), lines_);
      if (result.outcome.trouble == implicit::Trouble::unattached)
        return fmt::format("error CR-I105: {} (AUTOSPC)", result.trouble);
      if (!size_.failed(dt)) {
        const char* const why = !control_.implicit.steps.automatic ? "IAUTO = 0 allows no smaller step"
                                                                   : "no smaller step is allowed (DTMIN)";
        return fmt::format("error CR-I104: step {} from time {:.6e} has not converged: {}; {}",
                           solver_.cycle() + 1, solver_.time(), result.trouble, why);
      }
      ++retries_;
    }
  }

  void end_of_step(const StepResult& result) {
    iterations_ += result.outcome.iterations;
    factors_ += result.outcome.factors;
    const implicit::Balance b = solver_.balance();
    const std::string kinetic =
        solver_.dynamic() ? fmt::format(", kinetic energy {:.5e}", b.parts.kinetic) : std::string{};
    tell(fmt::format(
        " step {:6d}  converged: {} iterations, {} factors, internal energy {:.5e}{}, work {:.5e}\n",
        solver_.cycle(), result.outcome.iterations, result.outcome.factors, b.parts.internal + 0.0, kinetic,
        b.external_work + 0.0));
    if (result.load) tell(fmt::format(" step {:6d}  loads of time {:.6e}\n", solver_.cycle(), *result.load));
    for (; told_ < solver_.deleted().size(); ++told_) {
      const implicit::DeletedElement& gone = solver_.deleted()[told_];
      tell(fmt::format(" {} {} of part {} failed and is deleted\n", model::info(gone.name.kind).name,
                       gone.name.id, gone.name.part));
    }
    recorder_.echo(fmt::format("step {}", solver_.cycle()), lines_);
    if (solver_.cycle() == 1 && solver_.unattached() > 0)
      tell(fmt::format(" {} directions of nodes have no stiffness and are held (AUTOSPC)\n",
                       solver_.unattached()));
  }

  void tell(const std::string& text) {
    lines_ += text;
    say(text);
  }

  std::string line_of(const Iteration& i) const {
    std::string text = fmt::format("   iteration {:4d}{}  |du|/|u| {:.3e}  E/E0 {:.3e}  |r|/|r|max {:.3e}",
                                   i.number, i.formed ? " *" : "  ", i.displacement, i.energy, i.residual);
    if (print_ >= 2) text += fmt::format("  |du| {:.3e}  |r| {:.3e}", i.increment.first, i.force.first);
    if (print_ >= 3 || i.searches > 0) text += fmt::format("  line search: {:.3f} in {}", i.step, i.searches);
    if (i.negative > 0) text += fmt::format("  {} negative eigenvalues", i.negative);
    return text + "\n";
  }

  void record() {
    const auto timer = solver_.timers().time(Phase::output);
    const double next = solver_.time() + size_.next(solver_.time(), control_.end_time);
    results_.set_next(std::max(next, solver_.time() + solver_.dt()));
    if (!at_end()) return recorder_.record(results_);
    if (solver_.time() < control_.end_time) return recorder_.record_all(results_);
    recorder_.record_end(results_, control_.end_time);
  }

  Request requested() {
    Request asked = std::max(signalled(), switches_.read());
    if (asked < Request::stop_with_dump && limit_.reached()) {
      asked = Request::stop_with_dump;
      say(fmt::format(" the run ends before {}\n", limit_.name()));
    }
    return asked;
  }

  std::string size() const {
    const auto seen = [](std::int64_t n, const char* what) {
      return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
    };
    return fmt::format("implicit: {} elements, mass {:.6g}{}, {}, double precision, {}", solver_.n_elements(),
                       solver_.mass(), model::behind(control_.units, &model::Units::mass),
                       seen(options_.threads, "thread"), elements::isa_name(isa_));
  }

  std::string settings() const {
    const model::Implicit& c = control_.implicit;
    const model::Iterations& i = c.iterations;
    std::string text =
        fmt::format(" first step {:.4e}, {}\n", c.steps.first,
                    c.steps.automatic ? fmt::format("steps of {:.4e} to {:.4e} by the number of iterations",
                                                    c.steps.smallest, c.steps.largest)
                                      : "constant steps");
    if (const model::Dynamics& d = c.dynamics; d.active)
      text +=
          fmt::format(" dynamics: Newmark's method, gamma {:g}, beta {:g}{}\n", d.gamma, d.beta,
                      d.alpha < 0.0 ? fmt::format(", with alpha {:g} of Hilber, Hughes and Taylor", d.alpha)
                                    : std::string{});
    text += i.method == model::StepMethod::linear
                ? " one linear solution a step\n"
                : fmt::format(
                      " Newton's method: a factor every {} iterations, BFGS updates between; at most {} "
                      "factors a step\n",
                      i.between_reforms, i.most_reforms);
    if (c.arc.active)
      text +=
          fmt::format(" arc lengths from time {:g}: the loads follow the path of equilibrium\n", c.arc.begin);
    return text + fmt::format(
                      " tolerances: displacement {:g}, energy {:g}, residual {:g}, absolute {:g}; "
                      "line search {:g}\n",
                      i.displacement, i.energy, i.residual, i.absolute, i.line_search);
  }

  void print_header() const {
    fmt::print("\n {} \n {}\n{}", control_.title.empty() ? "(no title)" : control_.title, size(), settings());
    if (options_.single_precision)
      fmt::print(" implicit analysis is in double precision, with factors in single precision\n");
    fmt::print("{}", moved_text(kept_));
    fmt::print(" iterations with * have a new factor\n\n");
    std::fflush(stdout);
  }

  std::string speed() const {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    return fmt::format(
        "{} steps, {} iterations, {} factors of {} equations, {} steps tried again, in {:.1f} s",
        solver_.cycle(), iterations_, factors_, solver_.equations(), retries_, seconds);
  }

  int fail(const std::string& trouble) {
    recorder_.record_plot(results_);
    recorder_.end(false, fmt::format(" {}\n{} {}", speed(), without_text(dropped_), trouble));
    recorder_.close();
    fmt::print("{}\n{}\n", without_text(dropped_), trouble);
    fmt::print(
        "the last converged state is the last of the plot files\n E r r o r   t e r m i n a t i o n\n");
    return static_cast<int>(Exit::run);
  }

  int stop() {
    recorder_.record_plot(results_);
    fmt::print("stopped on request before the end time\n");
    return finish();
  }

  int finish() {
    output::write_dynain(comm_, subdomain_, results_, options_.directory + "/" + options_.prefix() + "dynain",
                         program_);
    const std::uint64_t hash = solver_.hash();
    const std::string held = workers_ ? peak_memory_text(workers_->peak_memory()) : peak_memory_text(comm_);
    recorder_.end(
        true, fmt::format(" {}\n {}\n{} state hash: {:016x}", speed(), held, without_text(dropped_), hash));
    recorder_.close();
    if (options_.write_displacements)
      write_displacements(options_.directory + "/" + options_.prefix() + "displacements", solver_.nodal(),
                          comm_);
    fmt::print("\n {}\n{} {}\n", speed(), linear_times_text(solver_), held);
    fmt::print("state hash: {:016x}\n{}", hash, without_text(dropped_));
    fmt::print(" N o r m a l   t e r m i n a t i o n\n");
    return static_cast<int>(Exit::clean);
  }

  const Options& options_;
  const parallel::Communicator& comm_;
  const decomposition::Subdomain& subdomain_;
  std::string program_;  ///< for the file of the final state
  const model::Control& control_;
  int print_;  ///< NLPRINT
  elements::Isa isa_;
  implicit::Solver solver_;
  implicit::SolverResults results_{solver_};
  std::string kept_;  ///< new folder of the results of an earlier run
  output::Recorder recorder_;
  std::optional<FolderInUse> in_use_;
  implicit::StepSize size_;
  TimeLimit limit_;
  SenseSwitches switches_{options_.directory};
  std::string lines_;  ///< of the present step, for d3hsp
  std::size_t dropped_;
  std::size_t told_ = 0;  ///< deleted elements
  std::int64_t iterations_ = 0, factors_ = 0, retries_ = 0;
  implicit::linear::Workers* workers_;
  Clock::time_point start_;
};

}  // namespace

int run_implicit(const Options& options, const parallel::Communicator& comm,
                 decomposition::Subdomain& subdomain, ImplicitStart start, const Version& version) {
  if (!options.restart.empty())
    throw Error("CR-I101", "restarts of implicit runs are not supported: they have no dumps yet");
  if (subdomain.model.control.implicit.eigenvalues.count > 0)
    return run_eigenvalues(options, comm, subdomain, std::move(start), version);
  ImplicitRun run(options, comm, subdomain, std::move(start), version);
  preparation::release_start(subdomain.model);
  return run();
}

}  // namespace crumple::control
