// Strains of the Hughes-Liu shells with selectively reduced integration (ELFORM 6 and 7).
//
// Hughes and Liu (1981, "Nonlinear finite element analysis of shells: part I") with the selective integration
// of Hughes, Cohen and Haroun (1978, "Reduced and selective integration techniques in the finite element
// analysis of plates", element S1): membrane and bending strains are those of the full bilinear field at 2 x
// 2 points, transverse shear strains those of the centre, so that thin shells do not lock:
//   membrane: e_xx += h,x q_x,  e_yy += h,y q_y,  2 e_xy += h,y q_x + h,x q_y.
// Here in the frame of ELFORM 16 that moves with the element, as ELFORM 7 has it; on flat elements the fibers
// of ELFORM 6 are the normals, so it is the same. Bending in the plane of the elements locks, as it does
// there.
//
// With the shear of the centre, w = xi eta without rotations has no stiffness, and its pattern continues from
// element to element (Hughes 2000, section 5.3.5). It gets that of ELFORM 2 in its stiffness form (QW,
// hourglass.hpp), whatever IHQ is. The second such mode, a turn of the fibers about the middle in the plane,
// cannot: neighbours would turn nodes that they share in opposite directions.
#pragma once

#include "elements/shell/fully_integrated.hpp"

namespace crumple::elements::shell {
inline namespace CRUMPLE_ISA {

struct SelectiveStrains {
  static constexpr bool centre_shear = true, holds_warping = true;

  template <class V>
  static Increment<V> increment(const QuadPoint<V>& p, const QuadEdges<V>&, const FullRates<V>& rates, V,
                                V dt) {
    const V(&q)[5] = rates.modes.q;
    const V hx = V(0.25) * dt * p.h_x, hy = V(0.25) * dt * p.h_y;
    Increment<V> d = rates.mean;
    d.membrane[0] += hx * q[0];
    d.membrane[1] += hy * q[1];
    d.membrane[2] += hy * q[0] + hx * q[1];
    d.curvature[0] += hx * q[3];
    d.curvature[1] -= hy * q[2];
    d.curvature[2] += hy * q[3] - hx * q[2];
    return d;
  }

  /// The transpose.
  template <class V>
  static void add(const QuadPoint<V>& p, const QuadEdges<V>&, const Resultants<V>& r, V, V kappa,
                  FullForces<V>& sum) {
    for (int k = 0; k < 3; ++k) {
      sum.n[k] += p.j * r.force[k];
      sum.m[k] += p.j * r.moment[k];
    }
    const V hx = V(0.25) * p.j * p.h_x, hy = V(0.25) * p.j * p.h_y;
    sum.modes.q[0] += hx * r.force[0] + hy * r.force[2];
    sum.modes.q[1] += hy * r.force[1] + hx * r.force[2];
    sum.modes.q[2] -= hy * r.moment[1] + hx * r.moment[2];
    sum.modes.q[3] += hx * r.moment[0] + hy * r.moment[2];
    for (int k = 0; k < 2; ++k) sum.shear[k] += kappa * p.j * r.shear[k];
  }

  /// Stress of the warping mode, kept where ELFORM 2 keeps it; its work.
  template <class V>
  static V hold_warping(const GroupParameters& g, const StateBefore<V>& before, const StateAfter<V>& after,
                        const QuadGeometry<V>& middle, V thickness, const HourglassModes<V>& rate, V dt,
                        V& work) {
    constexpr int kWarping = kHourglass + 4;
    constexpr double kGamma = 1.0 / 16;  // as in hourglass.hpp
    const V stiffness = V(kGamma / 12 * g.hourglass.qw * g.shear_factor * g.shear) * thickness * thickness *
                        thickness * gradient_square(middle);
    const V old = before.load(kWarping), now = old + stiffness * dt * rate.q[4];
    work = V(0.5) * dt * (old + now) * rate.q[4];
    after.store(kWarping, now);
    return now;
  }
};

/// ELFORM 6 and 7.
struct SelectiveForm {
  static constexpr bool flatten = false;
  static bool idle(const GroupParameters& g) { return is_null(g); }
  template <class Run>
  static void choose(const GroupParameters&, Run run) {
    run(FullyIntegrated<false, SelectiveStrains>());
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements::shell
