// Nonblocking messages between neighbours that share contact segments.
#include "contact/search/node_exchange.hpp"

#include <algorithm>

#include "base/assert.hpp"
#include "parallel/tags.hpp"

namespace crumple::contact {

std::size_t WantedNodes::number() {
  std::size_t count = 0;
  first_.clear();
  for (auto& nodes : nodes_) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    first_.push_back(count);
    count += nodes.size();
  }
  return count;
}

std::size_t WantedNodes::operator()(int rank, LocalId node) const {
  const auto& nodes = nodes_[static_cast<std::size_t>(rank)];
  const auto at = std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin();
  CRUMPLE_ASSERT(at < std::ssize(nodes) && nodes[static_cast<std::size_t>(at)] == node, rank, node, at,
                 nodes.size());
  return first_[static_cast<std::size_t>(rank)] + static_cast<std::size_t>(at);
}

void NodeExchange::connect(const parallel::Communicator& comm, const WantedNodes& nodes, bool masses) {
  const std::vector<std::vector<LocalId>>& wanted = nodes.by_rank();
  comm_ = comm;
  mpi_ = comm.mpi();
  masses_ = masses;
  const std::size_t numbers = masses ? 7 : 6;
  neighbours_.clear();
  const std::vector<std::vector<LocalId>> asked = comm.exchange(wanted);
  std::size_t copies = 0;
  for (int r = 0; r < comm.size(); ++r) {
    if (r == comm.rank() || (asked[r].empty() && wanted[r].empty())) continue;
    Neighbour n;
    n.rank = r;
    n.send = asked[r];
    n.copies_begin = copies;
    n.copies = wanted[r].size();
    copies += n.copies;
    n.out.resize(numbers * n.send.size());
    n.in.resize(numbers * n.copies);
    n.force_out.resize(3 * n.copies);
    n.force_in.resize(3 * n.send.size());
    neighbours_.push_back(std::move(n));
  }
  requests_.clear();
  requests_.reserve(2 * neighbours_.size());
}

void NodeExchange::post(const state::Nodal& nodal) {
  requests_.clear();
  for (Neighbour& n : neighbours_)
    if (n.copies > 0)
      MPI_Irecv(n.in.data(), static_cast<int>(n.in.size()), MPI_DOUBLE, n.rank, parallel::tag::kMotion, mpi_,
                &requests_.emplace_back());
  for (Neighbour& n : neighbours_) {
    if (n.send.empty()) continue;
    double* out = n.out.data();
    for (const LocalId i : n.send) {
      const Vec3 &x = nodal.x[i], &v = nodal.v[i];
      for (const double c : {x.x, x.y, x.z, v.x, v.y, v.z}) *out++ = c;
      if (masses_) *out++ = nodal.own_mass(i);
    }
    MPI_Isend(n.out.data(), static_cast<int>(n.out.size()), MPI_DOUBLE, n.rank, parallel::tag::kMotion, mpi_,
              &requests_.emplace_back());
  }
}

void NodeExchange::finish(UsedNodes& used) {
  if (comm_) comm_->wait(requests_);
  requests_.clear();
  CRUMPLE_ASSERT(
      neighbours_.empty() || neighbours_.back().copies_begin + neighbours_.back().copies == used.n_copies(),
      neighbours_.size(), used.n_copies());
  for (const Neighbour& n : neighbours_) {
    const double* in = n.in.data();
    for (std::size_t k = n.copies_begin; k < n.copies_begin + n.copies; ++k, in += masses_ ? 7 : 6) {
      used.x[used.n_local() + k] = {in[0], in[1], in[2]};
      used.v[k] = {in[3], in[4], in[5]};
      if (masses_) used.mass[used.n_local() + k] = in[6];
    }
  }
}

void NodeExchange::return_forces(const UsedNodes& used, std::span<parallel::LoadSum> loads) {
  requests_.clear();
  for (Neighbour& n : neighbours_) {
    if (n.send.empty()) continue;
    std::fill(n.force_in.begin(), n.force_in.end(), 0);
    MPI_Irecv(n.force_in.data(), static_cast<int>(n.force_in.size()), MPI_INT64_T, n.rank,
              parallel::tag::kForces, mpi_, &requests_.emplace_back());
  }
  for (Neighbour& n : neighbours_) {
    if (n.copies == 0) continue;
    for (std::size_t k = 0; k < n.copies; ++k)
      std::ranges::copy(used.force[n.copies_begin + k].sum, &n.force_out[3 * k]);
    // In most cycles there are no forces for most neighbours; then the message is empty.
    const bool any = std::any_of(n.force_out.begin(), n.force_out.end(), [](auto f) { return f != 0; });
    MPI_Isend(n.force_out.data(), any ? static_cast<int>(n.force_out.size()) : 0, MPI_INT64_T, n.rank,
              parallel::tag::kForces, mpi_, &requests_.emplace_back());
  }
  if (comm_) comm_->wait(requests_);
  for (const Neighbour& n : neighbours_)
    for (std::size_t k = 0; k < n.send.size(); ++k)
      for (std::size_t c = 0; c < 3; ++c) {
        std::int64_t& sum = loads[n.send[k]].force.sum[c];
        sum = parallel::plus(sum, n.force_in[3 * k + c]);
      }
}

}  // namespace crumple::contact
