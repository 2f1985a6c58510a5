// Exact sums over elements and owned nodes.
#include "explicit/energies.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "model/element_rows.hpp"
#include "state/foam_shapes.hpp"

namespace crumple::explicit_dynamics {

using model::ElementKind;
using parallel::CollectedSum;
using parallel::ExactSum;

MassShares::MassShares(const model::Model& m) {
  std::map<std::pair<LocalId, std::pair<int, LocalId>>, state::PartFormulation> ready;
  const state::FoamShapes foams(m);
  const auto append = [&](ElementKind kind, std::span<const LocalId> parts) {
    auto& share = share_[kind];
    for (LocalId e = 0; e < static_cast<LocalId>(parts.size()); ++e) {
      const state::Compact c = state::compact(m, kind, e);
      auto it = ready.find({parts[e], c.form()});
      if (it == ready.end())
        it = ready.emplace(std::pair{parts[e], c.form()}, state::part_formulation(m, m.parts[parts[e]], c))
                 .first;
      const auto& p = it->second;
      elements::ElementInput input = state::element_input(m, kind, e, c.nodes);
      foams.put(kind, parts[e], c.nodes, input);
      const auto lumped = p.formulation->mass(input, p.parameters);
      const bool ten = c.nodes.size() == 10;
      const std::size_t corners = ten ? 4 : c.nodes.size();
      double sum = 0.0;
      for (std::size_t a = 0; a < corners; ++a) sum += lumped.mass[a];
      share.push_back(sum / static_cast<double>(corners));
      if (!ten) continue;
      middle_.resize(m.solids.size(), 0.0);
      for (std::size_t a = corners; a < 10; ++a) middle_[static_cast<std::size_t>(e)] += lumped.mass[a] / 6;
    }
  };
  model::for_each_kind(m, [&](const model::ElementKindInfo& of, const model::ElementRows& rows) {
    if (of.has_mass) append(of.kind, rows.part);
  });
}

namespace {

/// Accumulators of one part.
struct PartSums {
  enum Item { internal, hourglass, kinetic, mass, eroded_internal, eroded_hourglass, px, py, pz, count };
  std::array<ExactSum, count> sum;
  void add(const PartSums& other) {
    for (std::size_t k = 0; k < count; ++k) sum[k].add(other.sum[k]);
  }
};

PartEnergies values(const PartSums& s) {
  PartEnergies p;
  p.internal = s.sum[PartSums::internal].value();
  p.hourglass = s.sum[PartSums::hourglass].value();
  p.kinetic = s.sum[PartSums::kinetic].value();
  p.mass = s.sum[PartSums::mass].value();
  p.eroded_internal = s.sum[PartSums::eroded_internal].value();
  p.eroded_hourglass = s.sum[PartSums::eroded_hourglass].value();
  p.momentum = {s.sum[PartSums::px].value(), s.sum[PartSums::py].value(), s.sum[PartSums::pz].value()};
  return p;
}

constexpr std::size_t kNodesForThreads = 4096;  ///< with fewer, starting threads takes longer than the work

/// Of the nodes in the middle of a solid's edges, with the mass m each.
template <class Sums>
void add_middle(const model::MiddleNodes& nodes, double m, const Motion& motion, Sums& s) {
  for (const LocalId n : nodes) {
    const Vec3& v = motion.v[n];
    s[PartSums::kinetic] += 0.5 * m * dot(v, v);
    s[PartSums::mass] += m;
    s[PartSums::px] += m * v.x;
    s[PartSums::py] += m * v.y;
    s[PartSums::pz] += m * v.z;
  }
}

/// Kinetic energy and momentum of this thread's share of elements with `corners` node slots; repeated nodes
/// count once.
template <class Elements>
void add_kinetic(const Elements& elements, ElementKind kind, int corners, const MassShares& masses,
                 const Motion& motion, std::vector<PartSums>& sums) {
#pragma omp for schedule(static) nowait
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const double m = masses.share(kind, static_cast<LocalId>(e));
    double kinetic = 0.0;
    Vec3 velocity;
    int distinct = 0;
    for (int c = 0; c < corners; ++c) {
      const LocalId node = elements.nodes[e][c];
      bool seen = false;
      for (int d = 0; d < c; ++d) seen = seen || elements.nodes[e][d] == node;
      if (seen) continue;
      ++distinct;
      kinetic += 0.5 * m * dot(motion.v[node], motion.v[node]);
      velocity += motion.v[node];
    }
    auto& s = sums[elements.part[e]].sum;
    if constexpr (requires { elements.middle; })
      if (elements.has_middle(e))
        add_middle(elements.middle[e], masses.middle_share(static_cast<LocalId>(e)), motion, s);
    s[PartSums::kinetic] += kinetic;
    s[PartSums::mass] += distinct * m;
    s[PartSums::px] += m * velocity.x;
    s[PartSums::py] += m * velocity.y;
    s[PartSums::pz] += m * velocity.z;
  }
}

/// Internal and hourglass energies of this thread's share of the elements of groups.
void add_internal(std::span<const state::GroupView> groups, std::vector<PartSums>& sums) {
  for (const auto& g : groups) {
    std::array<CollectedSum, 4> of_group;
#pragma omp for schedule(static) nowait
    for (std::int32_t e = 0; e < g.count; ++e) {
      const int of_deleted = g.is_alive(e) ? 0 : 2;
      of_group[of_deleted] += g.element_energy(e, 0);
      of_group[of_deleted + 1] += g.element_energy(e, 1);
    }
    auto& s = sums[g.part].sum;
    s[PartSums::internal].add(of_group[0].sum());
    s[PartSums::hourglass].add(of_group[1].sum());
    s[PartSums::eroded_internal].add(of_group[2].sum());
    s[PartSums::eroded_hourglass].add(of_group[3].sum());
  }
}

}  // namespace

std::vector<PartEnergies> part_energies(const parallel::Communicator& comm, const model::Model& m,
                                        const MassShares& masses, const Motion& motion,
                                        std::span<const state::GroupView> groups) {
  std::vector<PartSums> sums(m.parts.size());
#pragma omp parallel if (motion.v.size() > kNodesForThreads)
  {
    std::vector<PartSums> mine(m.parts.size());
    add_internal(groups, mine);
    add_kinetic(m.shells, ElementKind::shell, 4, masses, motion, mine);
    add_kinetic(m.solids, ElementKind::solid, 8, masses, motion, mine);
    add_kinetic(m.beams, ElementKind::beam, 2, masses, motion, mine);
    add_kinetic(m.particles, ElementKind::sph, 1, masses, motion, mine);
#pragma omp critical(crumple_part_energies)
    for (std::size_t p = 0; p < sums.size(); ++p) sums[p].add(mine[p]);
  }
  std::vector<ExactSum> flat;
  for (const auto& s : sums) flat.insert(flat.end(), s.sum.begin(), s.sum.end());
  ExactSum::reduce(comm, flat);
  std::vector<PartEnergies> parts;
  for (std::size_t p = 0; p < sums.size(); ++p) {
    std::copy_n(flat.begin() + p * PartSums::count, PartSums::count, sums[p].sum.begin());
    parts.push_back(values(sums[p]));
  }
  return parts;
}

namespace {

/// Accumulators of the whole model.
struct GlobalSums {
  enum Item {
    internal,
    hourglass,
    damping,
    spring,
    kinetic,
    kinetic_balance,
    mass,
    dead_internal,
    dead_hourglass,
    px,
    py,
    pz,
    count
  };
  std::array<CollectedSum, count> sum;

  void add_element(const state::GroupView& g, std::int32_t e) {
    const bool alive = g.is_alive(e), discrete = g.kind() == ElementKind::discrete;
    sum[!alive ? dead_internal : discrete ? spring : internal] += g.element_energy(e, 0);
    sum[alive ? hourglass : dead_hourglass] += g.element_energy(e, 1);
    if (g.ready.parameters.stiffness_damping != 0) sum[damping] += g.element_energy(e, 2);
  }
  void add_node(const state::Nodal& nodal, const Motion& motion, std::size_t i) {
    const Vec3 &v = motion.v[i], &w = motion.w[i];
    sum[kinetic] += 0.5 * nodal.mass[i] * dot(v, v) + 0.5 * nodal.inertia[i] * dot(w, w);
    sum[kinetic_balance] += 0.5 * nodal.mass[i] * motion.v2[i] + 0.5 * nodal.inertia[i] * motion.w2[i];
    sum[mass] += nodal.mass[i];
    sum[px] += nodal.mass[i] * v.x;
    sum[py] += nodal.mass[i] * v.y;
    sum[pz] += nodal.mass[i] * v.z;
  }
};

}  // namespace

GlobalEnergies global_energies(const parallel::Communicator& comm, const state::Nodal& nodal,
                               const Motion& motion, std::span<const char> counted,
                               std::span<const state::GroupView> groups) {
  std::array<ExactSum, GlobalSums::count> sum;
#pragma omp parallel if (nodal.size() > kNodesForThreads)
  {
    GlobalSums mine;
    for (const auto& g : groups)
#pragma omp for schedule(static) nowait
      for (std::int32_t e = 0; e < g.count; ++e) mine.add_element(g, e);
#pragma omp for schedule(static) nowait
    for (std::size_t i = 0; i < nodal.size(); ++i)
      if (nodal.owner[i] == comm.rank() && counted[i]) mine.add_node(nodal, motion, i);
#pragma omp critical(crumple_energies)
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k].add(mine.sum[k].sum());
  }
  ExactSum::reduce(comm, sum);
  GlobalEnergies total;
  total.internal = sum[GlobalSums::internal].value();
  total.hourglass = sum[GlobalSums::hourglass].value();
  total.damping = sum[GlobalSums::damping].value();
  total.spring = sum[GlobalSums::spring].value();
  total.kinetic = sum[GlobalSums::kinetic].value();
  total.kinetic_balance = sum[GlobalSums::kinetic_balance].value();
  total.mass = sum[GlobalSums::mass].value();
  total.eroded_internal = sum[GlobalSums::dead_internal].value();
  total.eroded_hourglass = sum[GlobalSums::dead_hourglass].value();
  total.momentum = {sum[GlobalSums::px].value(), sum[GlobalSums::py].value(), sum[GlobalSums::pz].value()};
  return total;
}

}  // namespace crumple::explicit_dynamics
