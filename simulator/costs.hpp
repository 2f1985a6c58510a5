// CPU time of messages, the message rate of network cards, jitter, the noise of computing and the system's.
#pragma once

#include <deque>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "experiment.hpp"
#include "platform.hpp"

namespace crumple::simulator {

class Costs {
 public:
  Costs(const Experiment& experiment, const Platform& platform);

  // Have SMPI ask for the costs of sends and receives; once, after the platform is there.
  void install();

  // Factor on a block of compute of a process.
  double compute_factor(std::size_t process);

  // Seconds that the operating system takes of a process that computes so long.
  double detours(std::size_t process, double seconds);

  // Seconds that a process spent on sending and receiving.
  const std::vector<double>& overheads() const { return overheads_; }

 private:
  using Socket = const simgrid::s4u::Host*;
  double cost(std::size_t size, Socket from, Socket to, bool send);
  double leave_card(Socket from, Socket to, double overhead);
  double pass_card(Socket from, Socket to);
  double uniform(std::size_t process);

  const Experiment& experiment_;
  const Platform& platform_;
  std::vector<std::mt19937_64> random_;   // by process: the same whatever order they run in
  std::vector<double> sends_, receives_;  // by node: when its card is free again
  std::map<std::pair<Socket, Socket>, std::deque<double>> on_the_way_;  // when the card takes each message in
  std::vector<double> overheads_;
  std::vector<char> sent_;  // by process: whether what it did last between nodes was to send
};

// Index of the process that runs: they are the first actors.
std::size_t this_process();

}  // namespace crumple::simulator
