// Which nodes have no mass, and whether a constraint takes the loads on them.
#include "constraints/massless_nodes.hpp"

#include <algorithm>
#include <unordered_set>

#include "model/feature.hpp"
#include "modules/modules.hpp"

namespace crumple::constraints {

using model::kNone;

namespace {

constexpr double kRounding = 1e-9;  ///< relative to a force: rounding of its components in other directions

/// Nodes that transfer all forces: their loads need no check.
std::unordered_set<LocalId> nodes_that_transfer(const model::Model& m) {
  std::unordered_set<LocalId> nodes;
  for (const model::Interpolation& i : m.interpolations) nodes.insert(i.node);
  for (const model::Contact& contact : m.contacts)
    for (const model::Tie& tie : contact.ties) nodes.insert(tie.node);
  return nodes;
}

/// Nodes on whose rotation springs, moments or motions act.
std::unordered_set<LocalId> turned_nodes(const model::Model& m) {
  std::unordered_set<LocalId> nodes;
  for (std::size_t e = 0; e < m.discretes.size(); ++e)
    if (m.sections[m.parts[m.discretes.part[e]].section].rotational)
      for (const LocalId n : m.discretes.nodes[e])
        if (n != kNone) nodes.insert(n);
  for (const model::NodalLoad& load : m.nodal_loads)
    if (load.node != kNone && load.dof > 4) nodes.insert(load.node);
  return nodes;
}

/// By node: whether something other than elements with mass may load it.
std::vector<char> pushed_nodes(const model::Model& m, std::size_t count) {
  std::vector<char> pushed(count, 0);
  const auto add = [&](LocalId node) {
    if (node != kNone) pushed[static_cast<std::size_t>(node)] = 1;
  };
  const auto add_all = [&](const auto& nodes) { std::ranges::for_each(nodes, add); };
  std::ranges::for_each(m.discretes.nodes, add_all);
  for (const model::NodalLoad& load : m.nodal_loads) add(load.node);
  for (const model::PressureLoad& load : m.pressures) add_all(load.nodes);
  std::vector<LocalId> by_features;
  for (const model::Feature* const feature : model::features())
    feature->add_pushed_nodes(m.features, by_features);
  add_all(by_features);
  for (const model::Weld& weld : m.welds) add_all(weld.nodes);
  for (const model::NodeTie& tie : m.node_ties) add_all(tie.nodes);
  for (const model::Contact& contact : m.contacts)
    for (const model::Surface* side : {&contact.a, &contact.b}) add_all(side->nodes);
  return pushed;
}

}  // namespace

MasslessNodes::MasslessNodes(const model::Model& m, const state::Nodal& nodal, std::span<const char> rigid)
    : model_(&m) {
  const std::unordered_set<LocalId> transfer = nodes_that_transfer(m), turned = turned_nodes(m);
  const std::vector<char> pushed = pushed_nodes(m, nodal.size());
  for (LocalId n = 0; n < static_cast<LocalId>(nodal.size()); ++n) {
    const auto i = static_cast<std::size_t>(n);
    const bool massless = pushed[i] && !(nodal.own_mass(i) > 0.0);
    const bool loose_rotation = turned.contains(n) && !(nodal.own_inertia(i) > 0.0);
    if ((massless || loose_rotation) && !rigid[i] && !transfer.contains(n)) loads_.push_back({n, {}, {}});
  }
  acted_on_.assign(loads_.size(), 0);
}

void MasslessNodes::take_loads(const state::Nodal& nodal) {
  for (std::size_t k = 0; k < loads_.size(); ++k) {
    Load& load = loads_[k];
    const auto i = static_cast<std::size_t>(load.node);
    load.force = nodal.mass[i] > 0.0 ? Vec3{} : nodal.force_at(load.node);
    load.moment = nodal.inertia[i] > 0.0 ? Vec3{} : nodal.moment_at(load.node);
    acted_on_[k] = !(load.force == Vec3{}) || !(load.moment == Vec3{});
  }
}

const MasslessNodes::Load* MasslessNodes::load_on(LocalId node) const {
  const auto found = std::ranges::lower_bound(loads_, node, {}, &Load::node);
  if (found == loads_.end() || found->node != node) return nullptr;
  return acted_on_[static_cast<std::size_t>(found - loads_.begin())] ? &*found : nullptr;
}

/// Axes along which *CONSTRAINED_NODE_SET moves the node with others that have mass.
Directions MasslessNodes::tied_axes(const state::Nodal& nodal, LocalId node, double time) const {
  Directions axes;
  const auto has_mass = [&](LocalId n) { return nodal.mass[n] > 0.0; };
  for (const model::NodeTie& tie : model_->node_ties) {
    if (time >= tie.failure_time || std::ranges::find(tie.nodes, node) == tie.nodes.end()) continue;
    if (std::ranges::none_of(tie.nodes, has_mass)) continue;
    for (int k = 0; k < 3; ++k)
      if (tie.mask & (1u << k)) axes.add(identity3()[k]);
  }
  return axes;
}

void MasslessNodes::find_loose(const modules::Modules& modules, const modules::Cycle& cycle) {
  const state::Nodal& nodal = cycle.nodal;
  if (loose_.node != Loose{}.node) return;
  for (std::size_t k = 0; k < loads_.size(); ++k) {
    const Load& load = loads_[k];
    if (!acted_on_[k] || cycle.placed[static_cast<std::size_t>(load.node)]) continue;
    Directions translation = tied_axes(nodal, load.node, cycle.time), rotation;
    modules.each(&modules::Module::add_held, load.node, cycle, translation, rotation);
    const double force = norm(translation.removed_from(load.force)),
                 moment = norm(rotation.removed_from(load.moment));
    const bool pushed = force > kRounding * norm(load.force), turned = moment > kRounding * norm(load.moment);
    const GlobalId id = nodal.id[static_cast<std::size_t>(load.node)];
    if ((pushed || turned) && id < loose_.node) loose_ = {id, !pushed, pushed ? force : moment, cycle.time};
  }
}

}  // namespace crumple::constraints
