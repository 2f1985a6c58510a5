// Partition by METIS (Karypis and Kumar 1998) on the graph of elements that share an edge.
#include <metis.h>

#include <algorithm>
#include <cmath>

#include "decomposition/partition.hpp"
#include "model/element_rows.hpp"

namespace crumple::decomposition {

namespace {

/// Distinct nodes of all elements as a mesh in compressed rows.
struct Mesh {
  std::vector<idx_t> first{0}, node;

  void append(const model::ElementRows& elements, int corners) {
    for (std::size_t e = 0; e < elements.size(); ++e) {
      const auto begin = node.size();
      for (const LocalId n : elements.nodes(e).first(static_cast<std::size_t>(corners)))
        if (n != model::kNone) node.push_back(n);
      std::sort(node.begin() + begin, node.end());
      node.erase(std::unique(node.begin() + begin, node.end()), node.end());
      first.push_back(static_cast<idx_t>(node.size()));
    }
  }
};

}  // namespace

std::vector<int> metis(const model::Model& model, const std::vector<Point>& points, int ranks) {
  Mesh mesh;
  model::for_each_kind(model, [&](const model::ElementKindInfo& of, const model::ElementRows& rows) {
    mesh.append(rows, of.corners);
  });

  idx_t n_elements = static_cast<idx_t>(points.size()), n_nodes = static_cast<idx_t>(model.nodes.size());
  idx_t common = 2, numbering = 0;
  idx_t *row = nullptr, *column = nullptr;
  if (METIS_MeshToDual(&n_elements, &n_nodes, mesh.first.data(), mesh.node.data(), &common, &numbering, &row,
                       &column) != METIS_OK)
    throw Error("CR-P011", "METIS could not build the graph of elements", {}, Exit::system);

  std::vector<idx_t> weight;
  for (const Point& p : points) weight.push_back(std::max<idx_t>(1, std::lround(10.0 * p.cost)));
  idx_t constraints = 1, parts = ranks, cut = 0;
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;  // same partition in every run
  std::vector<idx_t> part(points.size(), 0);
  const int status = METIS_PartGraphKway(&n_elements, &constraints, row, column, weight.data(), nullptr,
                                         nullptr, &parts, nullptr, nullptr, options, &cut, part.data());
  METIS_Free(row);
  METIS_Free(column);
  if (status != METIS_OK) throw Error("CR-P011", "METIS could not partition the elements", {}, Exit::system);
  return {part.begin(), part.end()};
}

}  // namespace crumple::decomposition
