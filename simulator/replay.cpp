#include "replay.hpp"

#include <smpi/smpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <xbt/replay.hpp>

// SMPI exports these and installs no header of them
namespace simgrid::smpi::colls {
void set_allgather(const std::string& name);
void set_allgatherv(const std::string& name);
void set_allreduce(const std::string& name);
void set_alltoall(const std::string& name);
void set_alltoallv(const std::string& name);
void set_barrier(const std::string& name);
void set_bcast(const std::string& name);
void set_gather(const std::string& name);
void set_reduce(const std::string& name);
void set_reduce_scatter(const std::string& name);
void set_scatter(const std::string& name);
}  // namespace simgrid::smpi::colls

namespace crumple::simulator {

namespace {

namespace colls = simgrid::smpi::colls;
namespace actor = simgrid::s4u::this_actor;
using simgrid::s4u::Engine;

const std::vector<std::string> point_to_point_names{"send", "isend", "recv", "irecv", "wait", "waitall"};
const std::vector<std::string> file_names{"write", "flush", "read"};  // not of SimGrid
const char* const tag_of_two_levels = "1000000000";                   // above those of messages
constexpr std::size_t most_tag = 999'000'000;

struct CollectiveCall {
  Collectives::Kind kind;
  void (*choose)(const std::string&);  // the algorithm; null where SMPI has but one
};

const std::map<std::string, CollectiveCall> collective_calls{
    {"allgather", {Collectives::Kind::all_to_all, colls::set_allgather}},
    {"allgatherv", {Collectives::Kind::all_to_all, colls::set_allgatherv}},
    {"allreduce", {Collectives::Kind::all_to_all, colls::set_allreduce}},
    {"alltoall", {Collectives::Kind::all_to_all, colls::set_alltoall}},
    {"alltoallv", {Collectives::Kind::all_to_all, colls::set_alltoallv}},
    {"barrier", {Collectives::Kind::all_to_all, colls::set_barrier}},
    {"bcast", {Collectives::Kind::one_to_all, colls::set_bcast}},
    {"exscan", {Collectives::Kind::all_to_all, nullptr}},
    {"gather", {Collectives::Kind::all_to_one, colls::set_gather}},
    {"gatherv", {Collectives::Kind::all_to_one, nullptr}},
    {"reduce", {Collectives::Kind::all_to_one, colls::set_reduce}},
    {"reducescatter", {Collectives::Kind::all_to_all, colls::set_reduce_scatter}},
    {"scan", {Collectives::Kind::all_to_all, nullptr}},
    {"scatter", {Collectives::Kind::one_to_all, colls::set_scatter}},
    {"scatterv", {Collectives::Kind::one_to_all, nullptr}},
};

// Root of a collective, as SMPI's replay reads it; 0 where it is not said.
int root_of(const std::string& name, const std::vector<std::string>& action, std::size_t ranks) {
  static const std::map<std::string, std::size_t> places{
      {"bcast", 3}, {"reduce", 4}, {"gather", 4}, {"scatter", 4}};
  std::size_t place = 0;
  if (const auto found = places.find(name); found != places.end()) place = found->second;
  if (name == "gatherv" || name == "scatterv") place = 3 + ranks;
  return place && place < action.size() ? std::stoi(action[place]) : 0;
}

// A word of an action as a number, not negative and not beyond what SMPI counts with.
double number(const std::vector<std::string>& action, std::size_t place) {
  if (place >= action.size()) throw std::invalid_argument("it is cut off");
  char* end = nullptr;
  const double value = std::strtod(action[place].c_str(), &end);
  if (end == action[place].c_str() || *end || !(value >= 0) || value > 1e18)
    throw std::invalid_argument("'" + action[place] + "' is not a number that can be here");
  return value;
}

// That a rank gives to a collective; 0 for a barrier.
double bytes_of(const std::string& name, const std::vector<std::string>& action) {
  const double count = action.size() > 2 ? std::stod(action[2]) : 0;
  return name == "allreduce" && action.size() > 4 && action[4] != "6" ? 8 * count : count;  // of doubles
}

std::size_t processes_of(const Experiment& experiment) {
  std::size_t sum = 0;
  for (const Job& job : experiment.jobs) sum += job.files.size();
  return sum;
}

double seconds_of_host() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Replay::Replay(const Experiment& experiment, const Platform& platform, Costs& costs)
    : experiment_(experiment),
      platform_(platform),
      costs_(costs),
      turns_(experiment),
      files_(experiment, processes_of(experiment)),
      partners_(0) {
  operations_ = {"compute"};
  operations_.insert(operations_.end(), point_to_point_names.begin(), point_to_point_names.end());
  for (const auto& entry : collective_calls) operations_.push_back(entry.first);
  operations_.insert(operations_.end(), file_names.begin(), file_names.end());
  for (std::size_t job = 0; job < experiment.jobs.size(); ++job) {
    const int first = static_cast<int>(job_of_.size()), ranks = experiment.jobs[job].files.size();
    first_of_job_.push_back(first);
    job_of_.resize(job_of_.size() + ranks, static_cast<int>(job));
    collectives_.emplace_back(ranks,
                              [this, first](int rank, int what, double from, double waited, double to) {
                                note(first + rank, what, from, waited, to);
                              });
    two_levels_.emplace_back(experiment.jobs[job], experiment.hosts);
  }
  partners_ = Partners(job_of_.size());
  spent_.assign(job_of_.size(), std::vector<Spent>(operations_.size()));
  ended_.assign(job_of_.size(), 0);
  if (!experiment.timeline.empty()) timeline_ = std::fopen(experiment.timeline.c_str(), "w");
}

Replay::~Replay() {
  if (timeline_) std::fclose(timeline_);
}

void Replay::run() {
  const int processes = static_cast<int>(job_of_.size());
  const auto start = simgrid::s4u::Barrier::create(processes);
  for (std::size_t job = 0; job < experiment_.jobs.size(); ++job) {
    const Job& j = experiment_.jobs[job];
    SMPI_app_instance_register(("job" + std::to_string(job)).c_str(), nullptr, j.files.size());
    for (std::size_t rank = 0; rank < j.files.size(); ++rank)
      simgrid::s4u::Actor::create("rank", platform_.host(j.places[rank]),
                                  [this, job, rank, start] { rank_main(job, rank, start); });
  }
  Engine::get_instance()->run();
  if (done_ < processes)
    throw std::runtime_error("deadlock: " + std::to_string(processes - done_) + " of " +
                             std::to_string(processes) + " ranks do not come to their end");
}

void Replay::rank_main(int job, int rank, const simgrid::s4u::BarrierPtr& start) {
  smpi_replay_init(("job" + std::to_string(job)).c_str(), rank, 0);
  start->wait();  // each initialization sets SimGrid's own handlers again
  if (!taken_over_) take_over();
  const double later = experiment_.jobs[job].start;
  if (later > 0) actor::sleep_for(later);
  smpi_replay_main(rank, experiment_.jobs[job].files[rank].c_str());
  ++done_;
  start->wait();  // SMPI asks for the host of a message's sender, which must not be gone
}

// Put our handlers around SimGrid's.
void Replay::take_over() {
  taken_over_ = true;
  for (std::size_t k = 0; k < operations_.size(); ++k) {
    const bool of_file = std::ranges::find(file_names, operations_[k]) != file_names.end();
    handlers_.push_back(of_file ? [](Action&) {} : xbt_replay_action_get(operations_[k].c_str()));
    xbt_replay_action_register(operations_[k].c_str(), [this, k](Action& action) { handle(k, action); });
  }
  const auto finalize = xbt_replay_action_get("finalize");
  xbt_replay_action_register("finalize", [this, finalize](Action& action) {
    turns_.give(this_process(), false);
    finalize(action);
  });
}

void Replay::handle(std::size_t operation, Action& action) {
  if ((++lines_ & 1023) == 0) progress();
  try {
    run_action(operation, action);
  } catch (const std::exception& error) {  // within an actor SimGrid would print a backtrace and abort
    complain(action, error.what());
  }
}

void Replay::run_action(std::size_t operation, Action& action) {
  const std::size_t process = this_process();
  const std::string& name = operations_[operation];
  const double from = Engine::get_clock();
  if (operation == 0) {
    compute(process, action);
  } else if (operation <= point_to_point_names.size()) {
    const double came = point_to_point(process, name, action, handlers_[operation]);
    const double to = Engine::get_clock();
    note(process, operation, from, std::clamp(came - from, 0.0, to - from), to);
  } else if (std::ranges::find(file_names, name) != file_names.end()) {
    file(process, name, action);
    note(process, operation, from, 0, Engine::get_clock());
  } else {
    collective(process, operation, action);
  }
  ended_[process] = Engine::get_clock() - experiment_.jobs[job_of_[process]].start;
}

// An action that cannot be done ends the simulation.
void Replay::complain(const Action& action, const std::string& what) const {
  const std::size_t process = this_process();
  const int job = job_of_[process], rank = static_cast<int>(process) - first_of_job_[job];
  std::string line;
  for (const auto& word : action) line += (line.empty() ? "" : " ") + word;
  std::fprintf(stderr, "error: %s: '%s': %s\n", experiment_.jobs[job].files[rank].c_str(), line.c_str(),
               what.c_str());
  std::_Exit(1);
}

void Replay::compute(std::size_t process, Action& action) {
  double work = number(action, 2) * costs_.compute_factor(process);
  if (work <= 0) return;
  const double from = Engine::get_clock(), speed = actor::get_host()->get_speed();
  work += speed * costs_.detours(process, work / speed);
  turns_.execute(process, work);
  const double to = Engine::get_clock(), alone = work / speed;
  note(process, 0, from, std::max(0.0, to - from - alone), to);
}

// Write or read a block, or wait until all blocks are written.
void Replay::file(std::size_t process, const std::string& name, const Action& action) {
  const int node = platform_.node_of(actor::get_host());
  const double now = Engine::get_clock();
  const double bytes = name == "flush" ? 0 : number(action, 2);
  const double until = name == "write"  ? files_.write(process, node, bytes, now)
                       : name == "read" ? files_.read(process, node, bytes, now)
                                        : files_.flush(process, now);
  if (until <= now) return;
  turns_.give(process, false);
  actor::sleep_until(until);
}

// SMPI looks for short messages and for long ones in two places, and so a receive may get a later message of
// its tag. With a tag of its own each message goes where MPI's order says.
std::string Replay::tag_of(const Partners::Request& request) {
  constexpr std::size_t on_the_way = 1 << 12;  // messages of one tag between two ranks at a time
  const std::size_t tag = tags_.try_emplace(std::get<2>(request.key), tags_.size()).first->second;
  if (tag * on_the_way >= most_tag) throw std::invalid_argument("the trace has too many tags");
  return std::to_string(tag * on_the_way + request.number % on_the_way);
}

// A rank of the job in an action.
int Replay::rank_in(std::size_t process, const Action& action, std::size_t place) const {
  const double rank = number(action, place);
  if (rank != static_cast<int>(rank) ||
      rank >= static_cast<double>(experiment_.jobs[job_of_[process]].files.size()))
    throw std::invalid_argument("there is no rank " + action[place]);
  return static_cast<int>(rank);
}

// Do an action; when the last partner came that it had to wait for, -1 for none.
double Replay::point_to_point(std::size_t process, const std::string& name, Action& action,
                              const std::function<void(Action&)>& run) {
  const int first = first_of_job_[job_of_[process]];
  if (name == "waitall") {
    if (!partners_.all_came(process)) turns_.give(process, false);
    run(action);
    double last = -1;
    for (const auto& request : partners_.take_all(process))
      last = std::max(last, partners_.partner_came(request));
    return last;
  }
  if (name == "wait") {  // its ranks are numbers of processes to SimGrid
    const int source = first + rank_in(process, action, 2), target = first + rank_in(process, action, 3);
    Partners::Request request;
    const bool ours = partners_.take(process, {source, target, std::stol(action.at(4))}, request);
    if (!ours) throw std::invalid_argument("no message like it is open");
    action[2] = std::to_string(source);
    action[3] = std::to_string(target);
    action[4] = tag_of(request);
    if (!partners_.came(request)) turns_.give(process, false);
    run(action);
    return partners_.partner_came(request);
  }
  const bool receives = name.ends_with("recv");
  const int other = first + rank_in(process, action, 2), self = static_cast<int>(process);
  const long size = static_cast<long>(number(action, 4)) * (action.size() > 5 && action[5] != "6" ? 8 : 1);
  const Partners::Key key{receives ? other : self, receives ? self : other, std::stol(action.at(3))};
  const auto request =
      partners_.post(key, receives, !receives && size < experiment_.eager_limit, Engine::get_clock());
  action[3] = tag_of(request);
  if (name.front() != 'i' && !partners_.came(request)) turns_.give(process, false);
  run(action);
  if (name.front() == 'i') {
    partners_.keep(process, request);
    return -1;
  }
  return partners_.partner_came(request);
}

void Replay::collective(std::size_t process, std::size_t operation, Action& action) {
  const int job = job_of_[process], rank = static_cast<int>(process) - first_of_job_[job];
  const std::string& name = operations_[operation];
  const auto& call = collective_calls.at(name);
  const bool two_levels = choose_algorithm(experiment_.jobs[job], name, action);
  const std::size_t ranks = experiment_.jobs[job].files.size();
  for (std::size_t place = 2; place < action.size(); ++place) number(action, place);
  const int root = root_of(name, action, ranks);
  if (root < 0 || root >= static_cast<int>(ranks))
    throw std::invalid_argument("there is no rank to be its root");
  const auto number =
      collectives_[job].enter(rank, static_cast<int>(operation), call.kind, root, Engine::get_clock());
  if (ranks > 1) turns_.give(process, true);
  // a rank alone has nothing to say; SMPI's reader of allgatherv refuses it
  if (ranks > 1) two_levels ? in_two_levels(job, rank, name, root, action) : handlers_[operation](action);
  collectives_[job].leave(rank, number, Engine::get_clock());
}

// SMPI has one algorithm an operation for all; it is read at the call, before anything else runs. True: the
// collective is one of two levels, which SMPI has not.
bool Replay::choose_algorithm(const Job& job, const std::string& name, const Action& action) const {
  const auto found = job.collectives.find(name);
  const auto choose = collective_calls.at(name).choose;
  if (found == job.collectives.end() || !choose) return false;
  const double bytes = bytes_of(name, action);
  const auto& choices = found->second;
  const auto fits =
      std::ranges::find_if(choices, [bytes](const auto& choice) { return bytes <= choice.first; });
  const auto& chosen = fits == choices.end() ? choices.back().second : fits->second;
  if (chosen == two_levels_name) {
    if (!TwoLevels::has(name)) throw std::invalid_argument("there is no algorithm " + chosen + " for it");
    return true;
  }
  choose(chosen);
  return false;
}

// By SMPI's own messages, for which it waits as for those of its collectives.
void Replay::in_two_levels(int job, int rank, const std::string& name, int root, const Action& action) {
  const auto run = [this, rank](const std::string& operation, const std::vector<std::string>& words) {
    Action one{std::to_string(rank), operation};
    one.insert(one.end(), words.begin(), words.end());
    handlers_[std::ranges::find(operations_, operation) - operations_.begin()](one);
  };
  const auto message = [run](const std::string& operation) {
    return [run, operation](int other, long bytes) {
      run(operation, {std::to_string(other), tag_of_two_levels, std::to_string(bytes), "6"});
    };
  };
  const auto send = message("send"), receive = message("recv"), post = message("irecv");
  const auto exchange = [this, job, rank, run, send, post](int other, long bytes) {
    const int first = first_of_job_[job];  // a wait's ranks are numbers of processes to SimGrid
    post(other, bytes);
    send(other, bytes);
    run("wait", {std::to_string(first + other), std::to_string(first + rank), tag_of_two_levels});
  };
  const TwoLevels::Messages messages{send, receive, exchange};
  const long bytes = static_cast<long>(bytes_of(name, action));
  const TwoLevels& levels = two_levels_[job];
  if (name == "bcast") return levels.broadcast(rank, bytes, root, messages);
  if (name == "reduce") return levels.reduce(rank, bytes, root, messages);
  levels.allreduce(rank, bytes, messages);
}

void Replay::note(std::size_t process, std::size_t operation, double from, double waited, double to) {
  Spent& spent = spent_[process][operation];
  ++spent.calls;
  spent.seconds += to - from;
  spent.waiting += waited;
  if (timeline_ && from < experiment_.timeline_until && to > from)
    std::fprintf(timeline_, "%zu %zu %.9f %.9f %.9f\n", process, operation, from, waited, to - from);
}

void Replay::progress() {
  const double now = seconds_of_host();
  if (now - told_ < 0.5) return;
  told_ = now;
  std::fprintf(stderr, "progress %.4f\n",
               experiment_.lines ? std::min(1.0, static_cast<double>(lines_) / experiment_.lines) : 0);
}

}  // namespace crumple::simulator
