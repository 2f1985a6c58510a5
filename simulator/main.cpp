// Simulates one or several MPI jobs side by side on a cluster: crumple-simulator EXPERIMENT.json RESULT.json
#include <smpi/smpi.h>
#include <xbt/log.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <nlohmann/json.hpp>
#include <simgrid/s4u.hpp>

#include "costs.hpp"
#include "experiment.hpp"
#include "loads.hpp"
#include "platform.hpp"
#include "replay.hpp"

extern "C" void smpi_init_options();  // exported by SMPI, in no installed header
namespace simgrid::smpi::colls {
void set_collectives();
}

namespace crumple::simulator {

using nlohmann::json;

namespace {

Job read_job(const json& j) {
  Job job{j.at("files"), j.at("places"), {}, j.at("start")};
  for (const auto& [operation, choices] : j.at("collectives").items())
    for (const auto& choice : choices) job.collectives[operation].emplace_back(choice.at(0), choice.at(1));
  return job;
}

json results(const Experiment& experiment, const Replay& replay, const Costs& costs, const Loads& loads) {
  json said{{"operations", replay.operations()}, {"jobs", json::array()}, {"links", json::array()}};
  std::size_t process = 0;
  for (const Job& job : experiment.jobs) {
    json ranks = json::array();
    for (std::size_t rank = 0; rank < job.files.size(); ++rank, ++process) {
      json spent = json::array();
      for (std::size_t k = 0; k < replay.operations().size(); ++k) {
        const Spent& s = replay.spent(process, k);
        if (s.calls) spent.push_back({k, s.calls, s.seconds, s.waiting});
      }
      ranks.push_back({{"ended", replay.ended(process)},
                       {"overhead", costs.overheads()[process]},
                       {"spent", std::move(spent)}});
    }
    said["jobs"].push_back(std::move(ranks));
  }
  for (const Load& load : loads.loads()) said["links"].push_back({load.bytes, load.messages, load.held_up});
  return said;
}

}  // namespace

Experiment read_experiment(const std::string& path) {
  const json j = json::parse(std::ifstream(path));
  Experiment e{};
  for (const auto& l : j.at("links")) e.links.push_back({l.at(0), l.at(1), l.at(2), l.at(3)});
  for (const auto& h : j.at("hosts"))
    e.hosts.push_back(
        {h.at("name"), h.at("node"), h.at("cores"), h.at("speed"), h.at("rate_when_busy"), h.at("memory")});
  for (const auto& n : j.at("nodes")) e.nodes.push_back({n.at(0), n.at(1), n.at(2)});
  for (const auto& s : j.at("switches")) {
    e.switches.push_back({s.at("name"), {}});
    for (const auto& hop : s.at("next")) e.switches.back().next.push_back({hop.at(0), hop.at(1)});
  }
  const auto& m = j.at("messages");
  e.messages = {m.at("send_overhead"), m.at("receive_overhead"), m.at("overhead_per_byte"),
                m.at("gap"),           m.at("latency"),          m.at("jitter"),
                m.at("loss"),          m.at("retransmission"),   m.at("look")};
  e.turns = {j.at("turns").at("messages"), j.at("turns").at("collectives")};
  e.detours = {j.at("detours").at("rate"), j.at("detours").at("mean")};
  const json& files = j.at("files");
  e.files = {files.at("local"), files.at("write"), files.at("read"), files.at("adapter"),
             files.at("latency")};
  e.eager_limit = j.at("eager_limit");
  for (const auto& job : j.at("jobs")) e.jobs.push_back(read_job(job));
  e.seed = j.at("seed");
  e.compute_noise = j.at("compute_noise");
  e.lines = j.at("lines");
  e.timeline = j.at("timeline");
  e.timeline_until = j.at("timeline_until");
  return e;
}

void simulate(const std::string& input, const std::string& output, int* argc, char** argv) {
  const Experiment experiment = read_experiment(input);
  xbt_log_control_set("root.thres:warning");
  xbt_log_control_set("replay.thres:error");  // it warns of each comment of a trace
  smpi_init_options();
  simgrid::s4u::Engine engine(argc, argv);
  for (const std::string option :
       {"network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0", "surf/precision:1e-10",
        "smpi/init:0", "smpi/test:0", "smpi/iprobe:0", "smpi/wtime:0"})
    simgrid::s4u::Engine::set_config(option);
  // Measured at 192 ranks: a fifth less time with all messages looked at in each step; it grows with their
  // number
  std::size_t ranks = 0;
  for (const Job& job : experiment.jobs) ranks += job.files.size();
  if (ranks <= 512) simgrid::s4u::Engine::set_config("network/optim:Full");
  // a message below the limit goes before its receive is posted, and its sender goes on
  const std::string limit = std::to_string(experiment.eager_limit);
  simgrid::s4u::Engine::set_config("smpi/send-is-detached-thresh:" + limit);
  simgrid::s4u::Engine::set_config("smpi/async-small-thresh:" + limit);
  SMPI_init();  // before the hosts and the actors, which it adds its own to
  const Platform platform(experiment);
  Costs costs(experiment, platform);
  costs.install();
  Loads loads(experiment);
  loads.install();
  simgrid::smpi::colls::set_collectives();
  Replay replay(experiment, platform, costs);
  replay.run();
  std::ofstream(output) << results(experiment, replay, costs, loads) << "\n";
}

}  // namespace crumple::simulator

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: crumple-simulator EXPERIMENT.json RESULT.json\n");
    return 2;
  }
  try {
    crumple::simulator::simulate(argv[1], argv[2], &argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
  return 0;
}
