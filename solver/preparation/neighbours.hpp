// Neighbours in the mesh that are closer than the contact's thickness and must not touch.
//
// In a sheet that is thicker than the length of its elements, nodes, segments and edges are closer to each
// other than the thickness even without folds. Two of them are neighbours if a chain of elements with common
// nodes connects them, and the whole chain is within pi / 2 times the thickness at which they would touch.
// This is the length along a sheet around the tightest fold, a half circle, between two points of its middle
// surface at a distance of one thickness. Points farther along the sheet come within the thickness only in a
// fold; nearer points cannot touch even in a fold.
#pragma once

#include "model/model.hpp"

namespace crumple::preparation {

/// Fill Surface::node_neighbours, segment_neighbours and line_neighbours of all contacts whose surfaces
/// build_surfaces has filled, from the present positions of nodes. For rank 0.
///
/// Neighbours by a shared node, which contacts leave out anyway, are not listed.
void find_neighbours(model::Model& whole);

}  // namespace crumple::preparation
