// The stiffness of each point by itself: its blocks on the diagonal.
#include "implicit/unattached.hpp"

#include <algorithm>
#include <cmath>

namespace crumple::implicit {

using constraints::Directions;
using constraints::Matrix3;

namespace {

class Diagonal {
 public:
  Diagonal(std::size_t points, const DependentNodes& dependents)
      : translation(points, Matrix3{}),
        rotation(points, Matrix3{}),
        dependents_(dependents),
        map_({}, &dependents) {}

  void add(const ElementTangent& e) {
    if (dependents_.any() && dependents_.in_one_body(e.nodes)) return;
    for (std::size_t a = 0; a < e.nodes.size(); ++a)
      for (std::size_t b = 0; b < e.nodes.size(); ++b) {
        const bool depend = dependents_.depends(e.nodes[a]) || dependents_.depends(e.nodes[b]);
        if (depend ? e.nodes[a] <= e.nodes[b] : a == b) add_pair(e, a, b);
      }
  }

  std::vector<Matrix3> translation, rotation;

 private:
  void add_pair(const ElementTangent& e, std::size_t a, std::size_t b) {
    const std::size_t dofs = at(e.dofs), n = dofs * e.nodes.size();
    double mean[36];
    for (std::size_t i = 0; i < dofs; ++i)
      for (std::size_t j = 0; j < dofs; ++j)
        mean[i * dofs + j] = 0.5 * (e.stiffness[(a * dofs + i) * n + b * dofs + j] +
                                    e.stiffness[(b * dofs + j) * n + a * dofs + i]);
    map_.for_each_part(e.nodes[a], e.nodes[b], e.dofs, mean,
                       [&](LocalId p, LocalId q, int size, const double* k) {
                         if (p == q) add_block(p, size, k);
                       });
  }
  void add_block(LocalId p, int size, const double* k) {
    for (int i = 0; i < size; ++i)
      for (int j = i < 3 ? 0 : 3; j < (i < 3 ? 3 : 6); ++j)
        (i < 3 ? translation : rotation)[at(p)][at(i % 3)][j % 3] += k[i * size + j];
  }

  const DependentNodes& dependents_;
  DofMap map_;  ///< only for parts of blocks
};

Directions soft(const Matrix3& stiffness, double tolerance) {
  Directions held;
  const constraints::Eigen3 e = constraints::eigen(stiffness);
  const double largest = std::max({std::abs(e.value[0]), std::abs(e.value[1]), std::abs(e.value[2])});
  for (std::size_t k = 0; k < 3; ++k)
    if (std::abs(e.value[k]) <= tolerance * largest) held.add(e.axis[k]);
  return held;
}

}  // namespace

std::optional<std::vector<NodeFreedoms>> find_unattached(Elements& elements, const AllLinks& links,
                                                         const DependentNodes& dependents,
                                                         std::span<const std::uint8_t> dofs_of_point,
                                                         const Trial& at_rest, double tolerance) {
  Diagonal diagonal(dofs_of_point.size(), dependents);
  const auto add = [&](const ElementTangent& e) { diagonal.add(e); };
  if (!elements.evaluate(at_rest, true, add)) return {};
  links.evaluate(at_rest, true, add);
  std::vector<NodeFreedoms> held(dofs_of_point.size());
  for (std::size_t p = 0; p < held.size(); ++p) {
    const NodeFreedoms tied = dependents.tied(static_cast<LocalId>(p));
    if (dofs_of_point[p] >= 3 && tied.translation.count < 3)
      held[p].translation = soft(diagonal.translation[p], tolerance);
    if (dofs_of_point[p] >= 6 && tied.rotation.count < 3)
      held[p].rotation = soft(diagonal.rotation[p], tolerance);
  }
  return held;
}

}  // namespace crumple::implicit
