#include "loads.hpp"

#include <algorithm>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>

namespace crumple::simulator {

void Loads::install() {
  auto* engine = simgrid::s4u::Engine::get_instance();
  for (std::size_t k = 0; k < experiment_.links.size(); ++k)
    indices_[engine->link_by_name(experiment_.links[k].name)] = static_cast<int>(k);
  engine->get_netzone_root()->get_network_model()->set_bw_factor_cb(
      [this](double size, const simgrid::s4u::Host*, const simgrid::s4u::Host*,
             const std::vector<simgrid::s4u::Link*>& links,
             const std::unordered_set<simgrid::s4u::NetZone*>&) {
        begins(size, links);
        return 1.0;
      });
  simgrid::s4u::Link::on_communication_state_change_cb(
      [this](simgrid::kernel::resource::NetworkAction& action, simgrid::kernel::resource::Action::State) {
        // SimGrid installs no header of this class; it derives from Action alone
        ends(reinterpret_cast<const simgrid::kernel::resource::Action&>(action));
      });
}

void Loads::begins(double size, const std::vector<simgrid::s4u::Link*>& links) {
  Message message{0, {}};
  double narrowest = 0;
  for (const auto* link : links) {
    const int k = indices_.at(link);
    message.links.push_back(k);
    message.seconds += experiment_.links[k].latency;
    narrowest = std::max(narrowest, size / experiment_.links[k].bandwidth);
    loads_[k].bytes += size;
    ++loads_[k].messages;
    ++open_[k];
  }
  message.seconds += narrowest;
  under_way_[{simgrid::s4u::Engine::get_clock(), size}].push_back(std::move(message));
}

void Loads::ends(const simgrid::kernel::resource::Action& action) {
  if (action.get_state() != simgrid::kernel::resource::Action::State::FINISHED) return;
  const auto found = under_way_.find({action.get_start_time(), action.get_cost()});
  if (found == under_way_.end()) return;
  const Message message = std::move(found->second.front());
  found->second.erase(found->second.begin());
  if (found->second.empty()) under_way_.erase(found);
  const double seconds = simgrid::s4u::Engine::get_clock() - action.get_start_time();
  int crowded = message.links.front();
  const auto crowd = [this](int k) {
    return experiment_.links[k].shared ? open_[k] / experiment_.links[k].bandwidth : 0;
  };
  for (const int k : message.links)
    if (crowd(k) > crowd(crowded)) crowded = k;
  loads_[crowded].held_up += std::max(0.0, seconds - message.seconds);
  for (const int k : message.links) --open_[k];
}

}  // namespace crumple::simulator
