#include "two_levels.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace crumple::simulator {

namespace {

using Messages = TwoLevels::Messages;

std::size_t place_of(int rank, const std::vector<int>& ranks) {
  return std::ranges::find(ranks, rank) - ranks.begin();
}

// A binomial tree from the first of some ranks: each that has it sends to the one so many places on.
void down(int rank, long bytes, const std::vector<int>& ranks, const Messages& messages) {
  const std::size_t own = place_of(rank, ranks);
  std::size_t bit = std::bit_ceil(ranks.size());
  if (own) {
    bit = own & -own;
    messages.receive(ranks[own - bit], bytes);
  }
  for (bit /= 2; bit; bit /= 2)
    if (own + bit < ranks.size()) messages.send(ranks[own + bit], bytes);
}

void up(int rank, long bytes, const std::vector<int>& ranks, const Messages& messages) {
  const std::size_t own = place_of(rank, ranks);
  const std::size_t last = own ? own & -own : std::bit_ceil(ranks.size());
  for (std::size_t bit = 1; bit < last; bit *= 2)
    if (own + bit < ranks.size()) messages.receive(ranks[own + bit], bytes);
  if (own) messages.send(ranks[own - last], bytes);
}

// Recursive doubling; where they are no power of two, of the first ranks every other hands its part to the
// next, which gives it the result.
void doubling(int rank, long bytes, const std::vector<int>& ranks, const Messages& messages) {
  const std::size_t own = place_of(rank, ranks), power = std::bit_floor(ranks.size());
  const std::size_t pairs = ranks.size() - power;
  if (own < 2 * pairs && own % 2 == 0) {
    messages.send(ranks[own + 1], bytes);
    messages.receive(ranks[own + 1], bytes);
    return;
  }
  if (own < 2 * pairs) messages.receive(ranks[own - 1], bytes);
  const std::size_t turn = own < 2 * pairs ? own / 2 : own - pairs;
  for (std::size_t bit = 1; bit < power; bit *= 2) {
    const std::size_t other = turn ^ bit;
    messages.exchange(ranks[other < pairs ? 2 * other + 1 : other + pairs], bytes);
  }
  if (own < 2 * pairs) messages.send(ranks[own - 1], bytes);
}

}  // namespace

TwoLevels::TwoLevels(const Job& job, const std::vector<Host>& hosts) {
  std::map<int, int> numbers;
  for (std::size_t rank = 0; rank < job.places.size(); ++rank) {
    const int node = hosts[job.places[rank]].node;
    const auto [found, is_new] = numbers.emplace(node, static_cast<int>(ranks_.size()));
    if (is_new) ranks_.emplace_back();
    node_.push_back(found->second);
    ranks_[found->second].push_back(static_cast<int>(rank));
  }
}

bool TwoLevels::has(const std::string& operation) {
  return operation == "allreduce" || operation == "barrier" || operation == "bcast" || operation == "reduce";
}

// Who speaks for a rank's node to others: the root for its own.
int TwoLevels::leader_of(int rank, int root) const {
  return node_[rank] == node_[root] ? root : ranks_[node_[rank]].front();
}

// One rank of each node, the root first.
std::vector<int> TwoLevels::leaders(int root) const {
  std::vector<int> found{root};
  for (std::size_t n = 1; n < ranks_.size(); ++n)
    found.push_back(ranks_[(node_[root] + n) % ranks_.size()].front());
  return found;
}

// The ranks of a rank's node, its leader first.
std::vector<int> TwoLevels::ranks_beside(int rank, int leader) const {
  std::vector<int> found = ranks_[node_[rank]];
  std::ranges::rotate(found, std::ranges::find(found, leader));
  return found;
}

void TwoLevels::allreduce(int rank, long bytes, const Messages& messages) const {
  const int leader = leader_of(rank, 0);
  const auto beside = ranks_beside(rank, leader);
  up(rank, bytes, beside, messages);
  if (rank == leader) doubling(rank, bytes, leaders(0), messages);
  down(rank, bytes, beside, messages);
}

void TwoLevels::broadcast(int rank, long bytes, int root, const Messages& messages) const {
  const int leader = leader_of(rank, root);
  if (rank == leader) down(rank, bytes, leaders(root), messages);
  down(rank, bytes, ranks_beside(rank, leader), messages);
}

void TwoLevels::reduce(int rank, long bytes, int root, const Messages& messages) const {
  const int leader = leader_of(rank, root);
  up(rank, bytes, ranks_beside(rank, leader), messages);
  if (rank == leader) up(rank, bytes, leaders(root), messages);
}

}  // namespace crumple::simulator
