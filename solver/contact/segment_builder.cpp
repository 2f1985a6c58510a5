// Areas, volumes and stiffness of segments.
#include "contact/segment_builder.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/assert.hpp"
#include "model/solid_faces.hpp"

namespace crumple::contact {

namespace {

/// Volume of a brick or its degenerate forms: tetrahedra from the triangles of each face to the first node
/// (divergence theorem).
double solid_volume(const std::array<Vec3, 8>& x) {
  static constexpr int face[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                     {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  double volume = 0.0;
  for (const auto& f : face) {
    const Vec3 a = x[f[0]] - x[0], b = x[f[1]] - x[0], c = x[f[2]] - x[0], d = x[f[3]] - x[0];
    const Vec3 m = 0.25 * ((a + b) + (c + d));
    volume += dot(cross(a, b), m) + dot(cross(b, c), m) + dot(cross(c, d), m) + dot(cross(d, a), m);
  }
  return std::abs(volume) / 6.0;
}

double segment_area(const Vec3* x, int corners) {
  const Vec3 normal = corners == 4 ? cross(x[2] - x[0], x[3] - x[1]) : cross(x[1] - x[0], x[2] - x[0]);
  return 0.5 * norm(normal);
}

/// Longest diagonal; for a triangle its longest side.
double longest_diagonal(const Vec3* x, int corners) {
  if (corners == 4) return std::max(norm(x[2] - x[0]), norm(x[3] - x[1]));
  return std::max({norm(x[1] - x[0]), norm(x[2] - x[1]), norm(x[0] - x[2])});
}

}  // namespace

SegmentRecord SegmentBuilder::operator()(const model::Segment& segment, double scale, Fronts fronts,
                                         double solid_modulus) const {
  SegmentRecord r;
  r.order = segment.order;
  r.part = segment.part;
  r.node = segment.nodes;
  r.corners = segment.nodes[3] == segment.nodes[2] ? 3 : 4;
  r.half_thickness = 0.5 * segment.thickness + std::abs(segment.plane);
  r.plane = segment.plane;
  r.asleep = segment.asleep;
  r.twin = segment.twin;
  r.excluded.fill(kNoNode);
  std::array<Vec3, 4> x;
  for (int k = 0; k < 4; ++k) {
    CRUMPLE_ASSERT(segment.nodes[k] >= 0 && static_cast<std::size_t>(segment.nodes[k]) < nodal_.size(),
                   segment.nodes[k], nodal_.size(), segment.order);
    x[k] = nodal_.x0[segment.nodes[k]];
    r.excluded[k] = nodal_.id[segment.nodes[k]];
  }
  r.area = segment_area(x.data(), r.corners);
  double bulk = 0.0;
  if (segment.part != model::kNone) {
    r.rigid_body = model_.parts[segment.part].rigid_body;
    const bool given = segment.kind == model::ElementKind::solid && solid_modulus > 0.0;
    bulk = (given ? solid_modulus : constants_[segment.part].bulk) *
           model_.parts[segment.part].contact_stiffness_scale;
  }
  if (segment.kind == model::ElementKind::solid)
    solid(segment, bulk, r);
  else if (const double diagonal = longest_diagonal(x.data(), r.corners); diagonal > 0.0)
    r.stiffness = bulk * r.area / diagonal;
  r.stiffness *= scale;
  const bool front = fronts == Fronts::all || (fronts == Fronts::thin && !(segment.thickness > 0.0));
  if (front && segment.kind != model::ElementKind::solid) {
    r.one_sided = true;
    r.depth = 0.5 * std::sqrt(r.area);  // LS-DYNA has no limit; this one excludes nodes of a far side
  }
  return r;
}

void SegmentBuilder::solid(const model::Segment& segment, double bulk, SegmentRecord& r) const {
  r.one_sided = true;
  if (segment.element == model::kNone) return;
  std::array<Vec3, 8> x;
  const auto& nodes = model_.solids.nodes[segment.element];
  const bool ten = model_.solids.has_middle(segment.element);
  int more = 4;
  const auto exclude = [&](LocalId n) {
    const GlobalId id = nodal_.id[n];
    if (more < 8 && std::find(r.excluded.begin(), r.excluded.end(), id) == r.excluded.end())
      r.excluded[more++] = id;
  };
  for (int k = 0; k < 8; ++k) {
    x[k] = nodal_.x0[nodes[k]];
    if (!ten) exclude(nodes[k]);
  }
  if (ten)
    for (const LocalId n : model::below_face(model_, segment.element, segment.nodes)) exclude(n);
  const double volume = solid_volume(x);
  if (!(volume > 0.0) || !(r.area > 0.0)) return;
  // The triangles of a divided face stand for tetrahedra of an eighth of the volume.
  r.stiffness = bulk * r.area * r.area / (ten ? volume / 8 : volume);
  // A node nearer to the far face belongs to that face.
  r.depth = 0.5 * volume / (ten ? 4 * r.area : r.area);
}

}  // namespace crumple::contact
