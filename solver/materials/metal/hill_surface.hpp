// The yield function of Hill (1948) in plane stress, with its first and second derivatives.
//
//   f^2 = (G + H) s_x^2 - 2 H s_x s_y + (F + H) s_y^2 + 2 N s_xy^2,   x along the rolling direction
//
// f is a norm of the stress: of degree 1, so that it serves the return of plane_surface_return.hpp.
#pragma once

#include "materials/plasticity/plane_surface_return.hpp"

namespace crumple::materials {

/// The products of f^2: xx, yy, of xy, and half of that of xx yy.
struct HillPlane {
  double xx = 1, yy = 1, shear = 3, cross = -0.5;
};

inline namespace CRUMPLE_ISA {

template <class V>
struct HillSurface {
  const HillPlane& law;

  SurfacePoint<V> at(const V (&s)[3]) const {
    const V xx(law.xx), yy(law.yy), xy(law.shear), cross(law.cross);
    const V along[3] = {xx * s[0] + cross * s[1], cross * s[0] + yy * s[1], xy * s[2]};
    const V square = s[0] * along[0] + s[1] * along[1] + s[2] * along[2];
    SurfacePoint<V> to;
    to.f = simd::sqrt(simd::max(square, V(1e-30)));
    const V per = V(1) / to.f;
    for (int i = 0; i < 3; ++i) to.n[i] = along[i] * per;
    const V(&n)[3] = to.n;
    const V h[6] = {xx - n[0] * n[0],    yy - n[1] * n[1], xy - n[2] * n[2],
                    cross - n[0] * n[1], -(n[1] * n[2]),   -(n[2] * n[0])};
    for (int k = 0; k < 6; ++k) to.h[k] = per * h[k];
    return to;
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
