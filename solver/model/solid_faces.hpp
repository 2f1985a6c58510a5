// Faces of solid elements: which are there, which are outside.
#pragma once

#include <array>
#include <vector>

#include "model/model.hpp"

namespace crumple::model {

/// A face of a solid, nodes in the order whose right-hand normal points out of it; a triangle repeats its
/// last node.
struct SolidFace {
  std::array<LocalId, 4> nodes{};
  LocalId solid = kNone;
  int corners() const { return nodes[2] == nodes[3] ? 3 : 4; }
};

/// The faces of one solid. Repeated nodes make tetrahedra (LS-DYNA's order 1 2 3 4 4 4 4 4 too), wedges and
/// pyramids: faces that collapse to lines are left out. Nodes decide about outward, not the element's order.
std::vector<SolidFace> faces_of(const Model& model, LocalId solid);

/// A face or segment by its nodes, whatever their order: ascending, a triangle padded with kNone in front.
std::array<LocalId, 4> face_key(const std::array<LocalId, 4>& nodes);

/// Faces of all solids, by whether others have them too.
struct Faces {
  std::vector<SolidFace> exterior;                ///< that only one solid has, by ascending solid
  std::vector<std::array<SolidFace, 2>> between;  ///< that two solids have: the face of either
};
Faces sorted_faces(const Model& model);

/// Faces that only one solid of the model has, by ascending solid.
std::vector<SolidFace> exterior_faces(const Model& model);

}  // namespace crumple::model
