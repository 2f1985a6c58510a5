// Six nested cylinders of 8-point solids, as those of the model `cylinders` (crumple/models/cylinders.py),
// with springs between nodes and opposite segments where these would touch: the pattern of contact.
#pragma once

#include <numbers>

#include "brick.hpp"

namespace crumple::implicit::linear {

/// Cells through the wall, round and along, and radii.
struct CylinderMesh {
  int wall, around, along;
  double inner, outer;
  std::int32_t first = 0;  ///< node

  std::int32_t node(int i, int j, int k) const { return first + (i * around + j % around) * (along + 1) + k; }
  std::int32_t nodes() const { return (wall + 1) * around * (along + 1); }
};

/// The published mesh of 3,034,944 equations at another size.
inline std::vector<CylinderMesh> cylinder_meshes(double factor) {
  const int cells[6][3] = {{12, 261, 30}, {15, 290, 33}, {15, 312, 33},
                           {15, 334, 33}, {15, 357, 33}, {15, 379, 33}};
  std::vector<CylinderMesh> meshes;
  std::int32_t first = 0;
  for (int c = 0; c < 6; ++c) {
    const auto scaled = [&](int n, int least) { return std::max(least, int(std::lround(n * factor))); };
    const double inner = 98.0 + 11.5 * c;
    meshes.push_back({scaled(cells[c][0], 1), scaled(cells[c][1], 12), scaled(cells[c][2], 2), inner,
                      inner + 11.4, first});
    first += meshes.back().nodes();
  }
  return meshes;
}

/// Adds a term of few rows of 3 equations to a matrix: k (i, j) of directions that are apart.
inline void add_springs(BlockMatrix& matrix, std::span<const std::int32_t> rows,
                        std::span<const double> weights, double stiffness) {
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (std::size_t b = 0; b < rows.size(); ++b) {
      if (rows[a] > rows[b]) continue;
      const std::span<double> block = matrix.block(rows[a], rows[b]);
      for (std::size_t i = 0; i < block.size(); i += 4) block[i] += stiffness * weights[a] * weights[b];
    }
}

/// @param factor of the cells along each edge; 1: 3,034,944 equations
/// @param tied with springs between the cylinders
/// @param values false leaves the matrix without values
inline void make_cylinders(Problem& problem, double factor, bool tied, bool values = true) {
  const std::vector<CylinderMesh> meshes = cylinder_meshes(factor);
  std::vector<std::uint8_t> sizes;
  std::vector<std::int64_t> begin{0};
  std::vector<std::int32_t> rows;
  problem.positions.clear();
  for (const CylinderMesh& mesh : meshes) {
    for (int i = 0; i <= mesh.wall; ++i)
      for (int j = 0; j < mesh.around; ++j)
        for (int k = 0; k <= mesh.along; ++k) {
          const double r = mesh.inner + (mesh.outer - mesh.inner) * i / mesh.wall;
          const double angle = 2 * std::numbers::pi * j / mesh.around;
          sizes.push_back(k == 0 ? 0 : 3);
          problem.positions.push_back({r * std::cos(angle), r * std::sin(angle), 165.0 * k / mesh.along});
        }
    for (int i = 0; i < mesh.wall; ++i)
      for (int j = 0; j < mesh.around; ++j)
        for (int k = 0; k < mesh.along; ++k) {
          for (int corner = 0; corner < 8; ++corner)
            rows.push_back(mesh.node(i + (corner & 1), j + (corner >> 1 & 1), k + (corner >> 2 & 1)));
          begin.push_back(std::ssize(rows));
        }
  }
  const std::size_t n_solids = begin.size() - 1;
  // Nodes of each outer face with the segment of the next bore that is before them.
  for (std::size_t c = 0; tied && c + 1 < meshes.size(); ++c) {
    const CylinderMesh &mesh = meshes[c], &next = meshes[c + 1];
    for (int j = 0; j < mesh.around; ++j)
      for (int k = 0; k <= mesh.along; ++k) {
        const int there = j * next.around / mesh.around,
                  up = std::min(next.along - 1, k * next.along / mesh.along);
        for (const std::int32_t node :
             {mesh.node(mesh.wall, j, k), next.node(0, there, up), next.node(0, there + 1, up),
              next.node(0, there + 1, up + 1), next.node(0, there, up + 1)})
          rows.push_back(node);
        begin.push_back(std::ssize(rows));
      }
  }
  problem.pattern = pattern_of(sizes, begin, rows);
  problem.matrix.pattern = &problem.pattern;
  if (!values) return;
  problem.matrix.values.assign(static_cast<std::size_t>(problem.pattern.value.back()), 0.0);
  add_cubes(problem.matrix, n_solids, begin, rows);
  const double weights[] = {1, -0.25, -0.25, -0.25, -0.25};
  for (std::size_t s = n_solids; s + 1 < begin.size(); ++s)
    add_springs(problem.matrix, std::span(rows).subspan(static_cast<std::size_t>(begin[s]), 5), weights,
                100.0);
}

}  // namespace crumple::implicit::linear
