// The 2 x 2 points of a quadrilateral: base vectors, Jacobians and gradients.
//
// The bilinear interpolation splits exactly into a linear part and the hourglass field h = xi eta (Belytschko
// and Bachrach 1986).
#pragma once

#include "elements/shell/quad_geometry.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {

/// Covariant base vectors and edges for the in-plane points, in local axes.
template <class V>
struct QuadEdges {
  V xi[2], eta[2];  ///< base vectors at the centre
  V edge[4][2];     ///< half of the sides 1-2, 2-3, 4-3, 1-4
};

template <class V>
inline QuadEdges<V> quad_edges(const QuadGeometry<V>& g) {
  const V a2 = V(2) * g.area, quarter(0.25);
  const V d31[2] = {-a2 * g.by[1], a2 * g.bx[1]}, d42[2] = {a2 * g.by[0], -a2 * g.bx[0]};
  QuadEdges<V> e;
  for (int k = 0; k < 2; ++k) {
    e.xi[k] = quarter * (d31[k] - d42[k]);
    e.eta[k] = quarter * (d31[k] + d42[k]);
    const V h = quarter * g.h[k];
    e.edge[0][k] = e.xi[k] - h;
    e.edge[1][k] = e.eta[k] + h;
    e.edge[2][k] = e.xi[k] + h;
    e.edge[3][k] = e.eta[k] - h;
  }
  return e;
}

/// One of the 2 x 2 points: Jacobian determinant (weight 1) and gradients of xi, eta and h.
template <class V>
struct QuadPoint {
  double xi, eta;
  V j, xi_x, xi_y, eta_x, eta_y, h_x, h_y;
};

template <class V>
inline QuadPoint<V> quad_point(const QuadGeometry<V>& g, const QuadEdges<V>& e, int i) {
  constexpr double a = 0.57735026918962576;
  QuadPoint<V> p;
  p.xi = i == 0 || i == 3 ? -a : a;
  p.eta = i < 2 ? -a : a;
  const V xi(p.xi), eta(p.eta), quarter(0.25);
  const V u[2] = {e.xi[0] + quarter * eta * g.h[0], e.xi[1] + quarter * eta * g.h[1]};
  const V w[2] = {e.eta[0] + quarter * xi * g.h[0], e.eta[1] + quarter * xi * g.h[1]};
  p.j = u[0] * w[1] - u[1] * w[0];
  const V inverse = simd::inverse(p.j);
  p.xi_x = w[1] * inverse, p.xi_y = -w[0] * inverse;
  p.eta_x = -u[1] * inverse, p.eta_y = u[0] * inverse;
  p.h_x = eta * p.xi_x + xi * p.eta_x;
  p.h_y = eta * p.xi_y + xi * p.eta_y;
  return p;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
