// Chooses cases, and runs each as a run of its own.
#include "control/cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <utility>
#include <vector>

#include "base/at_work.hpp"
#include "base/error.hpp"
#include "base/packing.hpp"
#include "base/timers.hpp"
#include "control/requests.hpp"
#include "control/run.hpp"
#include "deck/cases.hpp"

namespace crumple::control {

namespace {

using deck::RunCase;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// A word of *CASE, for what the command line leaves open.
void take(const RunCase& of, const std::string& word, const Options& asked, Options& options) {
  const std::size_t equals = word.find('=');
  const std::string name = lower(word.substr(0, equals)),
                    value = word.substr(std::min(equals, word.size() - 1) + 1);
  const bool given = name == "endtime"  ? asked.end_time.has_value()
                     : name == "ncycle" ? asked.end_cycle.has_value()
                     : name == "p"      ? !asked.pfile.empty()
                     : name == "memory" ? asked.memory.memory.has_value()
                                        : asked.memory.memory2.has_value();
  const bool known =
      name == "endtime" || name == "ncycle" || name == "p" || name == "memory" || name == "memory2";
  if (!known || equals == std::string::npos)
    throw Error(
        "CR-K011",
        fmt::format("'{}' of *CASE {}: memory=, memory2=, endtime=, ncycle= and p= are supported there", word,
                    of.id));
  if (given) return;
  try {
    take_word(name, value, options);
  } catch (const std::logic_error&) {
    throw Error("CR-K011", fmt::format("'{}' of *CASE {} needs a number", word, of.id));
  }
}

/// The cases of the deck that case= or jobid= names; all without these. On rank 0.
std::vector<RunCase> chosen(const Options& options) {
  std::vector<RunCase> cases = deck::cases_of(options.deck);
  for (const std::int64_t id : options.cases)
    if (std::ranges::find(cases, id, &RunCase::id) == cases.end())
      throw Error("CR-K011", fmt::format("case={}: the deck has no *CASE {}", id, id));
  if (cases.empty()) return cases;
  std::erase_if(cases, [&](const RunCase& c) {
    const bool by_id = options.cases.empty() || std::ranges::find(options.cases, c.id) != options.cases.end();
    return !by_id || (!options.job_id.empty() && options.job_id != c.job_id);
  });
  if (cases.empty())
    throw Error("CR-K011",
                fmt::format("jobid={}: results of a deck with cases have the JOBID of their *CASE, "
                            "and none of those asked for has this one",
                            options.job_id));
  if (cases.size() > 1 && !options.restart.empty())
    throw Error("CR-K011", "a restart goes on with one case: name it by case=, such as case=101");
  if (cases.size() > 1 && !options.json.empty())
    throw Error("CR-K011", "--json is for one case: name it by case=, such as case=101");
  if (cases.size() > 1 && options.command == Command::decompose)
    throw Error("CR-K011", "--decompose is for one case: name it by case=, such as case=101");
  return cases;
}

/// The same on all ranks, and whether there was an error. Collective.
std::pair<std::vector<RunCase>, Exit> agree_on_cases(const Options& options,
                                                     const parallel::Communicator& comm) {
  std::vector<RunCase> cases;
  Exit status = Exit::clean;
  if (comm.root()) {
    try {
      cases = chosen(options);
    } catch (const Error& error) {
      fmt::print(stderr, "{}\n", error.what());
      status = error.status();
    }
  }
  std::vector<std::byte> bytes = pack(cases);
  comm.broadcast(bytes);
  status = static_cast<Exit>(comm.max(static_cast<std::int64_t>(status)));
  return {Unpacker(bytes).take<std::vector<RunCase>>(), status};
}

/// What became of each case, behind the last one.
std::string summary(const std::vector<RunCase>& cases, const std::vector<int>& statuses) {
  std::string text = "\n cases\n";
  for (std::size_t k = 0; k < cases.size(); ++k)
    text += fmt::format("{:>10} {:20} {}\n", cases[k].id, cases[k].job_id,
                        k >= statuses.size() ? "not run"
                        : statuses[k] == 0   ? "ended"
                                             : fmt::format("failed, status {}", statuses[k]));
  return text;
}

/// Each case with a communicator of its own, which counts its traffic. Collective.
int one_by_one(const Options& asked, const std::vector<RunCase>& cases, const parallel::Communicator& comm,
               const Version& version) {
  std::vector<int> statuses;
  for (const RunCase& next : cases) {
    Options options = asked;
    options.job_id = next.job_id;
    if (comm.root())
      fmt::print("\n case {}: {}, {} of {}\n", next.id, next.job_id, statuses.size() + 1, cases.size());
    at_work().ended = 0;
    at_work().cycle = -1;
    statuses.push_back(run(options, parallel::Communicator(comm.mpi()), version));
    if (comm.any(signalled() == Request::stop_with_dump)) break;
  }
  if (comm.root() && cases.size() > 1) fmt::print("{}", summary(cases, statuses));
  std::fflush(stdout);
  return std::ranges::max(statuses);
}

bool reads_a_deck(const Options& options) {
  const bool command = options.command == Command::run || options.command == Command::check ||
                       options.command == Command::decompose;
  return command && !options.deck.empty() && (options.restart.empty() || options.restart == "auto");
}

}  // namespace

Options with_case(Options options) {
  const std::vector<RunCase> cases = deck::cases_of(options.deck);
  if (cases.empty()) return options;
  const auto found = std::ranges::find(cases, options.job_id, &RunCase::job_id);
  if (found == cases.end())
    throw Error("CR-K011", fmt::format("the deck {} has cases, and none has the JOBID '{}'", options.deck,
                                       options.job_id));
  const Options asked = options;
  for (const std::string& word : found->words) take(*found, word, asked, options);
  options.subcases = found->subcases;
  return options;
}

int run_cases(const Options& options, const parallel::Communicator& comm, const Version& version) {
  const bool computes = options.command == Command::run || options.command == Command::decompose;
  if (computes) listen_to_signals();
  if (computes) keep_at_work(comm.rank());
  if (computes) report_crashes(comm.rank(), kPhaseNames);
  if (!reads_a_deck(options)) return run(options, comm, version);
  const auto [cases, status] = agree_on_cases(options, comm);
  if (status != Exit::clean) return static_cast<int>(status);
  return cases.empty() ? run(options, comm, version) : one_by_one(options, cases, comm, version);
}

}  // namespace crumple::control
