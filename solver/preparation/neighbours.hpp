// What of a contact hangs together in the mesh within the contact's thickness and so must not touch.
//
// A sheet that is thicker than its elements are long has nodes, segments and edges nearer to each other than
// its thickness without being folded. Two count as neighbours if a chain of elements that share nodes leads
// from one to the other, and all of it is within pi / 2 of the thickness at which they would touch: so long
// is the way along a sheet around the tightest fold, a half circle, between two points of its middle surface
// that are one thickness apart. What is farther along the sheet can only come within the thickness where the
// sheet is folded; what is nearer could not touch even then.
#pragma once

#include "model/model.hpp"

namespace crumple::preparation {

/// Fill Surface::node_neighbours, segment_neighbours and line_neighbours of all contacts whose surfaces
/// build_surfaces has filled, from where the nodes are. For rank 0.
///
/// Neighbours by a shared node, which contacts leave out anyway, are not listed.
void find_neighbours(model::Model& whole);

}  // namespace crumple::preparation
