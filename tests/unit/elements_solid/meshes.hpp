// Small meshes of hexahedra for tests: boxes, and the seven-element distorted patch.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "driver.hpp"

namespace crumple::test {

/// Box of nx x ny x nz hexahedra with edge lengths `size`, node (i, j, k) at index i + (nx+1)(j + (ny+1) k).
template <class T>
void add_box(Driver<T>& d, int nx, int ny, int nz, const Vec3& size, const Vec3& origin = {}) {
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i)
        d.add_node(origin + Vec3{size.x * i / nx, size.y * j / ny, size.z * k / nz});
  const auto n = [&](int i, int j, int k) { return i + (nx + 1) * (j + (ny + 1) * k); };
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i)
        d.add_element({n(i, j, k), n(i + 1, j, k), n(i + 1, j + 1, k), n(i, j + 1, k), n(i, j, k + 1),
                       n(i + 1, j, k + 1), n(i + 1, j + 1, k + 1), n(i, j + 1, k + 1)});
}

/// One cube, its nodes numbered as the element's.
template <class T>
void add_cube(Driver<T>& d, double edge) {
  for (int k = 0; k < 2; ++k)
    for (const Vec3& x : {Vec3{0, 0, 0}, Vec3{1, 0, 0}, Vec3{1, 1, 0}, Vec3{0, 1, 0}})
      d.add_node(edge * (x + Vec3{0, 0, double(k)}));
  d.add_element({0, 1, 2, 3, 4, 5, 6, 7});
}

/// Unit cube of seven hexahedra, one in the middle, all distorted (MacNeal and Harder 1985, patch test for
/// solids). Nodes 0-7 are the outer ones.
template <class T>
void add_patch(Driver<T>& d) {
  const Vec3 inner[8] = {{0.249, 0.342, 0.192}, {0.826, 0.288, 0.288}, {0.850, 0.649, 0.263},
                         {0.273, 0.750, 0.230}, {0.320, 0.186, 0.643}, {0.677, 0.305, 0.683},
                         {0.788, 0.693, 0.644}, {0.165, 0.745, 0.702}};
  const Vec3 outer[8] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                         {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  for (const Vec3& x : outer) d.add_node(x);
  for (const Vec3& x : inner) d.add_node(x);
  const int i = 8;
  d.add_element({i + 0, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7});
  d.add_element({0, 1, 2, 3, i + 0, i + 1, i + 2, i + 3});
  d.add_element({i + 4, i + 5, i + 6, i + 7, 4, 5, 6, 7});
  d.add_element({0, 1, i + 1, i + 0, 4, 5, i + 5, i + 4});
  d.add_element({i + 3, i + 2, 2, 3, i + 7, i + 6, 6, 7});
  d.add_element({0, i + 0, i + 3, 3, 4, i + 4, i + 7, 7});
  d.add_element({i + 1, 1, 2, i + 2, i + 5, 5, 6, i + 6});
}

/// Whether a point lies strictly inside the box from the origin to `size`.
inline bool is_inside(const Vec3& x, const Vec3& size) {
  const double e = 1e-9;
  return x.x > e && x.y > e && x.z > e && x.x < size.x - e && x.y < size.y - e && x.z < size.z - e;
}

/// Elements of a formulation that fill one brick: itself, two wedges, or six tetrahedra along its diagonal
/// (Kuhn 1960), so that neighbours in a box fit together.
inline std::vector<std::vector<int>> split_brick(int elform, const int (&n)[2][2][2]) {
  if (elform == 15)
    return {{n[0][0][0], n[1][0][0], n[1][1][0], n[0][0][1], n[1][0][1], n[1][1][1]},
            {n[0][0][0], n[1][1][0], n[0][1][0], n[0][0][1], n[1][1][1], n[0][1][1]}};
  if (elform != 10 && elform != 16)
    return {{n[0][0][0], n[1][0][0], n[1][1][0], n[0][1][0], n[0][0][1], n[1][0][1], n[1][1][1], n[0][1][1]}};
  std::vector<std::vector<int>> tetrahedra;
  const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int o = 0; o < 6; ++o) {
    int at[3] = {0, 0, 0};
    std::vector<int> t{n[0][0][0]};
    for (const int axis : orders[o]) {
      at[axis] = 1;
      t.push_back(n[at[0]][at[1]][at[2]]);
    }
    if (o >= 3) std::swap(t[1], t[2]);  // odd orders turn the other way
    tetrahedra.push_back(t);
  }
  return tetrahedra;
}

/// Tetrahedra of four nodes get nodes in the middle of their edges, one for each edge of the mesh.
template <class T>
class MiddleOfEdges {
 public:
  explicit MiddleOfEdges(Driver<T>& d) : driver_(d) {}
  void add_to(std::vector<int>& tetrahedron) {
    constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    for (const auto& edge : edges) {
      const int a = tetrahedron[static_cast<std::size_t>(edge[0])];
      const int b = tetrahedron[static_cast<std::size_t>(edge[1])];
      const auto [found, fresh] = node_.try_emplace(std::minmax(a, b), 0);
      if (fresh)
        found->second = driver_.add_node(0.5 * (driver_.nodes.x[static_cast<std::size_t>(a)] +
                                                driver_.nodes.x[static_cast<std::size_t>(b)]));
      tetrahedron.push_back(found->second);
    }
  }

 private:
  Driver<T>& driver_;
  std::map<std::pair<int, int>, int> node_;
};

/// Box of elements of any solid formulation; inner nodes (all nodes with `shake_surface`) are moved by up to
/// `shake` of an edge.
template <class T>
void add_solid_box(Driver<T>& d, int elform, int nx, int ny, int nz, const Vec3& size, double shake,
                   const Vec3& origin = {}, int shake_surface = 0) {
  const auto at = [&](int i, int j, int k) { return i + (nx + 1) * (j + (ny + 1) * k); };
  for (int k = 0; k <= nz; ++k)
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) {
        Vec3 x{size.x * i / nx, size.y * j / ny, size.z * k / nz};
        const double seed = 13.0 * at(i, j, k);
        if (is_inside(x, size) || shake_surface)
          x += shake * Vec3{std::sin(seed), std::sin(seed + 1), std::sin(seed + 2)};
        d.add_node(origin + x);
      }
  MiddleOfEdges<T> middle(d);
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        int n[2][2][2];
        for (int c = 0; c < 8; ++c)
          n[c & 1][c >> 1 & 1][c >> 2] = at(i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
        for (auto& e : split_brick(elform, n)) {
          if (elform == 16) middle.add_to(e);
          d.add_element(e);
        }
      }
}

/// Rank of a square matrix by elimination with full pivoting; pivots below `small` count as zero.
inline int rank_of(std::vector<std::vector<double>> a, double small) {
  const std::size_t n = a.size();
  for (std::size_t r = 0; r < n; ++r) {
    std::size_t pi = r, pj = r;
    for (std::size_t i = r; i < n; ++i)
      for (std::size_t j = r; j < n; ++j)
        if (std::abs(a[i][j]) > std::abs(a[pi][pj])) pi = i, pj = j;
    if (std::abs(a[pi][pj]) < small) return static_cast<int>(r);
    std::swap(a[r], a[pi]);
    for (auto& row : a) std::swap(row[r], row[pj]);
    for (std::size_t i = r + 1; i < n; ++i) {
      const double f = a[i][r] / a[r][r];
      for (std::size_t j = r; j < n; ++j) a[i][j] -= f * a[r][j];
    }
  }
  return static_cast<int>(n);
}

/// A box that shakes, of one instruction set and precision beside the baseline in double precision.
template <class T>
void compare_with_baseline(Driver<T> vector, Driver<double> baseline, int elform, elements::Isa isa,
                           double young, double tolerance) {
  baseline.use_isa(elements::Isa::baseline);
  vector.use_isa(isa);
  const auto run = [&](auto& d) {
    add_solid_box(d, elform, 3, 3, 2, {3, 3, 2}, 0.1, {1000, 0, 0});
    for (std::size_t n = 0; n < d.nodes.size(); ++n)
      for (int i = 0; i < 3; ++i)
        d.nodes.v[n][i] = 10 * std::sin(static_cast<double>(3 * n + static_cast<std::size_t>(i)));
    d.start();
    for (int s = 0; s < 20; ++s) d.step(1e-5);
  };
  run(vector);
  run(baseline);
  const double size = 20 * 1e-5 * 10 * young;
  for (int e = 0; e < baseline.n_elements(); ++e)
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(vector.stress(e, k), baseline.stress(e, k), tolerance * size);
  for (LocalId n = 0; n < static_cast<LocalId>(baseline.nodes.size()); ++n)
    EXPECT_NEAR(norm(vector.nodes.force_at(n) - baseline.nodes.force_at(n)), 0, 10 * tolerance * size);
  EXPECT_NEAR(vector.smallest_step(), baseline.smallest_step(), tolerance * baseline.smallest_step());
  EXPECT_NEAR(vector.total_energy(0) / baseline.total_energy(0), 1, 10 * tolerance);
}

}  // namespace crumple::test
