#include "platform.hpp"

#include <algorithm>
#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <stdexcept>

namespace crumple::simulator {

namespace {

namespace routing = simgrid::kernel::routing;
using simgrid::s4u::Link;

// SimGrid asks a zone for the links between two hosts; this one follows the switches' tables.
class SwitchedZone : public routing::NetZoneImpl {
 public:
  SwitchedZone(const Platform& platform, const Experiment& experiment)
      : NetZoneImpl("cluster"), platform_(platform), experiment_(experiment) {
    for (const auto& [name, bandwidth, latency, shared] : experiment.links) {
      const auto policy = shared ? Link::SharingPolicy::SHARED : Link::SharingPolicy::FATPIPE;
      create_link(name, {bandwidth})->set_latency(latency)->set_sharing_policy(policy)->seal();
      links_.push_back(get_link_by_name_or_null(name));
    }
  }

 protected:
  void get_local_route(const routing::NetPoint* from, const routing::NetPoint* to, routing::Route* into,
                       double* latency) override {
    for (const int link : platform_.route(from->id(), to->id())) {
      into->link_list_.push_back(links_[link]);
      if (latency) *latency += experiment_.links[link].latency;
    }
  }

 private:
  const Platform& platform_;
  const Experiment& experiment_;
  std::vector<simgrid::kernel::resource::StandardLinkImpl*> links_;
};

// Rate of each of n busy cores, as a fraction of one alone: linear between entries, the last one beyond.
double rate_of_busy(const std::vector<std::pair<double, double>>& table, double n) {
  if (table.empty()) return 1.0;
  const auto above = std::ranges::find_if(table, [n](const auto& entry) { return entry.first >= n; });
  if (above == table.end()) return table.back().second;
  if (above == table.begin()) return above->second;
  const auto& [n0, rate0] = *std::prev(above);
  return rate0 + (above->second - rate0) * (n - n0) / (above->first - n0);
}

}  // namespace

Platform::Platform(const Experiment& experiment) : experiment_(experiment) {
  auto* zone = new SwitchedZone(*this, experiment);
  for (std::size_t k = 0; k < experiment.hosts.size(); ++k) {
    const Host& wanted = experiment.hosts[k];
    auto* host = zone->create_host(wanted.name, {wanted.speed})->set_core_count(wanted.cores);
    // Memory bandwidth that saturates as cores fill: what n busy cores do together
    host->set_sharing_policy(simgrid::s4u::Host::SharingPolicy::NONLINEAR, [&wanted](double, int n) {
      const double busy = std::min(n, wanted.cores);
      return std::max(busy, 1.0) * wanted.speed * rate_of_busy(wanted.rate_when_busy, busy);
    });
    host->seal();
    hosts_.push_back(host);
    indices_[host] = static_cast<int>(k);
  }
  zone->seal();
}

std::vector<int> Platform::route(int from, int to) const {
  const Host &source = experiment_.hosts[from], &target = experiment_.hosts[to];
  if (source.node == target.node) {
    const int self = experiment_.nodes[source.node].self;
    if (source.memory == target.memory) return {self, source.memory};
    return {self, source.memory, target.memory};
  }
  std::vector<int> links{experiment_.nodes[source.node].up};
  for (int at = experiment_.nodes[source.node].first_switch; at >= 0;) {
    const Hop& hop = experiment_.switches[at].next.at(target.node);
    links.push_back(hop.link);
    at = hop.to;
    if (links.size() > experiment_.switches.size() + 2)
      throw std::runtime_error("the switches' tables have a loop");
  }
  return links;
}

}  // namespace crumple::simulator
