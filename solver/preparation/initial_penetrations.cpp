// Uses one contact system on the whole model, and measures again while nodes are moved out of segments.
#include "preparation/initial_penetrations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "contact/one_rank.hpp"

namespace crumple::preparation {

namespace {

using contact::ContactSystem;
using contact::nodes_on_one_rank;
using contact::PartConstants;

using model::kNone;

bool two_way(const model::Contact& contact) {
  return contact.type != model::ContactType::automatic_nodes_to_surface &&
         contact.type != model::ContactType::nodes_to_surface;
}

/// Moves each penetrating node by the mean of the displacements that its segments need.
class MoveOut {
 public:
  explicit MoveOut(model::Model& whole) : whole_(whole), rigid_(whole.nodes.size(), false) {
    for (const model::RigidBody& body : whole.rigid_bodies)
      for (const LocalId node : body.nodes) rigid_[node] = true;
    for (std::size_t n = 0; n < whole.nodes.size(); ++n)
      index_.emplace(whole.nodes.id[n], static_cast<LocalId>(n));
  }

  /// Moves nodes in the model and in `nodal`; true if any node moved.
  bool operator()(std::span<const InitialPenetration> found, state::Nodal& nodal) {
    std::map<LocalId, std::pair<Vec3, int>> moves;
    for (const InitialPenetration& p : found) {
      const model::Contact& contact = whole_.contacts[p.contact];
      const LocalId node = index_.at(p.node);
      if (contact.ignore != 0 || contact.soft == 2 || contact.birth > 0.0 || rigid_[node]) continue;
      auto& [sum, count] = moves[node];
      sum += ((two_way(contact) ? 0.5 : 1.0) * p.depth) * p.direction;
      ++count;
    }
    for (const auto& [node, move] : moves)
      nodal.x[node] = whole_.nodes.x[node] += (1.0 / move.second) * move.first;
    return !moves.empty();
  }

 private:
  model::Model& whole_;
  std::vector<bool> rigid_;
  std::unordered_map<GlobalId, LocalId> index_;
};

/// For each node the part with the smallest id among its elements' parts.
std::vector<LocalId> parts_of_nodes(const model::Model& m) {
  std::vector<LocalId> part_of(m.nodes.size(), kNone);
  const auto visit = [&](const auto& elements, std::size_t corners) {
    for (std::size_t e = 0; e < elements.size(); ++e)
      model::each_node(elements, e, corners, [&](LocalId node) {
        const LocalId part = elements.part[e];
        LocalId& of = part_of[node];
        if (of == kNone || m.parts[part].id < m.parts[of].id) of = part;
      });
  };
  visit(m.shells, 4);
  visit(m.solids, 8);
  visit(m.beams, 2);
  visit(m.particles, 1);
  return part_of;
}

/// Updates the arms of ties whose node or segment was moved from `x`.
void renew_arms(model::Model& whole, const std::vector<Vec3>& x) {
  const auto moved = [&](LocalId n) { return !(whole.nodes.x[n] == x[n]); };
  for (model::Contact& contact : whole.contacts)
    for (model::Tie& tie : contact.ties) {
      if (!moved(tie.node) && std::none_of(tie.nodes.begin(), tie.nodes.end(), moved)) continue;
      tie.arm = whole.nodes.x[tie.node];
      for (std::size_t k = 0; k < 4; ++k) tie.arm -= tie.weight[k] * whole.nodes.x[tie.nodes[k]];
    }
}

}  // namespace

std::vector<InitialPenetration> remove_initial_penetrations(model::Model& whole, int rounds) {
  if (whole.contacts.empty()) return {};
  const std::vector<Vec3> x = whole.nodes.x;
  const parallel::Communicator self(MPI_COMM_SELF);
  const std::vector<PartConstants> constants(whole.parts.size());
  state::Nodal nodal = nodes_on_one_rank(whole);
  ContactSystem system(whole, nodal, self, constants);
  std::optional<MoveOut> move_out;
  std::vector<InitialPenetration> first;
  for (int round = 0; round < rounds; ++round) {
    auto found = system.initial_penetrations(nodal);
    std::erase_if(found, [&](const auto& p) { return whole.contacts[p.contact].birth > 0.0; });
    if (round == 0) first = found;
    if (found.empty()) break;
    if (!move_out) move_out.emplace(whole);
    if (!(*move_out)(found, nodal)) break;
  }
  if (move_out) renew_arms(whole, x);
  return first;
}

std::vector<PenetrationPair> by_parts(const model::Model& whole, std::span<const InitialPenetration> found) {
  if (found.empty()) return {};
  const std::vector<LocalId> part_of = parts_of_nodes(whole);
  std::unordered_map<GlobalId, LocalId> part_of_id;
  for (const InitialPenetration& p : found) part_of_id.emplace(p.node, kNone);
  for (std::size_t n = 0; n < whole.nodes.size(); ++n)
    if (const auto at = part_of_id.find(whole.nodes.id[n]); at != part_of_id.end()) at->second = part_of[n];
  const auto id_of = [&](LocalId part) { return part == kNone ? GlobalId{0} : whole.parts[part].id; };
  std::map<std::tuple<std::int32_t, GlobalId, GlobalId>, PenetrationPair> pairs;
  // A node may be in several segments of a part: they are consecutive.
  std::map<std::tuple<std::int32_t, GlobalId, GlobalId>, GlobalId> last;
  for (const InitialPenetration& p : found) {
    const GlobalId node_part = id_of(part_of_id.at(p.node)), segment_part = id_of(p.part);
    const std::tuple key{p.contact, node_part, segment_part};
    PenetrationPair& pair = pairs[key];
    pair.contact = p.contact;
    pair.node_part = node_part;
    pair.segment_part = segment_part;
    if (const auto [at, added] = last.try_emplace(key, p.node); added || at->second != p.node) ++pair.nodes;
    last[key] = p.node;
    if (p.depth > pair.depth) {
      pair.depth = p.depth;
      pair.deepest = p.node;
    }
  }
  std::vector<PenetrationPair> sorted;
  for (const auto& [key, pair] : pairs) sorted.push_back(pair);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.depth > b.depth; });
  return sorted;
}

std::string to_text(const model::Model& whole, std::span<const PenetrationPair> pairs) {
  std::string text = fmt::format("{:>12}{:>10}{:>12}{:>12}{:>12}{:>10}\n", "depth", "nodes", "of part",
                                 "in part", "deepest", "contact");
  for (const PenetrationPair& p : pairs)
    text += fmt::format("{:12.4g}{:10d}{:12d}{:12d}{:12d}{:10d}\n", p.depth, p.nodes, p.node_part,
                        p.segment_part, p.deepest, whole.contacts[p.contact].id);
  return text;
}

}  // namespace crumple::preparation
