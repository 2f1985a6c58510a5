// Which nodes may be linked, and which links share nodes.
#include "constraints/linked_input.hpp"

#include <algorithm>
#include <numeric>

#include "constraints/fibres/fibre.hpp"
#include "constraints/linear/linear_constraint.hpp"
#include "constraints/prescribed_motion.hpp"
#include "constraints/rivets/rivet.hpp"
#include "constraints/tied_edges/tied_edge.hpp"
#include "constraints/tied_nodes/tied_nodes.hpp"

namespace crumple::constraints {

using model::kNone;

namespace {

std::map<LocalId, std::string_view> nodes_placed_by_others(const model::Model& m) {
  std::map<LocalId, std::string_view> placed;
  const auto put = [&](const auto& nodes, std::string_view by) {
    for (const LocalId n : nodes)
      if (n != kNone) placed.emplace(n, by);
  };
  for (const model::Weld& weld : m.welds) put(weld.nodes, "a spot weld");
  for (const model::NodeTie& tie : m.node_ties) put(tie.nodes, "*CONSTRAINED_NODE_SET");
  for (const model::Interpolation& in : m.interpolations)
    put(std::vector{in.node}, "*CONSTRAINED_INTERPOLATION or _ADAPTIVITY");
  for (const LinearGroup& group : m.features.of<LinearGroup>()) put(group.nodes, "*CONSTRAINED_LINEAR");
  for (const RivetGroup& group : m.features.of<RivetGroup>()) put(group.nodes, "*CONSTRAINED_RIVET");
  for (const TiedNodes& tied : m.features.of<TiedNodes>()) put(tied.nodes, "*CONSTRAINED_TIED_NODES_FAILURE");
  for (const Fibre& fibre : m.features.of<Fibre>()) put(fibre.nodes, "*CONSTRAINED_SHELL_TO_SOLID");
  for (const TiedEdge& edge : m.features.of<TiedEdge>()) put(edge.nodes, "*CONSTRAINED_TIE-BREAK");
  return placed;
}

std::map<LocalId, Directions> held_translations(const model::Model& m) {
  std::map<LocalId, Directions> held;
  for (const model::NodeConstraint& c : m.constraints) {
    const Matrix3 axes = c.system == kNone ? identity3() : m.systems[at(c.system)].axis;
    for (int k = 0; k < 3; ++k)
      if (c.mask & (1u << k)) held[c.node].add(axes[static_cast<std::size_t>(k)]);
  }
  Directions turns;
  for (const model::PrescribedMotion& input : m.motions)
    if (input.node != kNone) Motion(input).add_directions(m.nodes.x[at(input.node)], held[input.node], turns);
  return held;
}

}  // namespace

LinkableNodes::LinkableNodes(model::Builder& build)
    : build_(build), placed_(nodes_placed_by_others(build.model)), held_(held_translations(build.model)) {}

bool LinkableNodes::accepts(LocalId node, const std::string& label, const Place& place) const {
  const GlobalId id = build_.model.nodes.id[at(node)];
  const LocalId body = build_.body_of_node[at(node)];
  const auto by = placed_.find(node);
  if (body == kNone && by == placed_.end()) return true;
  const std::string what = body != kNone ? fmt::format("belongs to the rigid body of part {}",
                                                       build_.model.rigid_bodies[at(body)].part_id)
                                         : fmt::format("is placed by {}, too", by->second);
  build_.unsupported(fmt::format("{}: node {} {}; it can obey one only", label, id, what), place);
  return false;
}

bool LinkableNodes::has_mass(LocalId node, const Vec3* direction, const std::string& label,
                             const Place& place) const {
  if (build_.has_mass(node)) return true;
  const auto held = held_.find(node);
  const Directions space = held == held_.end() ? Directions{} : held->second;
  const bool answers =
      direction ? norm(space.removed_from(*direction)) <= 1e-6 * norm(*direction) : space.count == 3;
  if (answers) return true;
  build_.error("CR-D310",
               fmt::format("{}: node {} has no mass and nothing holds or moves it: give it a mass "
                           "(*ELEMENT_MASS)",
                           label, build_.model.nodes.id[at(node)]),
               place);
  return false;
}

std::vector<std::vector<std::size_t>> items_that_share(
    const std::vector<std::vector<LocalId>>& nodes_of_item) {
  std::vector<std::size_t> lead(nodes_of_item.size());
  std::iota(lead.begin(), lead.end(), 0);
  const auto root = [&](std::size_t i) {
    while (lead[i] != i) i = lead[i] = lead[lead[i]];
    return i;
  };
  std::map<LocalId, std::size_t> first_of;
  for (std::size_t k = 0; k < nodes_of_item.size(); ++k)
    for (const LocalId n : nodes_of_item[k]) {
      const std::size_t a = root(k), b = root(first_of.emplace(n, k).first->second);
      lead[std::max(a, b)] = std::min(a, b);
    }
  std::vector<std::vector<std::size_t>> groups;
  std::map<std::size_t, std::size_t> group_of;
  for (std::size_t k = 0; k < nodes_of_item.size(); ++k) {
    const auto [found, fresh] = group_of.emplace(root(k), groups.size());
    if (fresh) groups.emplace_back();
    groups[found->second].push_back(k);
  }
  return groups;
}

std::vector<LocalId> nodes_of_items(const std::vector<std::size_t>& items,
                                    const std::vector<std::vector<LocalId>>& nodes_of_item,
                                    const model::Model& model) {
  std::vector<LocalId> nodes;
  for (const std::size_t k : items)
    nodes.insert(nodes.end(), nodes_of_item[k].begin(), nodes_of_item[k].end());
  const auto id = [&](LocalId n) { return model.nodes.id[at(n)]; };
  std::ranges::sort(nodes, {}, id);
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace crumple::constraints
