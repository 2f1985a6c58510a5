// The simulated machine: sockets as hosts, links, and switches that forward by tables.
#pragma once

#include <simgrid/s4u.hpp>
#include <vector>

#include "experiment.hpp"

namespace crumple::simulator {

class Platform {
 public:
  explicit Platform(const Experiment& experiment);

  simgrid::s4u::Host* host(int index) const { return hosts_[index]; }
  int host_index(const simgrid::s4u::Host* host) const { return indices_.at(host); }
  int node_of(const simgrid::s4u::Host* host) const { return experiment_.hosts[host_index(host)].node; }

  // Links that a message takes, in order.
  std::vector<int> route(int from, int to) const;

 private:
  const Experiment& experiment_;
  std::vector<simgrid::s4u::Host*> hosts_;
  std::unordered_map<const simgrid::s4u::Host*, int> indices_;
};

}  // namespace crumple::simulator
