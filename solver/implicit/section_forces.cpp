// Sums over the nodes of sections.
#include "implicit/section_forces.hpp"

#include <algorithm>

#include "explicit/section_patches.hpp"

namespace crumple::implicit {

namespace {

/// Moment about the centroid by forces and moments on nodes.
struct NodeSums {
  std::vector<Vec3> force, moment;
};

}  // namespace

void SectionForces::measure(const Elements& elements, const Trial& trial, std::span<const Vec3> x) {
  if (results_.empty()) return;
  std::vector<char> in_section(x.size(), 0);
  NodeSums sums{std::vector<Vec3>(x.size()), std::vector<Vec3>(x.size())};
  for (std::size_t s = 0; s < results_.size(); ++s) {
    const model::CrossSection& section = model_->cross_sections[s];
    for (const LocalId n : section.nodes) in_section[at(n)] = 1;
    double area = 0.0;
    Vec3 first_moment;
    const auto add_patch = [&](const explicit_dynamics::SectionPatch& patch) {
      area += patch.area;
      first_moment += patch.area * patch.centre;
    };
    const auto visit = [&](const state::GroupView& g, std::int32_t e, const ElementTangent& of) {
      explicit_dynamics::for_each_patch(g, e, x, in_section, add_patch);
      for (std::size_t a = 0; a < of.nodes.size(); ++a)
        for (std::size_t i = 0; i < at(of.dofs); ++i)
          (i < 3 ? sums.force : sums.moment)[at(of.nodes[a])][int(i % 3)] += of.force[a * at(of.dofs) + i];
    };
    elements.forces_of(
        [&](model::ElementKind kind) -> const std::vector<LocalId>& {
          return explicit_dynamics::elements_of(section, kind);
        },
        trial, visit);
    explicit_dynamics::SectionForce r;
    r.area = area;
    if (area > 0.0)
      r.centroid = (1.0 / area) * first_moment;
    else
      for (const LocalId n : section.nodes)
        r.centroid += (1.0 / static_cast<double>(section.nodes.size())) * x[at(n)];
    for (const LocalId n : section.nodes) {
      const Vec3& f = sums.force[at(n)];
      r.force += f;
      r.moment += cross(x[at(n)] - r.centroid, f) + sums.moment[at(n)];
      in_section[at(n)] = 0;
    }
    std::ranges::fill(sums.force, Vec3{});
    std::ranges::fill(sums.moment, Vec3{});
    results_[s] = r;
  }
}

}  // namespace crumple::implicit
