// How evenly the work is distributed, and how many nodes ranks share.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "decomposition/distribution.hpp"
#include "model/element_rows.hpp"

namespace crumple::decomposition {

Burden burden(const Subdomain& subdomain) {
  const model::Model& m = subdomain.model;
  Burden b;
  for (const Point& p : element_points(m)) b.cost += p.cost;
  b.elements = static_cast<double>(model::element_count(m));
  b.nodes = static_cast<double>(m.nodes.size());
  for (const auto& nodes : subdomain.nodes.shared()) b.shared += static_cast<double>(nodes.size());
  b.neighbours = static_cast<double>(subdomain.nodes.neighbours().size());
  return b;
}

std::string balance_table(std::span<const Burden> ranks) {
  double total = 0.0, most = 0.0;
  for (const Burden& b : ranks) {
    total += b.cost;
    most = std::max(most, b.cost);
  }
  std::string text = "  rank  elements  share of cost    nodes  shared  neighbours\n";
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    const Burden& b = ranks[r];
    text += fmt::format("{:6d}{:10.0f}{:14.2f} %{:9.0f}{:8.0f}{:12.0f}\n", r, b.elements,
                        total > 0.0 ? 100.0 * b.cost / total : 0.0, b.nodes, b.shared, b.neighbours);
  }
  if (total > 0.0)
    text += fmt::format(" largest cost over the mean: {:.3f}\n",
                        most * static_cast<double>(ranks.size()) / total);
  return text;
}

std::string balance_table(const parallel::Communicator& comm, const Subdomain& subdomain) {
  const Burden mine = burden(subdomain);
  const std::vector<Burden> all = comm.gather<Burden>(std::span(&mine, 1));
  return comm.root() ? balance_table(all) : std::string();
}

}  // namespace crumple::decomposition
