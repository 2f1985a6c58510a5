// A run of nothing but modes, and what it prints.
#include "control/eigenvalue_run.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "base/error.hpp"
#include "control/earlier_results.hpp"
#include "control/factor_memory.hpp"
#include "control/requests.hpp"
#include "control/run_setup.hpp"
#include "control/vibration_modes.hpp"
#include "implicit/solver_results.hpp"
#include "model/units.hpp"
#include "output/recorder.hpp"

namespace crumple::control {

namespace {

using Seconds = std::chrono::duration<double>;

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
    const model::Implicit& implicit = control_.implicit;
    const auto tell = [](const std::string& text) {
      fmt::print("{}", text);
      std::fflush(stdout);
    };
    const VibrationModes modes =
        write_vibration_modes(options_, solver_, implicit.eigenvalues, implicit.steps.first, plots_, tell,
                              "eigout", end_search_if_asked);
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

  int finish(const VibrationModes& found) {
    fmt::print("\n{}\n{}", found.table, found.check);
    recorder_.echo("eigenvalue analysis", found.table + found.check);
    const std::string speed =
        fmt::format("{} modes of {} equations in {:.1f} s", found.count, solver_.equations(),
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
