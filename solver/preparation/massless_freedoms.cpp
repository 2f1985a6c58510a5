// Finds the nodes of the whole model with mass, inertia or prescribed position, and the loads on the others.
#include "preparation/massless_freedoms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

#include "constraints/prescribed_motion.hpp"
#include "constraints/rotation.hpp"
#include "model/discrete_beam_sections.hpp"
#include "model/feature.hpp"

namespace crumple::preparation {

using model::kNone;
using model::Model;

namespace {

using constraints::Directions;
using constraints::identity3;
using constraints::Matrix3;
using constraints::Motion;

constexpr std::uint8_t kMass = 1, kInertia = 2, kPlaced = 4;  ///< of a node
constexpr int kTruss = 3;                                     ///< ELFORM of beams without moments

/// By node: mass, inertia, and whether a body, a tie or a weld sets its position.
class NodeKinds {
 public:
  explicit NodeKinds(const Model& m) : model_(m), kinds_(m.nodes.size(), 0) {
    note_elements();
    for (std::size_t k = 0; k < m.masses.size(); ++k) {
      if (m.masses.mass[k] > 0.0) add(m.masses.node[k], kMass);
      if (m.masses.inertia[k] > 0.0) add(m.masses.node[k], kInertia);
    }
    note_links();
  }
  bool has(LocalId node, std::uint8_t kind) const {
    return (kinds_[static_cast<std::size_t>(node)] & kind) != 0;
  }

 private:
  void add(LocalId node, std::uint8_t kind) {
    if (node != kNone) kinds_[static_cast<std::size_t>(node)] |= kind;
  }

  void note_elements() {
    const auto has_density = [&](LocalId part) {
      const LocalId material = model_.parts[part].material;
      return material != kNone && model_.materials[material].density > 0.0;
    };
    for (std::size_t e = 0; e < model_.shells.size(); ++e)
      for (const LocalId n : model_.shells.nodes[e])
        if (has_density(model_.shells.part[e])) add(n, kMass | kInertia);
    for (std::size_t e = 0; e < model_.solids.size(); ++e)
      if (has_density(model_.solids.part[e]))
        model::each_node(model_.solids, e, [&](LocalId n) { add(n, kMass); });
    for (const auto& nodes : model_.particles.nodes) add(nodes[0], kMass);
    for (std::size_t e = 0; e < model_.beams.size(); ++e) {
      const model::Part& part = model_.parts[model_.beams.part[e]];
      const model::DiscreteBeamSection* const discrete =
          model::find_discrete_beam_section(model_, part.section);
      const bool turns = discrete ? discrete->inertia != 0
                                  : part.section == kNone || model_.sections[part.section].elform != kTruss;
      for (const int k : {0, 1})
        if (has_density(model_.beams.part[e]))
          add(model_.beams.nodes[e][k], turns ? kMass | kInertia : kMass);
    }
  }

  void note_links() {
    for (const model::RigidBody& body : model_.rigid_bodies)
      for (const LocalId n : body.nodes) add(n, kPlaced);
    for (const model::Interpolation& i : model_.interpolations) add(i.node, kPlaced);
    for (const model::Weld& weld : model_.welds) note_group(weld.nodes);
    for (const model::NodeTie& tie : model_.node_ties) note_group(tie.nodes);
    for (const model::Contact& contact : model_.contacts)
      for (const auto* ties : {&contact.ties, &contact.springs})
        for (const model::Tie& tie : *ties) add(tie.node, kPlaced);
  }

  /// Marks nodes that move together as placed if one of them has mass.
  template <class Nodes>
  void note_group(const Nodes& nodes) {
    if (std::ranges::any_of(nodes, [&](LocalId n) { return has(n, kMass | kPlaced); }))
      for (const LocalId n : nodes) add(n, kPlaced);
  }

  const Model& model_;
  std::vector<std::uint8_t> kinds_;
};

struct Held {
  Directions translation, rotation;
};

/// Directions that are held or moved at any time, by node.
std::map<LocalId, Held> held_directions(const Model& m) {
  std::map<LocalId, Held> held;
  for (const model::NodeConstraint& c : m.constraints) {
    const Matrix3 axes = c.system == kNone ? identity3() : m.systems[c.system].axis;
    for (int k = 0; k < 3; ++k) {
      if (c.mask & (1u << k)) held[c.node].translation.add(axes[k]);
      if (c.mask & (1u << (k + 3))) held[c.node].rotation.add(axes[k]);
    }
  }
  for (const model::PrescribedMotion& input : m.motions) {
    if (input.node == kNone) continue;
    Held& of_node = held[input.node];
    Motion(input).add_directions(m.nodes.x[input.node], of_node.translation, of_node.rotation);
  }
  return held;
}

/// Finds loads on nodes that are free and have no mass.
class Search {
 public:
  explicit Search(const Model& m) : kinds_(m), held_(held_directions(m)) {}

  /// Whether no mass and no constraint takes a load on a node, along `direction` or, without one, along any
  /// direction.
  bool is_loose(LocalId node, bool rotation, const std::optional<Vec3>& direction) const {
    if (node == kNone || kinds_.has(node, kPlaced | (rotation ? kInertia : kMass))) return false;
    const auto held = held_.find(node);
    Directions space;
    if (held != held_.end()) space = rotation ? held->second.rotation : held->second.translation;
    return direction ? norm(space.removed_from(*direction)) > 1e-6 * norm(*direction) : space.count < 3;
  }

 private:
  NodeKinds kinds_;
  std::map<LocalId, Held> held_;
};

/// Direction of a spring; none if its nodes coincide, since they may separate in any direction.
std::optional<Vec3> direction_of(const Model& m, std::size_t e) {
  if (m.discretes.orientation[e] != kNone) return m.vectors[m.discretes.orientation[e]];
  const auto [a, b] = m.discretes.nodes[e];
  if (b == kNone) return std::nullopt;
  const Vec3 line = m.nodes.x[b] - m.nodes.x[a];
  return norm(line) > 0.0 ? std::optional(line) : std::nullopt;
}

/// What acts on a node: an input of a feature, or a discrete element.
struct Cause {
  const model::Feature* feature = nullptr;
  std::size_t item = 0;
  auto operator<=>(const Cause&) const = default;
};

/// Calls `visit(node, rotation, what acts, its cause)` for everything that acts on a massless freedom.
template <class Visit>
void visit_massless_freedoms(const Model& m, Visit visit) {
  std::vector<model::NodalAction> actions;
  for (const model::Feature* const feature : model::features()) feature->add_actions(m.features, actions);
  if (m.discretes.size() == 0 && actions.empty()) return;
  const Search search(m);
  for (std::size_t e = 0; e < m.discretes.size(); ++e) {
    if (m.discretes.scale[e] == 0.0) continue;
    const model::Part& part = m.parts[m.discretes.part[e]];
    const bool rotational = part.section != kNone && m.sections[part.section].rotational;
    for (const LocalId n : m.discretes.nodes[e])
      if (search.is_loose(n, rotational, direction_of(m, e)))
        visit(n, rotational, fmt::format("spring or damper {}", m.discretes.id[e]), Cause{nullptr, e});
  }
  for (const model::NodalAction& act : actions)
    if (search.is_loose(act.node, act.rotation, act.direction))
      visit(act.node, act.rotation, std::string(act.what), Cause{act.of, act.item});
}

}  // namespace

std::vector<MasslessFreedom> find_massless_freedoms(const Model& m) {
  std::map<GlobalId, MasslessFreedom> found;
  visit_massless_freedoms(m, [&](LocalId node, bool rotation, const std::string& by, const Cause&) {
    found.emplace(m.nodes.id[node], MasslessFreedom{m.nodes.id[node], rotation, by});
  });
  std::vector<MasslessFreedom> list;
  for (const auto& [node, freedom] : found) list.push_back(freedom);
  return list;
}

std::vector<GlobalId> release_massless_freedoms(Model& m) {
  std::set<GlobalId> nodes;
  std::set<Cause> released;
  visit_massless_freedoms(m, [&](LocalId node, bool, const std::string&, const Cause& cause) {
    const bool first = released.insert(cause).second;
    if (!cause.feature) m.discretes.scale[cause.item] = 0.0;
    if (cause.feature && !first) return;  // with its first node it acts on none any more
    if (cause.feature) cause.feature->release(m.features, cause.item);
    nodes.insert(m.nodes.id[node]);
  });
  return {nodes.begin(), nodes.end()};
}

}  // namespace crumple::preparation
