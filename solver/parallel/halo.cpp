// One message to and from each neighbour, packed from all arrays; MPI requests are made once and used again.
#include "parallel/halo.hpp"

#include <algorithm>
#include <climits>
#include <iterator>

#include "base/assert.hpp"
#include "parallel/tags.hpp"

namespace crumple::parallel {

/// Buffers and persistent requests for a number of integers per node.
class Halo::Messages {
 public:
  Messages(const Halo& halo, std::size_t per_node) : comm_(halo.comm_), per_node_(per_node) {
    const IndexMap& map = halo.map_;
    const std::size_t neighbours = map.neighbours().size();
    send_.resize(neighbours);
    receive_.resize(neighbours);
    requests_.assign(2 * neighbours, MPI_REQUEST_NULL);
    for (std::size_t k = 0; k < neighbours; ++k) {
      CRUMPLE_ASSERT(map.neighbours()[k] >= 0 && map.neighbours()[k] < halo.comm_->size(),
                     map.neighbours()[k], halo.comm_->size());
      const std::size_t n = map.shared(k).size() * per_node;
      CRUMPLE_ASSERT(n <= std::size_t{INT_MAX}, n, map.neighbours()[k]);
      send_[k].resize(n);
      receive_[k].resize(n);
      MPI_Recv_init(receive_[k].data(), static_cast<int>(n), MPI_INT64_T, map.neighbours()[k], tag::kSums,
                    halo.comm_->mpi(), &requests_[k]);
      MPI_Send_init(send_[k].data(), static_cast<int>(n), MPI_INT64_T, map.neighbours()[k], tag::kSums,
                    halo.comm_->mpi(), &requests_[neighbours + k]);
    }
  }
  ~Messages() {
    int over = 0;
    MPI_Finalized(&over);
    for (MPI_Request& request : requests_)
      if (over == 0) MPI_Request_free(&request);
  }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  std::size_t per_node() const { return per_node_; }
  std::span<std::int64_t> to(std::size_t neighbour) { return send_[neighbour]; }
  std::span<const std::int64_t> from(std::size_t neighbour) const { return receive_[neighbour]; }
  /// Called before packing, so that each receive is posted before its message arrives.
  void start_receiving() { start(requests_.data()); }
  void start_sending() { start(requests_.data() + send_.size()); }
  void wait() {
#ifdef CRUMPLE_AUDIT
    std::vector<MPI_Status> statuses(requests_.size());
    comm_->wait(requests_, statuses);
    for (std::size_t k = 0; k < receive_.size(); ++k) {
      int n = 0;
      MPI_Get_count(&statuses[k], MPI_INT64_T, &n);
      CRUMPLE_ASSERT(static_cast<std::size_t>(n) == receive_[k].size(), n, receive_[k].size(),
                     statuses[k].MPI_SOURCE);
    }
#else
    comm_->wait(requests_);
#endif
  }

 private:
  /// Open MPI does not accept an empty list.
  void start(MPI_Request* first) {
    if (!send_.empty()) MPI_Startall(static_cast<int>(send_.size()), first);
  }

  const Communicator* comm_;
  std::size_t per_node_;
  std::vector<std::vector<std::int64_t>> send_, receive_;
  std::vector<MPI_Request> requests_;  ///< all receives, then all sends
};

Halo::Halo(const Communicator& comm, IndexMap map) : comm_(&comm), map_(std::move(map)) {
  CRUMPLE_ASSERT(map_.size() == 0 || map_.rank() == comm.rank(), map_.rank(), comm.rank(), map_.size());
}
Halo::Halo(Halo&&) noexcept = default;
Halo& Halo::operator=(Halo&&) noexcept = default;
Halo::~Halo() = default;

Halo::Messages& Halo::messages(std::size_t per_node) const {
  for (const auto& found : messages_)
    if (found->per_node() == per_node) return *found;
  return *messages_.emplace_back(std::make_unique<Messages>(*this, per_node));
}

Halo::Messages& Halo::messages_of(std::span<const NodeSums> arrays) const {
  std::size_t per_node = 0;
  for (const NodeSums& array : arrays) per_node += static_cast<std::size_t>(array.width);
  return messages(per_node);
}

void Halo::begin_sum(std::span<const NodeSums> arrays) const {
  Messages& messages = messages_of(arrays);
  messages.start_receiving();
  for (std::size_t k = 0; k < map_.neighbours().size(); ++k) {
    std::int64_t* out = messages.to(k).data();
    for (const LocalId node : map_.shared(k))
      for (const NodeSums& array : arrays) out = std::copy_n(array.of(node), array.width, out);
    CRUMPLE_ASSERT(out - messages.to(k).data() == std::ssize(messages.to(k)), out - messages.to(k).data(),
                   messages.to(k).size(), map_.neighbours()[k]);
  }
  messages.start_sending();
}

void Halo::finish_sum(std::span<const NodeSums> arrays) const {
  Messages& messages = messages_of(arrays);
  messages.wait();
  for (std::size_t k = 0; k < map_.neighbours().size(); ++k) {
    const std::int64_t* in = messages.from(k).data();
    for (const LocalId node : map_.shared(k))
      for (const NodeSums& array : arrays) {
        std::int64_t* sum = array.of(node);
        for (int c = 0; c < array.width; ++c) sum[c] = plus(sum[c], *in++);
      }
  }
}

void Halo::sum(std::span<const std::span<std::int64_t>> arrays, int width) const {
  std::vector<NodeSums> sums;
  for (const auto& array : arrays) sums.push_back({array, width});
  begin_sum(sums);
  finish_sum(sums);
}

void Halo::max(std::span<double> values) const {
  std::vector<std::vector<double>> send(map_.neighbours().size()), receive(map_.neighbours().size());
  std::vector<MPI_Request> requests(2 * map_.neighbours().size());
  for (std::size_t k = 0; k < map_.neighbours().size(); ++k) {
    for (const LocalId node : map_.shared(k)) send[k].push_back(values[node]);
    receive[k].resize(send[k].size());
    const int n = static_cast<int>(send[k].size());
    MPI_Irecv(receive[k].data(), n, MPI_DOUBLE, map_.neighbours()[k], tag::kMaxima, comm_->mpi(),
              &requests[2 * k]);
    MPI_Isend(send[k].data(), n, MPI_DOUBLE, map_.neighbours()[k], tag::kMaxima, comm_->mpi(),
              &requests[2 * k + 1]);
  }
  comm_->wait(requests);
  for (std::size_t k = 0; k < map_.neighbours().size(); ++k)
    for (std::size_t i = 0; i < map_.shared(k).size(); ++i)
      values[map_.shared(k)[i]] = std::max(values[map_.shared(k)[i]], receive[k][i]);
}

}  // namespace crumple::parallel
