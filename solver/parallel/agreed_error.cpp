// One error for all ranks.
#include "parallel/agreed_error.hpp"

#include <string>
#include <vector>

#include "base/packing.hpp"

namespace crumple::parallel {

namespace {

/// An error in a form that can be sent.
struct Told {
  std::string id, message;
  Exit status = Exit::input;
};
CRUMPLE_MEMBERS(Told, id, message, status)

}  // namespace

void agree_on_error(const Communicator& comm, const std::optional<Error>& mine) {
  const std::int64_t first = comm.min(mine ? std::int64_t{comm.rank()} : std::int64_t{comm.size()});
  if (first == comm.size()) return;
  std::vector<std::byte> bytes;
  if (mine) bytes = pack(Told{mine->id(), mine->message(), mine->status()});
  comm.broadcast(bytes, static_cast<int>(first));
  const auto told = Unpacker(bytes).take<Told>();
  throw AgreedError(told.id, told.message, Place{}, told.status);
}

}  // namespace crumple::parallel
