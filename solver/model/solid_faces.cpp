// A face is exterior if no other solid has the same nodes.
#include "model/solid_faces.hpp"

#include <algorithm>

namespace crumple::model {

namespace {

constexpr int kBrickFaces[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                   {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
constexpr int kTetrahedronFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

/// Distinct nodes in order of appearance.
template <std::size_t N>
std::vector<LocalId> distinct(const std::array<LocalId, N>& nodes) {
  std::vector<LocalId> out;
  for (const LocalId n : nodes)
    if (std::find(out.begin(), out.end(), n) == out.end()) out.push_back(n);
  return out;
}

Vec3 mean(const Model& model, const std::vector<LocalId>& nodes) {
  Vec3 sum;
  for (const LocalId n : nodes) sum += model.nodes.x[n];
  return (1.0 / static_cast<double>(nodes.size())) * sum;
}

SolidFace outward(const Model& model, LocalId solid, std::vector<LocalId> nodes, const Vec3& centre) {
  const auto& x = model.nodes.x;
  const Vec3 normal = nodes.size() == 4 ? cross(x[nodes[2]] - x[nodes[0]], x[nodes[3]] - x[nodes[1]])
                                        : cross(x[nodes[1]] - x[nodes[0]], x[nodes[2]] - x[nodes[0]]);
  if (dot(normal, mean(model, nodes) - centre) < 0.0) std::reverse(nodes.begin(), nodes.end());
  SolidFace face;
  face.solid = solid;
  for (int k = 0; k < 4; ++k) face.nodes[k] = nodes[std::min<std::size_t>(k, nodes.size() - 1)];
  return face;
}

/// Four triangles for each face of a tetrahedron with ten nodes: one at each corner, one between them.
void add_divided_faces(const Model& model, LocalId solid, std::vector<SolidFace>& faces) {
  // Of each face the corners, and the nodes in the middle of the edges that follow them.
  constexpr int middle_of[4][3] = {{2, 1, 0}, {0, 4, 3}, {1, 5, 4}, {2, 3, 5}};
  const auto& corner = model.solids.nodes[solid];
  const MiddleNodes& middle = model.solids.middle[solid];
  const Vec3 centre = mean(model, {corner[0], corner[1], corner[2], corner[3]});
  for (int f = 0; f < 4; ++f) {
    std::array<LocalId, 3> c, m;
    for (std::size_t k = 0; k < 3; ++k) {
      c[k] = corner[kTetrahedronFaces[f][k]];
      m[k] = middle[middle_of[f][k]];
    }
    for (std::size_t k = 0; k < 3; ++k)
      faces.push_back(outward(model, solid, {c[k], m[k], m[(k + 2) % 3]}, centre));
    faces.push_back(outward(model, solid, {m[0], m[1], m[2]}, centre));
  }
}

/// A face in the order of the element; a triangle repeats its last node.
SolidFace as_given(LocalId solid, const std::array<LocalId, 8>& nodes, const int (&face)[4]) {
  const std::vector<LocalId> corners =
      distinct(std::array{nodes[face[0]], nodes[face[1]], nodes[face[2]], nodes[face[3]]});
  SolidFace out;
  out.solid = solid;
  for (std::size_t k = 0; k < 4; ++k) out.nodes[k] = corners[std::min(k, corners.size() - 1)];
  return out;
}

}  // namespace

bool is_cohesive_part(const Model& model, LocalId part) {
  if (part == kNone || static_cast<std::size_t>(part) >= model.parts.size()) return false;
  const LocalId section = model.parts[part].section;
  return section != kNone && static_cast<std::size_t>(section) < model.sections.size() &&
         is_cohesive(model.sections[section]);
}

bool is_cohesive(const Model& model, LocalId solid) {
  return static_cast<std::size_t>(solid) < model.solids.part.size() &&
         is_cohesive_part(model, model.solids.part[solid]);
}

std::vector<SolidFace> faces_of(const Model& model, LocalId solid) {
  const auto& nodes = model.solids.nodes[solid];
  const std::vector<LocalId> corners = distinct(nodes);
  std::vector<SolidFace> faces;
  if (is_cohesive(model, solid)) {
    for (int f = 0; f < 2; ++f) faces.push_back(as_given(solid, nodes, kBrickFaces[f]));
    return faces;
  }
  if (model.solids.has_middle(solid)) {
    add_divided_faces(model, solid, faces);
    return faces;
  }
  const Vec3 centre = mean(model, corners);
  if (corners.size() == 4) {
    for (const auto& f : kTetrahedronFaces)
      faces.push_back(outward(model, solid, {corners[f[0]], corners[f[1]], corners[f[2]]}, centre));
    return faces;
  }
  for (const auto& f : kBrickFaces) {
    const std::vector<LocalId> face =
        distinct(std::array{nodes[f[0]], nodes[f[1]], nodes[f[2]], nodes[f[3]]});
    if (face.size() >= 3) faces.push_back(outward(model, solid, face, centre));
  }
  return faces;
}

std::array<LocalId, 4> below_face(const Model& model, LocalId solid, const std::array<LocalId, 4>& segment) {
  constexpr int opposite[4] = {3, 2, 0, 1};  ///< corner, of each face
  constexpr int at_corner[4][3] = {{0, 2, 3}, {0, 1, 4}, {1, 2, 5}, {3, 4, 5}};
  const auto& corner = model.solids.nodes[solid];
  const MiddleNodes& middle = model.solids.middle[solid];
  std::array<LocalId, 4> below{};
  for (const int far : opposite) {
    const int* const at = at_corner[far];
    below = {middle[at[0]], middle[at[1]], middle[at[2]], corner[far]};
    const bool on_face = std::none_of(segment.begin(), segment.end(), [&](LocalId n) {
      return std::find(below.begin(), below.end(), n) != below.end();
    });
    if (on_face) break;
  }
  return below;
}

std::array<LocalId, 4> face_key(const std::array<LocalId, 4>& nodes) {
  std::array<LocalId, 4> key = nodes;
  std::sort(key.begin(), key.end());
  for (int k = 0; k < 3; ++k)
    if (key[k] == key[k + 1]) {
      std::copy_backward(key.begin(), key.begin() + k, key.begin() + k + 1);
      key[0] = kNone;
      break;
    }
  return key;
}

Faces sorted_faces(const Model& model) {
  struct Entry {
    std::array<LocalId, 4> key;
    std::int64_t face;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<SolidFace> faces;
  for (std::size_t s = 0; s < model.solids.size(); ++s)
    for (const SolidFace& face : faces_of(model, static_cast<LocalId>(s))) faces.push_back(face);
  std::vector<Entry> entries;
  entries.reserve(faces.size());
  for (std::size_t f = 0; f < faces.size(); ++f)
    entries.push_back({face_key(faces[f].nodes), static_cast<std::int64_t>(f)});
  std::sort(entries.begin(), entries.end());
  Faces result;
  std::vector<bool> outside(faces.size(), false);
  for (std::size_t i = 0; i < entries.size();) {
    std::size_t j = i + 1;
    while (j < entries.size() && entries[j].key == entries[i].key) ++j;
    if (j == i + 1) outside[entries[i].face] = true;
    if (j == i + 2) result.between.push_back({faces[entries[i].face], faces[entries[i + 1].face]});
    i = j;
  }
  for (std::size_t f = 0; f < faces.size(); ++f)
    if (outside[f]) result.exterior.push_back(faces[f]);
  return result;
}

std::vector<SolidFace> exterior_faces(const Model& model) { return sorted_faces(model).exterior; }

}  // namespace crumple::model
