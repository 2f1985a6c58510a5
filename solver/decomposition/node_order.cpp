// Visits the elements part by part and lists new nodes.
#include "decomposition/node_order.hpp"

#include <numeric>
#include <span>

#include "model/element_rows.hpp"

namespace crumple::decomposition {

using model::kNone;

namespace {

/// Elements of one kind by part, within a part in their original order.
class ByPart {
 public:
  ByPart(std::span<const LocalId> parts, std::size_t n_parts)
      : first_(n_parts + 1, 0), element_(parts.size()) {
    for (const LocalId part : parts) ++first_[static_cast<std::size_t>(part) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t e = 0; e < parts.size(); ++e)
      element_[next[static_cast<std::size_t>(parts[e])]++] = static_cast<LocalId>(e);
  }
  std::span<const LocalId> of(std::size_t part) const {
    return std::span(element_).subspan(first_[part], first_[part + 1] - first_[part]);
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<LocalId> element_;
};

}  // namespace

std::vector<LocalId> node_order(const model::Model& whole) {
  std::vector<LocalId> order;
  order.reserve(whole.nodes.size());
  std::vector<char> listed(whole.nodes.size(), 0);
  const auto list = [&](LocalId node) {
    if (node == kNone || listed[node]) return;
    listed[node] = 1;
    order.push_back(node);
  };
  const std::size_t n_parts = whole.parts.size();
  std::vector<std::pair<model::ElementRows, ByPart>> kinds;
  model::for_each_kind(whole, [&](const model::ElementKindInfo&, const model::ElementRows& rows) {
    kinds.emplace_back(rows, ByPart(rows.part, n_parts));
  });
  for (const bool rigid : {false, true})
    for (std::size_t part = 0; part < n_parts; ++part) {
      if ((whole.parts[part].rigid_body != kNone) != rigid) continue;
      for (const auto& [elements, by_part] : kinds)
        for (const LocalId e : by_part.of(part)) elements.each_node(static_cast<std::size_t>(e), list);
    }
  for (LocalId node = 0; node < static_cast<LocalId>(listed.size()); ++node) list(node);
  return order;
}

}  // namespace crumple::decomposition
