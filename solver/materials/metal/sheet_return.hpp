// The step of a sheet that yields by a function of its stress along turning axes: MAT_036, 122 and 133.
//
// f(s) = k(p), and p is conjugate to f. The return is implicit (plane_surface_return.hpp); transverse shear
// is elastic, since f has none. The plastic strain through the thickness keeps the volume.
#pragma once

#include "materials/orthotropic/axes.hpp"
#include "materials/plasticity/formula_flow.hpp"
#include "materials/plasticity/plane_surface_return.hpp"

namespace crumple::materials {
inline namespace CRUMPLE_ISA {

/// `Law` is the class of which the flow stress is (FlowOfLaw).
template <class Law, class V, class Surface>
void update_sheet(const Law& law, const Surface& surface, ShellPoint<V>& point) {
  along_axes(point, [&](V(&d)[6], V(&s)[6]) {
    add_elastic_shell(law.elastic, d, s);
    const V trial[3] = {s[0], s[1], s[3]};
    V plastic_thinning(0);  // plastic d[0] + d[1]
    const auto norm = [&] {
      return strain_norm(law, d[0], d[1], -(d[0] + d[1]), d[3] * d[3] + d[4] * d[4] + d[5] * d[5]);
    };
    const auto flow_back = [&](simd::mask_t<V> yields, const auto& flow) {
      const auto [to, n, dp] =
          return_to_surface(law.elastic, surface, flow, point.plastic_strain, trial, yields);
      s[0] = simd::select(yields, to[0], s[0]);
      s[1] = simd::select(yields, to[1], s[1]);
      s[3] = simd::select(yields, to[2], s[3]);
      point.plastic_strain += simd::select(yields, dp, V(0));
      plastic_thinning = simd::select(yields, dp * (n[0] + n[1]), V(0));
    };
    const V f = surface.at(trial).f;
    if (law.rate == RateEffect::table) {
      const simd::mask_t<V> may = f > V(law.least_yield) && point.dt > V(0);
      const auto& tables = static_cast<const J2Law&>(law);
      if (simd::any(may)) at_a_rate(tables, may, f, point.plastic_strain, point.dt, norm, flow_back);
    } else {
      where_it_yields(law, f, point.plastic_strain, point.dt, norm, flow_back);
    }
    d[2] = V(-law.elastic.thinning) * (d[0] + d[1] - plastic_thinning) - plastic_thinning;
  });
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
