// What readers of links between nodes share: whether a link may have a node, and which links share nodes.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "constraints/rotation.hpp"
#include "model/builder.hpp"

namespace crumple::constraints {

/// Whether links may have nodes. Made when welds, ties of node sets and interpolations are known.
class LinkableNodes {
 public:
  explicit LinkableNodes(model::Builder& build);

  /// False, with a report, if something else places the node: a rigid body, a weld, a tie, an interpolation,
  /// a link of another kind.
  bool accepts(LocalId node, const std::string& label, const Place& place) const;
  /// False, with a report, for a node without mass that can move along `direction`; null: along any.
  bool has_mass(LocalId node, const Vec3* direction, const std::string& label, const Place& place) const;

 private:
  model::Builder& build_;
  std::map<LocalId, std::string_view> placed_;  ///< by what
  std::map<LocalId, Directions> held_;          ///< translations at any time
};

/// Items that share nodes, directly or by way of others: lists of their places, in the order of their first.
std::vector<std::vector<std::size_t>> items_that_share(
    const std::vector<std::vector<LocalId>>& nodes_of_item);

/// The nodes of some items, each once, by ascending user id.
std::vector<LocalId> nodes_of_items(const std::vector<std::size_t>& items,
                                    const std::vector<std::vector<LocalId>>& nodes_of_item,
                                    const model::Model& model);

}  // namespace crumple::constraints
