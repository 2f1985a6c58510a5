// What cross sections consist of: the elements of each, and the areas that these have at its nodes.
#pragma once

#include <span>
#include <vector>

#include "model/model.hpp"
#include "state/group_view.hpp"

namespace crumple::explicit_dynamics {

/// Elements of a section by kind, as indices in the rank's model.
const std::vector<LocalId>& elements_of(const model::CrossSection& section, model::ElementKind kind);

/// A part of a section's area.
struct SectionPatch {
  double area = 0;
  Vec3 centre;
};

/// Areas of one element: edges of shells times the thickness, faces of solids, sections of beams at nodes.
/// @param x positions of nodes
/// @param in_section by node
template <class Visit>
void for_each_patch(const state::GroupView& g, std::int32_t e, std::span<const Vec3> x,
                    const std::vector<char>& in_section, Visit&& visit);

/// Area of a beam's section.
double beam_area(const model::Section& section);

inline SectionPatch edge_patch(const Vec3& a, const Vec3& b, double thickness) {
  return {norm(b - a) * thickness, 0.5 * (a + b)};
}

/// Edges of a shell with both nodes in the section, times its thickness.
template <class Visit>
void shell_patches(const state::GroupView& g, std::int32_t e, std::span<const Vec3> x,
                   const std::vector<char>& in_section, Visit&& visit) {
  const int corners = g.ready.formulation->n_nodes;
  for (int a = 0; a < corners; ++a) {
    const auto i = static_cast<std::size_t>(g.node(e, a));
    const auto j = static_cast<std::size_t>(g.node(e, (a + 1) % corners));
    if (in_section[i] && in_section[j] && i != j)
      visit(edge_patch(x[i], x[j], g.variable(e, g.layout.thickness)));
  }
}

/// The face of a solid whose corners are in the section, if there are three or four. The order of the corners
/// is not known: of the three quadrilaterals of four points the largest is used.
SectionPatch face_patch(std::span<const Vec3> corners);

template <class Visit>
void solid_patches(const state::GroupView& g, std::int32_t e, std::span<const Vec3> x,
                   const std::vector<char>& in_section, Visit&& visit) {
  std::vector<Vec3> corners;
  const int nodes = g.ready.formulation->n_nodes == 10 ? 4 : g.ready.formulation->n_nodes;
  for (int a = 0; a < nodes; ++a)
    if (const auto n = static_cast<std::size_t>(g.node(e, a)); in_section[n]) corners.push_back(x[n]);
  if (corners.size() == 3 || corners.size() == 4) visit(face_patch(corners));
}

template <class Visit>
void for_each_patch(const state::GroupView& g, std::int32_t e, std::span<const Vec3> x,
                    const std::vector<char>& in_section, Visit&& visit) {
  if (g.kind() == model::ElementKind::shell) shell_patches(g, e, x, in_section, visit);
  if (g.kind() == model::ElementKind::solid) solid_patches(g, e, x, in_section, visit);
  if (g.kind() == model::ElementKind::beam)
    for (int a = 0; a < 2; ++a)
      if (const auto n = static_cast<std::size_t>(g.node(e, a)); in_section[n])
        visit(SectionPatch{beam_area(*g.ready.parameters.section), x[n]});
}

}  // namespace crumple::explicit_dynamics
