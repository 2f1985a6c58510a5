// Errors that some ranks meet become one error of all ranks.
#pragma once

#include <optional>
#include <utility>

#include "base/error.hpp"
#include "parallel/communicator.hpp"

namespace crumple::parallel {

/// An error that every rank raises at the same place, so that one of them is enough to tell it.
class AgreedError : public Error {
 public:
  using Error::Error;
};

/// Raises the error of the first rank that has one, on every rank. Collective.
/// @param mine of this rank, if it has one
/// @throws AgreedError
void agree_on_error(const Communicator& comm, const std::optional<Error>& mine);

/// Does something on this rank; an error is returned, for agree_on_error. Local.
template <class Work>
std::optional<Error> error_of(Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  return {};
}

/// Does something on each rank; an error of any rank becomes one of all. Collective. @throws AgreedError
template <class Work>
void do_together(const Communicator& comm, Work&& work) {
  agree_on_error(comm, error_of(std::forward<Work>(work)));
}

}  // namespace crumple::parallel
