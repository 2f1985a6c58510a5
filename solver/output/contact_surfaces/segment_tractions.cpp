// Spreads forces of nodes over segments.
#include "output/contact_surfaces/segment_tractions.hpp"

#include <array>
#include <cmath>

namespace crumple::output {

namespace {

/// A segment with its area and unit normal, none if it has no area.
struct Facet {
  std::array<std::int32_t, 4> node{};
  std::size_t corners = 4;
  double area = 0;
  Vec3 normal;

  double share() const { return area / static_cast<double>(corners); }
  /// Part of a force at a corner that faces it, squared, times the corner's area.
  double facing(const Vec3& force) const {
    const double along = dot(force, normal);
    return share() * along * along;
  }
};

/// The area vector is half the cross product of the diagonals, which are two sides of a triangle.
Facet facet_of(const std::array<std::int32_t, 4>& n, std::span<const NcforcRow> nodes) {
  const auto x = [&](std::size_t corner) { return nodes[std::size_t(n[corner])].x; };
  const Vec3 area = 0.5 * cross(x(2) - x(0), x(3) - x(1));
  Facet facet{n, n[2] == n[3] ? 3U : 4U, norm(area), {}};
  if (facet.area > 0.0) facet.normal = (1.0 / facet.area) * area;
  return facet;
}

/// At a node, of all its segments.
struct Shares {
  double facing = 0, area = 0;
};

}  // namespace

std::vector<SegmentTraction> segment_tractions(const ContactSideInfo& side,
                                               std::span<const NcforcRow> nodes) {
  std::vector<Facet> facets;
  std::vector<Shares> all(nodes.size());
  for (const std::array<std::int32_t, 4>& segment : side.segments) {
    const Facet& facet = facets.emplace_back(facet_of(segment, nodes));
    for (std::size_t c = 0; c < facet.corners; ++c) {
      const auto n = std::size_t(facet.node[c]);
      all[n].facing += facet.facing(nodes[n].force);
      all[n].area += facet.share();
    }
  }
  std::vector<SegmentTraction> tractions;
  for (const Facet& facet : facets) {
    SegmentTraction& of = tractions.emplace_back();
    if (facet.area == 0.0) continue;
    for (std::size_t c = 0; c < facet.corners; ++c) {
      const auto n = std::size_t(facet.node[c]);
      const Vec3& force = nodes[n].force;
      const double part =
          all[n].facing > 0.0 ? facet.facing(force) / all[n].facing : facet.share() / all[n].area;
      of.traction += (part / facet.area) * force;
    }
    const double along = dot(of.traction, facet.normal);
    of.pressure = std::abs(along);
    of.shear = norm(of.traction - along * facet.normal);
  }
  return tractions;
}

}  // namespace crumple::output
