// Finds the copies of nodes on ranks, and sends every rank its part of the model.
#include "decomposition/distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/assert.hpp"
#include "base/field_count.hpp"
#include "base/packing.hpp"
#include "decomposition/node_order.hpp"
#include "decomposition/rank_part.hpp"
#include "model/byte_archive.hpp"
#include "model/element_rows.hpp"
#include "model/feature.hpp"
#include "model/linked_nodes.hpp"

namespace crumple::decomposition {

using model::ElementKind;
using model::kNone;
using model::Model;

namespace {

/// (node, rank) pairs of copies, collected in any order.
using Pairs = std::vector<std::pair<LocalId, int>>;

void copies_of(const model::ElementRows& elements, const std::vector<int>& rank, Pairs& copies) {
  for (std::size_t e = 0; e < elements.size(); ++e)
    elements.each_node(e, [&](LocalId node) { copies.emplace_back(node, rank[e]); });
}

int element_rank(const Partition& p, ElementKind kind, LocalId element) {
  return kind == ElementKind::none ? -1 : p.of[kind][static_cast<std::size_t>(element)];
}

/// Sorts by node, then rank, and removes duplicates. A counting sort, because node numbers are dense; each
/// node has few ranks.
void make_unique(Pairs& copies) {
  LocalId most = -1;
  for (const auto& [node, rank] : copies) most = std::max(most, node);
  std::vector<std::size_t> first(static_cast<std::size_t>(most) + 2, 0);
  for (const auto& [node, rank] : copies) ++first[static_cast<std::size_t>(node) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  std::vector<int> ranks(copies.size());
  for (const auto& [node, rank] : copies) ranks[next[static_cast<std::size_t>(node)]++] = rank;
  copies.clear();
  for (LocalId node = 0; node <= most; ++node) {
    const auto begin = ranks.begin() + static_cast<std::ptrdiff_t>(first[static_cast<std::size_t>(node)]);
    const auto end = ranks.begin() + static_cast<std::ptrdiff_t>(first[static_cast<std::size_t>(node) + 1]);
    std::sort(begin, end);
    const auto last = std::unique(begin, end);
    for (auto rank = begin; rank != last; ++rank) copies.emplace_back(node, *rank);
  }
}

/// Owner of each node: the lowest rank with an element at it; rank 0, or the rigid body's first owner,
/// for nodes without elements.
std::vector<int> owners(const Model& whole, const Pairs& copies) {
  std::vector<int> owner(whole.nodes.size(), -1);
  for (auto it = copies.rbegin(); it != copies.rend(); ++it) owner[it->first] = it->second;
  for (const model::RigidBody& body : whole.rigid_bodies) {
    const auto first =
        std::find_if(body.nodes.begin(), body.nodes.end(), [&](LocalId n) { return owner[n] >= 0; });
    const int rank = first == body.nodes.end() ? 0 : owner[*first];
    for (const LocalId n : body.nodes)
      if (owner[n] < 0) owner[n] = rank;
  }
  for (int& o : owner) o = std::max(o, 0);
  return owner;
}

/// Give every rank that has a node of a group all nodes of it: then welds and ties need no messages.
void keep_together(const std::vector<std::vector<LocalId>>& groups, Pairs& copies) {
  Pairs more;
  for (const auto& nodes : groups) {
    std::vector<int> ranks;
    for (const LocalId n : nodes)
      for (auto it = std::lower_bound(copies.begin(), copies.end(), std::pair(n, -1));
           it != copies.end() && it->first == n; ++it)
        ranks.push_back(it->second);
    for (const LocalId n : nodes)
      for (const int rank : ranks) more.emplace_back(n, rank);
  }
  copies.insert(copies.end(), more.begin(), more.end());
  make_unique(copies);
}

std::vector<std::vector<LocalId>> interpolated_nodes(const Model& whole) {
  std::vector<std::vector<LocalId>> groups;
  for (const model::Interpolation& in : whole.interpolations) {
    groups.push_back(in.nodes);
    groups.back().push_back(in.node);
  }
  return groups;
}

std::vector<std::vector<LocalId>> nodes_linked_by_features(const Model& whole) {
  std::vector<std::vector<LocalId>> groups;
  for (const model::Feature* const feature : model::features())
    feature->add_linked_nodes(whole.features, groups);
  return groups;
}

int segment_rank(const Partition& partition, const std::vector<int>& owner, const model::Segment& segment) {
  const int rank = element_rank(partition, segment.kind, segment.element);
  return rank >= 0 ? rank : owner[segment.nodes[0]];
}

/// The rank that computes a tie by penalty.
int spring_rank(const Partition& partition, const std::vector<int>& owner, const model::Tie& tie) {
  const int rank = element_rank(partition, tie.kind, tie.element);
  return rank >= 0 ? rank : owner[tie.node];
}

int line_rank(const Partition& partition, const std::vector<int>& owner, const model::ContactLine& line) {
  const int rank = element_rank(partition, line.kind, line.element);
  return rank >= 0 ? rank : owner[line.nodes[0]];
}

/// A line's rank has its nodes and the far ends of the lines that continue it.
void copies_of_lines(const std::vector<model::ContactLine>& lines, const Partition& partition,
                     const std::vector<int>& owner, Pairs& copies) {
  for (const model::ContactLine& line : lines) {
    const int rank = line_rank(partition, owner, line);
    for (const LocalId node : line.nodes) copies.emplace_back(node, rank);
    for (const auto& end : line.beyond)
      for (const LocalId node : end)
        if (node != kNone) copies.emplace_back(node, rank);
  }
}

/// The owner of a contact's node has the nodes of the shell that gives its normal.
void copies_of_frames(const model::Surface& surface, const std::vector<int>& owner, Pairs& copies) {
  for (std::size_t k = 0; k < surface.node_frame.size(); ++k)
    for (const LocalId node : surface.node_frame[k])
      if (node != kNone) copies.emplace_back(node, owner[surface.nodes[k]]);
}

/// A tied node's motion follows from its segment's nodes, so every rank with the tied node has the segment's
/// nodes. The rank of the segment's element, which knows of its deletion, has all of them.
void add_ties(const Model& whole, const Partition& partition, const std::vector<int>& owner, Pairs& copies) {
  std::int32_t levels = 0;
  std::map<LocalId, std::set<int>> ranks;  // of tied nodes
  for (const model::Contact& contact : whole.contacts)
    for (const model::Tie& tie : contact.ties) {
      levels = std::max(levels, tie.level + 1);
      std::set<int>& of_node = ranks[tie.node];
      for (auto it = std::lower_bound(copies.begin(), copies.end(), std::pair(tie.node, 0));
           it != copies.end() && it->first == tie.node; ++it)
        of_node.insert(it->second);
      if (const int home = element_rank(partition, tie.kind, tie.element); home >= 0) of_node.insert(home);
    }
  const auto copy = [&](const model::Tie& spring) {
    const int home = spring_rank(partition, owner, spring);
    copies.emplace_back(spring.node, home);
    for (const LocalId node : spring.nodes) copies.emplace_back(node, home);
  };
  for (const model::Contact& contact : whole.contacts) {
    for (const model::Tie& spring : contact.springs) copy(spring);
    for (const model::BreakingTie& breaking : contact.breaking) copy(breaking.tie);
  }
  for (std::int32_t level = levels - 1; level >= 0; --level)
    for (const model::Contact& contact : whole.contacts)
      for (const model::Tie& tie : contact.ties) {
        if (tie.level != level) continue;
        const std::set<int> here = ranks[tie.node];
        for (const LocalId node : tie.nodes) {
          for (const int rank : here) copies.emplace_back(node, rank);
          if (const auto also_tied = ranks.find(node); also_tied != ranks.end())
            also_tied->second.insert(here.begin(), here.end());
        }
        for (const int rank : here) copies.emplace_back(tie.node, rank);
      }
  make_unique(copies);
}

}  // namespace

Cutter::Cutter(const Model& whole, const Partition& partition) : whole_(whole), partition_(partition) {
  Pairs copies;
  model::for_each_kind(whole, [&](const model::ElementKindInfo& of, const model::ElementRows& rows) {
    copies_of(rows, partition.of[of.kind], copies);
  });
  make_unique(copies);
  owner_ = owners(whole, copies);
  for (std::size_t n = 0; n < owner_.size(); ++n) copies.emplace_back(static_cast<LocalId>(n), owner_[n]);
  decomposition::Copies of_features(partition, owner_, copies);
  for (const model::Feature* const feature : model::features())
    feature->add_copies(whole.features, of_features);
  for (const model::Contact& contact : whole.contacts)
    for (const auto* side : {&contact.a, &contact.b}) {
      for (const model::Segment& segment : side->segments)
        for (const LocalId node : segment.nodes)
          copies.emplace_back(node, segment_rank(partition, owner_, segment));
      copies_of_lines(side->lines, partition, owner_, copies);
      copies_of_frames(*side, owner_, copies);
    }
  make_unique(copies);
  for (std::size_t before = 0; before != copies.size();) {  // new copies may need more copies
    before = copies.size();
    keep_together(model::linked_nodes(whole), copies);
    keep_together(interpolated_nodes(whole), copies);
    keep_together(nodes_linked_by_features(whole), copies);
    add_ties(whole, partition, owner_, copies);
  }

  nodes_of_rank_.resize(partition.ranks);
  first_.assign(whole.nodes.size() + 1, 0);
  for (const auto& [node, rank] : copies) {
    ranks_.push_back(rank);
    ++first_[node + 1];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  for (std::size_t n = 0; n < owner_.size(); ++n)
    CRUMPLE_ASSERT(std::count(ranks_.begin() + static_cast<std::ptrdiff_t>(first_[n]),
                              ranks_.begin() + static_cast<std::ptrdiff_t>(first_[n + 1]), owner_[n]) == 1,
                   n, owner_[n]);
  for (const LocalId node : node_order(whole))
    for (std::size_t k = first_[node]; k < first_[node + 1]; ++k) nodes_of_rank_[ranks_[k]].push_back(node);
}

int Cutter::home(const model::Segment& segment) const { return segment_rank(partition_, owner_, segment); }
int Cutter::home(const model::ContactLine& line) const { return line_rank(partition_, owner_, line); }
int Cutter::home(const model::LineSharer& sharer) const {
  return element_rank(partition_, sharer.kind, sharer.element);
}
int Cutter::home(const model::Tie& spring) const { return spring_rank(partition_, owner_, spring); }

namespace {

std::vector<std::byte> pack_subdomain(const Subdomain& subdomain) {
  static_assert(field_count<Subdomain>() == 2, "a member of the subdomain is not sent");
  std::vector<std::byte> bytes;
  model::ByteArchive<Packer> archive(bytes);
  archive.put(subdomain.nodes.parts());
  archive(const_cast<Model&>(subdomain.model));  // a Packer only reads it
  return bytes;
}

Subdomain unpack_subdomain(std::span<const std::byte> bytes) {
  Subdomain subdomain;
  model::ByteArchive<Unpacker> archive(bytes);
  subdomain.nodes = parallel::IndexMap(archive.take<parallel::IndexMap::Parts>());
  archive(subdomain.model);
  return subdomain;
}

void send_bytes(const parallel::Communicator& comm, const std::vector<std::byte>& bytes, int rank) {
  constexpr int tag = 21;
  constexpr std::size_t piece = std::size_t{1} << 30;
  const std::uint64_t n = bytes.size();
  MPI_Send(&n, 1, MPI_UINT64_T, rank, tag, comm.mpi());
  for (std::size_t at = 0; at < n; at += piece)
    MPI_Send(bytes.data() + at, static_cast<int>(std::min(piece, n - at)), MPI_BYTE, rank, tag, comm.mpi());
}

std::vector<std::byte> receive_bytes(const parallel::Communicator& comm) {
  constexpr int tag = 21;
  constexpr std::size_t piece = std::size_t{1} << 30;
  std::uint64_t n = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(&n, 1, MPI_UINT64_T, 0, tag, comm.mpi(), &request);
  comm.wait({&request, 1});
  std::vector<std::byte> bytes(n);
  for (std::size_t at = 0; at < n; at += piece) {
    MPI_Irecv(bytes.data() + at, static_cast<int>(std::min(piece, n - at)), MPI_BYTE, 0, tag, comm.mpi(),
              &request);
    comm.wait({&request, 1});
  }
  return bytes;
}

}  // namespace

Subdomain distribute(const parallel::Communicator& comm, const Model* whole, Method method,
                     const Directions& directions) {
  if (!comm.root()) return unpack_subdomain(receive_bytes(comm));
  const Partition parts = partition(*whole, comm.size(), method, directions);
  const Cutter cutter(*whole, parts);
  for (int r = 1; r < comm.size(); ++r) send_bytes(comm, pack_subdomain(cutter.cut(r)), r);
  return cutter.cut(0);
}

}  // namespace crumple::decomposition
