// The parts of a run, each by one scheme, in the order of time.
#pragma once

#include <vector>

#include "base/members.hpp"
#include "model/model.hpp"

namespace crumple::phases {

struct Phase {
  bool implicit = false;
  double begin = 0, end = 0;
  bool before_run = false;  ///< relaxation, whose time is its own
  bool springback = false;
  bool last = true;
};
CRUMPLE_MEMBERS(Phase, implicit, begin, end, before_run, springback, last)

/// The phases that are known at the start. Where a run is explicit only where implicit steps do not converge
/// (IMFLAG = 4, 5), this is one implicit phase.
std::vector<Phase> schedule(const model::Model& model);

}  // namespace crumple::phases
