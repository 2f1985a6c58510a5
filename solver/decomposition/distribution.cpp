// Cutting the model: which nodes have copies where, and each rank's filtered, renumbered model.
#include "decomposition/distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/packing.hpp"
#include "decomposition/node_order.hpp"
#include "model/archive.hpp"
#include "model/element_rows.hpp"
#include "model/linked_nodes.hpp"

namespace crumple::decomposition {

using model::ElementKind;
using model::kNone;
using model::Model;

namespace {

/// (node, rank) pairs of copies, collected in any order.
using Copies = std::vector<std::pair<LocalId, int>>;

void copies_of(const model::ElementRows& elements, const std::vector<int>& rank, Copies& copies) {
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (const LocalId node : elements.nodes(e))
      if (node != kNone) copies.emplace_back(node, rank[e]);
}

int element_rank(const Partition& p, ElementKind kind, LocalId element) {
  return kind == ElementKind::none ? -1 : p.of[kind][static_cast<std::size_t>(element)];
}

/// Sorts by node, then rank, each pair once. Nodes are dense, so they are counted; each has few ranks.
void make_unique(Copies& copies) {
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
std::vector<int> owners(const Model& whole, const Copies& copies) {
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

/// Give every rank that has a node of a group all nodes of it: welds and ties need no messages then.
void keep_together(const std::vector<std::vector<LocalId>>& groups, Copies& copies) {
  Copies more;
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

int segment_rank(const Partition& partition, const std::vector<int>& owner, const model::Segment& segment) {
  const int rank = element_rank(partition, segment.kind, segment.element);
  return rank >= 0 ? rank : owner[segment.nodes[0]];
}

/// Where a tie by penalty is computed.
int spring_rank(const Partition& partition, const std::vector<int>& owner, const model::Tie& tie) {
  const int rank = element_rank(partition, tie.kind, tie.element);
  return rank >= 0 ? rank : owner[tie.node];
}

int line_rank(const Partition& partition, const std::vector<int>& owner, const model::ContactLine& line) {
  const int rank = element_rank(partition, line.kind, line.element);
  return rank >= 0 ? rank : owner[line.nodes[0]];
}

/// A line's rank has its nodes and those where the lines that go on from it end.
void copies_of_lines(const std::vector<model::ContactLine>& lines, const Partition& partition,
                     const std::vector<int>& owner, Copies& copies) {
  for (const model::ContactLine& line : lines) {
    const int rank = line_rank(partition, owner, line);
    for (const LocalId node : line.nodes) copies.emplace_back(node, rank);
    for (const auto& end : line.beyond)
      for (const LocalId node : end)
        if (node != kNone) copies.emplace_back(node, rank);
  }
}

/// A tied node's motion follows from its segment's nodes, so every rank that has the one has the others; and
/// the rank of the segment's element, which knows when it is deleted, has them all.
void add_ties(const Model& whole, const Partition& partition, const std::vector<int>& owner, Copies& copies) {
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
  for (const model::Contact& contact : whole.contacts)
    for (const model::Tie& spring : contact.springs) {
      const int home = spring_rank(partition, owner, spring);
      copies.emplace_back(spring.node, home);
      for (const LocalId node : spring.nodes) copies.emplace_back(node, home);
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
  Copies copies;
  model::for_each_kind(whole, [&](const model::ElementKindInfo& of, const model::ElementRows& rows) {
    copies_of(rows, partition.of[of.kind], copies);
  });
  make_unique(copies);
  owner_ = owners(whole, copies);
  for (std::size_t n = 0; n < owner_.size(); ++n) copies.emplace_back(static_cast<LocalId>(n), owner_[n]);
  for (const model::PressureLoad& load : whole.pressures)
    for (const LocalId node : load.nodes) copies.emplace_back(node, home(load));
  for (const model::Airbag& bag : whole.airbags)
    for (const auto& nodes : bag.segments)
      for (const LocalId node : nodes) copies.emplace_back(node, owner_[nodes[0]]);
  for (const model::NodalLoad& load : whole.nodal_loads)
    for (const LocalId node : load.follower)
      if (node != kNone && load.node != kNone) copies.emplace_back(node, owner_[load.node]);
  for (const model::Contact& contact : whole.contacts)
    for (const auto* side : {&contact.a, &contact.b}) {
      for (const model::Segment& segment : side->segments)
        for (const LocalId node : segment.nodes)
          copies.emplace_back(node, segment_rank(partition, owner_, segment));
      copies_of_lines(side->lines, partition, owner_, copies);
    }
  make_unique(copies);
  for (std::size_t before = 0; before != copies.size();) {  // each may give the other nodes to bring along
    before = copies.size();
    keep_together(model::linked_nodes(whole), copies);
    keep_together(interpolated_nodes(whole), copies);
    add_ties(whole, partition, owner_, copies);
  }

  nodes_of_rank_.resize(partition.ranks);
  first_.assign(whole.nodes.size() + 1, 0);
  for (const auto& [node, rank] : copies) {
    ranks_.push_back(rank);
    ++first_[node + 1];
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  for (const LocalId node : node_order(whole))
    for (std::size_t k = first_[node]; k < first_[node + 1]; ++k) nodes_of_rank_[ranks_[k]].push_back(node);
}

int Cutter::home(const model::Segment& segment) const { return segment_rank(partition_, owner_, segment); }
int Cutter::home(const model::ContactLine& line) const { return line_rank(partition_, owner_, line); }
int Cutter::home(const model::PressureLoad& load) const {
  return load.shell != kNone ? element_rank(partition_, ElementKind::shell, load.shell)
                             : owner_[load.nodes[0]];
}

/// Those that the rank tests: neighbours of its nodes, and of segments and lines that it is the home of.
void Cutter::cut_neighbours(const model::Surface& from, int rank, model::Surface& to) const {
  const auto keep = [](const auto& all, auto&& is_mine, auto& kept) {
    std::copy_if(all.begin(), all.end(), std::back_inserter(kept), is_mine);
  };
  std::size_t at = 0;  // both ascend by user id
  keep(
      from.node_neighbours,
      [&](const model::Neighbours& n) {
        while (whole_.nodes.id[from.nodes[at]] != n.one) ++at;
        return owner_[from.nodes[at]] == rank;
      },
      to.node_neighbours);
  keep(
      from.segment_neighbours, [&](const model::Neighbours& n) { return home(from.segments[n.one]) == rank; },
      to.segment_neighbours);
  keep(
      from.line_neighbours, [&](const model::Neighbours& n) { return home(from.lines[n.one]) == rank; },
      to.line_neighbours);
}

namespace {

/// Renumbering of nodes and elements of one rank.
struct Renumbering {
  std::vector<LocalId> node;
  std::map<ElementKind, std::vector<LocalId>> element;
  LocalId operator()(LocalId n) const { return n == kNone ? kNone : node[n]; }
};

template <class Elements>
std::vector<LocalId> cut_elements(const Elements& from, const std::vector<int>& rank, int mine,
                                  const Renumbering& number, Elements& to) {
  std::vector<LocalId> local(from.size(), kNone);
  const auto count = static_cast<std::size_t>(std::count(rank.begin(), rank.end(), mine));
  to.id.reserve(count);
  to.order.reserve(count);
  to.part.reserve(count);
  to.nodes.reserve(count);
  for (std::size_t e = 0; e < from.size(); ++e) {
    if (rank[e] != mine) continue;
    local[e] = static_cast<LocalId>(to.size());
    to.id.push_back(from.id[e]);
    to.order.push_back(from.order[e]);
    to.part.push_back(from.part[e]);
    auto nodes = from.nodes[e];
    for (LocalId& n : nodes) n = number(n);
    to.nodes.push_back(nodes);
    if constexpr (std::is_same_v<Elements, model::Shells>) {
      if (!from.thickness.empty()) to.thickness.push_back(from.thickness[e]);
      if (!from.offset.empty()) to.offset.push_back(from.offset[e]);
    }
    if constexpr (std::is_same_v<Elements, model::Beams>) {
      if (!from.joins.empty()) to.joins.push_back(from.joins[e]);
      if (!from.direction.empty()) to.direction.push_back(from.direction[e]);
      if (!from.section.empty()) to.section.push_back(from.section[e]);
    }
    if constexpr (std::is_same_v<Elements, model::Discretes>) {
      to.orientation.push_back(from.orientation[e]);
      to.scale.push_back(from.scale[e]);
      to.offset.push_back(from.offset[e]);
    }
  }
  return local;
}

/// Local numbers of those of `nodes` that have a copy here.
std::vector<LocalId> cut_nodes(const std::vector<LocalId>& nodes, const Renumbering& number) {
  std::vector<LocalId> local;
  for (const LocalId n : nodes)
    if (number(n) != kNone) local.push_back(number(n));
  return local;
}

/// Items with a `node` that has a copy here.
template <class Item>
void cut_items(const std::vector<Item>& from, const Renumbering& number, std::vector<Item>& to) {
  for (Item item : from) {
    if (item.node != kNone && number(item.node) == kNone) continue;
    item.node = number(item.node);
    to.push_back(item);
  }
}

}  // namespace

Subdomain Cutter::cut(int rank) const {
  const Model& whole = whole_;
  Subdomain subdomain;
  Model& m = subdomain.model;
  Renumbering number{std::vector<LocalId>(whole.nodes.size(), kNone), {}};
  std::map<int, std::vector<LocalId>> shared;
  const std::size_t count = nodes_of_rank_[rank].size();
  m.nodes.id.reserve(count);
  m.nodes.x.reserve(count);
  parallel::IndexMap::Parts nodes;
  nodes.rank = rank;
  nodes.owner.reserve(count);
  nodes.global.reserve(count);
  for (const LocalId n : nodes_of_rank_[rank]) {
    const auto local = static_cast<LocalId>(m.nodes.size());
    number.node[n] = local;
    m.nodes.id.push_back(whole.nodes.id[n]);
    m.nodes.x.push_back(whole.nodes.x[n]);
    nodes.owner.push_back(owner_[n]);
    nodes.global.push_back(n);
    for (std::size_t k = first_[n]; k < first_[n + 1]; ++k)
      if (ranks_[k] != rank) shared[ranks_[k]].push_back(local);
  }
  for (auto& [neighbour, some] : shared) {
    nodes.neighbours.push_back(neighbour);
    nodes.shared.push_back(std::move(some));
  }
  subdomain.nodes = parallel::IndexMap(std::move(nodes));

  number.element[ElementKind::shell] =
      cut_elements(whole.shells, partition_.of[ElementKind::shell], rank, number, m.shells);
  number.element[ElementKind::solid] =
      cut_elements(whole.solids, partition_.of[ElementKind::solid], rank, number, m.solids);
  number.element[ElementKind::beam] =
      cut_elements(whole.beams, partition_.of[ElementKind::beam], rank, number, m.beams);
  number.element[ElementKind::discrete] =
      cut_elements(whole.discretes, partition_.of[ElementKind::discrete], rank, number, m.discretes);

  m.parts = whole.parts;
  m.part_damping = whole.part_damping;
  m.sections = whole.sections;
  m.materials = whole.materials;
  m.curves = whole.curves;
  m.tables = whole.tables;
  m.systems = whole.systems;
  m.vectors = whole.vectors;
  m.body_loads = whole.body_loads;
  m.control = whole.control;
  m.output = whole.output;
  m.interiors = whole.interiors;

  cut_items(whole.constraints, number, m.constraints);
  cut_items(whole.motions, number, m.motions);
  cut_items(whole.initial_velocities, number, m.initial_velocities);
  const auto mine = [&](LocalId n) { return n != kNone && owner_[n] == rank; };
  for (std::size_t k = 0; k < whole.masses.size(); ++k)
    if (mine(whole.masses.node[k])) {
      m.masses.id.push_back(whole.masses.id[k]);
      m.masses.node.push_back(number(whole.masses.node[k]));
      m.masses.mass.push_back(whole.masses.mass[k]);
    }
  for (model::NodalLoad load : whole.nodal_loads)
    if (mine(load.node)) {
      load.node = number(load.node);
      for (LocalId& n : load.follower) n = number(n);
      m.nodal_loads.push_back(load);
    }
  for (model::PressureLoad load : whole.pressures)
    if (home(load) == rank) {
      for (LocalId& n : load.nodes) n = number(n);
      if (load.shell != kNone) load.shell = number.element[ElementKind::shell][load.shell];
      m.pressures.push_back(load);
    }
  for (model::Airbag bag : whole.airbags) {
    std::erase_if(bag.segments, [&](const auto& nodes) { return !mine(nodes[0]); });
    for (auto& nodes : bag.segments)
      for (LocalId& n : nodes) n = number(n);
    std::erase_if(bag.nodes, [&](LocalId n) { return !mine(n); });
    for (LocalId& n : bag.nodes) n = number(n);
    m.airbags.push_back(std::move(bag));
  }
  std::erase_if(m.output.history_nodes, [&](LocalId n) { return !mine(n); });
  for (LocalId& n : m.output.history_nodes) n = number(n);
  const auto cut_histories = [&](std::vector<LocalId>& elements, ElementKind kind) {
    for (LocalId& e : elements) e = number.element[kind][e];
    std::erase(elements, kNone);
  };
  cut_histories(m.output.history_shells, ElementKind::shell);
  cut_histories(m.output.history_solids, ElementKind::solid);
  cut_histories(m.output.history_beams, ElementKind::beam);
  cut_histories(m.output.history_discretes, ElementKind::discrete);

  for (model::RigidWall wall : whole.walls) {
    wall.nodes = cut_nodes(wall.nodes, number);
    m.walls.push_back(std::move(wall));
  }
  for (model::RigidBody body : whole.rigid_bodies) {
    body.nodes = cut_nodes(body.nodes, number);
    body.centre_node = number(body.centre_node);
    m.rigid_bodies.push_back(std::move(body));
  }

  for (model::CrossSection section : whole.cross_sections) {
    section.nodes = cut_nodes(section.nodes, number);
    const auto mine_of = [&](ElementKind kind, std::vector<LocalId>& elements) {
      for (LocalId& e : elements) e = number.element[kind][e];
      std::erase(elements, kNone);
    };
    mine_of(ElementKind::shell, section.shells);
    mine_of(ElementKind::solid, section.solids);
    mine_of(ElementKind::beam, section.beams);
    mine_of(ElementKind::discrete, section.discretes);
    m.cross_sections.push_back(std::move(section));
  }

  m.supports = whole.supports;
  m.joints = whole.joints;
  m.joint_stiffnesses = whole.joint_stiffnesses;
  m.rigid_body_loads = whole.rigid_body_loads;

  for (model::Weld weld : whole.welds) {
    if (number(weld.nodes[0]) == kNone) continue;
    for (LocalId& n : weld.nodes) n = number(n);
    m.welds.push_back(weld);
  }
  for (model::NodeTie tie : whole.node_ties) {
    tie.nodes = cut_nodes(tie.nodes, number);
    if (!tie.nodes.empty()) m.node_ties.push_back(std::move(tie));
  }

  for (model::Interpolation in : whole.interpolations) {
    if (number(in.node) == kNone) continue;
    in.node = number(in.node);
    for (LocalId& n : in.nodes) n = number(n);
    m.interpolations.push_back(std::move(in));
  }

  const auto cut_surface = [&](const model::Surface& from) {
    model::Surface to;
    for (const model::Segment& whole_segment : from.segments) {
      if (home(whole_segment) != rank) continue;
      model::Segment segment = whole_segment;
      for (LocalId& n : segment.nodes) n = number(n);
      if (segment.kind != ElementKind::none) segment.element = number.element[segment.kind][segment.element];
      to.segments.push_back(segment);
    }
    for (const model::ContactLine& whole_line : from.lines) {
      if (home(whole_line) != rank) continue;
      model::ContactLine line = whole_line;
      for (LocalId& n : line.nodes) n = number(n);
      for (auto& end : line.beyond)
        for (LocalId& n : end)
          if (n != kNone) n = number(n);
      if (line.kind != ElementKind::none) line.element = number.element[line.kind][line.element];
      to.lines.push_back(line);
    }
    for (model::LineSharer sharer : from.sharers) {
      if (element_rank(partition_, sharer.kind, sharer.element) != rank) continue;
      sharer.element = number.element[sharer.kind][sharer.element];
      to.sharers.push_back(sharer);
    }
    for (std::size_t k = 0; k < from.nodes.size(); ++k)
      if (mine(from.nodes[k])) {
        to.nodes.push_back(number(from.nodes[k]));
        to.node_thickness.push_back(from.node_thickness[k]);
      }
    cut_neighbours(from, rank, to);
    return to;
  };
  for (const model::Contact& contact : whole.contacts) {
    m.contacts.push_back(contact);
    m.contacts.back().a = cut_surface(contact.a);
    m.contacts.back().b = cut_surface(contact.b);
    std::vector<model::Tie>&ties = m.contacts.back().ties, &springs = m.contacts.back().springs;
    std::erase_if(ties, [&](const model::Tie& tie) { return number(tie.node) == kNone; });
    std::erase_if(springs,
                  [&](const model::Tie& tie) { return spring_rank(partition_, owner_, tie) != rank; });
    for (std::vector<model::Tie>* list : {&ties, &springs})
      for (model::Tie& tie : *list) {
        tie.node = number(tie.node);
        for (LocalId& n : tie.nodes) n = number(n);
        if (tie.kind != ElementKind::none) tie.element = number.element[tie.kind][tie.element];
      }
  }
  return subdomain;
}

namespace {

std::vector<std::byte> pack_subdomain(const Subdomain& subdomain) {
  std::vector<std::byte> bytes;
  Packer packer(bytes);
  packer.put(subdomain.nodes.parts());
  packer.put(model::pack(subdomain.model));
  return bytes;
}

Subdomain unpack_subdomain(std::span<const std::byte> bytes) {
  Subdomain subdomain;
  Unpacker unpacker(bytes);
  subdomain.nodes = parallel::IndexMap(unpacker.take<parallel::IndexMap::Parts>());
  subdomain.model = model::unpack(unpacker.take<std::vector<std::byte>>());
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
  MPI_Recv(&n, 1, MPI_UINT64_T, 0, tag, comm.mpi(), MPI_STATUS_IGNORE);
  std::vector<std::byte> bytes(n);
  for (std::size_t at = 0; at < n; at += piece)
    MPI_Recv(bytes.data() + at, static_cast<int>(std::min(piece, n - at)), MPI_BYTE, 0, tag, comm.mpi(),
             MPI_STATUS_IGNORE);
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
