// Modes of free vibration at times during a run (NEIG < 0): about its state, which goes on unchanged.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "control/run_services.hpp"
#include "elements/kernel.hpp"
#include "implicit/solver.hpp"
#include "model/implicit_control.hpp"

namespace crumple::control {

class ModesAtTimes {
 public:
  /// Times are the points of the curve of NEIG, as many modes its ordinates. `input` still has its catalogue.
  ModesAtTimes(const RunInput& input, elements::Isa isa);

  /// What is before `time` has been done, or is not asked for.
  void begin(double time);
  /// All times, in their order.
  const std::vector<double>& times() const { return times_; }
  bool due(double time) const { return next_ < times_.size() && time >= times_[next_] - tolerance(); }
  /// Finds the modes about a state that is due, by a solver of its own, and writes eigout_0001 and
  /// d3eigv_0001, and so on. Throws Error.
  /// @param say has each piece of text when it is known
  /// @returns all of it, for d3hsp
  std::string write(const phases::CarriedState& state, const std::function<void(const std::string&)>& say);

 private:
  double tolerance() const { return 1e-9 * times_.back(); }  ///< times are sums of steps

  const Options& options_;
  const parallel::Communicator& comm_;
  const decomposition::Subdomain& subdomain_;
  const Version& version_;
  output::Catalogue catalogue_;
  implicit::SolverOptions how_;
  std::vector<double> times_;
  std::vector<int> counts_;
  std::size_t next_ = 0;
};

}  // namespace crumple::control
