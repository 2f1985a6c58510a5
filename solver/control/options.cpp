// The command line: LS-DYNA's word=value form and long options, in any order.
#include "control/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <vector>

#include "base/error.hpp"
#include "control/time_limit.hpp"
#include "model/units.hpp"

namespace crumple::control {

namespace {

double words_of(const std::string& word, const std::string& value) {
  const std::optional<double> words = memory_words(value);
  if (!words)
    throw Error("CR-K001", "'" + word + "=" + value + "' is no number of words, such as 200m or 209715200");
  return *words;
}

/// Numbers of cases: "101,103".
std::vector<std::int64_t> case_numbers(const std::string& value) {
  std::vector<std::int64_t> numbers;
  for (std::size_t from = 0; from <= value.size();) {
    const std::size_t end = std::min(value.find(',', from), value.size());
    numbers.push_back(std::stoll(value.substr(from, end - from)));
    from = end + 1;
  }
  return numbers;
}

/// Cores of each rank: "0,1/2,3" for two ranks of two threads.
std::vector<std::vector<int>> cores_of(const std::string& text) {
  std::vector<std::vector<int>> cores(1);
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    const auto [next, error] = std::from_chars(at, end, cores.back().emplace_back());
    if (error != std::errc() || cores.back().back() < 0) break;
    if (next == end) return cores;
    if (*next == '/')
      cores.emplace_back();
    else if (*next != ',')
      break;
    at = next + 1;
  }
  throw Error("CR-K001", "--cores " + text + " is no list of cores for each rank, such as 0,1/2,3");
}

/// What is left of a duration when some seconds of it have passed: at least one.
double walltime_of(const std::string& text, double passed) {
  constexpr double kLeast = 1.0;
  if (const std::optional<double> seconds = duration_of(text))
    return passed > 0.0 ? std::max(kLeast, *seconds - passed) : *seconds;
  throw Error("CR-K001", "--walltime " + text + " is no duration, such as 8h, 90m, 7:30:00 or 1-12:00:00");
}

output::LiveOptions live_of(const std::string& text, double between) {
  std::optional<output::LiveOptions> live = output::live_options_of(text);
  if (!live) throw Error("CR-K001", "--listen " + text + " is no port, such as 0, 8267 or 0.0.0.0:8267");
  live->between = between;
  return *live;
}

}  // namespace

bool take_word(const std::string& word, const std::string& value, Options& options) {
  if (word == "i")
    options.deck = value;
  else if (word == "p")
    options.pfile = value;
  else if (word == "r")
    options.restart = value;
  else if (word == "jobid")
    options.job_id = value;
  else if (word == "case")
    options.cases = case_numbers(value);
  else if (word == "endtime")
    options.end_time = std::stod(value);
  else if (word == "ncycle")
    options.end_cycle = std::stol(value);
  else if (word == "ncpu")
    options.threads = std::abs(std::stoi(value));
  else if (word == "memory" || word == "memory2")
    (word == "memory" ? options.memory.memory : options.memory.memory2) = words_of(word, value);
  else
    return false;
  return true;
}

Options read_options(int argc, char** argv) {
  Options options;
  if (const char* threads = std::getenv("OMP_NUM_THREADS")) options.threads = std::max(1, std::atoi(threads));

  std::vector<std::string> rest;
  for (int k = argc - 1; k > 0; --k) {
    const std::string argument = argv[k];
    const auto equals = argument.find('=');
    if (argument == "case" || argument == "CASE") continue;  // of LS-DYNA: all cases, as without it
    if (argument.starts_with("-") || equals == std::string::npos) {
      rest.push_back(argument);
      continue;
    }
    std::string word = argument.substr(0, equals);
    std::transform(word.begin(), word.end(), word.begin(), ::tolower);
    try {
      if (!take_word(word, argument.substr(equals + 1), options))
        throw Error("CR-K001", "unknown argument '" + argument + "'");
    } catch (const std::logic_error&) {
      throw Error("CR-K001", "'" + argument + "' needs a number");
    }
  }

  CLI::App app("Crumple: explicit crash solver for LS-DYNA keyword decks");
  bool check = false, keywords = false, version = false;
  std::string cores, walltime, listen;
  double listen_interval = output::LiveOptions{}.between;
  double walltime_passed = 0.0;
  std::string method = "rcb", precision = "double", dump_layout = "files";
  app.add_option("deck", options.deck, "keyword deck (or i=deck.k)");
  app.add_flag("--check", check, "read the deck, report its contents, and stop");
  app.add_option("--decompose", options.decompose_ranks,
                 "decompose the deck for this number of ranks, report the balance, plot it, and stop")
      ->check(CLI::PositiveNumber);
  app.add_option(
         "--displacements", options.displacements,
         "with --decompose: displacements of nodes at a later time, to report contacts at that time, too; "
         "may be repeated")
      ->allow_extra_args(false);
  app.add_option("--pfile,-p", options.pfile, "how to decompose (or p=pfile)");
  app.add_option(
      "--restart", options.restart,
      "go on from this dump (or r=d3dump01); auto: from the last whole one in the folder of the results");
  app.add_option("--dump-cycles", options.dump_cycles,
                 "cycles between dumps to runrsf, whatever the deck has for *DATABASE_BINARY_RUNRSF; 0: none")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--dump-layout", dump_layout, "dumps: a file for each rank, or one that all share")
      ->check(CLI::IsMember({"files", "shared"}));
  app.add_option("--error-dump", options.error_dump,
                 "cycles between copies of the state in memory, from which an error that ends the run leaves "
                 "a dump; 0: none; without this option, by the time that they take")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--expect-dumps", options.expect_dumps,
               "warn if neither the deck nor --dump-cycles asks for dumps");
  app.add_flag("--version", version, "print the version and revision, and stop");
  app.add_flag("--keywords", keywords, "print the keyword matrix as Markdown and stop");
  app.add_option("--ranks", options.check_ranks, "with --check: number of ranks for the memory estimate")
      ->check(CLI::PositiveNumber);
  app.add_option("--json", options.json, "with --check: JSON file for the memory estimate");
  app.add_flag("--strict", options.strict, "with --check: warnings make exit status 1");
  app.add_flag("--allow-unsupported", options.allow_unsupported,
               "physics that is not supported becomes a warning");
  app.add_flag("--vtkhdf", options.vtkhdf, "write results.vtkhdf too");
  app.add_option("--vtkhdf-compression", options.vtkhdf_compression,
                 "write results.vtkhdf too, compressed: 1 (fast) to 9 (small)")
      ->check(CLI::Range(1, 9));
  app.add_flag("--write-displacements", options.write_displacements,
               "at the end write the displacements of nodes to the file displacements");
  app.add_option("--units", options.units, "units of the deck, to be printed with results: t-mm-s, ...");
  app.add_flag("--double-files", options.double_files, "8-byte words in d3plot and binout");
  app.add_flag(
      "--overwrite", options.overwrite,
      "replace the results of an earlier run; without it they are moved to previous-1, previous-2, ...");
  app.add_option("--progress", options.progress,
                 "seconds between lines of progress; 0: at start and end only, independent of the clock")
      ->check(CLI::NonNegativeNumber);
  app.add_option(
      "--walltime", walltime,
      "end with a dump before this time has passed: 8h, 90m, 7:30:00, 1-12:00:00, or seconds; in a "
      "job of Slurm its end counts, too");
  app.add_option("--walltime-passed", walltime_passed,
                 "seconds of --walltime that earlier attempts of the run have taken")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--listen", listen,
                 "let `crumple watch` connect to the run at this port, or ADDRESS:PORT; port 0: any that is "
                 "free; without an address from this machine only");
  app.add_option("--listen-interval", listen_interval,
                 "with --listen: seconds between states besides the plot states; 0: none")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--directory,-d", options.directory, "folder of the results");
  app.add_option("--decomposition", method, "rcb or metis")->check(CLI::IsMember({"rcb", "metis"}));
  app.add_option("--costs", options.costs, "file of element costs for the decomposition, of `crumple tune`");
  app.add_option("--precision", precision, "single or double")->check(CLI::IsMember({"single", "double"}));
  app.add_option("--threads", options.threads, "OpenMP threads per rank")->check(CLI::PositiveNumber);
  app.add_option("--cores", cores, "cores for the threads of each rank, to pin them: 0,1/2,3");
  app.add_option("--isa", options.isa, "instruction set")
      ->check(CLI::IsMember({"baseline", "avx2", "avx512"}));
  try {
    app.parse(rest);
  } catch (const CLI::CallForHelp&) {
    options.command = Command::help;
    options.help = app.help();
    return options;
  } catch (const CLI::ParseError& error) {
    throw Error("CR-K001", error.what());
  }
  if (!options.units.empty()) {
    const std::optional<model::Units> units = model::find_units(options.units);
    if (!units)
      throw Error("CR-K001", "--units " + options.units +
                                 " is no system of units: mass, length and time, such as " +
                                 model::list_of_units());
    options.units = units->name;
  }
  if (options.vtkhdf_compression > 0) options.vtkhdf = true;
  if (app.count("--walltime") > 0) options.walltime = walltime_of(walltime, walltime_passed);
  if (!listen.empty()) options.live = live_of(listen, listen_interval);
  if (!cores.empty()) options.cores = cores_of(cores);
  for (const std::vector<int>& of_rank : options.cores)
    if (std::ssize(of_rank) != options.threads)
      throw Error("CR-K001", "--cores " + cores + " has not one core for each of the " +
                                 std::to_string(options.threads) + " threads of a rank");
  options.command = version                       ? Command::version
                    : check                       ? Command::check
                    : keywords                    ? Command::keywords
                    : options.decompose_ranks > 0 ? Command::decompose
                                                  : Command::run;
  options.method = method == "metis" ? decomposition::Method::metis : decomposition::Method::rcb;
  options.single_precision = precision == "single";
  options.dump_layout = dump_layout == "shared" ? restart::Layout::shared : restart::Layout::files;
  if (options.deck.empty() && options.restart.empty() && options.command != Command::keywords &&
      options.command != Command::version)
    throw Error("CR-K001", "no deck given: crumple-solver i=deck.k");
  return options;
}

}  // namespace crumple::control
