// Distributes the model, runs the cycles, records results and prints progress.
#include "control/run.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <optional>
#include <utility>
#include <vector>

#include "base/at_work.hpp"
#include "base/error.hpp"
#include "base/packing.hpp"
#include "base/resources_used.hpp"
#include "control/clock_text.hpp"
#include "control/displaced_nodes.hpp"
#include "control/dropped_physics.hpp"
#include "control/dumps.hpp"
#include "control/earlier_results.hpp"
#include "control/echo.hpp"
#include "control/eigenvalue_run.hpp"
#include "control/energy_watch.hpp"
#include "control/freed_memory.hpp"
#include "control/implicit_run.hpp"
#include "control/last_good.hpp"
#include "control/linear_ranks.hpp"
#include "control/look_pace.hpp"
#include "control/modes_at_times.hpp"
#include "control/phased_run.hpp"
#include "control/plan.hpp"
#include "control/requests.hpp"
#include "control/restarted.hpp"
#include "control/run_messages.hpp"
#include "control/run_services.hpp"
#include "control/run_setup.hpp"
#include "control/start_up.hpp"
#include "control/time_limit.hpp"
#include "decomposition/distribution.hpp"
#include "explicit/solver_results.hpp"
#include "model/units.hpp"
#include "output/dynain/dynain.hpp"
#include "output/file.hpp"
#include "output/recorder.hpp"
#include "preparation/prepare.hpp"
#include "sensors/sensors.hpp"
#include "state/archive.hpp"

namespace crumple::control {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Whether the run ends after this cycle.
bool stops(Request request) { return request == Request::stop || request == Request::stop_with_dump; }

/// Where dynamic relaxation is.
struct Relaxing {
  double largest = 0.0, of_largest = 1.0;  ///< kinetic energies at the checks
  double energy = 0.0;                     ///< the largest since the last check
  std::int64_t cycles = 0;                 ///< since the last check
};
CRUMPLE_MEMBERS(Relaxing, largest, of_largest, energy, cycles)

/// A check of dynamic relaxation, for its table in d3hsp.
struct RelaxationCheck {
  std::int64_t cycle = 0;
  double time = 0.0, energy = 0.0, of_largest = 0.0;
};
CRUMPLE_MEMBERS(RelaxationCheck, cycle, time, energy, of_largest)

/// The loop over cycles with everything around it.
class Run {
 public:
  Run(RunInput& input, Services& services, const PhaseOfRun& phase)
      : options_(input.options),
        version_(input.version),
        comm_(input.comm),
        subdomain_(input.subdomain),
        control_(input.subdomain.model.control),
        phase_(phase),
        restarted_(phase.restarted),
        isa_(choose_isa(input.comm, input.options.isa)),
        solver_(input.comm, input.subdomain,
                {isa_, input.options.threads, input.options.single_precision && phase.alone}),
        modes_(control_.implicit.active && control_.implicit.eigenvalues.by_curve != model::kNone
                   ? std::make_optional<ModesAtTimes>(input, isa_)
                   : std::nullopt),
        services_(begin_services(services, input)),
        messages_(input.comm, solver_, recorder_, input.options.threads),
        last_good_(input.comm, dumps_.suppressed() ? 0 : input.options.error_dump,
                   input.options.progress > 0.0),
        dropped_(input.dropped),
        deck_checksum_(input.deck_checksum) {
    if (phase_.from != nullptr) {
      solver_.take(*phase_.from);
      under_way_ = relaxed_ = true;
    }
    if (!phase_.alone) solver_.stop_at(phase_.phase.end);
    if (restarted_ != nullptr) restore();
    if (modes_) modes_->begin(solver_.time());
    input.start_up.done("initialise");
    start_up_ = std::move(input.start_up);
  }

  /// Sections of d3hsp before the first cycle. Local.
  void echo(const Echo& sections) {
    if (restarted_ != nullptr)
      return recorder_.echo("restart", fmt::format(" dump {}\n {}\n", restarted_->path, size()));
    if (phase_.number > 0) return recorder_.echo("phase", heading());
    recorder_.echo("run", fmt::format(" deck {}\n {}\n", options_.deck, size()));
    for (const auto& [title, text] : sections) recorder_.echo(title, text);
  }

  /// Changes of state by a restart deck, and what later dumps say of restart decks. Collective.
  void change(const RestartDecks& decks) {
    if (restarted_ == nullptr) return;
    std::vector<std::byte> bytes = pack(decks.state());
    comm_.broadcast(bytes);
    const auto changes = Unpacker(bytes).take<explicit_dynamics::StateChanges>();
    if (changes.any()) solver_.change(changes);
    changes_first_ = changes.any();
    decks_used_ = decks.used();
    changes_ = decks.text();
    if (!changes_.empty()) recorder_.echo("changes", changes_);
  }

  PhaseEnd operator()() {
    if (comm_.root()) print_header();
    if (phase_.number == 0) fmt::print("{}", moved_text(services_.kept));
    if (restarted_ != nullptr && comm_.root())
      fmt::print(" restart from {}: time {:.5e}, cycle {}\n", restarted_->path, solver_.time(),
                 solver_.cycle());
    if (!changes_.empty()) fmt::print("{}", changes_);
    start_ = Clock::now();
    begin_part();
    try {
      if (control_.relaxation.active && !relaxed_) {
        relax();
        begin_part();  // cycles of the run are counted anew
      }
      cycle();
    } catch (const explicit_dynamics::RunFailure& failure) {
      return {.status = fail(failure)};
    }
    if (goes_on_) return {.ended = false, .state = solver_.leave()};
    finish();
    return {.status = static_cast<int>(Exit::clean)};
  }

 private:
  /// Local.
  void begin_part() {
    first_cycle_ = solver_.cycle();
    first_time_ = solver_.time();
    last_good_.begin(first_cycle_);
  }

  /// Why a switch of the deck ends the run; empty if none does.
  std::string_view ended_by_motion() const {
    const auto* const sensors = solver_.modules().find<sensors::Sensors>();
    return sensors != nullptr ? sensors->ending() : std::string_view{};
  }
  bool at_end_cycle() const { return control_.end_cycle > 0 && solver_.cycle() >= control_.end_cycle; }

  void cycle() {
    for (bool last = false; !last;) {
      goes_on_ = !phase_.phase.last && solver_.time() >= phase_.phase.end && !at_end_cycle();
      if (goes_on_) return end_of_phase();
      const Request request = requested();
      dump_if_due(request);
      copy_if_due();
      const std::string_view by_motion = ended_by_motion();
      last = solver_.time() >= phase_.phase.end || stops(request) || at_end_cycle() || !by_motion.empty();
      if (last && !stops(request) && dumps_.at_end()) dump(true);
      if (request == Request::status) messages_.smallest_steps();
      const bool show = request == Request::status || screen_due();
      const bool weigh = last || energy_watch_.due(solver_.cycle());
      const bool live = std::exchange(live_due_, false);
      const bool modes = modes_ && modes_->due(solver_.time());
      const bool keep = weigh || show || live || modes || request == Request::plot ||
                        recorder_.due(solver_.time(), solver_.next_step_at_most());
      comm_.look_at_cores();
      solver_.step(keep);
      recorder_.set_speed(ns_per_zone_cycle());
      if (!std::exchange(under_way_, true)) {
        keep_freed_memory();
        messages_.start_up(std::move(start_up_));
      }
      if (solver_.cycle() == 1 + begin_of_phase()) {
        messages_.contact_limit();
        messages_.free_step();
        messages_.added_mass("added mass at the start");
        messages_.smallest_steps();
      } else if (messages_.listing_due()) {
        messages_.smallest_steps(true);
      }
      messages_.check_step();
      if (keep) record(request, last);
      if (live) show_state();
      if (modes) find_modes();
      if (show || last) print_progress();
      if (show) messages_.load_so_far(result("load_profile"));
      if (show && comm_.root()) messages_.check_exchange();
      if (weigh) energy_watch_.look(solver_);
      last_good_.passed();
      if (stops(request) && comm_.root()) fmt::print("stopped on request before the end time\n");
      if (!by_motion.empty() && comm_.root())
        fmt::print("the run ends at time {:.5e}: {}\n", solver_.time(), by_motion);
    }
  }

  /// Of the state of the snapshot. Collective.
  void find_modes() {
    const auto say = [&](const std::string& text) {
      if (comm_.root()) fmt::print("{}", text);
    };
    recorder_.echo("eigenvalue analysis", modes_->write(solver_.leave(), say));
  }

  std::int64_t begin_of_phase() const { return phase_.from != nullptr ? phase_.from->cycle : 0; }

  /// The forces and results at its end, for the next phase, whose first dump is of this moment. Collective.
  void end_of_phase() {
    solver_.step(true);
    const auto timer = solver_.timers().time(Phase::output);
    recorder_.record_until(results_, phase_.phase.end);
    messages_.deleted_elements();
    print_progress();
  }

  /// Record what is due in a cycle with a snapshot; everything if the run is stopped before its end time.
  /// Collective.
  void record(Request request, bool last) {
    const auto timer = solver_.timers().time(Phase::output);
    if (last && results_.cycle().time < phase_.phase.end) return recorder_.record_all(results_);
    if (last) return recorder_.record_end(results_, phase_.phase.end);
    recorder_.record(results_);
    if (request == Request::plot) recorder_.record_plot(results_);
  }

  /// Over the socket. Collective.
  void show_state() {
    const auto timer = solver_.timers().time(Phase::output);
    recorder_.show_state(results_);
  }

  /// Everything from which the run goes on, between two cycles. Local.
  void archive(state::Archive& archive) {
    phase_.archive(archive);
    solver_.archive(archive);
    recorder_.archive(archive);
    messages_.archive(archive);
    energy_watch_.archive(archive);
    dumps_.archive(archive);
    const auto here = archive.module("run");
    archive.global("relaxed", relaxed_);
    archive.structs("relaxation", state::Rows::equal(state::Of::global, kOne), std::span(&relaxing_, 1));
    std::vector<GlobalId> checks = state::numbered(checks_.size());
    archive.list("relaxation checks", checks, 1, [&](auto) { return comm_.root(); });
    checks_.resize(checks.size());
    archive.structs("relaxation check", state::Rows::own(state::Of::entity, checks), std::span(checks_));
  }

  /// Collective.
  void restore() {
    restart::restore(comm_, restarted_->path, restarted_->index, [&](state::Archive& to) { archive(to); });
    dumps_.restarted(restarted_->path, restarted_->index.moment);
    recorder_.begin_changed(restarted_->index.moment.relaxing ? 0.0 : solver_.time(), solver_.dt());
  }

  /// Collective.
  void dump_if_due(Request request) {
    const bool requested =
        std::exchange(late_dump_, false) || request == Request::dump || request == Request::stop_with_dump;
    if (changes_first_ && solver_.cycle() == first_cycle_)
      late_dump_ = requested;  // the changes of the deck are complete after the first step
    else if (requested || dumps_.due(solver_.cycle()))
      dump(requested);
  }

  /// @param kept as d3dump01, ..., due or not. Collective.
  void dump(bool kept) {
    const auto timer = solver_.timers().time(Phase::output);
    messages_.deleted_elements();  // so that they are listed before those that follow
    if (dumps_.write(
            solver_.cycle(), kept, [&](state::Archive& to) { archive(to); }, index()))
      last_good_.written(solver_.cycle());
    forget_dump_signal();
    services_.limit.expect_dump(dumps_.seconds());
  }

  /// Of a dump of this moment, without streams. Local.
  restart::Index index() const {
    const restart::Moment moment{solver_.time(), solver_.cycle(), !relaxed_ && control_.relaxation.active};
    restart::Index index{
        origin_of(options_, version_, isa_, comm_.size(), deck_checksum_), moment, {}, {}, decks_used_};
    if (comm_.root()) index.files = recorder_.positions();
    return index;
  }

  /// A copy of the state for the dump of an error. Collective.
  void copy_if_due() {
    if (!last_good_.due(solver_.cycle())) return;
    const auto timer = solver_.timers().time(Phase::output);
    last_good_.take(index(), solver_.cycle(), [&](state::Archive& to) { archive(to); });
  }

  /// Dynamic relaxation under the loads that act before the run. Collective.
  void relax() {
    const model::Relaxation& asked = control_.relaxation;
    if (restarted_ == nullptr) solver_.begin_relaxation();
    bool stopped = false;
    while (relaxing_.of_largest > asked.tolerance && solver_.time() < asked.end_time && !stopped) {
      relax_until_check(stopped);
      if (stopped) break;  // the energy was not computed since the last check
      relaxing_.largest = std::max(relaxing_.largest, relaxing_.energy);
      relaxing_.of_largest = relaxing_.largest > 0.0 ? relaxing_.energy / relaxing_.largest : 0.0;
      if (comm_.root())
        checks_.push_back({solver_.cycle(), solver_.time(), relaxing_.energy, relaxing_.of_largest});
      relaxing_.cycles = 0;
      relaxing_.energy = 0.0;
    }
    if (stopped) stopping_ = true;  // stop the run, too
    const std::string said = fmt::format(
        " dynamic relaxation: {} after {} cycles; kinetic energy {:.2e} of its largest\n",
        relaxing_.of_largest <= asked.tolerance ? "at rest" : "ended", solver_.cycle(), relaxing_.of_largest);
    recorder_.echo("dynamic relaxation", checks_as_text() + said);
    checks_.clear();
    if (comm_.root()) fmt::print("{}", said);
    solver_.end_relaxation();
    relaxed_ = true;
    messages_.forget_step();
  }

  /// Local.
  std::string checks_as_text() const {
    std::string table =
        fmt::format("{:>9} {:>12} {:>15} {:>12}\n", "cycle", "time", "kinetic energy", "of largest");
    for (const RelaxationCheck& check : checks_)
      table += fmt::format("{:9d} {:12.5e} {:15.5e} {:12.3e}\n", check.cycle, check.time, check.energy,
                           check.of_largest);
    return table;
  }

  /// Cycles up to the next check, with the largest kinetic energy at ten times in them. A single time may be
  /// the turning point of an oscillation, at which velocities are zero but the model is not at rest.
  /// Collective.
  void relax_until_check(bool& stopped) {
    const std::int64_t cycles = control_.relaxation.cycles, between = std::max<std::int64_t>(1, cycles / 10);
    while (relaxing_.cycles < cycles && !stopped) {
      const Request request = requested();
      stopped = stops(request);
      dump_if_due(request);
      copy_if_due();
      if (comm_.root() && (request == Request::status || request == Request::plot))
        report_relaxation(request);
      const bool look = ++relaxing_.cycles % between == 0;
      solver_.step(look);
      if (look) relaxing_.energy = std::max(relaxing_.energy, std::abs(solver_.distortional_energy()));
      last_good_.passed();
    }
  }

  /// Local.
  void report_relaxation(Request request) const {
    fmt::print(" dynamic relaxation: cycle {}, time {:.5e}{}\n", solver_.cycle(), solver_.time(),
               request == Request::plot ? "; plot states are written in the run only" : "");
    std::fflush(stdout);
  }

  /// Times by which the run must end. On rank 0.
  /// Checks for sense switches and signals, due lines of progress, and deleted elements. Only in some cycles
  /// (LookPace), and then collective.
  Request requested() {
    if (stopping_) return Request::stop;
    const bool by_clock = options_.progress > 0.0;
    if (by_clock ? --cycles_to_look_ > 0 : solver_.cycle() % LookPace::kMost != 0) return Request::none;
    const bool deleted = by_clock && messages_.newly_deleted() > 0;
    std::array<std::int64_t, 3> all{2 * static_cast<std::int64_t>(own_request()) + deleted, 0, 0};
    if (by_clock && comm_.root()) all[1] = pace_.next(Clock::now()), all[2] = recorder_.live_due();
    comm_.max(std::span(all).first(by_clock ? 3 : 1));
    cycles_to_look_ = all[1];
    live_due_ = all[2] != 0;
    if (all[0] % 2 != 0) messages_.deleted_elements();
    const auto request = static_cast<Request>(all[0] / 2);
    show_ = request == Request::show || solver_.cycle() == 0;
    stopping_ = stops(request);
    return request == Request::show ? Request::none : request;
  }

  /// Requests known to this rank. Local.
  Request own_request() {
    Request asked = signalled();
    if (comm_.root()) asked = std::max(asked, services_.switches.read());
    if (!comm_.root()) return asked;
    if (asked < Request::stop_with_dump && services_.limit.reached()) {
      asked = Request::stop_with_dump;
      fmt::print(" the run ends before {}\n", services_.limit.name());
    }
    const bool due = options_.progress > 0.0 && seconds_since(last_shown_) > options_.progress;
    return asked == Request::none && due ? Request::show : asked;
  }

  double ns_per_zone_cycle() const {
    const double zone_cycles = static_cast<double>(solver_.elements_everywhere()) *
                               std::max<double>(1, solver_.cycle() - first_cycle_);
    return 1e9 * seconds_since(start_) / zone_cycles;
  }

  bool screen_due() {
    const bool due = show_;
    show_ = false;
    return due;
  }

  std::string size() const {
    return fmt::format(
        "{} elements, mass {:.6g}{}, {} rank{} x {} thread{}, {} precision, {}",
        solver_.elements_everywhere(), solver_.mass(), model::behind(control_.units, &model::Units::mass),
        comm_.size(), comm_.size() == 1 ? "" : "s", options_.threads, options_.threads == 1 ? "" : "s",
        options_.single_precision && phase_.alone ? "single" : "double", elements::isa_name(isa_));
  }

  std::string speed() const {
    return fmt::format("{} cycles in {:.1f} s, {:.1f} ns per zone and cycle", solver_.cycle() - first_cycle_,
                       seconds_since(start_), ns_per_zone_cycle());
  }

  std::string heading() const {
    return fmt::format(" explicit from time {:.6e} to {:.6e}\n", phase_.phase.begin, phase_.phase.end);
  }

  void print_header() const {
    const auto& m = solver_.model();
    if (phase_.number == 0) {
      fmt::print("\n {} \n", m.control.title.empty() ? "(no title)" : m.control.title);
      fmt::print(" {}\n\n", size());
    } else {
      fmt::print("\n{}\n", heading());
    }
    fmt::print("{:>9} {:>12} {:>11} {:>12} {:>12} {:>12} {:>7} {:>9} {:>9}\n", "cycle", "time", "dt",
               "kinetic", "internal", "total", "ratio", "ns/zone", "ETA");
    if (const auto u = model::find_units(control_.units))
      fmt::print("{:>9} {:>12} {:>11} {:>12} {:>12} {:>12}\n", "", u->time, u->time, u->energy, u->energy,
                 u->energy);
    std::fflush(stdout);
  }

  /// Collective.
  void print_progress() {
    const explicit_dynamics::Balance b = solver_.balance();
    last_shown_ = Clock::now();
    if (!comm_.root()) return;
    const double elapsed = seconds_since(start_);
    const double done = (solver_.snapshot().time - first_time_) / (phase_.phase.end - first_time_);
    const std::string eta = done > 0 ? clock_text(std::max(0.0, elapsed * (1.0 / done - 1.0))) : "-";
    const double ratio = std::round(1e4 * b.ratio()) / 1e4;  // as printed; + 0.0: no negative zeros
    fmt::print("{:9d} {:12.5e} {:11.4e} {:12.5e} {:12.5e} {:12.5e} {:7.4f} {:9.1f} {:>9}\n",
               solver_.snapshot().cycle, solver_.snapshot().time, solver_.snapshot().dt, b.parts.kinetic,
               b.parts.internal + 0.0, b.total + 0.0, ratio + 0.0, ns_per_zone_cycle(), eta);
    std::fflush(stdout);
  }

  /// Saves the results: a last plot state and rows at the time of failure, and a dump of the last good
  /// moment. Collective.
  int fail(const explicit_dynamics::RunFailure& failure) {
    solver_.keep_now();
    {
      const auto timer = solver_.timers().time(Phase::output);
      recorder_.record_all(results_);
    }
    messages_.deleted_elements();
    if (comm_.root()) messages_.number_of_deleted(), messages_.late_sorts();
    if (last_good_.good()) dumps_.write(last_good_.copy(), last_good_.index());
    recorder_.end(
        false, fmt::format(" {}\n{}{} {}", speed(), dumps_.last(), without_text(dropped_), failure.what()));
    if (comm_.root()) fmt::print("{}", dumps_.last());
    recorder_.close();
    messages_.load(result("load_profile"));
    if (comm_.root()) {
      fmt::print("{}", without_text(dropped_));
      fmt::print("\n{}\n", failure.what());
      fmt::print(
          "the state at that time is the last of the plot files\n E r r o r   t e r m i n a t i o n\n");
    }
    return static_cast<int>(failure.status());
  }

  /// Collective.
  void finish() {
    messages_.added_mass("added mass at the end");
    messages_.broken_welds();
    messages_.deleted_elements();
    if (comm_.root()) messages_.number_of_deleted(), messages_.late_sorts();
    messages_.smallest_steps();
    output::write_dynain(comm_, subdomain_, results_, result("dynain"),
                         recorder_options(options_, version_, nullptr).run.program());
    const std::uint64_t hash = solver_.hash();
    const std::string held = peak_memory_text(comm_);
    recorder_.end(
        true, fmt::format(" {}\n {}\n{} state hash: {:016x}", speed(), held, without_text(dropped_), hash));
    recorder_.close();
    if (options_.write_displacements) write_displacements(result("displacements"), solver_.nodal(), comm_);
    messages_.load(result("load_profile"));
    if (!comm_.root()) return;
    fmt::print("\n {}\n {}\n", speed(), held);
    fmt::print("state hash: {:016x}\n{}", hash, without_text(dropped_));
    fmt::print(" N o r m a l   t e r m i n a t i o n\n");
  }

  std::string result(const char* name) const { return options_.directory + "/" + options_.prefix() + name; }

  static constexpr std::array<GlobalId, 1> kOne{0};

  const Options& options_;
  const Version& version_;
  const parallel::Communicator& comm_;
  const decomposition::Subdomain& subdomain_;
  const model::Control& control_;
  PhaseOfRun phase_;
  const Restarted* restarted_;  ///< null: the phase starts at its beginning
  elements::Isa isa_;
  explicit_dynamics::Solver solver_;
  explicit_dynamics::SolverResults results_{solver_};
  std::optional<ModesAtTimes> modes_;  ///< of vibration (IMFLAG = 6)
  RunServices& services_;
  output::Recorder& recorder_ = services_.recorder;
  RunMessages messages_;
  Dumps& dumps_ = services_.dumps;
  LastGood last_good_;
  EnergyWatch energy_watch_{control_};
  StartUp start_up_;
  Clock::time_point start_ = Clock::now(), last_shown_ = Clock::now();
  LookPace pace_;
  std::int64_t cycles_to_look_ = 1;
  std::size_t dropped_ = 0;
  std::uint64_t deck_checksum_ = 0;  ///< on rank 0
  std::int64_t first_cycle_ = 0;     ///< of this part of the run
  double first_time_ = 0.0;
  Relaxing relaxing_;
  std::vector<RelaxationCheck> checks_;  ///< until relaxation ends; on rank 0
  bool relaxed_ = false;                 ///< dynamic relaxation has ended
  bool goes_on_ = false;                 ///< by another scheme
  bool show_ = true, stopping_ = false;
  bool live_due_ = false;   ///< a state for `crumple watch`
  bool under_way_ = false;  ///< a step of the run, not of relaxation, has been made in this part
  std::vector<restart::DeckUsed> decks_used_;  ///< on rank 0
  std::string changes_;                        ///< by the restart deck, as text; on rank 0
  bool changes_first_ = false;                 ///< it changes the state, in the first step
  bool late_dump_ = false;                     ///< requested before the first step
};

}  // namespace

PhaseEnd run_explicit(RunInput& input, Services& services, const PhaseOfRun& phase,
                      const RestartDecks& restart_decks) {
  Run job(input, services, phase);
  if (phase.phase.last) preparation::release_start(input.subdomain.model);
  job.echo(input.echo);
  job.change(restart_decks);
  return job();
}

namespace {

/// All phases of the run. @returns the exit status
int run_input(RunInput& input, const RestartDecks& restart_decks) {
  const model::Control& control = input.subdomain.model.control;
  if (control.implicit.active && input.comm.any(!restart_decks.used().empty()))
    throw Error("CR-I101", "small decks at restarts are not supported in runs with implicit steps");
  if (control.implicit.eigenvalues.count > 0 && control.implicit.active) return run_eigenvalues(input);
  Services services;
  if (control.has_phases()) return run_phases(input, services, restart_decks);
  PhaseOfRun all{.phase = phases::schedule(input.subdomain.model).front(), .restarted = input.restarted};
  if (control.implicit.active) return run_implicit(input, services, all).status;
  return run_explicit(input, services, all, restart_decks).status;
}

}  // namespace

int run(const Options& asked, const parallel::Communicator& comm, const Version& version) {
  const Clock::time_point began = Clock::now();
  Options options = asked;
  if (options.command == Command::help) {
    if (comm.root()) fmt::print("{}", options.help);
    return 0;
  }
  if (options.command == Command::check) return comm.root() ? check(options) : 0;
  if (options.command == Command::keywords) return comm.root() ? print_keywords() : 0;
  return_freed_memory();
  omp_set_num_threads(options.threads);
  comm.settle(options.threads, options.cores);

  std::optional<Restarted> restarted;
  if (!options.restart.empty())
    if (const Exit status = open_dump(options, comm, restarted); status != Exit::clean)
      return static_cast<int>(status);
  Plan plan;
  if (const Exit status = read_on_root(options, comm, restarted, plan); status != Exit::clean)
    return static_cast<int>(status);
  if (comm.any(plan.show)) return static_cast<int>(Exit::clean);
  // An implicit model stays whole on rank 0; all ranks share the linear equations.
  const bool implicit = comm.any(plan.input && plan.input->model.control.implicit.active);
  const int on_machine = implicit ? ranks_on_machine(comm) : 1;
  if (implicit && !comm.root()) {
    const int status = help_rank_0(options, comm, on_machine);
    at_work().ended = 1 + status;
    return status;
  }
  StartUp start_up;
  Echo echo;
  std::size_t dropped = 0;
  std::uint64_t deck_checksum = 0;
  output::Catalogue catalogue;
  model::Model whole;
  if (plan.input) {  // frees the deck now, and the whole model when it has been distributed: both are large
    start_up = plan.input->start_up;
    const std::vector<std::string> left_out = dropped_physics(plan.input->deck, options.allow_unsupported);
    dropped = left_out.size();
    echo = echo_of(*plan.input, left_out);
    deck_checksum = plan.input->deck_checksum;
    whole = std::move(plan.input->model);
    catalogue = output::make_catalogue(whole, plan.input->history_names);
    plan.input.reset();
  }
  if (implicit) tell_helpers(options, comm);
  const parallel::Communicator alone(MPI_COMM_SELF);
  const parallel::Communicator& of_model = implicit ? alone : comm;
  decomposition::Subdomain subdomain = decomposition::distribute(of_model, of_model.root() ? &whole : nullptr,
                                                                 options.method, plan.directions);
  whole = {};
  start_up.done("decompose");
  if (of_model.size() > 1) {
    const std::string table = decomposition::balance_table(comm, subdomain);
    if (comm.root()) fmt::print("{}", table);
  }
  implicit::linear::Workers workers(comm);
  const bool helped = implicit && comm.size() > 1;
  RunInput input{options,
                 of_model,
                 subdomain,
                 version,
                 restarted ? &*restarted : nullptr,
                 began,
                 std::move(catalogue),
                 std::move(start_up),
                 std::move(echo),
                 dropped,
                 deck_checksum,
                 {helped ? &workers : nullptr, on_machine}};
  const int status = run_input(input, plan.restart_decks);
  if (helped) workers.end(status);
  at_work().ended = 1 + status;
  return status;
}

}  // namespace crumple::control
