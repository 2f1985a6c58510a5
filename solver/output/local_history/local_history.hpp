// *DATABASE_HISTORY_NODE_LOCAL, _LOCAL_ID and _SET_LOCAL: nodes whose motion nodout shows along axes of a
// frame.
#pragma once

#include <array>
#include <span>

#include "model/fields.hpp"

namespace crumple::output {

struct LocalHistory {
  LocalId node = model::kNone;
  std::array<Vec3, 3> axes{};  ///< REF = 0: unit vectors of the frame as it is at the start
  /// REF = 1: nodes of a frame that turns with them, and its axis (0 to 2) from the first to the second.
  std::array<LocalId, 3> frame{model::kNone, model::kNone, model::kNone};
  int first = 0;
};

/// The axes with nodes at `x`.
std::array<Vec3, 3> axes_at(const LocalHistory& of, std::span<const Vec3> x);

template <class V>
void fields(V& v, LocalHistory& s) {
  model::members(v, s, model::nodes_of(s.node), s.axes, model::nodes_of(s.frame), s.first);
}

/// Adds the deck's nodes to the model; later input replaces earlier.
void read_local_histories(model::Builder& build);

const model::Feature& local_history_feature();

}  // namespace crumple::output
