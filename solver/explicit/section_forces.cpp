// Copies of the sections' elements, their kernels' forces, and the sums over nodes.
#include "explicit/section_forces.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "explicit/section_patches.hpp"

namespace crumple::explicit_dynamics {

using model::ElementKind;
using state::GroupView;

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

void SectionForces::add_area(const state::Nodal& nodal, std::size_t section,
                             const std::vector<char>& in_section) {
  auto& sums = areas_[section];
  sums = {};
  const auto visit = [&](const SectionPatch& patch) {
    sums[0] += patch.area;
    for (int k = 0; k < 3; ++k) sums[std::size_t(k) + 1] += patch.area * patch.centre[k];
  };
  for (const GroupView& g : sections_[section].elements->groups()) {
    for (std::int32_t e = 0; e < g.count; ++e) {
      if (!g.is_alive(e)) continue;
      for_each_patch(g, e, nodal.x, in_section, visit);
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
