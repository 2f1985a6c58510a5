#include "files.hpp"

#include <algorithm>

namespace crumple::simulator {

Files::Files(const Experiment& experiment, std::size_t processes)
    : system_(experiment.files),
      disk_(experiment.nodes.size()),
      adapter_(experiment.nodes.size()),
      own_(processes) {}

// When a block has passed all that is in its way.
double Files::pass(int node, double bytes, bool write, double now) {
  const double rate = write ? system_.write : system_.read;
  double& served = system_.local ? disk_[node] : servers_;
  double start = std::max(now, served);
  if (!system_.local) start = std::max(start, adapter_[node]);
  served = start + system_.latency + bytes / rate;
  if (system_.local) return served;
  adapter_[node] = start + bytes / system_.adapter;
  return std::max(served, adapter_[node]);
}

double Files::write(std::size_t process, int node, double bytes, double now) {
  Own& own = own_[process];
  own.asked = -1;
  double goes_on = now;
  while (own.writing.size() >= 2) {
    goes_on = std::max(goes_on, own.writing.front());
    own.writing.pop_front();
  }
  own.writing.push_back(pass(node, bytes, true, goes_on));
  return goes_on;
}

double Files::flush(std::size_t process, double now) {
  Own& own = own_[process];
  own.asked = -1;
  double goes_on = now;
  for (const double written : own.writing) goes_on = std::max(goes_on, written);
  own.writing.clear();
  return goes_on;
}

double Files::read(std::size_t process, int node, double bytes, double now) {
  Own& own = own_[process];
  const double here = pass(node, bytes, false, own.asked < 0 ? now : own.asked);
  return own.asked = std::max(now, here);
}

}  // namespace crumple::simulator
