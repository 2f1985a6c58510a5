// Nested dissection by METIS (Karypis and Kumar 1998, "A fast and high quality multilevel scheme for
// partitioning irregular graphs"), on rows of blocks: small leaves are ordered there by minimum degree.
#include <metis.h>

#include <limits>

#include "base/error.hpp"
#include "implicit/linear/ordering.hpp"

namespace crumple::implicit::linear {

std::vector<std::int32_t> metis_order(const RowGraph& graph) {
  if (graph.size() == 0) return {};
  if (graph.neighbours.empty()) {  // METIS divides by the number of edges
    std::vector<std::int32_t> order;
    for (std::int32_t v = 0; v < graph.size(); ++v) order.push_back(v);
    return order;
  }
  if (graph.begin.back() > std::numeric_limits<idx_t>::max())
    throw Error("CR-I202", "the matrix has more blocks than METIS can count: take the geometric ordering", {},
                Exit::system);
  std::vector<idx_t> begin(graph.begin.begin(), graph.begin.end());
  std::vector<idx_t> neighbours(graph.neighbours.begin(), graph.neighbours.end());
  std::vector<idx_t> order(graph.row.size()), place(graph.row.size());
  idx_t n = graph.size();
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;  // the same order in every run
  options[METIS_OPTION_NUMBERING] = 0;
  if (METIS_NodeND(&n, begin.data(), neighbours.data(), nullptr, options, order.data(), place.data()) !=
      METIS_OK)
    throw Error("CR-I202", "METIS could not order the equations", {}, Exit::system);
  return {order.begin(), order.end()};
}

}  // namespace crumple::implicit::linear
