// Lumping masses onto nodes and choosing the scales of the nodal fixed-point sums.
#include "state/assembly.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "materials/discrete_beam/law.hpp"
#include "model/element_rows.hpp"
#include "model/feature.hpp"
#include "parallel/exact_sum.hpp"
#include "state/foam_shapes.hpp"
#include "state/groups.hpp"

namespace crumple::state {

using model::ElementKind;
using model::kNone;
using model::Model;

namespace {

/// Contribution of one element at one of its nodes.
struct NodalContribution {
  LocalId node = kNone;
  double mass = 0, inertia = 0;
  double force = 0, moment = 0;  ///< characteristic: at an elastic strain of order one
};

double shortest_edge(std::span<const Vec3> x) {
  double shortest = 0.0;
  for (std::size_t a = 0; a < x.size(); ++a)
    for (std::size_t b = a + 1; b < x.size(); ++b) {
      const double d = norm(x[a] - x[b]);
      if (d > 0.0 && (shortest == 0.0 || d < shortest)) shortest = d;
    }
  return shortest;
}

double longest_edge(std::span<const Vec3> x) {
  double longest = 0.0;
  for (std::size_t a = 0; a < x.size(); ++a)
    for (std::size_t b = a + 1; b < x.size(); ++b) longest = std::max(longest, norm(x[a] - x[b]));
  return longest;
}

/// Characteristic force of a cohesive layer at a node: at an opening of a hundredth of the element's width,
/// since it has no strain. Forces fit for openings that are 2^15 times as large.
double cohesive_force(const PartFormulation& p, std::span<const Vec3> x, double longest) {
  double stiffness = p.material.cohesive.stiffness;
  if (stiffness == 0.0) return 0.0;
  if (p.material.cohesive.by_thickness) {  // one without thickness is refused later
    const double thickness = norm(x[x.size() / 2] - x[0]);
    stiffness /= thickness > 0.0 ? thickness : longest;
  }
  const double area = x.size() == 8 ? 0.5 * norm(cross(x[2] - x[0], x[3] - x[1]))
                                    : 0.5 * norm(cross(x[1] - x[0], x[2] - x[0]));
  return 0.01 * longest * stiffness * area / (0.5 * static_cast<double>(x.size()));
}

/// Calls `visit(NodalContribution, part)` for every node of every element, rigid ones included.
template <class Visit>
void visit_elements(const Model& m, Visit&& visit) {
  std::map<std::pair<LocalId, std::pair<int, LocalId>>, PartFormulation> ready;
  const FoamShapes foams(m);
  const auto element = [&](ElementKind kind, LocalId e, LocalId part) {
    const Compact c = compact(m, kind, e);
    auto it = ready.find({part, c.form()});
    if (it == ready.end())
      it = ready.emplace(std::pair{part, c.form()}, part_formulation(m, m.parts[part], c)).first;
    const PartFormulation& p = it->second;
    const elements::ElementInput input = element_input(m, kind, e, c.nodes);
    elements::ElementInput of_mass = input;
    foams.put(kind, part, c.nodes, of_mass);
    const elements::NodalShare lumped = p.formulation->mass(of_mass, p.parameters);
    const std::span<const Vec3> x(input.x, c.nodes.size());
    const bool particle = kind == ElementKind::sph;  // its size is that of its volume
    const double size = particle ? std::cbrt(lumped.mass[0] / p.material.density) : 0.0;
    const double shortest = particle ? size : shortest_edge(x), longest = particle ? size : longest_edge(x);
    // Fluids have no Young's modulus.
    const materials::Elastic& elastic = p.material.elastic;
    const double modulus =
        p.material.law.row->needs.energy ? elastic.bulk + 4.0 / 3.0 * elastic.shear : elastic.young;
    const double speed2 = p.material.density > 0 ? modulus / p.material.density : 0.0;
    materials::DiscreteBeamScale of_beam;
    if (const materials::DiscreteBeamLaw* law = materials::discrete_beam_law(p.parameters.law))
      of_beam = materials::characteristic_forces(*law, longest);
    const double cohesive = cohesive_force(p, x, longest);
    for (std::size_t a = 0; a < c.nodes.size(); ++a) {
      const double force =
          cohesive + (shortest > 0 ? lumped.mass[a] * speed2 / shortest : 0.0) + of_beam.force;
      visit(NodalContribution{c.nodes[a], lumped.mass[a], lumped.inertia[a], force,
                              force * longest + of_beam.moment},
            part);
    }
  };
  model::for_each_kind(m, [&](const model::ElementKindInfo& of, const model::ElementRows& rows) {
    if (!of.has_mass) return;
    for (std::size_t e = 0; e < rows.size(); ++e) element(of.kind, static_cast<LocalId>(e), rows.part[e]);
  });
}

/// Characteristic forces of springs and applied loads.
void add_load_forces(const Model& m, std::vector<double>& force) {
  const auto raise = [&](LocalId n, double f) {
    if (n != kNone) force[n] = std::max(force[n], f);
  };
  for (std::size_t e = 0; e < m.discretes.size(); ++e) {
    const model::Material& law = m.materials[m.parts[m.discretes.part[e]].material];
    double stiffness = 0.0;
    for (const auto& [name, value] : law.fields) stiffness = std::max(stiffness, std::abs(value));
    for (const LocalId n : m.discretes.nodes[e]) raise(n, stiffness * std::abs(m.discretes.scale[e]));
  }
  for (const model::Feature* const feature : model::features()) feature->add_peak_forces(m, raise);
}

/// The power of two that puts `characteristic` at 2^bits.
double power_scale(double characteristic, int bits) {
  return std::ldexp(1.0, bits - std::ilogb(characteristic));
}

/// Sum masses exactly: fixed point with a scale from the largest share at each node. Sums elements of parts
/// for which `counts` is true, and lumped masses if `lumped`.
template <class Counts>
LumpedMasses lump(const Model& m, const parallel::Halo& halo, bool lumped, Counts&& counts) {
  const std::size_t n = m.nodes.size();
  std::vector<double> mass(n, 0.0), inertia(n, 0.0);
  std::vector<std::int64_t> shares(n, 0), mass_sum(n, 0), inertia_sum(n, 0);
  const auto raise = [](double& a, double b) { a = std::max(a, b); };
  visit_elements(m, [&](const NodalContribution& s, LocalId part) {
    if (!counts(part)) return;
    raise(mass[s.node], s.mass);
    raise(inertia[s.node], s.inertia);
    ++shares[s.node];
  });
  const std::size_t n_lumped = lumped ? m.masses.size() : 0;
  for (std::size_t k = 0; k < n_lumped; ++k) {
    raise(mass[m.masses.node[k]], m.masses.mass[k]);
    raise(inertia[m.masses.node[k]], m.masses.inertia[k]);
    ++shares[m.masses.node[k]];
  }
  halo.max(mass);
  halo.max(inertia);
  const std::array<std::span<std::int64_t>, 1> numbers{shares};
  halo.sum(numbers, 1);
  for (std::size_t i = 0; i < n; ++i) {  // room for all shares as if all were as large as the largest
    const int bits =
        std::min(52, 61 - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(shares[i]))));
    for (double* const of : {&mass[i], &inertia[i]}) *of = *of > 0 ? power_scale(*of, bits) : 1.0;
  }

  visit_elements(m, [&](const NodalContribution& s, LocalId part) {
    if (!counts(part)) return;
    mass_sum[s.node] += parallel::to_fixed(s.mass, mass[s.node]);
    inertia_sum[s.node] += parallel::to_fixed(s.inertia, inertia[s.node]);
  });
  for (std::size_t k = 0; k < n_lumped; ++k) {
    const LocalId node = m.masses.node[k];
    mass_sum[node] += parallel::to_fixed(m.masses.mass[k], mass[node]);
    inertia_sum[node] += parallel::to_fixed(m.masses.inertia[k], inertia[node]);
  }
  const std::array<std::span<std::int64_t>, 2> arrays{mass_sum, inertia_sum};
  halo.sum(arrays, 1);
  LumpedMasses sums;
  for (std::size_t i = 0; i < n; ++i) {
    sums.mass.push_back(parallel::from_fixed(mass_sum[i], mass[i]));
    sums.inertia.push_back(parallel::from_fixed(inertia_sum[i], inertia[i]));
  }
  return sums;
}

/// Scales of forces and moments: the characteristic force of the stiffest element at the node lies at
/// 2^46, so 15 bits remain above it and 46 below.
void choose_scales(const Model& m, const parallel::Communicator& comm, const parallel::Halo& halo,
                   Nodal& nodal) {
  constexpr int bits = 46;
  std::vector<double> force(nodal.size(), 0.0), moment(nodal.size(), 0.0);
  visit_elements(m, [&](const NodalContribution& s, LocalId) {
    force[s.node] = std::max(force[s.node], s.force);
    moment[s.node] = std::max(moment[s.node], s.moment);
  });
  add_load_forces(m, force);
  halo.max(force);
  halo.max(moment);
  const auto largest = [&](const std::vector<double>& values) {
    double most = 0.0;
    for (const double v : values) most = std::max(most, v);
    most = comm.max(most);
    return most > 0.0 ? most : 1.0;
  };
  const double most_force = largest(force), most_moment = largest(moment);
  nodal.loads.resize(nodal.size());
  for (std::size_t i = 0; i < nodal.size(); ++i) {
    nodal.loads[i].force.scale = power_scale(force[i] > 0 ? force[i] : most_force, bits);
    nodal.loads[i].moment.scale = power_scale(moment[i] > 0 ? moment[i] : most_moment, bits);
  }
}

}  // namespace

Nodal make_nodal(const decomposition::Subdomain& subdomain, const parallel::Communicator& comm,
                 const parallel::Halo& halo) {
  const Model& m = subdomain.model;
  Nodal nodal;
  nodal.id = m.nodes.id;
  nodal.owner.assign(subdomain.nodes.owners().begin(), subdomain.nodes.owners().end());
  nodal.x0.assign(m.nodes.x.begin(), m.nodes.x.end());
  nodal.x = nodal.x0;
  const std::size_t n = nodal.size();
  for (auto* array : {&nodal.v, &nodal.w, &nodal.a, &nodal.alpha}) array->assign(n, Vec3{});
  LumpedMasses lumped = lump(m, halo, true, [](LocalId) { return true; });
  nodal.mass = std::move(lumped.mass);
  nodal.inertia = std::move(lumped.inertia);
  choose_scales(m, comm, halo, nodal);
  for (const model::InitialVelocity& v : m.initial_velocities) {
    nodal.v[v.node] = v.v;
    nodal.w[v.node] = v.w;
  }
  return nodal;
}

LumpedMasses lump_parts(const Model& m, std::span<const LocalId> parts, const parallel::Halo& halo) {
  return lump(m, halo, false, [&](LocalId part) { return std::ranges::find(parts, part) != parts.end(); });
}

std::vector<double> part_masses(const Model& m, const parallel::Communicator& comm) {
  std::vector<parallel::ExactSum> sums(m.parts.size() + 1);
  visit_elements(m, [&](const NodalContribution& s, LocalId part) { sums[part] += s.mass; });
  for (const double lumped : m.masses.mass) sums.back() += lumped;
  for (const model::RigidBody& body : m.rigid_bodies)
    for (const model::LumpedInertia& lump : body.lumps)
      if (comm.root()) sums.back() += lump.mass;  // every rank has them
  parallel::ExactSum::reduce(comm, sums);
  std::vector<double> mass;
  for (const parallel::ExactSum& sum : sums) mass.push_back(sum.value());
  return mass;
}

}  // namespace crumple::state
