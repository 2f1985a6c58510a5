// What the deck says of links between nodes of which one obeys something else, too: springs hold them.
#pragma once

#include <array>
#include <cstdint>

#include "constraints/stiff_links/held_nodes.hpp"
#include "model/fields.hpp"
#include "model/never.hpp"

namespace crumple::constraints {

enum class StiffLinkKind : std::int8_t {
  arm,   ///< the second node is at the end of an arm that turns with the first, and turns with it
  rod,   ///< the nodes keep their distance: *CONSTRAINED_RIVET
  axes,  ///< they have the same displacements along global axes: *CONSTRAINED_NODE_SET
};

struct StiffLink {
  GlobalId number = 0;  ///< of the link in the model
  StiffLinkKind kind{};
  std::array<LocalId, 2> nodes{model::kNone, model::kNone};   ///< of an arm: one of a body is the first
  std::array<LocalId, 2> bodies{model::kNone, model::kNone};  ///< rigid bodies of the nodes
  /// 1: constraints hold all translations, or rotations, of the node in the whole run.
  std::array<std::uint8_t, 2> move_held{}, turn_held{};
  std::uint8_t mask = 7;   ///< axes: bit k: axis k
  std::uint8_t welds = 0;  ///< 1: a spot weld, whose end is reported
  model::Weld until;       ///< strengths, time and plastic strain at which it ends; without nodes
  std::int32_t seam = -1;  ///< into TiedNodes, with which it ends
};

template <class V>
void fields(V& v, StiffLink& s) {
  model::members(v, s, s.number, s.kind, model::nodes_of(s.nodes), s.bodies, s.move_held, s.turn_held, s.mask,
                 s.welds, s.until, s.seam);
}

/// Adds a link between `link.nodes` to the model, with what else the nodes obey.
void add_stiff_link(model::Builder& build, const NodesHeld& held, StiffLink link);

const model::Feature& stiff_link_feature();

}  // namespace crumple::constraints
