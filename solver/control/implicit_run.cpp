// The loop over steps with everything around it.
#include "control/implicit_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "base/error.hpp"
#include "control/broken_welds.hpp"
#include "control/buckling_modes.hpp"
#include "control/displaced_nodes.hpp"
#include "control/factor_memory.hpp"
#include "control/freed_memory.hpp"
#include "control/implicit_progress.hpp"
#include "control/modes_at_times.hpp"
#include "control/requests.hpp"
#include "control/run_setup.hpp"
#include "implicit/solver_results.hpp"
#include "implicit/step_size.hpp"
#include "model/units.hpp"
#include "output/dynain/dynain.hpp"
#include "output/recorder.hpp"
#include "preparation/prepare.hpp"
#include "state/archive.hpp"

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
  ImplicitRun(RunInput& input, Services& services, const PhaseOfRun& phase)
      : options_(input.options),
        version_(input.version),
        comm_(input.comm),
        subdomain_(input.subdomain),
        program_(recorder_options(input.options, input.version, nullptr).run.program()),
        control_(input.subdomain.model.control),
        phase_(phase),
        restarted_(phase.restarted),
        print_(control_.implicit.iterations.print),
        isa_(choose_isa(input.comm, input.options.isa)),
        solver_(input.comm, input.subdomain, solver_options(input, phase.phase, isa_)),
        mode_plots_(
            control_.implicit.buckling.count > 0
                ? std::make_optional<ModePlots>(options_, comm_, subdomain_, input.catalogue, version_)
                : std::nullopt),
        modes_(control_.implicit.eigenvalues.by_curve != model::kNone && !phase.phase.before_run
                   ? std::make_optional<ModesAtTimes>(input, isa_)
                   : std::nullopt),
        services_(begin_services(services, input)),
        progress_(solver_, options_, comm_.root(), phase.number > 0 || phase.restarted != nullptr,
                  [this](const std::string& line) { recorder_.show_added("convergence.jsonl", line); }),
        size_(control_.implicit.steps, curve(control_.implicit.steps.by_curve),
              curve(control_.implicit.steps.largest_by_curve),
              modes_ ? modes_->times() : std::vector<double>()),
        dropped_(input.dropped),
        deck_checksum_(input.deck_checksum),
        workers_(input.linear.workers),
        start_(Clock::now()) {
    if (phase_.from != nullptr) solver_.take(*phase_.from);
    if (restarted_ != nullptr) restore();
    told_welds_ = solver_.broken_welds().size();
    if (modes_) modes_->begin(solver_.time());
    input.start_up.done("initialise");
    if (restarted_ != nullptr)
      recorder_.echo("restart", fmt::format(" dump {}\n {}\n", restarted_->path, size()));
    else if (phase_.number > 0)
      recorder_.echo("phase", heading());
    else
      recorder_.echo("run", fmt::format(" deck {}\n {}\n", options_.deck, size()));
    if (restarted_ == nullptr && phase_.number == 0)
      for (const auto& [title, text] : input.echo) recorder_.echo(title, text);
    if (restarted_ == nullptr) recorder_.echo("implicit analysis", settings());
  }

  PhaseEnd operator()() {
    print_header();
    keep_freed_memory();
    if (restarted_ != nullptr)
      say(fmt::format(" restart from {}: time {:.5e}, step {}\n", restarted_->path, solver_.time(),
                      solver_.cycle()));
    if (!at_end()) {
      tell_step();
      solver_.prepare(size_.next(solver_.time(), end_));
      say(factor_text(solver_, options_.single_precision));
    }
    for (;;) {
      if (at_end_of_phase()) return end_of_phase();
      const Request request = requested();
      dump_if_due(request);
      const bool stops = request == Request::stop || request == Request::stop_with_dump;
      const bool last = stops || at_end();
      if (last && !stops && dumps_.at_end()) dump(true);
      record(request, last);
      if (!stops) find_due_modes();
      if (stops) say("stopped on request before the end time\n");
      tell_step();
      if (last) return {.status = finish()};
      const std::string trouble = step();
      if (switches_) return {.ended = false, .failed = true, .step = tried_, .state = solver_.leave()};
      if (!trouble.empty()) return {.status = fail(trouble)};
    }
  }

 private:
  /// Null for kNone.
  const model::Curve* curve(LocalId index) const {
    return index == model::kNone ? nullptr : &subdomain_.model.curves[static_cast<std::size_t>(index)];
  }
  static implicit::SolverOptions solver_options(const RunInput& input, const phases::Phase& phase,
                                                elements::Isa isa) {
    const model::Control& control = input.subdomain.model.control;
    implicit::SolverOptions how = implicit_options(input.options, input.subdomain.model, isa, input.linear);
    how.springback = phase.springback;
    if (phase.before_run) how.stage = model::Stage::relaxation;
    if (phase.springback) how.only_parts = &control.implicit.springback.parts;
    if (phase.before_run && !control.relaxation.parts.empty()) how.only_parts = &control.relaxation.parts;
    return how;
  }

  void find_due_modes() {
    if (!modes_ || !modes_->due(solver_.time())) return;
    recorder_.echo("eigenvalue analysis",
                   modes_->write(solver_.leave(), [&](const std::string& text) { say(text); }));
  }

  /// Times are sums of steps.
  bool reached(double time) const { return solver_.time() >= time - 1e-9 * solver_.dt(); }
  bool at_end_cycle() const { return control_.end_cycle > 0 && solver_.cycle() >= control_.end_cycle; }
  bool at_end() const { return reached(end_) || at_end_cycle(); }
  bool at_end_of_phase() const { return !phase_.phase.last && reached(end_) && !at_end_cycle(); }

  /// Tells a profiler on all ranks which step begins: what comes before belongs to the one before.
  void tell_step() {
    if (told_step_ == solver_.cycle()) return;
    if (workers_ != nullptr) workers_->begin_step(solver_.cycle());
    solver_.tell_step();
    told_step_ = solver_.cycle();
  }

  /// What follows has the first dump and the first result of this moment, but for what is due just now.
  PhaseEnd end_of_phase() {
    {
      const auto timer = solver_.timers().time(Phase::output);
      results_.set_next(end_ + solver_.dt());
      if (!phase_.phase.before_run) recorder_.record_until(results_, end_);
    }
    PhaseEnd end{.ended = false, .step = solver_.dt(), .state = solver_.leave()};
    end.state->time = end_;
    say(fmt::format(" {}\n", speed()));
    return end;
  }

  void archive(state::Archive& archive) {
    phase_.archive(archive);
    solver_.archive(archive);
    recorder_.archive(archive);
    dumps_.archive(archive);
    const auto here = archive.module("implicit run");
    size_.archive(archive);
    archive.global("iterations", iterations_);
    archive.global("factors", factors_);
    archive.global("retries", retries_);
    archive.global("told", told_);
  }

  void restore() {
    restart::restore(comm_, restarted_->path, restarted_->index, [&](state::Archive& to) { archive(to); });
    dumps_.restarted(restarted_->path, restarted_->index.moment);
    recorder_.begin_changed(restarted_->index.moment.relaxing ? 0.0 : solver_.time(), solver_.dt());
  }

  void dump_if_due(Request request) {
    const bool requested = request == Request::dump || request == Request::stop_with_dump;
    if (requested || dumps_.due(solver_.cycle())) dump(requested);
  }

  /// @param kept as d3dump01, ..., due or not
  void dump(bool kept) {
    const auto timer = solver_.timers().time(Phase::output);
    const restart::Moment moment{solver_.time(), solver_.cycle(), phase_.phase.before_run};
    const restart::Index index{origin_of(options_, version_, isa_, comm_.size(), deck_checksum_),
                               moment,
                               {},
                               recorder_.positions(),
                               {}};
    dumps_.write(
        solver_.cycle(), kept, [&](state::Archive& to) { archive(to); }, index);
    forget_dump_signal();
    services_.limit.expect_dump(dumps_.seconds());
  }

  /// Makes one step, at smaller lengths if need be. @returns why there is none; empty if it is made
  std::string step() {
    int failures = 0;
    for (;;) {
      const double dt = size_.next(solver_.time(), end_);
      tried_ = dt;
      lines_.clear();
      tell(
          fmt::format(" step {:6d}  time {:.5e}  dt {:.4e}\n", solver_.cycle() + 1, solver_.time() + dt, dt));
      progress_.begin(dt);
      const StepResult result = solver_.step(dt, [&](const Iteration& i) {
        progress_.iteration(i);
        tell(line_of(i) + linear_text());
      });
      progress_.end(result);
      if (result.converged()) {
        size_.converged(result.outcome.iterations, solver_.time());
        end_of_step(result);
        return {};
      }
      tell(fmt::format(" step {:6d}  not converged: {}\n", solver_.cycle() + 1, result.trouble));
      recorder_.echo(fmt::format("step {}", solver_.cycle() + 1), lines_);
      if (explicit_instead(++failures, dt)) return {};
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

  /// Whether explicit cycles take the place of a step that has failed so often (IMFLAG = 4, 5).
  bool explicit_instead(int failures, double dt) {
    const model::Switching& how = control_.implicit.switching;
    if (!how.where_it_fails || phase_.phase.before_run) return false;
    implicit::StepSize smaller = size_;
    switches_ = failures >= how.failures || !smaller.failed(dt);
    return switches_;
  }

  void end_of_step(const StepResult& result) {
    iterations_ += result.outcome.iterations;
    factors_ += result.outcome.factors;
    const implicit::Balance b = solver_.balance();
    const std::string kinetic =
        solver_.dynamic() ? fmt::format(", kinetic energy {:.5e}", b.parts.kinetic) : std::string{};
    const std::string left = progress_.left();
    tell(fmt::format(
        " step {:6d}  converged: {} iterations, {} factors, internal energy {:.5e}{}, work {:.5e}",
        solver_.cycle(), result.outcome.iterations, result.outcome.factors, b.parts.internal + 0.0, kinetic,
        b.external_work + 0.0));
    say(left.empty() ? std::string{} : fmt::format(", {} left", left));
    tell("\n");
    if (result.load) tell(fmt::format(" step {:6d}  loads of time {:.6e}\n", solver_.cycle(), *result.load));
    for (; told_ < solver_.deleted().size(); ++told_) {
      const implicit::DeletedElement& gone = solver_.deleted()[told_];
      tell(fmt::format(" {} {} of part {} failed and is deleted\n", model::info(gone.name.kind).name,
                       gone.name.id, gone.name.part));
    }
    for (; told_welds_ < solver_.broken_welds().size(); ++told_welds_) {
      const implicit::Welds::Break& weld = solver_.broken_welds()[told_welds_];
      tell(fmt::format(" the weld of nodes {} and {} broke: normal force {:.4e}, shear force {:.4e}\n",
                       weld.first, weld.second, weld.normal, weld.shear));
    }
    recorder_.echo(fmt::format("step {}", solver_.cycle()), lines_);
    const std::int64_t begin = phase_.from != nullptr ? phase_.from->cycle : 0;
    if (const implicit::InertiaRelief* relief = solver_.relief();
        relief != nullptr && solver_.cycle() == begin + 1)
      tell(fmt::format(" inertia relief along {} modes of up to {:.3e} cycles; the next has {:.3e}\n",
                       relief->modes(), relief->rigid_frequency(), relief->elastic_frequency()));
    if (solver_.cycle() == begin + 1 && solver_.unattached() > 0)
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
    return text;
  }

  /// Iterations of conjugate gradients, and what stands in for them.
  std::string linear_text() {
    const implicit::LinearWork work = solver_.take_linear_work();
    linear_iterations_ += work.iterations;
    std::string text =
        work.iterations > 0 ? fmt::format("  {} of conjugate gradients\n", work.iterations) : "\n";
    if (!work.stands_in.empty()) text += fmt::format("   the direct solver stands in: {}\n", work.stands_in);
    return text;
  }

  /// What is due from the present state on, up to the next one.
  void record(Request request, bool last) {
    if (phase_.phase.before_run) return;
    const auto timer = solver_.timers().time(Phase::output);
    const auto part = solver_.clock().time(implicit::Part::output);
    const double next = solver_.time() + size_.next(solver_.time(), end_);
    results_.set_next(std::max(next, solver_.time() + solver_.dt()));
    if (recorder_.live_due()) recorder_.show_state(results_);
    if (request == Request::plot) recorder_.record_plot(results_);
    if (!last) return recorder_.record(results_);
    if (!reached(end_)) return recorder_.record_all(results_);
    recorder_.record_end(results_, end_);
  }

  Request requested() {
    Request asked = std::max(signalled(), services_.switches.read());
    if (asked < Request::stop_with_dump && services_.limit.reached()) {
      asked = Request::stop_with_dump;
      say(fmt::format(" the run ends before {}\n", services_.limit.name()));
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

  std::string kind_of_steps(const model::StepSizes& s) const {
    if (!s.automatic) return "constant steps";
    const model::Curve *const steps = curve(s.by_curve), *const largest = curve(s.largest_by_curve);
    const std::string most =
        largest != nullptr ? fmt::format("the ordinate of curve {}, whose points are reached", largest->id)
                           : fmt::format("{:.4e}", s.largest);
    return fmt::format("steps of {:.4e} to {} by {}", s.smallest, most,
                       steps != nullptr ? fmt::format("curve {}", steps->id) : "the number of iterations");
  }

  std::string settings() const {
    const model::Implicit& c = control_.implicit;
    const model::Iterations& i = c.iterations;
    std::string text = fmt::format(" first step {:.4e}, {}\n", c.steps.first, kind_of_steps(c.steps));
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
    if (const model::IterativeSolver& l = c.iterative; l.active)
      text += fmt::format(
          " linear equations: conjugate gradients with smoothed aggregation, tolerance {:g}{}, at most {} "
          "iterations\n",
          l.relative, l.absolute > 0.0 ? fmt::format(" or {:g} of the residual", l.absolute) : std::string{},
          l.most_iterations);
    if (c.arc.active)
      text +=
          fmt::format(" arc lengths from time {:g}: the loads follow the path of equilibrium\n", c.arc.begin);
    return text + fmt::format(
                      " tolerances: displacement {:g}, energy {:g}, residual {:g}, absolute {:g}; "
                      "line search {:g}\n",
                      i.displacement, i.energy, i.residual, i.absolute, i.line_search);
  }

  std::string heading() const {
    return fmt::format(" implicit{} from time {:.6e} to {:.6e}\n",
                       phase_.phase.before_run   ? " relaxation"
                       : phase_.phase.springback ? " springback"
                                                 : "",
                       phase_.phase.begin, end_);
  }

  void print_header() const {
    if (phase_.number > 0) {
      fmt::print("\n{}", heading());
      fmt::print(" iterations with * have a new factor\n\n");
      return;
    }
    fmt::print("\n {} \n {}\n{}", control_.title.empty() ? "(no title)" : control_.title, size(), settings());
    if (options_.single_precision)
      fmt::print(" implicit analysis is in double precision, with factors in single precision\n");
    fmt::print("{}", moved_text(services_.kept));
    fmt::print(" iterations with * have a new factor\n\n");
    std::fflush(stdout);
  }

  std::string speed() const {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    return fmt::format(
        "{} steps, {} iterations, {} factors of {} equations, {}{} steps tried again, in {:.1f} s",
        solver_.cycle(), iterations_, factors_, solver_.equations(),
        linear_iterations_ > 0 ? fmt::format("{} iterations of conjugate gradients, ", linear_iterations_)
                               : std::string{},
        retries_, seconds);
  }

  /// The last converged state is a good one: it is also that of a dump.
  int fail(const std::string& trouble) {
    if (!dumps_.suppressed() && options_.error_dump != 0 && solver_.cycle() > 0) dump(true);
    if (!phase_.phase.before_run) recorder_.record_plot(results_);
    const std::string parts = progress_.table();
    recorder_.echo("parts of the run", parts);
    recorder_.end(false,
                  fmt::format(" {}\n{}{} {}", speed(), dumps_.last(), without_text(dropped_), trouble));
    recorder_.close();
    fmt::print("\n {}\n{}{}\n{}\n", speed(), parts, without_text(dropped_), trouble);
    fmt::print(
        "the last converged state is the last of the plot files\n E r r o r   t e r m i n a t i o n\n");
    return static_cast<int>(Exit::run);
  }

  void find_buckling_modes() {
    const std::string text = write_buckling_modes(options_, solver_, solver_.dt(), *mode_plots_);
    say("\n" + text);
    recorder_.echo("buckling analysis", text);
  }

  int finish() {
    if (mode_plots_ && solver_.cycle() > 0) find_buckling_modes();
    output::write_dynain(comm_, subdomain_, results_, options_.directory + "/" + options_.prefix() + "dynain",
                         program_);
    const std::uint64_t hash = solver_.hash();
    const std::string held = workers_ ? peak_memory_text(workers_->peak_memory()) : peak_memory_text(comm_);
    if (const auto& broken = solver_.broken_welds(); !broken.empty()) {
      say(count_of_breaks(broken.size()));
      recorder_.echo("broken welds", table_of_breaks(broken));
    }
    const std::string parts = progress_.table();
    recorder_.echo("parts of the run", parts);
    recorder_.end(
        true, fmt::format(" {}\n {}\n{} state hash: {:016x}", speed(), held, without_text(dropped_), hash));
    recorder_.close();
    if (options_.write_displacements)
      write_displacements(options_.directory + "/" + options_.prefix() + "displacements", solver_.nodal(),
                          comm_);
    fmt::print("\n {}\n{} {}\n", speed(), parts, held);
    fmt::print("state hash: {:016x}\n{}", hash, without_text(dropped_));
    fmt::print(" N o r m a l   t e r m i n a t i o n\n");
    return static_cast<int>(Exit::clean);
  }

  const Options& options_;
  const Version& version_;
  const parallel::Communicator& comm_;
  const decomposition::Subdomain& subdomain_;
  std::string program_;  ///< for the file of the final state
  const model::Control& control_;
  PhaseOfRun phase_;
  std::int64_t told_step_ = -1;
  double end_ = phase_.phase.end;
  const Restarted* restarted_;  ///< null: the phase starts at its beginning
  int print_;                   ///< NLPRINT
  elements::Isa isa_;
  implicit::Solver solver_;
  implicit::SolverResults results_{solver_};
  std::optional<ModePlots> mode_plots_;  ///< of buckling
  std::optional<ModesAtTimes> modes_;    ///< of vibration
  RunServices& services_;
  output::Recorder& recorder_ = services_.recorder;
  Dumps& dumps_ = services_.dumps;
  ImplicitProgress progress_;
  implicit::StepSize size_;
  double tried_ = 0;       ///< length of the present step
  bool switches_ = false;  ///< to explicit cycles, since a step has not converged
  std::string lines_;      ///< of the present step, for d3hsp
  std::size_t dropped_;
  std::uint64_t deck_checksum_;
  std::size_t told_ = 0, told_welds_ = 0;  ///< deleted elements, broken welds
  std::int64_t iterations_ = 0, factors_ = 0, retries_ = 0, linear_iterations_ = 0;
  implicit::linear::Workers* workers_;  ///< other ranks; null: there are none
  Clock::time_point start_;
};

}  // namespace

PhaseEnd run_implicit(RunInput& input, Services& services, const PhaseOfRun& phase) {
  ImplicitRun run(input, services, phase);
  if (phase.phase.last) preparation::release_start(input.subdomain.model);
  return run();
}

}  // namespace crumple::control
