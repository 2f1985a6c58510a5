// One message to and from each neighbour, packed from all arrays.
#include "parallel/halo.hpp"

#include <algorithm>

namespace crumple::parallel {

Halo::Halo(const Communicator& comm, std::vector<int> ranks, std::vector<std::vector<LocalId>> nodes)
    : comm_(&comm),
      ranks_(std::move(ranks)),
      nodes_(std::move(nodes)),
      send_(ranks_.size()),
      receive_(ranks_.size()),
      requests_(2 * ranks_.size()) {}

void Halo::sum(std::span<const std::span<std::int64_t>> arrays, int width) const {
  constexpr int tag = 11;
  const std::size_t per_node = arrays.size() * static_cast<std::size_t>(width);
  for (std::size_t k = 0; k < ranks_.size(); ++k) {
    const std::size_t n = nodes_[k].size() * per_node;
    receive_[k].resize(n);
    MPI_Irecv(receive_[k].data(), static_cast<int>(n), MPI_INT64_T, ranks_[k], tag, comm_->mpi(),
              &requests_[2 * k]);
  }
  for (std::size_t k = 0; k < ranks_.size(); ++k) {
    send_[k].resize(nodes_[k].size() * per_node);
    std::int64_t* out = send_[k].data();
    for (const LocalId node : nodes_[k])
      for (const auto& array : arrays)
        for (int c = 0; c < width; ++c) *out++ = array[static_cast<std::size_t>(node) * width + c];
    MPI_Isend(send_[k].data(), static_cast<int>(send_[k].size()), MPI_INT64_T, ranks_[k], tag, comm_->mpi(),
              &requests_[2 * k + 1]);
  }
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  for (std::size_t k = 0; k < ranks_.size(); ++k) {
    const std::int64_t* in = receive_[k].data();
    for (const LocalId node : nodes_[k])
      for (const auto& array : arrays)
        for (int c = 0; c < width; ++c) array[static_cast<std::size_t>(node) * width + c] += *in++;
  }
}

void Halo::max(std::span<double> values) const {
  constexpr int tag = 12;
  std::vector<std::vector<double>> send(ranks_.size()), receive(ranks_.size());
  for (std::size_t k = 0; k < ranks_.size(); ++k) {
    for (const LocalId node : nodes_[k]) send[k].push_back(values[node]);
    receive[k].resize(send[k].size());
    const int n = static_cast<int>(send[k].size());
    MPI_Irecv(receive[k].data(), n, MPI_DOUBLE, ranks_[k], tag, comm_->mpi(), &requests_[2 * k]);
    MPI_Isend(send[k].data(), n, MPI_DOUBLE, ranks_[k], tag, comm_->mpi(), &requests_[2 * k + 1]);
  }
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  for (std::size_t k = 0; k < ranks_.size(); ++k)
    for (std::size_t i = 0; i < nodes_[k].size(); ++i)
      values[nodes_[k][i]] = std::max(values[nodes_[k][i]], receive[k][i]);
}

}  // namespace crumple::parallel
