// Messages between the ranks of a factor.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "parallel/communicator.hpp"

namespace crumple::implicit::linear {

/// MPI counts in int: longer messages go in pieces.
inline constexpr std::int64_t kMessageBytes = std::int64_t(1) << 30;

/// Receives n bytes. Waits.
inline void receive_bytes(const parallel::Communicator& comm, void* to, std::int64_t n, int from, int tag) {
  for (std::int64_t at = 0; at < n; at += kMessageBytes) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Irecv(static_cast<std::byte*>(to) + at, static_cast<int>(std::min(kMessageBytes, n - at)), MPI_BYTE,
              from, tag, comm.mpi(), &request);
    comm.wait(std::span(&request, 1));
  }
}

template <class T>
void receive(const parallel::Communicator& comm, std::span<T> to, int from, int tag) {
  receive_bytes(comm, to.data(), static_cast<std::int64_t>(to.size_bytes()), from, tag);
}

/// Messages that are on their way, with what is sent where that has no other place.
class Outbox {
 public:
  explicit Outbox(const parallel::Communicator& comm) : comm_(&comm) {}
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  /// Memory must stay as it is until the outbox is empty.
  void send_from(const void* bytes, std::int64_t n, int to, int tag) {
    for (std::int64_t at = 0; at < n; at += kMessageBytes)
      MPI_Isend(static_cast<const std::byte*>(bytes) + at, static_cast<int>(std::min(kMessageBytes, n - at)),
                MPI_BYTE, to, tag, comm_->mpi(), &requests_.emplace_back(MPI_REQUEST_NULL));
  }
  /// Sends a copy.
  template <class T>
  void send(std::span<const T> values, int to, int tag) {
    const auto bytes = std::as_bytes(values);
    const auto& kept = copies_.emplace_back(bytes.begin(), bytes.end());
    send_from(kept.data(), static_cast<std::int64_t>(kept.size()), to, tag);
  }
  /// Lets MPI go on with them. Returns whether all are gone.
  bool poke() {
    if (requests_.empty()) return true;
    int all = 0;
    MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &all, MPI_STATUSES_IGNORE);
    if (all != 0) clear();
    return all != 0;
  }
  void wait() {
    comm_->wait(requests_);
    clear();
  }

 private:
  void clear() {
    requests_.clear();
    copies_.clear();
  }

  const parallel::Communicator* comm_;
  std::vector<MPI_Request> requests_;
  std::deque<std::vector<std::byte>> copies_;
};

}  // namespace crumple::implicit::linear
