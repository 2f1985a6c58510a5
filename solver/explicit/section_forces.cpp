// Copies of the sections' elements, their kernels' forces, and the sums over nodes.
#include "explicit/section_forces.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "elements/beam/cross_section.hpp"

namespace crumple::explicit_dynamics {

using model::ElementKind;
using state::GroupView;

namespace {

const std::vector<LocalId>& elements_of(const model::CrossSection& section, ElementKind kind) {
  static const std::vector<LocalId> kNothing;
  switch (kind) {
    case ElementKind::shell:
      return section.shells;
    case ElementKind::solid:
      return section.solids;
    case ElementKind::beam:
      return section.beams;
    case ElementKind::discrete:
      return section.discretes;
    case ElementKind::none:
      break;
  }
  return kNothing;
}

}  // namespace

SectionForces::SectionForces(const model::Model& model, const Elements& elements,
                             std::span<const parallel::LoadSum> loads)
    : sections_(model.cross_sections.size()), areas_(model.cross_sections.size()) {
  if (sections_.empty()) return;
  loads_.assign(loads.begin(), loads.end());
  for (parallel::LoadSum& sum : loads_) sum.clear();
  for (std::size_t s = 0; s < sections_.size(); ++s) {
    const model::CrossSection& input = model.cross_sections[s];
    sections_[s].nodes = input.nodes;
    sections_[s].elements = elements.copies(
        [&](ElementKind kind) -> const std::vector<LocalId>& { return elements_of(input, kind); });
  }
}

void SectionForces::measure(const state::Nodal& nodal, double time, double dt) {
  forces_.clear();
  std::vector<char> in_section(nodal.size(), 0);
  for (std::size_t s = 0; s < sections_.size(); ++s) {
    sections_[s].elements->add_forces(nodal, loads_, time, dt);
    take(nodal, s);
    for (const LocalId n : sections_[s].nodes) in_section[n] = 1;
    add_area(nodal, s, in_section);
    for (const LocalId n : sections_[s].nodes) in_section[n] = 0;
  }
}

/// Store the forces on the section's nodes, and clear the scratch arrays.
void SectionForces::take(const state::Nodal& nodal, std::size_t section) {
  for (const LocalId n : sections_[section].nodes) {
    const parallel::LoadSum& load = loads_[n];
    forces_.push_back({static_cast<std::int64_t>(section), nodal.id[n], load.force, load.moment, nodal.x[n]});
  }
  for (const GroupView& g : sections_[section].elements->groups())
    for (const std::int32_t n : g.nodes) loads_[n].clear();
}

namespace {

struct Patch {
  double area = 0;
  Vec3 centre;
};

/// Area of a beam's section.
double beam_area(const model::Section& section) {
  const bool integrated = section.elform == 1 || section.elform == 9;
  return integrated ? elements::beam::cross_section(section).total_area : section.area;
}

Patch edge(const Vec3& a, const Vec3& b, double thickness) {
  return {norm(b - a) * thickness, 0.5 * (a + b)};
}

/// Edges of a shell with both nodes in the section, times its thickness.
template <class Visit>
void shell_patches(const GroupView& g, std::int32_t e, const state::Nodal& nodal,
                   const std::vector<char>& in_section, Visit&& visit) {
  const int corners = g.ready.formulation->n_nodes;
  for (int a = 0; a < corners; ++a) {
    const LocalId i = g.node(e, a), j = g.node(e, (a + 1) % corners);
    if (in_section[i] && in_section[j] && i != j)
      visit(edge(nodal.x[i], nodal.x[j], g.variable(e, g.layout.thickness)));
  }
}

/// The face of a solid whose nodes are in the section, if there are three or four.
template <class Visit>
void solid_patches(const GroupView& g, std::int32_t e, const state::Nodal& nodal,
                   const std::vector<char>& in_section, Visit&& visit) {
  std::vector<Vec3> x;
  Vec3 mean;
  for (int a = 0; a < g.ready.formulation->n_nodes; ++a)
    if (const LocalId n = g.node(e, a); in_section[n]) {
      x.push_back(nodal.x[n]);
      mean += nodal.x[n];
    }
  if (x.size() != 3 && x.size() != 4) return;
  mean *= 1.0 / static_cast<double>(x.size());
  // The order of the corners is not known: of the three quadrilaterals of four points the largest is used.
  double area = 0.5 * norm(cross(x[1] - x[0], x[2] - x[0]));
  if (x.size() == 4)
    area = 0.5 * std::max({norm(cross(x[1] - x[0], x[3] - x[2])), norm(cross(x[2] - x[0], x[3] - x[1])),
                           norm(cross(x[3] - x[0], x[2] - x[1]))});
  visit({area, mean});
}

template <class Visit>
void beam_patches(const GroupView& g, std::int32_t e, const state::Nodal& nodal,
                  const std::vector<char>& in_section, Visit&& visit) {
  for (int a = 0; a < 2; ++a)
    if (const LocalId n = g.node(e, a); in_section[n])
      visit({beam_area(*g.ready.parameters.section), nodal.x[n]});
}

}  // namespace

void SectionForces::add_area(const state::Nodal& nodal, std::size_t section,
                             const std::vector<char>& in_section) {
  auto& sums = areas_[section];
  sums = {};
  const auto visit = [&](const Patch& patch) {
    sums[0] += patch.area;
    for (int k = 0; k < 3; ++k) sums[std::size_t(k) + 1] += patch.area * patch.centre[k];
  };
  for (const GroupView& g : sections_[section].elements->groups()) {
    for (std::int32_t e = 0; e < g.count; ++e) {
      if (!g.is_alive(e)) continue;
      if (g.kind() == ElementKind::shell) shell_patches(g, e, nodal, in_section, visit);
      if (g.kind() == ElementKind::solid) solid_patches(g, e, nodal, in_section, visit);
      if (g.kind() == ElementKind::beam) beam_patches(g, e, nodal, in_section, visit);
    }
  }
}

std::vector<SectionForce> SectionForces::results(const parallel::Communicator& comm) const {
  std::vector<NodeForce> all = comm.gather<NodeForce>(forces_);
  std::vector<parallel::ExactSum> areas;
  for (const auto& of_section : areas_) areas.insert(areas.end(), of_section.begin(), of_section.end());
  parallel::ExactSum::reduce(comm, areas);
  if (!comm.root()) return {};
  std::sort(all.begin(), all.end(), [](const NodeForce& a, const NodeForce& b) {
    return std::tuple(a.section, a.id) < std::tuple(b.section, b.id);
  });
  std::vector<NodeForce> nodes;  // copies of a node on several ranks are joined
  for (const NodeForce& row : all) {
    const bool again = !nodes.empty() && nodes.back().section == row.section && nodes.back().id == row.id;
    if (!again) nodes.push_back(row);
    if (again) nodes.back().force.add(row.force), nodes.back().moment.add(row.moment);
  }
  std::vector<SectionForce> results(sections_.size());
  std::vector<double> counts(sections_.size(), 0.0);
  for (const NodeForce& n : nodes) {
    results[std::size_t(n.section)].centroid += n.x;
    counts[std::size_t(n.section)] += 1.0;
  }
  for (std::size_t s = 0; s < results.size(); ++s) {
    SectionForce& r = results[s];
    r.area = areas[4 * s].value();
    if (r.area > 0)
      r.centroid =
          (1.0 / r.area) * Vec3{areas[4 * s + 1].value(), areas[4 * s + 2].value(), areas[4 * s + 3].value()};
    else if (counts[s] > 0)
      r.centroid *= 1.0 / counts[s];
  }
  for (const NodeForce& n : nodes) {
    SectionForce& r = results[std::size_t(n.section)];
    const Vec3 f = -n.force.value();  // kernels add forces of elements on nodes; a section has the opposite
    r.force += f;
    r.moment += cross(n.x - r.centroid, f) - n.moment.value();
  }
  return results;
}

}  // namespace crumple::explicit_dynamics
