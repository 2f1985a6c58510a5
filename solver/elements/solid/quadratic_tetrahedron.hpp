// Ten-node tetrahedron with four integration points (ELFORM 16): quadratic displacements.
//
// The shape functions are those of Zienkiewicz and Taylor (2000, "The finite element method", vol. 1, section
// 8.8) in volume coordinates L: L_a (2 L_a - 1) of corner a, 4 L_a L_b of the node in the middle of edge ab.
// The four points (Hammer, Marlowe and Stroud 1956, "Numerical integration over simplexes and cones") with
// L = 0.585410 towards a corner and 0.138197 towards the others integrate quadratic functions exactly, so the
// elastic stiffness of an element with straight edges. Every mode but rigid motion has stiffness. Stresses
// are those of the displacements: at constant volume, as in plastic flow, the element has about as many
// constraints as freedoms, so that pressures of single points oscillate about the right mean while forces
// and displacements converge.
//
// Mass: consistent masses summed by row are negative at corners. So the diagonal of the consistent matrix is
// scaled to the element's mass (Hinton, Rock and Zienkiewicz 1976, "A note on mass lumping and related
// processes in the finite element method"): 6 / 216 = 1 / 36 at each corner and 32 / 216 = 4 / 27 at the
// other nodes, the fractions of a straight element.
//
// Stable step: with the gradients g_a of the shape functions at a point and the fractions m_a of the mass, a
// point with the whole volume has at most the frequency of the bound in viscosity.hpp, with G = sum g_a g_a^T
// / m_a in place of N / V^2 sum B_a B_a^T. Points with their share of the volume do not reach their highest
// frequencies in one motion: omega^2 is at most 0.52 of the bound for the mean of G where edges are straight.
// Where they are bent one point may have nearly all of it. The bound here is 0.35 of that for the mean, plus
// the largest of a point alone. Searches for the worst shape, straight or bent, by 30,000 random elements and
// by climbing from 700, with Poisson's ratios from 0 to 0.4999, found at most 0.92 of the second part beyond
// the first; of straight elements the step is 0.7 to 0.9 of the exact limit (the unit test has some).
#pragma once

#include "elements/solid/isoparametric.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Corners 1 2 3 counter-clockwise seen from corner 4; then the middles of the edges 1-2, 2-3, 3-1, 1-4, 2-4,
/// 3-4. Volume coordinates 1-r-s-t, r, s, t.
struct QuadraticTetrahedronShape {
  static constexpr int n_nodes = 10, n_points = 4;
  static constexpr bool mean_dilatation = false;
  static constexpr double weight = 1.0 / 24.0;
  static constexpr int shape[10][3] = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}, {0, 0, 2}, {1, 0, 0},
                                       {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
  static constexpr int edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  static constexpr double step_share = 0.35;
  static constexpr double mass_share(int a) { return a < 4 ? 1.0 / 36.0 : 4.0 / 27.0; }

  /// Derivative of a volume coordinate.
  static constexpr double slope(int corner, int m) {
    return corner == 0 ? -1.0 : corner == m + 1 ? 1.0 : 0.0;
  }
  /// Volume coordinate at point p, which lies towards corner p.
  static constexpr double at(int p, int corner) {
    return p == corner ? 0.58541019662496845446 : 0.13819660112501051518;
  }
  static constexpr double derivative(int p, int a, int m) {
    if (a < 4) return (4 * at(p, a) - 1) * slope(a, m);
    const int b = edge[a - 4][0], c = edge[a - 4][1];
    return 4 * (at(p, b) * slope(c, m) + at(p, c) * slope(b, m));
  }

  /// The bound on the frequency needs no face.
  template <class V>
  static V area_squared(const V (&)[10][3]) {
    return V(0);
  }
};

using QuadraticTetrahedronForm = IsoparametricForm<QuadraticTetrahedronShape>;

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
