// The axes a, b, c of a material at its points: the first history variables of laws that need them.
//
// They are set before the run (state/material_axes.hpp). In shells the axis a is at an angle to the axis x of
// the element's frame, and turns with it; kept are its cosine - 1 and its sine. Stress is kept along the
// element's axes, and only its change is turned back: if the stress itself were turned in both directions in
// every step, it would drift by the rounding of the cosine and sine. In solids the columns are the material's
// lines F a, F b, F c: vectors that the deformation gradient F carries along.
#pragma once

#include "materials/law.hpp"

namespace crumple::materials {

inline constexpr int kShellAxes = 2;  ///< history variables: cosine - 1, sine
/// History variable of laws that need the size of a shell: the root of its area at the start
/// (state/groups.cpp).
inline constexpr int kShellSize = kShellAxes;
/// History variables: the components of a, then of b and c, minus those of the unit vectors x, y, z: all 0
/// are the global axes.
inline constexpr int kSolidAxes = 9;

inline namespace CRUMPLE_ISA {

/// Rotation about the normal of a shell, to axes whose x has the components `c`, `s` in the old ones.
template <class V>
struct PlaneAxes {
  V c, s;

  /// Strains, with engineering shears.
  void turn_strain(const V (&d)[6], V (&e)[6]) const {
    const V cc = c * c, ss = s * s, cs = c * s;
    e[0] = cc * d[0] + ss * d[1] + cs * d[3];
    e[1] = ss * d[0] + cc * d[1] - cs * d[3];
    e[2] = V(0);
    e[3] = (cs + cs) * (d[1] - d[0]) + (cc - ss) * d[3];
    e[4] = c * d[4] - s * d[5];
    e[5] = s * d[4] + c * d[5];
  }
  void turn_stress(const V (&t)[6], V (&to)[6]) const { turn(c, s, t, to); }
  void turn_stress_back(const V (&t)[6], V (&to)[6]) const { turn(c, -s, t, to); }

 private:
  static void turn(V c, V s, const V (&t)[6], V (&to)[6]) {
    const V cc = c * c, ss = s * s, cs = c * s;
    to[0] = cc * t[0] + ss * t[1] + (cs + cs) * t[3];
    to[1] = ss * t[0] + cc * t[1] - (cs + cs) * t[3];
    to[2] = V(0);
    to[3] = cs * (t[1] - t[0]) + (cc - ss) * t[3];
    to[4] = c * t[4] - s * t[5];
    to[5] = s * t[4] + c * t[5];
  }
};

/// Calls update(d, s) with the strain increment and stress of a shell's point along its material's axes;
/// `update` changes the stress, and sets d[2].
template <class V, class Update>
void along_axes(ShellPoint<V>& point, Update update) {
  const PlaneAxes<V> axes{V(1) + point.history.template load<V>(0), point.history.template load<V>(1)};
  V d[6], before[6], s[6], change[6];
  axes.turn_strain(point.d, d);
  axes.turn_stress(point.s, before);
  for (int k = 0; k < 6; ++k) s[k] = before[k];
  update(d, s);
  for (int k = 0; k < 6; ++k) before[k] = s[k] - before[k];
  axes.turn_stress_back(before, change);
  for (int k = 0; k < 6; ++k) point.s[k] += change[k];
  point.s[2] = V(0);
  point.d[2] = d[2];
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
