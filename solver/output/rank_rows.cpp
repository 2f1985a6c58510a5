// The rows of a rank, from its part of the model.
#include "output/rank_rows.hpp"

#include <algorithm>
#include <numeric>

namespace crumple::output {

RankRows rows_of_rank(const decomposition::Subdomain& subdomain) {
  RankRows rows;
  const model::Model& m = subdomain.model;
  const std::span<const GlobalId> order = subdomain.nodes.global();
  rows.node = subdomain.nodes.owned();
  std::ranges::sort(rows.node, {}, [&](LocalId n) { return order[std::size_t(n)]; });
  for (const LocalId n : rows.node) rows.node_order.push_back(order[std::size_t(n)]);
  rows.solids = {m.solids.order, m.solids.part};
  rows.beams = {m.beams.order, m.beams.part};
  rows.shells = {m.shells.order, m.shells.part};
  rows.particles = {m.particles.order, m.particles.part};
  std::vector<std::size_t> by_id(m.parts.size());
  std::iota(by_id.begin(), by_id.end(), 0);
  std::ranges::sort(by_id, {}, [&](std::size_t p) { return m.parts[p].id; });
  rows.parts.resize(by_id.size());
  for (std::size_t k = 0; k < by_id.size(); ++k)
    rows.parts[by_id[k]] = {std::int32_t(k + 1), m.parts[by_id[k]].rigid_body != model::kNone};
  return rows;
}

}  // namespace crumple::output
