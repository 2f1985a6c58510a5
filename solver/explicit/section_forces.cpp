// Copies of the sections' elements, their kernels' forces, and the sums over nodes.
#include "explicit/section_forces.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "elements/beam/cross_section.hpp"

namespace crumple::explicit_dynamics {

using model::ElementKind;
using state::ElementGroup;

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

/// Room for `count` elements like those of `from`, with padding that adds no forces.
template <class T>
ElementGroup<T> empty_copy(const ElementGroup<T>& from, std::size_t count) {
  ElementGroup<T> copy;
  copy.part = from.part;
  copy.ready = from.ready;
  copy.layout = from.layout;
  copy.kernel = from.kernel;
  copy.count = static_cast<std::int32_t>(count);
  const std::size_t lanes = std::size_t(copy.blocks()) * elements::kLanes;
  copy.nodes.assign(lanes * std::size_t(from.ready.formulation->n_nodes), 0);
  copy.state.assign(lanes * std::size_t(from.layout.n_vars), T(0));
  copy.alive.assign(lanes, T(0));
  copy.step.assign(lanes, T(0));
  copy.energy.assign(lanes * elements::kEnergies, 0.0);
  return copy;
}

/// Item by item, element `e` of `from` into lane `lane` of `to`.
template <class Array>
void copy_lane(const Array& from, std::int32_t e, Array& to, std::int32_t lane, int width) {
  using Group = ElementGroup<double>;
  for (int k = 0; k < width; ++k) to[Group::at(lane, k, width)] = from[Group::at(e, k, width)];
}

}  // namespace

template <class T>
SectionForces<T>::SectionForces(const model::Model& model, std::span<const ElementGroup<T>> groups,
                                std::span<const parallel::LoadSum> loads)
    : sections_(model.cross_sections.size()), areas_(model.cross_sections.size()) {
  if (sections_.empty()) return;
  loads_.assign(loads.begin(), loads.end());
  for (parallel::LoadSum& sum : loads_) sum.clear();
  for (std::size_t s = 0; s < sections_.size(); ++s) {
    sections_[s].nodes = model.cross_sections[s].nodes;
    choose(model.cross_sections[s], groups, sections_[s]);
  }
}

template <class T>
void SectionForces<T>::choose(const model::CrossSection& input, std::span<const ElementGroup<T>> groups,
                              Section& section) const {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::vector<LocalId>& wanted = elements_of(input, groups[g].kind());
    if (wanted.empty()) continue;
    std::vector<LocalId> sorted = wanted;
    std::sort(sorted.begin(), sorted.end());
    Chosen chosen;
    chosen.group = g;
    for (std::int32_t e = 0; e < groups[g].count; ++e)
      if (std::binary_search(sorted.begin(), sorted.end(), groups[g].element[e]))
        chosen.elements.push_back(e);
    if (chosen.elements.empty()) continue;
    chosen.copy = empty_copy(groups[g], chosen.elements.size());
    section.chosen.push_back(std::move(chosen));
  }
}

/// Padding lanes repeat the last element but are not alive.
template <class T>
void SectionForces<T>::copy_state(const ElementGroup<T>& from, Chosen& chosen) const {
  ElementGroup<T>& copy = chosen.copy;
  for (std::int32_t lane = 0; lane < copy.blocks() * elements::kLanes; ++lane) {
    const std::int32_t e = chosen.elements[std::size_t(std::min(lane, copy.count - 1))];
    copy_lane(from.nodes, e, copy.nodes, lane, from.ready.formulation->n_nodes);
    copy_lane(from.state, e, copy.state, lane, from.layout.n_vars);
    copy_lane(from.energy, e, copy.energy, lane, elements::kEnergies);
    copy.alive[lane] = lane < copy.count ? from.alive[e] : T(0);
    copy.step[lane] = from.step[e];
  }
}

template <class T>
void SectionForces<T>::measure(const state::Nodal& nodal, std::span<const ElementGroup<T>> groups,
                               double time, double dt) {
  forces_.clear();
  std::vector<char> in_section(nodal.size(), 0);
  for (std::size_t s = 0; s < sections_.size(); ++s) {
    for (Chosen& chosen : sections_[s].chosen) {
      copy_state(groups[chosen.group], chosen);
      chosen.copy.run(nodal, loads_.data(), time, dt, 0, chosen.copy.blocks());
    }
    take(nodal, s);
    for (const LocalId n : sections_[s].nodes) in_section[n] = 1;
    add_area(nodal, s, in_section);
    for (const LocalId n : sections_[s].nodes) in_section[n] = 0;
  }
}

/// Keep the forces on the section's nodes, and leave the scratch arrays as they were.
template <class T>
void SectionForces<T>::take(const state::Nodal& nodal, std::size_t section) {
  for (const LocalId n : sections_[section].nodes) {
    const parallel::LoadSum& load = loads_[n];
    forces_.push_back({static_cast<std::int64_t>(section), nodal.id[n], load.force, load.moment, nodal.x[n]});
  }
  for (const Chosen& chosen : sections_[section].chosen)
    for (const std::int32_t n : chosen.copy.nodes) loads_[n].clear();
}

namespace {

struct Patch {
  double area = 0;
  Vec3 centre;
};

/// Of the section that a beam was given.
double beam_area(const model::Section& section) {
  const bool integrated = section.elform == 1 || section.elform == 9;
  return integrated ? elements::beam::cross_section(section).total_area : section.area;
}

Patch edge(const Vec3& a, const Vec3& b, double thickness) {
  return {norm(b - a) * thickness, 0.5 * (a + b)};
}

/// Edges of a shell with both nodes in the section, times its thickness.
template <class T, class Visit>
void shell_patches(const ElementGroup<T>& g, std::int32_t e, const state::Nodal& nodal,
                   const std::vector<char>& in_section, Visit&& visit) {
  const int corners = g.ready.formulation->n_nodes;
  for (int a = 0; a < corners; ++a) {
    const LocalId i = g.node(e, a), j = g.node(e, (a + 1) % corners);
    if (in_section[i] && in_section[j] && i != j)
      visit(edge(nodal.x[i], nodal.x[j], g.variable(e, g.layout.thickness)));
  }
}

/// The face that the nodes of a solid in the section make, if there are three or four.
template <class T, class Visit>
void solid_patches(const ElementGroup<T>& g, std::int32_t e, const state::Nodal& nodal,
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
  // Any order of the corners: a quadrilateral is the largest of the three that four points make.
  double area = 0.5 * norm(cross(x[1] - x[0], x[2] - x[0]));
  if (x.size() == 4)
    area = 0.5 * std::max({norm(cross(x[1] - x[0], x[3] - x[2])), norm(cross(x[2] - x[0], x[3] - x[1])),
                           norm(cross(x[3] - x[0], x[2] - x[1]))});
  visit({area, mean});
}

template <class T, class Visit>
void beam_patches(const ElementGroup<T>& g, std::int32_t e, const state::Nodal& nodal,
                  const std::vector<char>& in_section, Visit&& visit) {
  for (int a = 0; a < 2; ++a)
    if (const LocalId n = g.node(e, a); in_section[n])
      visit({beam_area(*g.ready.parameters.section), nodal.x[n]});
}

}  // namespace

template <class T>
void SectionForces<T>::add_area(const state::Nodal& nodal, std::size_t section,
                                const std::vector<char>& in_section) {
  auto& sums = areas_[section];
  sums = {};
  const auto visit = [&](const Patch& patch) {
    sums[0] += patch.area;
    for (int k = 0; k < 3; ++k) sums[std::size_t(k) + 1] += patch.area * patch.centre[k];
  };
  for (const Chosen& chosen : sections_[section].chosen) {
    const ElementGroup<T>& g = chosen.copy;
    for (std::int32_t e = 0; e < g.count; ++e) {
      if (!g.is_alive(e)) continue;
      if (g.kind() == ElementKind::shell) shell_patches(g, e, nodal, in_section, visit);
      if (g.kind() == ElementKind::solid) solid_patches(g, e, nodal, in_section, visit);
      if (g.kind() == ElementKind::beam) beam_patches(g, e, nodal, in_section, visit);
    }
  }
}

template <class T>
std::vector<SectionForce> SectionForces<T>::results(const parallel::Communicator& comm) const {
  std::vector<NodeForce> all = comm.gather<NodeForce>(forces_);
  std::vector<parallel::ExactSum> areas;
  for (const auto& of_section : areas_) areas.insert(areas.end(), of_section.begin(), of_section.end());
  parallel::ExactSum::reduce(comm, areas);
  if (!comm.root()) return {};
  std::sort(all.begin(), all.end(), [](const NodeForce& a, const NodeForce& b) {
    return std::tuple(a.section, a.id) < std::tuple(b.section, b.id);
  });
  std::vector<NodeForce> nodes;  // copies of a node on several ranks become one
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
    const Vec3 f = -n.force.value();  // kernels add what elements do to nodes; a section has the reverse
    r.force += f;
    r.moment += cross(n.x - r.centroid, f) - n.moment.value();
  }
  return results;
}

template class SectionForces<float>;
template class SectionForces<double>;

}  // namespace crumple::explicit_dynamics
