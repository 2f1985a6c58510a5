// Strains of the discrete Kirchhoff quadrilateral (ELFORM 18).
//
// Bending is that of Batoz and Ben Tahar (1982, "Evaluation of a new quadrilateral thin plate bending
// element", Int. J. Numer. Methods Eng. 18, DKQ): fibers b, u = z b, turn with a field of eight nodes, and
// along each edge their turn is that of the normal of a cubic deflection. With the shape functions of the
// middles of edges over the bilinear field, N_k, this is
//   b = bilinear b + sum over edges N_k s_k D_k,   D_k = -(3 / (2 l)) (w_j - w_i + l s.(b_i + b_j) / 2),
// l the length and s the direction of edge k from i to j: the bracket is twice the edge's covariant shear, as
// ELFORM 16 has it, which becomes curvature here instead of shear. There is no transverse shear. The membrane
// is that of ELFORM 16.
#pragma once

#include "elements/shell/fully_integrated.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {

/// The field of one edge at a point: the curvature of a unit of the edge's shear.
template <class V>
struct EdgeBend {
  V xx, yy, xy;

  EdgeBend(const QuadPoint<V>& p, const QuadEdges<V>& e, int edge) {
    const double side = edge == 1 || edge == 2 ? 1 : -1;  // xi or eta of the edge
    const bool along_xi = edge == 0 || edge == 2;
    // N = (1 - a^2) (1 + side b) / 2, a along the edge and b across.
    const double a = along_xi ? p.xi : p.eta, b = along_xi ? p.eta : p.xi;
    const V by_a(-a * (1 + side * b)), by_b(0.5 * side * (1 - a * a));
    const V nx = along_xi ? by_a * p.xi_x + by_b * p.eta_x : by_b * p.xi_x + by_a * p.eta_x;
    const V ny = along_xi ? by_a * p.xi_y + by_b * p.eta_y : by_b * p.xi_y + by_a * p.eta_y;
    const V* const half = e.edge[edge];  // half of the side
    const V scale = V(-1.5) / (half[0] * half[0] + half[1] * half[1]);
    xx = scale * nx * half[0];
    yy = scale * ny * half[1];
    xy = scale * (ny * half[0] + nx * half[1]);
  }
};

struct KirchhoffStrains {
  static constexpr bool centre_shear = false, holds_warping = false;

  template <class V>
  static Increment<V> increment(const QuadPoint<V>& p, const QuadEdges<V>& edges, const FullRates<V>& rates,
                                V poisson, V dt) {
    Increment<V> d = point_increment(p, rates.mean, rates.modes, rates.edge, poisson, dt);
    for (int k = 0; k < 4; ++k) {
      const EdgeBend<V> bend(p, edges, k);
      const V shear = dt * rates.edge[k];
      d.curvature[0] += bend.xx * shear;
      d.curvature[1] += bend.yy * shear;
      d.curvature[2] += bend.xy * shear;
    }
    d.shear[0] = d.shear[1] = V(0);
    return d;
  }

  /// The transpose: the edges' shears have the moments as conjugates, none of the shear forces.
  template <class V>
  static void add(const QuadPoint<V>& p, const QuadEdges<V>& edges, const Resultants<V>& r, V poisson, V,
                  FullForces<V>& sum) {
    sum.add(p, r, poisson, V(0));
    for (int k = 0; k < 4; ++k) {
      const EdgeBend<V> bend(p, edges, k);
      sum.edge[k] += p.j * (bend.xx * r.moment[0] + bend.yy * r.moment[1] + bend.xy * r.moment[2]);
    }
  }
};

/// ELFORM 18.
struct KirchhoffForm {
  static constexpr bool flatten = false;
  static bool idle(const GroupParameters& g) { return is_null(g); }
  template <class Run>
  static void choose(const GroupParameters&, Run run) {
    run(FullyIntegrated<false, KirchhoffStrains>());
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
