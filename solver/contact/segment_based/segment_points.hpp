// Points of segments that SOFT = 2 tracks against other segments, beside the nodes.
//
// Contact is evaluated at the points of a quadrature rule over a segment (Fischer & Wriggers 2005,
// Frictionless 2D contact formulations for finite deformations based on the mortar method, Computational
// Mechanics 36, and Puso & Laursen 2004, A mortar segment-to-segment contact method, CMAME 193, integrate the
// gap over the surface in this way), each against the nearest segment of the other surface. So a segment can
// touch where none of its nodes touches: a corner or an edge in its middle, or crossing edges.
//
// DEPTH 2 takes corners and centre, with weights 1/12 and 2/3 (exact for squares of each coordinate); DEPTH
// 3 and 5 Simpson's rule: corners 1/36, middles of edges 1/9, centre 4/9. Triangles: corners and centre 1/12
// and 3/4, or corners 1/20, middles 2/15, centre 9/20, exact for squares and cubes. Corners are the tracked
// nodes.
#pragma once

#include <array>
#include <vector>

#include "contact/search/segments.hpp"

namespace crumple::contact {

/// A point of a segment on its home rank.
struct SegmentPoint {
  std::array<LocalId, 4> node{};
  std::array<double, 4> weight{};  ///< sum 1
  std::array<GlobalId, 4> id{};    ///< user ids of the nodes
  std::int8_t corners = 4;

  template <class Field>
  Vec3 of(const Field& field) const {
    Vec3 sum;
    for (int k = 0; k < corners; ++k) sum += weight[k] * field[node[k]];
    return sum;
  }
};

/// Weights of a rule: of corners, and of the points beside them.
struct PointRule {
  double corner = 0.0, middle = 0.0, centre = 0.0;  ///< middle 0: no points at the middles of edges
};

PointRule point_rule(int depth, int corners);

/// Largest number of points of a segment: four middles and the centre.
inline constexpr int kPointsOfSegment = 5;

}  // namespace crumple::contact
