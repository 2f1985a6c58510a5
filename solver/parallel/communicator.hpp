// A thin, typed view of an MPI communicator, with the collectives that the solver uses.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/packing.hpp"
#include "parallel/tags.hpp"

namespace crumple::parallel {

class Waiting;

/// Communicator of the run. Every member function except rank() and size() is collective.
class Communicator {
 public:
  /// Does not own `comm`.
  explicit Communicator(MPI_Comm comm = MPI_COMM_WORLD);

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool root() const { return rank_ == 0; }
  MPI_Comm mpi() const { return comm_; }

  void sum(std::span<std::int64_t> values) const;  ///< in place; exact
  std::int64_t sum(std::int64_t value) const;
  double min(double value) const;
  double max(double value) const;
  std::int64_t min(std::int64_t value) const;
  std::int64_t max(std::int64_t value) const;
  void max(std::span<std::int64_t> values) const;
  void max(std::span<double> values) const;
  bool any(bool value) const;
  /// The sum over the ranks of this machine; while a profiler is loaded, all ranks are taken to be on it.
  std::int64_t sum_on_machine(std::int64_t value) const;

  /// Bytes of rank `root` on every rank.
  void broadcast(std::vector<std::byte>& bytes, int root = 0) const;
  /// send[r] goes to rank r; returns what every rank sent here.
  std::vector<std::vector<std::byte>> all_to_all(const std::vector<std::vector<std::byte>>& send,
                                                 int tag = tag::kPieces) const;
  /// The same where all sizes are known. A rank without messages returns at once.
  /// @param sizes bytes that each rank sends here
  std::vector<std::vector<std::byte>> deliver(const std::vector<std::vector<std::byte>>& send,
                                              std::span<const std::int64_t> sizes, int tag) const;
  /// The same for items of a fixed packed size (base/packing.hpp).
  template <FixedSize T>
  std::vector<std::vector<T>> exchange(const std::vector<std::vector<T>>& send) const {
    std::vector<std::vector<std::byte>> bytes;
    for (const std::vector<T>& items : send) bytes.push_back(pack_items<T>(items));
    const auto received = all_to_all(bytes);
    std::vector<std::vector<T>> all;
    for (const auto& message : received) all.push_back(unpack_items<T>(message));
    return all;
  }
  /// Concatenation by rank, on rank 0 only (empty elsewhere). Structs are sent without their padding.
  template <class T>
  std::vector<T> gather(std::span<const T> mine) const {
    if constexpr (FixedSize<T> && !is_without_padding<T>)
      return unpack_items<T>(gather<std::byte>(pack_items<T>(mine)));
    const std::vector<int> counts = gather_counts(mine.size_bytes());
    std::vector<T> all(total(counts) / sizeof(T));
    gather_bytes({reinterpret_cast<const std::byte*>(mine.data()), mine.size_bytes()}, counts,
                 reinterpret_cast<std::byte*>(all.data()));
    return all;
  }
  /// Concatenation by rank, on all ranks. Structs are sent without their padding.
  template <class T>
  std::vector<T> all_gather(std::span<const T> mine) const {
    if constexpr (FixedSize<T> && !is_without_padding<T>)
      return unpack_items<T>(all_gather_bytes(pack_items<T>(mine)));
    const auto bytes = all_gather_bytes({reinterpret_cast<const std::byte*>(mine.data()), mine.size_bytes()});
    std::vector<T> all(bytes.size() / sizeof(T));
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(all.data()));
    return all;
  }
  void barrier() const;

  /// Finds out how many threads of the run are on this machine, for `wait`; pins the threads of this rank.
  /// Collective.
  /// @param threads of each rank
  /// @param cores of each rank, for its threads; empty: not pinned. Nothing is pinned if ranks are on other
  /// machines, too.
  void settle(int threads, std::span<const std::vector<int>> cores) const;
  /// Look now and then whether cores are short. In each cycle of a run. Local.
  void look_at_cores() const;
  /// Whether threads are pinned now.
  bool pinned() const;
  /// Waits until all requests are complete, as `Waiting` does. Local.
  /// @param statuses as many as requests, or none
  void wait(std::span<MPI_Request> requests, std::span<MPI_Status> statuses = {}) const;

 private:
  template <class Blocking, class Nonblocking, class... Arguments>
  void collective(Blocking blocking, Nonblocking nonblocking, Arguments... arguments) const;
  void reduce(void* values, std::size_t n, MPI_Datatype type, MPI_Op operation) const;
  std::vector<int> gather_counts(std::size_t bytes) const;  ///< on rank 0 only
  static std::size_t total(const std::vector<int>& counts);
  void gather_bytes(std::span<const std::byte> mine, const std::vector<int>& counts, std::byte* all) const;
  std::vector<std::byte> all_gather_bytes(std::span<const std::byte> mine) const;

  MPI_Comm comm_;
  std::shared_ptr<Waiting> waiting_;  ///< the same in all copies
  int rank_ = 0, size_ = 1;
};

}  // namespace crumple::parallel
