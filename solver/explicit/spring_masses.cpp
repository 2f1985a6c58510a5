// Masses at the ends of springs, and how springs at one node divide them.
#include "explicit/spring_masses.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "elements/discrete/layout.hpp"
#include "materials/discrete/law.hpp"
#include "model/never.hpp"
#include "state/assembly.hpp"

namespace crumple::explicit_dynamics {

using model::ElementKind;
using model::kNone;
using model::Model;
namespace discrete = elements::discrete;

namespace {

constexpr double kLeast = 0.1;  ///< least fraction of elements' mass for springs

/// The object on which an end acts: a node, or a rigid body.
enum class Carrier : std::int64_t { translation, rotation, body };

/// One end of a spring or damper, and its part in the sums A and B of its carrier.
struct End {
  std::int64_t carrier = 0;
  GlobalId id = 0;       ///< of the carrier: node, or index of the body
  GlobalId element = 0;  ///< order of the element in the deck
  std::int64_t side = 0;
  double by_stiffness = 0;  ///< k / (4 m)
  double by_damping = 0;    ///< c / (2 m)
  auto place() const { return std::tuple(carrier, id, element, side); }
};

/// Inverse masses at the ends of springs, 0 for ends that do not move.
class Mobilities {
 public:
  Mobilities(const Model& model, const state::Nodal& nodal, const constraints::RigidBodies& bodies,
             const parallel::Halo& halo)
      : model_(model), nodal_(nodal), bodies_(bodies) {
    std::vector<LocalId> parts(model.parts.size());
    std::iota(parts.begin(), parts.end(), 0);
    of_elements_ = state::lump_parts(model, parts, halo);
    const double factor = std::max(model.control.step_scale, model.control.relaxation.step_scale);
    left_ = std::max(kLeast, 1.0 - factor * factor);
    note_holds();
    note_links();
  }

  double of_body(LocalId body, LocalId node, bool rotational) const {
    if (rotational) return bodies_.angular_mobility(body);
    return bodies_.mobility(body, bodies_.arm(body, nodal_.x0[node]));
  }

  double of_node(LocalId node, bool rotational) const {
    const auto hold = holds_.find(node);
    const std::uint8_t all = rotational ? 56 : 7;
    if (hold != holds_.end() && (hold->second & all) == all) return 0.0;
    if (rotational) {
      const double inertia = left_ * nodal_.own_inertia(node);
      return inertia > 0.0 ? 1.0 / inertia : 0.0;
    }
    const double own = mass(node);
    if (own > 0.0) return 1.0 / own;
    const auto link = links_.find(node);
    return link == links_.end() ? 0.0 : link->second;
  }

 private:
  /// Mass of a node that is available to springs.
  double mass(LocalId node) const {
    const double all = nodal_.own_mass(node), of_elements = std::min(all, of_elements_.mass[node]);
    return all - of_elements + left_ * of_elements;
  }

  void note_holds() {
    for (const model::NodeConstraint& c : model_.constraints)
      if (c.birth <= 0.0 && c.death >= model::kNever) holds_[c.node] |= c.mask;
  }

  /// Note nodes without mass of their own that move with other nodes.
  void note_links() {
    for (const model::NodeTie& tie : model_.node_ties) note_group(tie.nodes);
    std::map<LocalId, std::vector<LocalId>> welded;
    for (const model::Weld& weld : model_.welds)
      for (const int k : {0, 1}) welded[weld.nodes[k]].push_back(weld.nodes[1 - k]);
    for (const auto& [node, others] : welded) {
      std::vector<LocalId> group = others;
      group.push_back(node);
      note_group(group);
    }
    for (const model::Interpolation& i : model_.interpolations) note_mean(i.node, i.nodes, i.weights);
    for (const model::Contact& contact : model_.contacts)
      for (const auto* ties : {&contact.ties, &contact.springs})
        for (const model::Tie& tie : *ties) note_mean(tie.node, tie.nodes, tie.weight);
  }

  void note_group(const std::vector<LocalId>& nodes) {
    double sum = 0.0;
    for (const LocalId n : nodes) sum += mass(n);
    for (const LocalId n : nodes)
      if (mass(n) == 0.0 && sum > 0.0) links_[n] = 1.0 / sum;
  }

  void note_mean(LocalId node, std::span<const LocalId> nodes, std::span<const double> weights) {
    if (mass(node) > 0.0) return;
    double mobility = 0.0;
    for (std::size_t k = 0; k < nodes.size(); ++k)
      if (const double m = nodes[k] == kNone ? 0.0 : mass(nodes[k]); m > 0.0)
        mobility += weights[k] * weights[k] / m;
    links_[node] = mobility;
  }

  const Model& model_;
  const state::Nodal& nodal_;
  const constraints::RigidBodies& bodies_;
  state::LumpedMasses of_elements_;
  double left_ = kLeast;
  std::unordered_map<LocalId, std::uint8_t> holds_;  ///< freedoms held at all times, by node
  std::unordered_map<LocalId, double> links_;
};

/// Largest slopes of a law at any state, with the element's scale and the terms of *SECTION_DISCRETE at rest.
materials::DiscreteTangent steepest(const elements::GroupParameters& group, double scale) {
  const double nothing[materials::kDiscreteHistory] = {};
  materials::DiscreteTangent most;
  const auto visit = [&](double, const materials::DiscreteTangent& t) {
    most.stiffness = std::max(most.stiffness, std::abs(scale) * t.stiffness);
    most.damping = std::max(most.damping, std::abs(scale) * t.damping);
  };
  group.law.row->tangents(group.law.parameters, 0.0, 0.0, nothing, materials::TangentVisitor(visit));
  return most;
}

/// Ends of an element; only one if it is connected to ground.
std::vector<End> ends_of(const Model& m, const Mobilities& mobilities, const state::GroupView& g,
                         std::int32_t e, const constraints::RigidBodies& bodies, const state::Nodal& nodal) {
  const bool rotational = g.ready.parameters.section->rotational;
  const materials::DiscreteTangent t = steepest(g.ready.parameters, g.variable(e, discrete::kScale));
  std::vector<End> ends;
  const int count = g.variable(e, discrete::kGround) != 0.0 ? 1 : 2;
  for (int side = 0; side < count; ++side) {
    const LocalId node = g.node(e, side), body = bodies.body_of(node);
    const double mobility =
        body == kNone ? mobilities.of_node(node, rotational) : mobilities.of_body(body, node, rotational);
    const Carrier carrier = body != kNone ? Carrier::body
                            : rotational  ? Carrier::rotation
                                          : Carrier::translation;
    ends.push_back({static_cast<std::int64_t>(carrier), body == kNone ? nodal.id[node] : body,
                    m.discretes.order.empty() ? g.id[e] : m.discretes.order[g.element[e]], side,
                    0.25 * t.stiffness * mobility, 0.5 * t.damping * mobility});
  }
  return ends;
}

/// Sums of A and B by carrier over all ranks, each added in the order of the elements.
using Sums = std::map<std::pair<std::int64_t, GlobalId>, std::array<double, 2>>;
Sums sums_over(const parallel::Communicator& comm, const std::vector<End>& mine) {
  std::vector<End> all = comm.all_gather<End>(mine);
  std::ranges::sort(all, {}, &End::place);
  Sums sums;
  for (const End& end : all) {
    auto& [stiffness, damping] = sums[{end.carrier, end.id}];
    stiffness += end.by_stiffness;
    damping += end.by_damping;
  }
  return sums;
}

/// Inverse of the mass that is available to an end, where its carrier's springs have the sums A and B.
double compliance(const End& end, const materials::DiscreteTangent& t, const std::array<double, 2>& sums) {
  const auto [a, b] = sums;
  const double mobility = t.stiffness > 0.0 ? 4 * end.by_stiffness / t.stiffness
                          : t.damping > 0.0 ? 2 * end.by_damping / t.damping
                                            : 0.0;
  if (!(mobility > 0.0)) return 0.0;
  const double dt = 2.0 / (b + std::sqrt(b * b + 4.0 * a));
  return mobility / (end.by_stiffness * dt * dt + end.by_damping * dt);
}

}  // namespace

void share_masses_with_springs(const Model& model, const state::Nodal& nodal,
                               const constraints::RigidBodies& bodies, const parallel::Communicator& comm,
                               const parallel::Halo& halo, std::span<const state::WritableGroup> groups) {
  if (!comm.any(model.discretes.size() > 0)) return;
  const Mobilities mobilities(model, nodal, bodies, halo);
  const auto for_each = [&](auto&& visit) {
    for (const state::WritableGroup& g : groups)
      for (std::int32_t e = 0; g.kind() == ElementKind::discrete && e < g.count; ++e)
        visit(g, e, ends_of(model, mobilities, g, e, bodies, nodal));
  };
  std::vector<End> mine;
  for_each([&](auto&, std::int32_t, const std::vector<End>& ends) {
    mine.insert(mine.end(), ends.begin(), ends.end());
  });
  const Sums sums = sums_over(comm, mine);
  for_each([&](const state::WritableGroup& g, std::int32_t e, const std::vector<End>& ends) {
    const auto t = steepest(g.ready.parameters, g.variable(e, discrete::kScale));
    double sum = 0.0;
    for (const End& end : ends) sum += compliance(end, t, sums.at({end.carrier, end.id}));
    g.set_variable(e, discrete::kCompliance, sum);
  });
}

}  // namespace crumple::explicit_dynamics
