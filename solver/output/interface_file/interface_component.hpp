// *INTERFACE_COMPONENT_NODE and _SEGMENT: nodes whose places an interface file keeps, for another run that
// they drive.
//
// The file is a text, infmak. For every interval OPIFS of *CONTROL_OUTPUT it has a block for each interface:
// the line " interface NUMBER nodes N time T", then N lines with the number of a node and its x, y and z, in
// the order of numbers, with all digits. At the start those of segments are followed by the line " segments
// NUMBER M" and M lines of four nodes, of which the last two are the same in triangles.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "model/fields.hpp"

namespace crumple::output {

inline constexpr std::string_view kInterfaceFile = "infmak";
inline constexpr std::string_view kInterfaceLine = " interface";
inline constexpr std::string_view kSegmentsLine = " segments";

struct InterfaceComponent {
  GlobalId id = 0;
  std::vector<LocalId> nodes;                     ///< in the part of a rank: those that it owns
  std::vector<std::array<GlobalId, 4>> segments;  ///< numbers of nodes, of all on every rank
};

template <class V>
void fields(V& v, InterfaceComponent& s) {
  model::members(v, s, s.id, model::nodes_of(s.nodes), s.segments);
}

/// Adds the deck's interfaces to the model.
void read_interface_components(model::Builder& build);

const model::Feature& interface_component_feature();

}  // namespace crumple::output
