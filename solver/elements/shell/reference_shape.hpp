// The reference shape of membranes of fabric, and the deformation from it, which fabrics' laws need.
//
// Reference and present quadrilaterals are both seen in the plane of their diagonals. The gradient of the
// mapping from one to the other is F; with the bilinear field h = xi eta, which warps the surface by z, the
// strain of the surface is E = (F^T F - 1 + z,a z,b - Z,a Z,b) / 2 (Belytschko, Liu and Moran 2000,
// eq. 3.3.1, for the tangent vectors (F_a, z,a)). With one point in the middle, h has no gradient.
//
// State after that of every shell: diagonals 1-3 and 2-4 and the sum of h_I X_I in the fabric's axes.
#pragma once

#include <span>

#include "elements/element.hpp"
#include "elements/shell/quad_edges.hpp"
#include "elements/shell/quad_geometry.hpp"
#include "elements/shell/state.hpp"
#include "materials/fabric/given_deformation.hpp"
#include "materials/row.hpp"

namespace crumple::elements::shell {

inline constexpr int kReferenceValues = 7;

/// Whether the law needs the deformation from the reference.
inline bool is_fabric(const GroupParameters& g) { return g.law.row->needs.deformation_gradient; }
inline int membrane_variables(const GroupParameters& g) {
  return shell_variables(g) + (is_fabric(g) ? kReferenceValues : 0);
}

StateLayout membrane_layout(const GroupParameters& group);
/// Parameters that all membranes share. Throws Error CR-E104 for an offset from the nodes.
void prepare_membrane(GroupParameters& group);
/// Throws what initialise_shell throws, and CR-E105 for a vector of the fabric's axes normal to it.
void initialise_membrane(const ElementInput& input, const GroupParameters& group,
                         std::span<double> variables);
/// A triangle is a membrane of ELFORM 5, with its last corner twice.
Form membrane_form(std::span<const LocalId> corners, int elform);

inline namespace CRUMPLE_ISA {

/// Reference geometry in the fabric's axes.
template <class V>
QuadGeometry<V> reference_geometry(const GroupParameters& g, const StateBefore<V>& before) {
  const int at = shell_variables(g);
  V r[kReferenceValues];
  for (int k = 0; k < kReferenceValues; ++k) r[k] = before.load(at + k);
  const V twice = r[0] * r[3] - r[1] * r[2], inverse = simd::inverse(twice);
  QuadGeometry<V> of;
  of.area = V(0.5) * twice;
  of.bx[0] = -r[3] * inverse;
  of.bx[1] = r[1] * inverse;
  of.by[0] = r[2] * inverse;
  of.by[1] = -r[0] * inverse;
  for (int k = 0; k < 3; ++k) of.h[k] = r[4 + k];
  return of;
}

/// Writes the deformation to the history of the points of a layer, `in_plane` 1 or 4 of them. Returns by how
/// much the stretch shortens the stable step: stiffnesses of second Piola-Kirchhoff stress over Green's
/// strain grow by (1 + 2 E), and tension adds to them.
template <int in_plane, class V>
[[gnu::noinline]] V give_deformation(const GroupParameters& g, const StateBefore<V>& before,
                                     const StateAfter<V>& after, const QuadGeometry<V>& now,
                                     simd::mask_t<V> living) {
  const QuadGeometry<V> of = reference_geometry(g, before);
  const V a2 = V(2) * now.area, half(0.5), quarter(0.25);
  const V d31[2] = {-a2 * now.by[1], a2 * now.bx[1]}, d42[2] = {a2 * now.by[0], -a2 * now.bx[0]};
  V middle[2][2], hourglass[2];
  for (int k = 0; k < 2; ++k) {
    middle[k][0] = -of.bx[0] * d31[k] - of.bx[1] * d42[k];
    middle[k][1] = -of.by[0] * d31[k] - of.by[1] * d42[k];
    hourglass[k] = quarter * (now.h[k] - middle[k][0] * of.h[0] - middle[k][1] * of.h[1]);
  }
  const QuadEdges<V> edges = quad_edges(of);
  const bool slides = static_cast<const materials::Weave*>(g.law.parameters)->slides;
  V largest(0);
  for (int i = 0; i < in_plane; ++i) {
    V f[2][2], rise(0);
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 2; ++j) f[k][j] = middle[k][j];
    V dh[2] = {V(0), V(0)};
    if constexpr (in_plane > 1) {
      const QuadPoint<V> p = quad_point(of, edges, i);
      dh[0] = p.h_x, dh[1] = p.h_y;
      for (int k = 0; k < 2; ++k)
        for (int j = 0; j < 2; ++j) f[k][j] += hourglass[k] * dh[j];
      rise = V(1.0 / 16) * (now.h[2] * now.h[2] - of.h[2] * of.h[2]);
    }
    if (slides) {
      const V inverse = V(1) / simd::sqrt(f[0][0] * f[0][0] + f[1][0] * f[1][0]);
      f[0][0] *= inverse, f[1][0] *= inverse, dh[0] *= inverse;
    }
    const auto green = [&](int m, int n) {
      const V one(m == n ? 1.0 : 0.0);
      return half * (f[0][m] * f[0][n] + f[1][m] * f[1][n] - one + rise * dh[m] * dh[n]);
    };
    const V given[7] = {f[0][0] - V(1), f[1][0],     f[0][1],    f[1][1] - V(1),
                        green(0, 0),    green(1, 1), green(0, 1)};
    const int at = kFirstPoint + i * point_stride(g) + kHistory + materials::kGivenGradient;
    for (int k = 0; k < 7; ++k) after.store(at + k, simd::select(living, given[k], before.load(at + k)));
    largest = simd::max(largest, simd::max(given[4], given[5]));
  }
  return V(1) / ((V(1) + V(2) * largest) * (V(1) + half * largest));
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
