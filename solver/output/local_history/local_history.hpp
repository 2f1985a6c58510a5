// *DATABASE_HISTORY_NODE_LOCAL and _SET_LOCAL: nodes whose motion nodout shows along axes of a frame.
#pragma once

#include <array>

#include "model/fields.hpp"

namespace crumple::output {

/// REF = 0: the frame as it is at the start.
struct LocalHistory {
  LocalId node = model::kNone;
  std::array<Vec3, 3> axes{};  ///< unit vectors
};

template <class V>
void fields(V& v, LocalHistory& s) {
  model::members(v, s, model::nodes_of(s.node), s.axes);
}

/// Adds the deck's nodes to the model; later input replaces earlier.
void read_local_histories(model::Builder& build);

const model::Feature& local_history_feature();

}  // namespace crumple::output
