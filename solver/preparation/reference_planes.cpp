// Reference planes of shells in contact: beside the nodes by NLOC or OFFSET (CNTCO, SHLOFF).
//
// LS-DYNA keyword manual, *CONTROL_SHELL, CNTCO: with 1 the plane is the shell's middle surface, -NLOC / 2
// times the thickness from the nodes, or OFFSET; with 2 the contact thickness takes the place of the
// thickness, and OFFSET is scaled by their ratio. The surfaces of contact are half a contact thickness from
// the plane.
#include "preparation/reference_planes.hpp"

#include <algorithm>
#include <cmath>

#include "model/shell_offsets.hpp"

namespace crumple::preparation {

double reference_plane(const model::Model& whole, const model::Contact& contact, LocalId shell,
                       double thickness, double of_contact) {
  if (contact.reference_planes == 0) return 0.0;
  const double middle = model::middle_offset(whole, shell, thickness);
  if (contact.reference_planes == 1) return middle;
  return thickness > 0.0 ? middle * of_contact / thickness : 0.0;
}

void take_order(const model::Model& whole, const std::array<LocalId, 4>& nodes, model::Segment& segment) {
  const auto normal = [&](const std::array<LocalId, 4>& n) {
    const auto& x = whole.nodes.x;
    return cross(x[n[2]] - x[n[0]], x[n[3]] - x[n[1]]);
  };
  if (segment.plane != 0.0 && dot(normal(nodes), normal(segment.nodes)) < 0.0) segment.plane = -segment.plane;
  segment.nodes = nodes;
}

void set_node_planes(model::Surface& surface) {
  if (std::ranges::all_of(surface.segments, [](const model::Segment& s) { return s.plane == 0.0; })) return;
  LocalId last = 0;
  for (const LocalId node : surface.nodes) last = std::max(last, node);
  std::vector<const model::Segment*> farthest(static_cast<std::size_t>(last) + 1, nullptr);
  for (const model::Segment& segment : surface.segments)
    for (const LocalId node : segment.nodes) {
      const model::Segment*& of_node = farthest[static_cast<std::size_t>(node)];
      const double most = of_node == nullptr ? 0.0 : std::abs(of_node->plane);
      if (std::abs(segment.plane) > most) of_node = &segment;
    }
  for (const LocalId node : surface.nodes) {
    const model::Segment* const from = farthest[static_cast<std::size_t>(node)];
    surface.node_plane.push_back(from == nullptr ? 0.0 : from->plane);
    surface.node_frame.push_back(
        from == nullptr ? std::array{model::kNone, model::kNone, model::kNone, model::kNone} : from->nodes);
  }
}

}  // namespace crumple::preparation
