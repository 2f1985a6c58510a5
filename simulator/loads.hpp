// What goes over each link, and how long messages are held up by others.
#pragma once

#include <map>
#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/s4u.hpp>
#include <vector>

#include "experiment.hpp"

namespace crumple::simulator {

struct Load {
  double bytes = 0;
  long messages = 0;
  double held_up = 0;  // s, of all messages that had their narrowest place here
};

class Loads {
 public:
  explicit Loads(const Experiment& experiment)
      : experiment_(experiment), loads_(experiment.links.size()), open_(experiment.links.size()) {}

  // Have SimGrid tell of each message; once, after the platform is there.
  void install();

  const std::vector<Load>& loads() const { return loads_; }

 private:
  struct Message {
    double seconds;  // alone on its links
    std::vector<int> links;
  };

  void begins(double size, const std::vector<simgrid::s4u::Link*>& links);
  void ends(const simgrid::kernel::resource::Action& action);

  const Experiment& experiment_;
  std::vector<Load> loads_;
  std::vector<int> open_;  // messages on each link now
  std::unordered_map<const simgrid::s4u::Link*, int> indices_;
  // SimGrid does not say which message an action is: those of one start and size are taken in order
  std::map<std::pair<double, double>, std::vector<Message>> under_way_;
};

}  // namespace crumple::simulator
