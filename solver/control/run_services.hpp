// What all phases of a run share, whichever scheme they have: results, dumps, limits of time, requests.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "control/dumps.hpp"
#include "control/earlier_results.hpp"
#include "control/echo.hpp"
#include "control/linear_ranks.hpp"
#include "control/options.hpp"
#include "control/requests.hpp"
#include "control/restarted.hpp"
#include "control/start_up.hpp"
#include "control/time_limit.hpp"
#include "control/version.hpp"
#include "decomposition/distribution.hpp"
#include "output/recorder.hpp"
#include "parallel/communicator.hpp"
#include "phases/carried_state.hpp"
#include "phases/schedule.hpp"

namespace crumple::control {

/// What a run is started with.
struct RunInput {
  const Options& options;
  const parallel::Communicator& comm;
  decomposition::Subdomain& subdomain;
  const Version& version;
  const Restarted* restarted = nullptr;  ///< null: the run starts at its beginning
  std::chrono::steady_clock::time_point began;
  output::Catalogue catalogue;
  StartUp start_up;
  Echo echo;
  std::size_t dropped = 0;          ///< parts of the deck that are left out (--allow-unsupported)
  std::uint64_t deck_checksum = 0;  ///< on rank 0
  LinearRanks linear{};             ///< of an implicit run, whose model is on rank 0 alone
};

struct RunServices {
  /// Moves results of an earlier run out of the way: when the deck can no longer stop the run. Collective.
  explicit RunServices(RunInput& input);

  std::string kept;  ///< new folder of the results of an earlier run; on rank 0
  output::Recorder recorder;
  Dumps dumps;
  std::optional<FolderInUse> in_use;  ///< on rank 0
  TimeLimit limit;                    ///< on rank 0
  SenseSwitches switches;
};

/// The part of a run that one scheme has. A run of one scheme is one phase, from nothing.
struct PhaseOfRun {
  phases::Phase phase;
  int number = 0;
  const phases::CarriedState* from = nullptr;  ///< the state at its start; null: that of the deck
  const Restarted* restarted = nullptr;        ///< null: it starts at its beginning
  bool alone = true;                           ///< the run has no others

  /// Says in a dump which phase it is of; nothing where there is one.
  void archive(state::Archive& archive);
};

/// How a phase has ended.
struct PhaseEnd {
  int status = 0;       ///< of the run, if it ends with this phase
  bool ended = true;    ///< the run ends
  bool failed = false;  ///< an implicit step has not converged, and the run goes on by explicit cycles
  double step = 0;      ///< length of the last implicit step
  std::optional<phases::CarriedState> state;  ///< for the next phase
};

/// Made when the solver of the first phase has found no error in the model, since this moves files.
using Services = std::unique_ptr<RunServices>;
RunServices& begin_services(Services& services, RunInput& input);

}  // namespace crumple::control
