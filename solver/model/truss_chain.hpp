// *PART_AVERAGED: trusses in a line that share one strain.
#pragma once

#include <vector>

#include "model/fields.hpp"

namespace crumple::model {

/// A part of two or more trusses, end to end, that stretch as one (state/truss_chains.hpp). A part of one
/// truss is a truss like any other.
struct TrussChain {
  LocalId part = kNone;
  std::vector<LocalId> nodes;  ///< along the line, one more than trusses; kNone where a rank does not have it
  std::vector<char> owned;     ///< by node: whether this rank owns it
};

template <class V>
void fields(V& v, TrussChain& s) {
  members(v, s, s.part, nodes_of(s.nodes), s.owned);
}

/// Whether the trusses of a part are a chain.
bool is_truss_chain(const Model& model, const Part& part);

const Feature& truss_chain_feature();

}  // namespace crumple::model
