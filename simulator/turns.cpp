#include "turns.hpp"

#include <algorithm>

namespace crumple::simulator {

namespace {

namespace actor = simgrid::s4u::this_actor;

constexpr double kSlice = 4e-3;  // s: a tick of Linux at 250 Hz, the longest turn while others wait

double now() { return simgrid::s4u::Engine::get_clock(); }

}  // namespace

Turns::Turns(const Experiment& experiment) : experiment_(experiment) {
  std::vector<int> ranks(experiment.hosts.size()), placed(experiment.hosts.size()), first;
  for (const Job& job : experiment.jobs)
    for (const int host : job.places) ++ranks[host];
  for (const Host& host : experiment.hosts) {
    first.push_back(static_cast<int>(cores_.size()));
    cores_.resize(cores_.size() + host.cores);
  }
  for (const Job& job : experiment.jobs)
    for (const int host : job.places) {
      const int cores = experiment.hosts[host].cores, core = placed[host]++ % cores;
      const bool shared = ranks[host] > cores && (core + cores < ranks[host]);
      processes_.push_back({.core = shared ? first[host] + core : -1});
    }
}

void Turns::take(std::size_t process) {
  Own& own = processes_[process];
  if (own.core < 0 || own.has) return;
  Core& core = cores_[own.core];
  ++core.wanted;
  core.mutex->lock();
  own.has = true;
  if (std::exchange(core.last, process) != process) actor::sleep_for(switching(own));
  own.worked = 0;
}

void Turns::execute(std::size_t process, double operations) {
  Own& own = processes_[process];
  if (own.core < 0) {
    actor::execute(operations);
    return;
  }
  const double slice = kSlice * actor::get_host()->get_speed();
  for (double left = operations; left > 0; left -= slice) {
    take(process);
    const double from = now();
    actor::execute(std::min(left, slice));
    own.worked += now() - from;
    if (left > slice && cores_[own.core].wanted > 1) give(process, false);
  }
}

void Turns::give(std::size_t process, bool collective) {
  Own& own = processes_[process];
  if (!own.has) return;
  own.has = false;
  own.waited = true;
  own.collective = collective;
  --cores_[own.core].wanted;
  cores_[own.core].mutex->unlock();
}

// Measured by the work between two waits: in between linear, at the ends as there.
double Turns::switching(const Own& own) const {
  const auto& table = own.collective ? experiment_.turns.collectives : experiment_.turns.messages;
  if (table.empty() || !own.waited) return 0;
  const auto above =
      std::ranges::find_if(table, [&](const auto& entry) { return entry.first >= own.worked; });
  if (above == table.end()) return table.back().second;
  if (above == table.begin()) return above->second;
  const auto& [work, cost] = *std::prev(above);
  return cost + (above->second - cost) * (own.worked - work) / (above->first - work);
}

}  // namespace crumple::simulator
