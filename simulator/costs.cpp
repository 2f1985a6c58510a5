#include "costs.hpp"

#include <smpi/smpi.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace crumple::simulator {

std::size_t this_process() { return static_cast<std::size_t>(simgrid::s4u::this_actor::get_pid()) - 1; }

Costs::Costs(const Experiment& experiment, const Platform& platform)
    : experiment_(experiment),
      platform_(platform),
      sends_(experiment.nodes.size()),
      receives_(experiment.nodes.size()) {
  for (const Job& job : experiment.jobs)
    for (std::size_t rank = 0; rank < job.files.size(); ++rank) {
      std::seed_seq seed{experiment.seed, static_cast<std::uint64_t>(random_.size())};
      random_.emplace_back(seed);
    }
  overheads_.resize(random_.size());
  sent_.resize(random_.size());
}

void Costs::install() {
  const auto sending = [this](std::size_t size, simgrid::s4u::Host* from, simgrid::s4u::Host* to) {
    return cost(size, from, to, true);
  };
  smpi_register_op_cost_callback(SmpiOperation::SEND, sending);
  smpi_register_op_cost_callback(SmpiOperation::ISEND, sending);
  smpi_register_op_cost_callback(SmpiOperation::RECV,
                                 [this](std::size_t size, simgrid::s4u::Host* from, simgrid::s4u::Host* to) {
                                   return cost(size, from, to, false);
                                 });
}

// In (0, 1].
double Costs::uniform(std::size_t process) {
  return (static_cast<double>(random_[process]() >> 11) + 1.0) * 0x1p-53;
}

double Costs::compute_factor(std::size_t process) {
  const double deviation = experiment_.compute_noise;
  if (experiment_.seed == 0 || deviation == 0) return 1.0;
  // lognormal of mean 1; Box and Muller, as std::normal_distribution differs between libraries
  const double normal =
      std::sqrt(-2 * std::log(uniform(process))) * std::cos(2 * std::numbers::pi * uniform(process));
  return std::exp(deviation * normal - deviation * deviation / 2);
}

double Costs::detours(std::size_t process, double seconds) {
  const auto& [rate, mean] = experiment_.detours;
  if (experiment_.seed == 0 || rate * mean == 0) return 0;
  double taken = 0;
  for (double at = -std::log(uniform(process)) / rate; at < seconds; at -= std::log(uniform(process)) / rate)
    taken -= mean * std::log(uniform(process));
  return taken;
}

// Seconds until the sender's card, which passes so many messages a second whichever of its node's ranks they
// are from, takes a message; it has its turn at the receiver's then, which goes on while ranks do something
// else.
double Costs::leave_card(Socket from, Socket to, double overhead) {
  const Messages& m = experiment_.messages;
  double &free = sends_[platform_.node_of(from)], &taken = receives_[platform_.node_of(to)];
  const double now = simgrid::s4u::Engine::get_clock(), start = std::max(now, free);
  free = start + m.gap;
  const double in = std::max(start + overhead + m.latency, taken);
  taken = in + m.gap;
  on_the_way_[{from, to}].push_back(in);
  return start - now;
}

// Seconds until the receiver's card has taken in the message from there that was sent first.
double Costs::pass_card(Socket from, Socket to) {
  auto& waiting = on_the_way_[{from, to}];
  if (waiting.empty()) return 0;
  const double in = waiting.front();
  waiting.pop_front();
  return std::max(0.0, in - simgrid::s4u::Engine::get_clock());
}

double Costs::cost(std::size_t size, Socket from, Socket to, bool send) {
  if (platform_.node_of(from) == platform_.node_of(to)) return 0;  // in the latency of the link
  const Messages& m = experiment_.messages;
  const double copied =
      static_cast<double>(std::min(size, static_cast<std::size_t>(experiment_.eager_limit)));
  double seconds = (send ? m.send_overhead : m.receive_overhead) + m.overhead_per_byte * copied;
  seconds += send ? leave_card(from, to, seconds) : pass_card(from, to);
  const std::size_t process = this_process();
  // What a rank receives before it sends again it finds by looking at its connections once
  if (!send && sent_[process]) seconds += m.look;
  // What a rank sends before it hears from others is one burst: its messages share an interrupt
  if (send && !sent_[process] && experiment_.seed != 0 && m.jitter > 0)
    seconds -= m.jitter * std::log(uniform(process));
  if (send && experiment_.seed != 0 && m.loss > 0 && uniform(process) <= m.loss) seconds += m.retransmission;
  sent_[process] = send;
  overheads_[process] += seconds;
  return seconds;
}

}  // namespace crumple::simulator
