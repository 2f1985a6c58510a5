// Surfaces of contacts: segments, lines and nodes.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

#include "base/types.hpp"
#include "model/element_kind.hpp"
#include "model/index.hpp"

namespace crumple::model {

/// A segment of a contact surface or a pressure load; a triangle repeats its last node.
struct Segment {
  GlobalId order = 0;  ///< position in the surface of the whole model, to break ties
  std::array<LocalId, 4> nodes{};
  LocalId part = kNone;
  ElementKind kind = ElementKind::none;
  LocalId element = kNone;  ///< index in the array of its kind; its deletion removes the segment
  double thickness = 0.0;   ///< contact thickness; of solids SLDTHK
  double plane = 0.0;       ///< distance of the reference plane from the nodes along the normal (node order)
  /// A face between solids, which becomes active in eroding contacts when the element on its other side is
  /// deleted.
  bool asleep = false;
  GlobalId twin = -1;  ///< order of the other element's face; -1: none
};

/// Largest number of neighbour lines that a line stores at each of its ends.
inline constexpr int kLineNeighbours = 3;

/// A straight line of a contact: an edge of shells, or a beam. For contact it is a round bar.
struct ContactLine {
  GlobalId order = 0;  ///< position in the surface of the whole model, to break ties
  std::array<LocalId, 2> nodes{};
  std::array<std::array<LocalId, kLineNeighbours>, 2> beyond{
      {{kNone, kNone, kNone}, {kNone, kNone, kNone}}};  ///< far ends of the lines that continue at each end
  std::array<std::array<GlobalId, kLineNeighbours>, 2> beyond_order{};  ///< those lines
  LocalId part = kNone;
  ElementKind kind = ElementKind::none;
  LocalId element = kNone;  ///< index in the array of its kind; for an edge of several elements the first
  bool shared = false;      ///< an edge of several elements, which are in Surface::sharers
  double radius = 0.0;
};

/// One of several elements that share a contact's line; the line exists as long as any of them.
struct LineSharer {
  GlobalId line = 0;  ///< its order
  ElementKind kind = ElementKind::none;
  LocalId element = kNone;  ///< index in the array of its kind
  LocalId part = kNone;
  std::int32_t place = 0;  ///< among the line's elements
  double radius = 0.0;     ///< radius of the line from this element alone
};

/// Two items of a contact that never touch, because they are connected in the mesh within the contact's
/// thickness.
struct Neighbours {
  GlobalId one = 0;    ///< user id of a tracked node, or order of a segment or line
  GlobalId other = 0;  ///< order of the segment or line against which `one` would be tested
  auto operator<=>(const Neighbours&) const = default;
};

/// One side of a contact, resolved to segments and nodes.
struct Surface {
  std::vector<Segment> segments;
  std::vector<ContactLine> lines;      ///< for contact of edges and beams
  std::vector<LineSharer> sharers;     ///< of lines
  std::vector<LocalId> nodes;          ///< each once, ascending user id
  std::vector<double> node_thickness;  ///< of each node: largest of the shells at it, 0 for solids
  std::vector<LocalId> node_part;      ///< of each node, with friction by pairs of parts; else empty
  /// Of each node, where shells have reference planes beside their nodes, else empty: the distance of its
  /// plane, and the nodes of the shell along whose normal it is (kNone: the plane is at the node).
  std::vector<double> node_plane;
  std::vector<std::array<LocalId, 4>> node_frame;
  // Filled by preparation::find_neighbours, ascending; `one` is of this surface.
  std::vector<Neighbours> node_neighbours;
  std::vector<Neighbours> segment_neighbours;  ///< with SOFT = 2, and in implicit runs
  std::vector<Neighbours> line_neighbours;     ///< in the order in which lines are tested
};

/// The deck's reference to a set of entities for a contact's side or a force.
struct SurfaceInput {
  int type =
      0;  ///< SURFATYP: 0 segment set, 1 shell set, 2 part set, 3 part, 4 node set, 5 all, 6 exempted parts
  GlobalId id = 0;
  LocalId box = kNone;  ///< into Sets::boxes
};

}  // namespace crumple::model
