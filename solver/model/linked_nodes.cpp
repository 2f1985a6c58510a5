// Connected components of the graph of welds and ties.
#include "model/linked_nodes.hpp"

#include <algorithm>
#include <map>

namespace crumple::model {

std::vector<std::vector<LocalId>> linked_nodes(const Model& model) {
  std::map<LocalId, LocalId> lead;
  const auto root = [&](LocalId n) {
    lead.try_emplace(n, n);
    while (lead[n] != n) n = lead[n] = lead[lead[n]];
    return n;
  };
  const auto link = [&](LocalId a, LocalId b) {
    a = root(a), b = root(b);
    lead[std::max(a, b)] = std::min(a, b);
  };
  for (const Weld& weld : model.welds) link(weld.nodes[0], weld.nodes[1]);
  for (const NodeTie& tie : model.node_ties)
    for (const LocalId n : tie.nodes) link(tie.nodes.front(), n);
  std::map<LocalId, std::vector<LocalId>> groups;
  for (const auto& [node, of] : lead) groups[root(of)].push_back(node);
  std::vector<std::vector<LocalId>> result;
  for (auto& [first, nodes] : groups) result.push_back(std::move(nodes));
  return result;
}

}  // namespace crumple::model
