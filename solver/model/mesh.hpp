// Nodes and elements as in the deck.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/types.hpp"
#include "model/index.hpp"

namespace crumple::model {

struct Nodes {
  std::vector<GlobalId> id;
  std::vector<Vec3> x;
  std::size_t size() const { return id.size(); }
};

/// Quadrilaterals and triangles (last node repeated). `order` is the position in the whole model, the
/// same on every rank; results are in this order.
struct Shells {
  std::vector<GlobalId> id;
  std::vector<GlobalId> order;
  std::vector<LocalId> part;
  std::vector<std::array<LocalId, 4>> nodes;
  /// Thickness at the four nodes; empty if no element has its own. Zero means the section's.
  std::vector<std::array<double, 4>> thickness;
  /// Offset of the middle surface from the nodes along the normal (*ELEMENT_SHELL_OFFSET, or from NLOC of the
  /// section for other elements); empty if no element has its own.
  std::vector<double> offset;
  /// Angle of the material's axes, radians (BETA), NaN: not given; empty if no element has its own.
  std::vector<double> angle;
  std::vector<LocalId> system;  ///< of the material's axes (MCID), kNone: none; empty if no element has one
  /// Section with layers of the element's own (*ELEMENT_SHELL_COMPOSITE), kNone: the part's; empty if no
  /// element has any.
  std::vector<LocalId> section;
  std::size_t size() const { return id.size(); }
};

/// Nodes in the middle of the edges 1-2, 2-3, 3-1, 1-4, 2-4, 3-4 of a tetrahedron.
using MiddleNodes = std::array<LocalId, 6>;

/// Bricks and their degenerate forms as in the deck: a wedge or tetrahedron repeats nodes.
struct Solids {
  std::vector<GlobalId> id, order;
  std::vector<LocalId> part;
  /// The corners; of a tetrahedron with ten nodes 1 2 3 4 4 4 4 4.
  std::vector<std::array<LocalId, 8>> nodes;
  /// Of tetrahedra with ten nodes, kNone for other elements; empty if no element has any.
  std::vector<MiddleNodes> middle;
  /// Axes of the material (*ELEMENT_SOLID_ORTHO): angle in radians, NaN: not given, or vectors a and d, d =
  /// 0: not given. Empty if no element has its own.
  std::vector<double> angle;
  std::vector<Vec3> axis_a, axis_d;
  std::size_t size() const { return id.size(); }
  bool has_middle(std::size_t e) const { return !middle.empty() && middle[e][0] != kNone; }
};

/// Calls visit(node) for the first `corners` nodes of element e that are not kNone, then for those in the
/// middle of its edges.
template <class Elements, class Visit>
void each_node(const Elements& elements, std::size_t e, std::size_t corners, Visit&& visit) {
  for (std::size_t a = 0; a < corners; ++a)
    if (const LocalId n = elements.nodes[e][a]; n != kNone) visit(n);
  if constexpr (requires { elements.middle; })
    if (elements.has_middle(e))
      for (const LocalId n : elements.middle[e]) visit(n);
}
/// The same for all nodes of a row.
template <class Elements, class Visit>
void each_node(const Elements& elements, std::size_t e, Visit&& visit) {
  each_node(elements, e, std::tuple_size_v<typename decltype(elements.nodes)::value_type>, visit);
}

struct Beams {
  std::vector<GlobalId> id, order;
  std::vector<LocalId> part;
  std::vector<std::array<LocalId, 3>> nodes;  ///< the third orients the section, kNone: no third node
  /// Parts that a spot weld joins (PID1, PID2 of _PID), kNone: not given; empty if no beam has any.
  std::vector<std::array<LocalId, 2>> joins;
  std::vector<Vec3>
      direction;  ///< orients the section in place of a third node, 0: none; empty if no beam has any
  std::vector<LocalId> section;  ///< own cross section, kNone: the part's; empty if no beam has any
  std::size_t size() const { return id.size(); }
};

/// Springs and dampers (*ELEMENT_DISCRETE). A second node of kNone is ground.
struct Discretes {
  std::vector<GlobalId> id, order;
  std::vector<LocalId> part;
  std::vector<std::array<LocalId, 2>> nodes;
  std::vector<LocalId> orientation;  ///< into Model::vectors, kNone: along the nodes
  std::vector<double> scale;         ///< on forces (S)
  std::vector<double> offset;        ///< initial offset
  std::size_t size() const { return id.size(); }
};

/// Smooth particles (*ELEMENT_SPH), whose number is that of their node.
struct SphParticles {
  std::vector<GlobalId> id, order;
  std::vector<LocalId> part;
  std::vector<std::array<LocalId, 1>> nodes;
  std::vector<double> mass;
  std::vector<double> length;  ///< smoothing length at the start (preparation/smoothing_lengths.hpp)
  std::size_t size() const { return id.size(); }
};

/// Lumped masses (*ELEMENT_MASS), and inertias that are the same about all axes (*ELEMENT_INERTIA).
struct Masses {
  std::vector<GlobalId> id;
  std::vector<LocalId> node;
  std::vector<double> mass, inertia;
  std::size_t size() const { return id.size(); }
  void add(GlobalId of, LocalId at, double m, double j = 0) {
    id.push_back(of);
    node.push_back(at);
    mass.push_back(m);
    inertia.push_back(j);
  }
};

}  // namespace crumple::model
