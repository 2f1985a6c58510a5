// Failures of a run, and who is to blame over all ranks.
#pragma once

#include "base/error.hpp"
#include "explicit/elements.hpp"
#include "parallel/communicator.hpp"

namespace crumple::explicit_dynamics {

/// Why a run cannot go on: what, which element or node, at what time.
class RunFailure : public Error {
 public:
  using Error::Error;
};

/// The smallest of the ranks' names (by kind and id), on every rank. Collective.
ElementName smallest_name(const parallel::Communicator& comm, const ElementName& mine);

/// What all ranks find wrong at once ends the run as its own failures do, with a last state.
template <class Act>
void fail_together(const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    throw RunFailure(error.id(), error.message(), error.place(), error.status());
  }
}

}  // namespace crumple::explicit_dynamics
