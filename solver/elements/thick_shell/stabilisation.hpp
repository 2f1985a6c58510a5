// Hourglass control of thick shells, on the generalised strains of column.hpp.
//
// A change of the thickness within an element meets a viscous resistance only, with one column and with four:
// nodal forces QM rho c A / 4 times the velocity, with the speed c of waves through the thickness and the
// area A (as elements/solid/hourglass.hpp), QM at most 0.1. A stiffness would hold on to the thickness of
// sheets that thin unevenly, whose points have no say in it: their thickness stress is uniform
// (layered_solid.hpp).
//
// With one column, in-plane bending, the hourglass fields of bending and the variation of the transverse
// shears meet an assumed strain stiffness in the manner of Belytschko and Bindeman (1993): that of elastic
// strains that vary over the middle surface, integrated over a box, so with the moduli E / 3 and E / 9 over
// the lengths of the element, and 5/6 G / 3 in shear, all times QM. With QM = 1 a box has the stiffness of
// beam theory in in-plane bending. This stiffness stays elastic where the points yield, so QM is 0.1 unless
// the deck gives another.
#pragma once

#include <algorithm>

#include "elements/thick_shell/column.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

inline constexpr int kStiffModes = 6;

/// |G^m|^2.
template <class V>
V dual_square(const V (&dual)[3][3], int m) {
  return dual[m][0] * dual[m][0] + dual[m][1] * dual[m][1] + dual[m][2] * dual[m][2];
}

/// Moduli of the membrane, bent and shear strains, two each.
template <class V>
void stiff_moduli(const GroupParameters& group, const V (&dual)[3][3], V (&k)[kStiffModes]) {
  using T = simd::scalar_t<V>;
  const V xi = dual_square(dual, 0), eta = dual_square(dual, 1), zeta = dual_square(dual, 2);
  const double young = 9 * group.bulk * group.shear / (3 * group.bulk + group.shear), qm = group.hourglass.qm;
  const V third(static_cast<T>(qm * young / 3)), ninth(static_cast<T>(qm * young / 9));
  const V shear(static_cast<T>(qm * group.shear * 5.0 / 18));
  k[0] = third * xi * xi;
  k[1] = third * eta * eta;
  k[2] = ninth * xi * xi;
  k[3] = ninth * eta * eta;
  k[4] = shear * xi * zeta;
  k[5] = shear * eta * zeta;
}

/// Adds the stresses to f; they are in the natural directions, which turn with the element. Returns the work
/// per volume.
template <class V>
V stabilise_stiffly(const GroupParameters& group, const V (&dual)[3][3], const ShellStrains<V>& e, V dt,
                    const StateBefore<V>& before, const StateAfter<V>& after, ShellStrains<V>& f) {
  using T = simd::scalar_t<V>;
  const V rate[kStiffModes] = {e.membrane[0], e.membrane[1], e.bent[0], e.bent[1], e.shear[0], e.shear[1]};
  V k[kStiffModes], s[kStiffModes], work(0);
  stiff_moduli(group, dual, k);
  const int first = solid::hourglass_offset(group);
  for (int i = 0; i < kStiffModes; ++i) {
    const V old = before.load(first + i);
    s[i] = old + dt * k[i] * rate[i];
    after.store(first + i, s[i]);
    work += V(static_cast<T>(0.5)) * (old + s[i]) * dt * rate[i];
  }
  for (int i = 0; i < 2; ++i) {
    f.membrane[i] += s[i];
    f.bent[i] += s[2 + i];
    f.shear[i] += s[4 + i];
  }
  return work;
}

/// With half the thickness L, a nodal velocity v of one field has the strain L v (natural), and a stress s
/// conjugate to it, over the volume 2 A L, the nodal force A L^2 s / 4; so s = QM rho c e / L^3. Returns the
/// work per volume.
template <class V>
V resist_thickness(const GroupParameters& group, const V (&dual)[3][3], const ShellStrains<V>& e, V density,
                   V speed, V dt, ShellStrains<V>& f) {
  using T = simd::scalar_t<V>;
  const V square = dual_square(dual, 2);
  constexpr double most = 0.1;  // a tenth of what is stable at the step of waves through the thickness
  const V factor = V(static_cast<T>(std::min(group.hourglass.qm, most))) * density * speed * square *
                   simd::positive_sqrt(square);
  V work(0);
  for (int i = 0; i < 3; ++i) {
    const V s = factor * e.thickness[i];
    f.thickness[i] += s;
    work += dt * s * e.thickness[i];
  }
  return work;
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
