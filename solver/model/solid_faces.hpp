// Faces of solid elements, and which of them are exterior.
#pragma once

#include <array>
#include <vector>

#include "model/model.hpp"

namespace crumple::model {

/// A face of a solid; by the right-hand rule the order of nodes gives the outward normal. A triangle repeats
/// its last node.
struct SolidFace {
  std::array<LocalId, 4> nodes{};
  LocalId solid = kNone;
  int corners() const { return nodes[2] == nodes[3] ? 3 : 4; }
};

/// Whether the elements of a part, or a solid, are cohesive elements (section.hpp). They may have no volume;
/// their formulation checks them.
bool is_cohesive_part(const Model& model, LocalId part);
bool is_cohesive(const Model& model, LocalId solid);

/// The faces of one solid; of a tetrahedron with ten nodes each face as four triangles; of a cohesive element
/// only its two surfaces, in the order of its nodes, since it may have no thickness. Repeated nodes make
/// tetrahedra (LS-DYNA's order 1 2 3 4 4 4 4 4 too), wedges and pyramids: faces that collapse to lines are
/// left out. The outward direction follows from the nodes' positions, not from the element's order.
std::vector<SolidFace> faces_of(const Model& model, LocalId solid);

/// The nodes of a tetrahedron with ten nodes that are not on the face to which `segment` belongs.
std::array<LocalId, 4> below_face(const Model& model, LocalId solid, const std::array<LocalId, 4>& segment);

/// A key of a face or segment, independent of the order of nodes: ascending, for a triangle with kNone first.
std::array<LocalId, 4> face_key(const std::array<LocalId, 4>& nodes);

/// Faces of all solids: exterior ones, and those between two solids.
struct Faces {
  std::vector<SolidFace> exterior;                ///< faces of one solid only, by ascending solid
  std::vector<std::array<SolidFace, 2>> between;  ///< common faces of two solids: the face of each
};
Faces sorted_faces(const Model& model);

/// Faces that only one solid of the model has, by ascending solid.
std::vector<SolidFace> exterior_faces(const Model& model);

}  // namespace crumple::model
