// Reading, distributing, cycling, recording, and what the screen shows meanwhile.
#include "control/run.hpp"

#include <fmt/format.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/resources_used.hpp"
#include "control/decompose.hpp"
#include "control/displaced_nodes.hpp"
#include "control/energy_watch.hpp"
#include "control/input.hpp"
#include "control/load_profile.hpp"
#include "control/memory.hpp"
#include "control/start_up.hpp"
#include "deck/coverage.hpp"
#include "decomposition/deck_cards.hpp"
#include "decomposition/distribution.hpp"
#include "explicit/solver.hpp"
#include "model/check.hpp"
#include "model/element_kind.hpp"
#include "output/file.hpp"
#include "output/recorder.hpp"

namespace crumple::control {

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Set by the scheduler's warning; read between cycles.
volatile std::sig_atomic_t terminate_requested = 0;
void on_terminate(int) { terminate_requested = 1; }

/// The best instruction set that every rank has, or the one asked for. Collective.
elements::Isa choose_isa(const parallel::Communicator& comm, const std::string& asked) {
  elements::Isa best = elements::best_isa();
  if (asked == "baseline") best = elements::Isa::baseline;
  if (asked == "avx2") best = std::min(best, elements::Isa::avx2);
  return static_cast<elements::Isa>(comm.min(static_cast<std::int64_t>(best)));
}

/// Requests to a running job through the file d3kil: the sense switches.
enum class Switch : std::int64_t { none, status, plot, stop };

Switch read_switch(const std::string& directory) {
  const std::filesystem::path path = std::filesystem::path(directory) / "d3kil";
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return Switch::none;
  std::string word;
  std::ifstream(path) >> word;
  if (word.empty()) return Switch::none;  // created, but not written yet: read it at the next look
  std::filesystem::remove(path, error);
  if (word == "sw1" || word == "stop") return Switch::stop;
  if (word == "sw2") return Switch::status;
  if (word == "sw4") return Switch::plot;
  fmt::print("sense switch '{}' is not there (sw1, sw2, sw4, stop)\n", word);
  return Switch::none;
}

std::string clock_text(double seconds) {
  const auto s = static_cast<long>(std::lround(seconds));
  return s >= 3600 ? fmt::format("{}:{:02d}:{:02d}", s / 3600, s / 60 % 60, s % 60)
                   : fmt::format("{}:{:02d}", s / 60, s % 60);
}

output::RecorderOptions recorder_options(const Options& options) {
  return {options.directory, options.job_id.empty() ? "" : options.job_id + ".", options.double_files,
          options.vtkhdf};
}

/// Titled sections of text for d3hsp.
using Echo = std::vector<std::pair<std::string, std::string>>;

/// What was read and what became of it.
Echo echo_of(const Input& input) {
  const model::Control& c = input.model.control;
  std::string problems;
  for (const deck::Problem& p : input.deck.problems())
    problems += fmt::format(" {} {}: {}\n", p.place.text(), p.id, p.text);
  return {{"control",
           fmt::format(
               " end time {:g}\n scale of the time step {:g}\n end cycle {}\n shells: warping angle {:g}, "
               "thickness update {}, BWC {}\n",
               c.end_time, c.step_scale, c.end_cycle, c.warp_angle, c.istupd, c.bwc)},
          {"model", model::to_text(model::check_model(input.model), {}, c.step_scale)},
          {"initial penetrations",
           input.penetrations.empty() ? " none\n" : contact::to_text(input.model, input.penetrations)},
          {"keyword coverage", deck::to_text(deck::coverage_table(input.deck))},
          {"warnings", problems.empty() ? " none\n" : problems}};
}

/// Whether arrays above a quarter of a megabyte go back to the system as soon as they are freed: at the
/// start, when many are needed once. Cycles need the same ones again and again, and so does each sort of
/// contacts, which would wait for the system to clear their pages.
void give_large_arrays_back([[maybe_unused]] bool at_once) {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, at_once ? 1 << 18 : 1 << 25);
  mallopt(M_TRIM_THRESHOLD, at_once ? 1 << 17 : 1 << 30);
#endif
}

/// Segments of surfaces have become those of the contacts, initial velocities those of the nodes.
void forget_what_only_the_start_needs(model::Model& m) {
  const auto free = [](auto& array) { std::remove_reference_t<decltype(array)>().swap(array); };
  for (model::Contact& contact : m.contacts)
    for (model::Surface* side : {&contact.a, &contact.b}) free(side->segments);
  free(m.initial_velocities);
}

/// The loop over cycles with everything around it.
template <class T>
class Run {
 public:
  /// Sets Relaxation::under_way of the share while dynamic relaxation lasts.
  Run(const Options& options, const parallel::Communicator& comm, decomposition::Share& share,
      output::Catalogue catalogue, StartUp start_up)
      : options_(options),
        comm_(comm),
        control_(share.model.control),
        relaxing_(share.model.control.relaxation.under_way),
        isa_(choose_isa(comm, options.isa)),
        solver_(comm, share, {isa_, options.threads}),
        recorder_(comm, share, std::move(catalogue), recorder_options(options)),
        start_up_(std::move(start_up)) {
    forget_what_only_the_start_needs(share.model);
    start_up_.done("initialise");
  }

  /// Sections of d3hsp before the first cycle. Local.
  void echo(const Echo& sections) {
    recorder_.echo("run", fmt::format(" deck {}\n {}\n", options_.deck, size()));
    for (const auto& [title, text] : sections) recorder_.echo(title, text);
  }

  int operator()() {
    if (comm_.root()) print_header();
    start_ = Clock::now();
    try {
      if (control_.relaxation.active) relax();
      cycle();
    } catch (const explicit_dynamics::RunFailure& failure) {
      return fail(failure);
    }
    finish();
    return static_cast<int>(Exit::clean);
  }

 private:
  void cycle() {
    for (bool last = false; !last;) {
      const Switch request = requested();
      last = solver_.time() >= control_.end_time || request == Switch::stop ||
             (control_.end_cycle > 0 && solver_.cycle() >= control_.end_cycle);
      if (request == Switch::status) echo_smallest_steps();
      const bool show = request == Switch::status || screen_due();
      const bool weigh = last || energy_watch_.due(solver_.cycle());
      const bool keep = weigh || show || request == Switch::plot ||
                        recorder_.due(solver_.time(), solver_.next_step_at_most());
      solver_.step(keep);
      recorder_.set_speed(ns_per_zone_cycle());
      if (solver_.cycle() == 1) {
        give_large_arrays_back(false);
        tell_of_start_up();
        tell_of_contact_limit();
        tell_of_added_mass("added mass at the start");
        echo_smallest_steps();
      } else if (solver_.time() >= next_listing_) {
        echo_smallest_steps(true);
      }
      if (keep) record(request, last);
      if (show || last) print_progress();
      if (weigh) energy_watch_.look(solver_);
      if (request == Switch::stop && comm_.root()) fmt::print("stopped on request before the end time\n");
    }
  }

  /// What is due in a kept cycle; of a run that is stopped before its end time all that there is. Collective.
  void record(Switch request, bool last) {
    if (last && solver_.moment().time < control_.end_time) return recorder_.record_all(solver_);
    if (last) return recorder_.record_end(solver_, control_.end_time);
    recorder_.record(solver_);
    if (request == Switch::plot) recorder_.record_plot(solver_);
  }

  /// Dynamic relaxation: to rest under the loads that act before the run. Collective.
  void relax() {
    const model::Relaxation& asked = control_.relaxation;
    relaxing_ = true;
    solver_.begin_relaxation();
    std::string table =
        fmt::format("{:>9} {:>12} {:>15} {:>12}\n", "cycle", "time", "kinetic energy", "of largest");
    double largest = 0.0, of_largest = 1.0;
    bool stopped = false;
    while (of_largest > asked.tolerance && solver_.time() < asked.end_time && !stopped) {
      const double energy = relax_until_check(stopped);
      largest = std::max(largest, energy);
      of_largest = largest > 0.0 ? energy / largest : 0.0;
      table += fmt::format("{:9d} {:12.5e} {:15.5e} {:12.3e}\n", solver_.cycle(), solver_.time(), energy,
                           of_largest);
    }
    const std::string said =
        fmt::format(" dynamic relaxation: {} after {} cycles; kinetic energy {:.2e} of its largest\n",
                    of_largest <= asked.tolerance ? "at rest" : "ended", solver_.cycle(), of_largest);
    recorder_.echo("dynamic relaxation", table + said);
    if (comm_.root()) fmt::print("{}", said);
    relaxing_ = false;
    solver_.end_relaxation();
  }

  /// The largest kinetic energy at ten moments of the cycles up to the next check: one moment alone may be
  /// the turning point of a swing, where nothing moves and nothing is at rest. Collective.
  double relax_until_check(bool& stopped) {
    const std::int64_t cycles = control_.relaxation.cycles, between = std::max<std::int64_t>(1, cycles / 10);
    double most = 0.0;
    for (std::int64_t k = 1; k <= cycles && !stopped; ++k) {
      stopped = requested() == Switch::stop;
      const bool look = k % between == 0;
      solver_.step(look);
      if (look) most = std::max(most, std::abs(solver_.distortional_energy()));
    }
    return most;
  }

  /// Where the time before the first cycle went, as rank 0 saw it. Local.
  void tell_of_start_up() {
    if (!comm_.root()) return;
    start_up_.add("first sort of contacts", solver_.contact().timing().sort);
    std::string line, table = fmt::format("{:>35}{:>14}{:>16}\n", "elapsed s", "processor s", "memory MB");
    for (const auto& [phase, seconds, processor, memory] : start_up_.phases()) {
      line += fmt::format("{}{} {:.1f}", line.empty() ? "" : ", ", phase, seconds);
      table += fmt::format(" {:<24}{:10.2f}{:14.2f}{:16.1f}\n", phase, seconds, processor, 1e-6 * memory);
    }
    fmt::print(" start-up {:.1f} s: {}\n", start_up_.total(), line);
    recorder_.echo("start-up", table + fmt::format(" {:<24}{:10.2f}\n", "together", start_up_.total()));
  }

  void tell_of_contact_limit() const {
    if (!comm_.root() || solver_.contact_step() >= solver_.dt()) return;
    fmt::print(
        " contact: the stiffest springs the deck asks for are stable up to a step of {:.3e}; those beyond "
        "the\n"
        " run's step are softened to stay stable\n",
        solver_.contact_step());
  }

  /// What mass scaling has added to which parts. Collective.
  void tell_of_added_mass(const std::string& title) {
    if (!solver_.mass_scaling().active()) return;
    const std::vector<double> added = solver_.added_masses();
    if (!comm_.root()) return;
    const double total = std::accumulate(added.begin(), added.end(), 0.0);
    const std::string asked = control_.dt2ms != 0.0 ? fmt::format(" (DT2MS {:.3e})", control_.dt2ms) : "";
    const std::string sum =
        fmt::format(" mass scaling{}: {:.5g} added to {:.5g}, {:.3f} %\n", asked, total, solver_.mass(),
                    solver_.mass() > 0 ? 100.0 * total / solver_.mass() : 0.0);
    fmt::print("{}", sum);
    std::string table = sum + fmt::format("{:>10}{:>15}\n", "part", "added mass");
    for (std::size_t p = 0; p < added.size(); ++p)
      if (added[p] != 0.0) table += fmt::format("{:10d}{:15.5e}\n", solver_.model().parts[p].id, added[p]);
    recorder_.echo(title, table);
  }

  /// Welds that broke, with the forces in them. Collective.
  void tell_of_broken_welds() {
    const auto broken = solver_.broken_welds();
    if (!comm_.root() || broken.empty()) return;
    fmt::print(" {} weld{} broke\n", broken.size(), broken.size() == 1 ? "" : "s");
    std::string table = fmt::format("{:>15}{:>12}{:>12}{:>15}{:>15}\n", "time", "node", "node",
                                    "normal force", "shear force");
    for (const auto& b : broken)
      table +=
          fmt::format("{:15.5e}{:12d}{:12d}{:15.5e}{:15.5e}\n", b.time, b.first, b.second, b.normal, b.shear);
    recorder_.echo("broken welds", table);
  }

  /// Cycles in which contact may have begun late.
  void tell_of_late_sorts() {
    const std::int64_t late = solver_.contact().timing().late;
    if (!comm_.root() || late == 0) return;
    const std::string text = fmt::format(
        " before {} cycle{} nodes went farther than their speed had let expect: what they met there may have "
        "been found one cycle late\n",
        late, late == 1 ? "" : "s");
    fmt::print("{}", text);
    recorder_.echo("contact", text);
  }

  /// Deleted elements: how many on the screen, which and when into d3hsp. Collective.
  void tell_of_deleted_elements() {
    const auto deleted = solver_.deleted_elements();
    if (!comm_.root() || deleted.empty()) return;
    fmt::print(" {} element{} deleted\n", deleted.size(), deleted.size() == 1 ? " was" : "s were");
    std::string table = fmt::format("{:>15}{:>20}{:>12}{:>12}\n", "time", "kind", "element", "part");
    for (const auto& [time, name] : deleted)
      table +=
          fmt::format("{:15.5e}{:>20}{:12d}{:12d}\n", time, model::kind_name(name.kind), name.id, name.part);
    recorder_.echo("deleted elements", table);
  }

  /// The elements that hold the step, and their parts, into d3hsp. Collective.
  /// @param if_others only if they are others than when they were listed last
  void echo_smallest_steps(bool if_others = false) {
    if (control_.end_time > 0.0) next_listing_ = solver_.time() + kTimeBetweenListings * control_.end_time;
    const auto rows = solver_.smallest_steps(kStepsListed);
    if (!comm_.root()) return;
    std::vector<GlobalId> elements;
    for (const auto& [step, name] : rows) elements.push_back(name.id);
    std::sort(elements.begin(), elements.end());
    if (if_others && elements == listed_) return;
    listed_ = std::move(elements);
    std::string table = fmt::format("{:>15}{:>20}{:>12}{:>12}\n", "step", "kind", "element", "part");
    for (const auto& [step, name] : rows)
      table +=
          fmt::format("{:15.5e}{:>20}{:12d}{:12d}\n", step, model::kind_name(name.kind), name.id, name.part);
    recorder_.echo(fmt::format("smallest steps at time {:.6e}, cycle {}", solver_.time(), solver_.cycle()),
                   table);
  }

  double ns_per_zone_cycle() const {
    const double zone_cycles =
        static_cast<double>(solver_.elements_everywhere()) * std::max<double>(1, solver_.cycle());
    return 1e9 * seconds_since(start_) / zone_cycles;
  }

  /// Sense switches and signals, looked at by rank 0 every so many cycles. Collective then.
  Switch requested() {
    if (solver_.cycle() % kCyclesBetweenLooks != 0) return Switch::none;
    std::int64_t request = 0;
    if (comm_.root()) request = static_cast<std::int64_t>(read_switch(options_.directory));
    if (terminate_requested) request = static_cast<std::int64_t>(Switch::stop);
    if (comm_.root() && request == 0 && options_.progress > 0.0 &&
        seconds_since(last_shown_) > options_.progress)
      request = kShow;
    request = comm_.max(request);
    show_ = request == kShow || solver_.cycle() == 0;
    return request == kShow ? Switch::none : static_cast<Switch>(request);
  }

  bool screen_due() {
    const bool due = show_;
    show_ = false;
    return due;
  }

  std::string size() const {
    return fmt::format("{} elements, mass {:.6g}, {} rank{} x {} thread{}, {} precision, {}",
                       solver_.elements_everywhere(), solver_.mass(), comm_.size(),
                       comm_.size() == 1 ? "" : "s", options_.threads, options_.threads == 1 ? "" : "s",
                       options_.single_precision ? "single" : "double", elements::isa_name(isa_));
  }

  std::string speed() const {
    return fmt::format("{} cycles in {:.1f} s, {:.1f} ns per zone and cycle", solver_.cycle(),
                       seconds_since(start_), ns_per_zone_cycle());
  }

  void print_header() const {
    const auto& m = solver_.model();
    fmt::print("\n {} \n", m.control.title.empty() ? "(no title)" : m.control.title);
    fmt::print(" {}\n\n", size());
    fmt::print("{:>9} {:>12} {:>11} {:>12} {:>12} {:>12} {:>7} {:>9} {:>9}\n", "cycle", "time", "dt",
               "kinetic", "internal", "total", "ratio", "ns/zone", "ETA");
    std::fflush(stdout);
  }

  /// Collective.
  void print_progress() {
    const explicit_dynamics::Balance b = solver_.balance();
    last_shown_ = Clock::now();
    if (!comm_.root()) return;
    const double elapsed = seconds_since(start_), done = solver_.moment().time / control_.end_time;
    const std::string eta = done > 0 ? clock_text(std::max(0.0, elapsed * (1.0 / done - 1.0))) : "-";
    const double ratio = std::round(1e4 * b.ratio()) / 1e4;  // as printed; + 0.0: no negative zeros
    fmt::print("{:9d} {:12.5e} {:11.4e} {:12.5e} {:12.5e} {:12.5e} {:7.4f} {:9.1f} {:>9}\n",
               solver_.moment().cycle, solver_.moment().time, solver_.moment().dt, b.parts.kinetic,
               b.parts.internal + 0.0, b.total + 0.0, ratio + 0.0, ns_per_zone_cycle(), eta);
    std::fflush(stdout);
  }

  /// Keeps what was computed: a last plot state and rows at the time of failure. Collective.
  int fail(const explicit_dynamics::RunFailure& failure) {
    solver_.keep_now();
    recorder_.record_all(solver_);
    tell_of_deleted_elements();
    tell_of_late_sorts();
    recorder_.end(false, fmt::format(" {}\n {}", speed(), failure.what()));
    recorder_.close();
    tell_of_load();
    if (comm_.root()) {
      fmt::print("\n{}\n", failure.what());
      fmt::print(
          "the state at that time is the last of the plot files\n E r r o r   t e r m i n a t i o n\n");
    }
    return static_cast<int>(failure.status());
  }

  /// Collective.
  void finish() {
    tell_of_added_mass("added mass at the end");
    tell_of_broken_welds();
    tell_of_deleted_elements();
    tell_of_late_sorts();
    echo_smallest_steps();
    const std::uint64_t hash = solver_.hash();
    const std::string held = memory();
    recorder_.end(true, fmt::format(" {}\n {}\n state hash: {:016x}", speed(), held, hash));
    recorder_.close();
    if (options_.write_displacements) {
      const output::RecorderOptions where = recorder_options(options_);
      write_displacements(where.directory + "/" + where.prefix + "displacements", solver_.nodal(), comm_);
    }
    tell_of_load();
    if (!comm_.root()) return;
    fmt::print("\n {}\n {}\n", speed(), held);
    fmt::print("state hash: {:016x}\n", hash);
    fmt::print(" N o r m a l   t e r m i n a t i o n\n");
  }

  /// Seconds of each phase on each rank, on the screen and in the file load_profile. Collective.
  void tell_of_load() {
    const std::string table = load_profile(comm_, solver_.timers());
    if (!comm_.root()) return;
    const output::RecorderOptions where = recorder_options(options_);
    output::File(where.directory + "/" + where.prefix + "load_profile").append(table);
    fmt::print("\n{}", table);
  }

  /// The most memory that each rank has held. Collective.
  std::string memory() const {
    const double mine = peak_memory();
    const std::vector<double> all = comm_.gather<double>(std::span(&mine, 1));
    std::string text = "peak memory:";
    for (std::size_t r = 0; r < all.size(); ++r)
      if (r == 0 || all.size() <= kRanksListed)
        text += fmt::format("{} {:.1f} MB on rank {}", r == 0 ? "" : ",", 1e-6 * all[r], r);
    if (all.size() > kRanksListed)
      text +=
          fmt::format(", up to {:.1f} MB on others", 1e-6 * *std::max_element(all.begin() + 1, all.end()));
    return text;
  }

  static constexpr std::size_t kStepsListed = 10, kRanksListed = 8;
  static constexpr double kTimeBetweenListings = 0.1;  ///< of the end time
  static constexpr std::int64_t kCyclesBetweenLooks = 50;
  static constexpr std::int64_t kShow = 100;

  const Options& options_;
  const parallel::Communicator& comm_;
  const model::Control& control_;
  bool& relaxing_;
  elements::Isa isa_;
  explicit_dynamics::Solver<T> solver_;
  output::Recorder<T> recorder_;
  EnergyWatch energy_watch_{control_};
  StartUp start_up_;
  Clock::time_point start_ = Clock::now(), last_shown_ = Clock::now();
  double next_listing_ = std::numeric_limits<double>::infinity();  ///< of what holds the step
  std::vector<GlobalId> listed_;                                   ///< elements, ascending; on rank 0
  bool show_ = true;
};

/// The pfile's where it says something, else the deck's.
decomposition::Directions directions_of(const Options& options, const Input& input) {
  if (options.pfile.empty()) return input.directions;
  decomposition::Directions directions = decomposition::read_pfile(options.pfile);
  for (const std::string& word : directions.ignored)
    fmt::print("warning CR-P022: {} of the pfile does nothing here\n", word);
  return decomposition::combine(std::move(directions), input.directions);
}

/// What rank 0 knows before the model is shared out.
struct Plan {
  std::optional<Input> input;
  decomposition::Directions directions;
  bool show = false;  ///< nothing but the decomposition is wanted
};

/// Compares what the command line or else *KEYWORD allows with what the run will need.
void check_memory(const Options& options, const Input& input, int ranks) {
  MemoryLimit limit = options.memory;
  const auto from_deck = [&](std::optional<double>& words, const char* name) {
    const std::string text = input.deck.keyword_option(name);
    if (text.empty()) return;
    const std::optional<double> given = memory_words(text);
    if (!given)
      throw Error("CR-K001",
                  fmt::format("{}={} of *KEYWORD is no number of words, such as 200m", name, text));
    if (!words) words = given;
  };
  from_deck(limit.memory, "MEMORY");
  from_deck(limit.memory2, "MEMORY2");
  if (!limit.memory && !limit.memory2) return;
  check_memory(memory_need(input.model, input.deck_size, ranks, options.single_precision), limit);
}

void read(const Options& options, int ranks, Plan& plan) {
  plan.input = read_input(options);
  if (print_problems(plan.input->deck) > 0)
    throw Error("CR-K002", "the deck has errors (above); nothing was computed");
  check_memory(options, *plan.input, ranks);
  plan.directions = directions_of(options, *plan.input);
  const int wanted = options.decompose_ranks > 0 ? options.decompose_ranks : plan.directions.ranks;
  plan.show = options.command == Command::decompose || plan.directions.show;
  if (plan.show) return decompose(*plan.input, options, plan.directions, wanted > 0 ? wanted : ranks);
  if (wanted > 0 && wanted != ranks)
    throw Error("CR-P013",
                fmt::format("the pfile or deck is for numproc {}, and this run has {} ranks", wanted, ranks));
}

/// Reads and checks the deck on rank 0; what stops the run there is printed. Collective.
Exit read_on_root(const Options& options, const parallel::Communicator& comm, Plan& plan) {
  Exit status = Exit::clean;
  if (comm.root()) {
    try {
      read(options, comm.size(), plan);
    } catch (const Error& error) {
      fmt::print(stderr, "{}\n", error.what());
      status = error.status();
    }
  }
  return static_cast<Exit>(comm.max(static_cast<std::int64_t>(status)));
}

}  // namespace

int run(const Options& options, const parallel::Communicator& comm) {
  if (options.command == Command::help) {
    if (comm.root()) fmt::print("{}", options.help);
    return 0;
  }
  if (options.command == Command::check) return comm.root() ? check(options) : 0;
  if (options.command == Command::keywords) return comm.root() ? print_keywords() : 0;
  give_large_arrays_back(true);
  std::signal(SIGTERM, on_terminate);
  omp_set_num_threads(options.threads);

  Plan plan;
  if (const Exit status = read_on_root(options, comm, plan); status != Exit::clean)
    return static_cast<int>(status);
  if (comm.any(plan.show)) return static_cast<int>(Exit::clean);
  StartUp start_up;
  Echo echo;
  output::Catalogue catalogue;
  model::Model whole;
  if (plan.input) {  // the deck goes here, and the whole model once it is shared out: both are large
    start_up = plan.input->start_up;
    echo = echo_of(*plan.input);
    whole = std::move(plan.input->model);
    catalogue = output::make_catalogue(whole, plan.input->history_names);
    plan.input.reset();
  }
  decomposition::Share share =
      decomposition::distribute(comm, comm.root() ? &whole : nullptr, options.method, plan.directions);
  whole = {};
  start_up.done("decompose");
  if (comm.size() > 1) {
    const std::string table = decomposition::balance_table(comm, share);
    if (comm.root()) fmt::print("{}", table);
  }
  const auto go = [&](auto&& job) {
    job.echo(echo);
    return job();
  };
  return options.single_precision ? go(Run<float>(options, comm, share, std::move(catalogue), start_up))
                                  : go(Run<double>(options, comm, share, std::move(catalogue), start_up));
}

}  // namespace crumple::control
