// Failures of a run, and the element that caused them, over all ranks.
#pragma once

#include "base/error.hpp"
#include "explicit/elements.hpp"
#include "parallel/communicator.hpp"

namespace crumple::explicit_dynamics {

/// Why a run cannot continue: the cause, the element or node, the time.
class RunFailure : public Error {
 public:
  using Error::Error;
};

/// The smallest of the ranks' names (by kind and id), on every rank. Collective.
ElementName smallest_name(const parallel::Communicator& comm, const ElementName& mine);

/// Converts an error that all ranks find at the same time to a failure of the run, which ends it with a last
/// state.
template <class Act>
void fail_together(const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    throw RunFailure(error.id(), error.message(), error.place(), error.status());
  }
}

}  // namespace crumple::explicit_dynamics
