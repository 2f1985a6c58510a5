// *INTERFACE_SPRINGBACK_LSDYNA: what the deck says of the file of the final state (dynain).
#pragma once

#include <cstdint>
#include <vector>

#include "model/fields.hpp"

namespace crumple::springback {

/// A node that is held in the next run: masks of x, y, z (1, 2, 4).
struct HeldNode {
  GlobalId node = 0;
  std::uint8_t translations = 0, rotations = 0;
};

struct Request {
  std::vector<LocalId> parts;
  int history = 0;         ///< NSHV: history variables of a point, at most
  bool all_nodes = false;  ///< NDFLAG: those of no element, too
  std::vector<HeldNode> held;
};

template <class V>
void fields(V& v, Request& s) {
  model::members(v, s, s.parts, s.history, s.all_nodes, s.held);
}

/// Adds the deck's request to the model.
void read_request(model::Builder& build);

const model::Feature& request_feature();

}  // namespace crumple::springback
