// Ranks that share a core take turns on it: one computes until it waits for others, then the next does.
#pragma once

#include <simgrid/s4u.hpp>
#include <utility>
#include <vector>

#include "experiment.hpp"

namespace crumple::simulator {

// Ranks that wait poll, so to the system every core is busy and none has more to do than another: ranks stay
// on their cores, though one has ranks that wait only and another has two that compute.
class Turns {
 public:
  Turns(const Experiment& experiment);

  // Wait until the core is free, and the switch to this process is done. Where no cores are shared, at once.
  void take(std::size_t process);
  // Compute for so many operations, in slices of time where others wait for the core.
  void execute(std::size_t process, double operations);
  // Before a wait: let the next have the core.
  void give(std::size_t process, bool collective);

 private:
  struct Core {
    simgrid::s4u::MutexPtr mutex = simgrid::s4u::Mutex::create();
    std::size_t last = 0;  // process that had it
    int wanted = 0;        // processes that have it or wait for it
  };
  struct Own {
    int core = -1;                                         // -1: it has one for itself
    bool has = false, waited = false, collective = false;  // collective: what it waited in last
    double worked = 0;                                     // s, since it waited last
  };

  double switching(const Own& own) const;

  const Experiment& experiment_;
  std::vector<Core> cores_;
  std::vector<Own> processes_;
};

}  // namespace crumple::simulator
