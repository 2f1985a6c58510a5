// *CONSTRAINED_RIVET: what the deck says of pairs of nodes whose distance is constant.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/fields.hpp"
#include "model/never.hpp"

namespace crumple::constraints {

struct Rivet {
  std::array<std::int32_t, 2> places{};  ///< of its nodes in the group
  double length = 0;                     ///< at the start
  double failure_time = model::kNever;   ///< TF
};

/// Rivets that share nodes: their forces depend on each other.
struct RivetGroup {
  std::vector<LocalId> nodes;  ///< ascending user id
  std::vector<Rivet> rivets;
};

template <class V>
void fields(V& v, RivetGroup& s) {
  model::members(v, s, model::nodes_of(s.nodes), s.rivets);
}

/// Adds the deck's rivets to the model.
void read_rivets(model::Builder& build);

const model::Feature& rivet_feature();

}  // namespace crumple::constraints
