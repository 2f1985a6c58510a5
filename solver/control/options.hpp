// The options of the command line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "control/memory.hpp"
#include "decomposition/partition.hpp"
#include "output/live/live_options.hpp"
#include "restart/sink.hpp"

namespace crumple::control {

enum class Command { run, check, decompose, keywords, help, version };

struct Options {
  Command command = Command::run;
  std::string deck;             ///< i=
  std::string directory = ".";  ///< folder of the results
  std::string pfile;            ///< p=
  int decompose_ranks = 0;      ///< --decompose
  /// --displacements of --decompose: a file for each state of the model.
  std::vector<std::string> displacements;
  std::string job_id;               ///< jobid=; of a case, its JOBID
  std::vector<std::int64_t> cases;  ///< case=: those to run of a deck with *CASE; empty: all
  std::optional<std::vector<std::int64_t>> subcases;  ///< of the case that is read; with_case() sets it
  std::string restart;              ///< r=: the dump from which the run goes on; "auto": the last whole one
  std::optional<long> dump_cycles;  ///< --dump-cycles: of *DATABASE_BINARY_RUNRSF
  std::optional<long> error_dump;   ///< --error-dump: cycles between copies of the state; 0: none
  restart::Layout dump_layout = restart::Layout::files;
  bool expect_dumps = false;       ///< the run is to be restarted if it fails: warn if there are no dumps
  std::optional<double> end_time;  ///< endtime=
  std::optional<long> end_cycle;   ///< ncycle=
  decomposition::Method method = decomposition::Method::rcb;
  bool single_precision = false;
  bool allow_unsupported = false;
  bool strict = false;
  bool vtkhdf = false;
  int vtkhdf_compression = 0;  ///< --vtkhdf-compression; 0: none
  bool write_displacements = false;
  bool overwrite = false;     ///< overwrite results of an earlier run instead of moving them to previous-1
  bool double_files = false;  ///< 8-byte words in d3plot and binout
  double progress = 2.0;      ///< --progress: s between lines on the screen; 0: at start and end only
  std::optional<double> walltime;  ///< --walltime less --walltime-passed [s]
  int threads = 1;                 ///< ncpu= or OMP_NUM_THREADS
  std::string costs;               ///< --costs: the file of `crumple tune`; empty: built-in costs
  /// --cores: cores of each rank, for its threads; empty: threads are not pinned
  std::vector<std::vector<int>> cores;
  std::string isa;      ///< empty: the best one that all ranks have
  MemoryLimit memory;   ///< memory=, memory2=
  int check_ranks = 1;  ///< --ranks of --check: number of ranks for the memory estimate
  std::string json;     ///< --json of --check
  std::string units;    ///< --units: the name of a system, from find_units; empty: that of the deck
  std::optional<output::LiveOptions> live;  ///< --listen: for `crumple watch`
  std::string help;                         ///< the text for --help

  /// The beginning of the names of all results.
  std::string prefix() const { return job_id.empty() ? "" : job_id + "."; }
};

/// `word=value` into options; false for a word that is not one of LS-DYNA's. Throws std::logic_error where a
/// number is malformed.
bool take_word(const std::string& word, const std::string& value, Options& options);

/// Reads `i=deck.k p=pfile memory=... jobid=x` words as LS-DYNA takes them, and `--long-options`.
/// Throws Error CR-K001 for unknown words.
Options read_options(int argc, char** argv);

}  // namespace crumple::control
