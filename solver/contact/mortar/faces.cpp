// Makes faces from the model's segments, and finds near ones by a grid of buckets.
#include "contact/mortar/faces.hpp"

#include <algorithm>
#include <cmath>

#include "contact/mortar/face_of_segment.hpp"
#include "contact/search/bucket_grid.hpp"

namespace crumple::contact::mortar {

namespace {

constexpr double kStiffness = 100.0;  ///< over SLSFAC SFS K / L
constexpr double kSoftPart = 0.01;    ///< e over L

Box box_of(const Face& face, std::span<const Vec3> x) {
  Box box;
  for (int k = 0; k < face.corners; ++k) box.add(x[at(face.node[at(k)])]);
  return box.grown(face.half_thickness);
}

bool excludes(const Face& one, const Face& other, std::span<const GlobalId> node_id) {
  for (int k = 0; k < other.corners; ++k) {
    const GlobalId id = node_id[at(other.node[at(k)])];
    if (std::ranges::find(one.excluded, id) != one.excluded.end()) return true;
  }
  return false;
}

bool neighbours(const Side& side, GlobalId one, GlobalId other) {
  return std::ranges::binary_search(side.neighbours, model::Neighbours{one, other});
}

}  // namespace

Face make_face(const model::Segment& segment, const SegmentBuilder& build,
               std::span<const PartConstants> constants, const model::Model& model, double scale) {
  const SegmentRecord record = build(segment, 1.0, Fronts::none);
  Face face;
  face.order = record.order;
  face.node = record.node;
  face.corners = record.corners;
  face.excluded = record.excluded;
  face.half_thickness = record.half_thickness;
  face.area = record.area;
  face.depth = record.depth;
  face.solid = record.one_sided;
  face.kind = segment.kind;
  face.element = segment.element;
  double bulk = 0;
  if (segment.part != model::kNone)
    bulk = constants[at(segment.part)].bulk * model.parts[at(segment.part)].contact_stiffness_scale;
  face.modulus = kStiffness * scale * bulk;
  face.length = face.solid ? 2.0 * record.depth : segment.thickness;
  if (!(face.length > 0.0)) face.length = std::sqrt(record.area);
  return face;
}

PressureLaw law_between(const Face& one, const Face& other) {
  return law_of({one.modulus, other.modulus}, {one.length, other.length});
}

PressureLaw law_of(const std::array<double, 2>& modulus, const std::array<double, 2>& length) {
  const bool by_other = modulus[1] > 0.0 && (modulus[1] < modulus[0] || !(modulus[0] > 0.0));
  const double shorter = std::min(length[0], length[1]);
  return {(by_other ? modulus[1] : modulus[0]) / shorter, kSoftPart * shorter};
}

Side make_side(const model::Surface& surface, const SegmentBuilder& build,
               std::span<const PartConstants> constants, const model::Model& model, double scale) {
  Side side;
  double size = 0;
  for (const model::Segment& segment : surface.segments) {
    if (segment.asleep) continue;
    const Face face = make_face(segment, build, constants, model, scale);
    if (!(face.area > 0.0)) continue;
    size += std::sqrt(face.area);
    for (int k = 0; k < face.corners; ++k) side.nodes.push_back(face.node[at(k)]);
    side.faces.push_back(face);
  }
  if (!side.faces.empty()) side.mean_size = size / static_cast<double>(side.faces.size());
  std::ranges::sort(side.nodes);
  side.nodes.erase(std::unique(side.nodes.begin(), side.nodes.end()), side.nodes.end());
  for (Face& face : side.faces)
    for (int k = 0; k < face.corners; ++k)
      face.at[at(k)] = static_cast<std::int32_t>(std::ranges::lower_bound(side.nodes, face.node[at(k)]) -
                                                 side.nodes.begin());
  side.neighbours = surface.segment_neighbours;
  return side;
}

std::vector<std::pair<std::int32_t, std::int32_t>> near_faces(const Side& first, const Side& second,
                                                              bool single, std::span<const Vec3> x,
                                                              std::span<const GlobalId> node_id,
                                                              double margin) {
  std::vector<std::pair<std::int32_t, std::int32_t>> found;
  if (first.faces.empty() || second.faces.empty()) return found;
  std::vector<Box> boxes;
  std::vector<Vec3> centres;
  double half = 0;
  for (const Face& face : second.faces) {
    const Box box = boxes.emplace_back(box_of(face, x));
    centres.push_back(0.5 * (box.low + box.high));
    const Vec3 extent = 0.5 * (box.high - box.low);
    half = std::max({half, extent.x, extent.y, extent.z});
  }
  BucketGrid grid;
  grid.build(centres, std::max(second.mean_size, 1e-3 * half));
  std::vector<std::int32_t> near;
  for (std::int32_t i = 0; i < std::ssize(first.faces); ++i) {
    const Face& face = first.faces[at(i)];
    if (!face.alive) continue;
    const Box box = box_of(face, x).grown(margin);
    near.clear();
    grid.for_each_near(box.grown(half), [&](std::int32_t k, const Vec3&) {
      if (box.overlaps(boxes[at(k)])) near.push_back(k);
    });
    std::ranges::sort(near);
    for (const std::int32_t k : near) {
      const Face& other = second.faces[at(k)];
      if (!other.alive || (single && k <= i)) continue;
      if (excludes(face, other, node_id) || excludes(other, face, node_id)) continue;
      if (single &&
          (neighbours(first, face.order, other.order) || neighbours(first, other.order, face.order)))
        continue;
      found.emplace_back(i, k);
    }
  }
  return found;
}

}  // namespace crumple::contact::mortar
