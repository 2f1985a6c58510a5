// MAT_036 (*MAT_3-PARAMETER_BARLAT): rolled sheets by the yield function of Barlat and Lian, in shells.
//
// f(s) = k(p) with f of barlat_lian.hpp along axes that turn with the element, and p conjugate to f: the
// plastic strain of tension in the rolling direction a. The parameters are those of the ratios R of plastic
// strains across the width and through the thickness at 0, 45 and 90 degrees (Barlat and Lian 1989):
//
//   a = 2 - 2 sqrt(R00 / (1 + R00) R90 / (1 + R90)),   h = sqrt(R00 / (1 + R00) (1 + R90) / R90),
//
// and p is that for which R45 is 1 + R = f / ((df/ds_x + df/ds_y) s) in tension s at 45 degrees. With PB > 0
// the fields are a, c, h and p themselves.
//
// Flow stress: HR = 1 a line from P2, with the tangent modulus P1 of stress over strain; HR = 2 P1 (e0 +
// p)^P2, e0 from E0 or SPI; HR = 3 the curve LCID. C and P scale it by 1 + (rate / C)^(1 / P) (Cowper and
// Symonds 1957), with the rate of total strain. Transverse shear is elastic: f has none. The return is
// implicit (plane_surface_return.hpp), whatever ITER is. The plastic strain through the thickness keeps the
// volume.
//
// History: the axes. State: plastic strain.
#pragma once

#include "materials/metal/barlat_lian.hpp"
#include "materials/orthotropic/axes.hpp"
#include "materials/plasticity/j2_plasticity.hpp"

namespace crumple::materials {

/// Parameters of MAT_036.
struct BarlatSheet : J2Law {
  BarlatLian surface;
  double strength = 0, power_n = 0, first_strain = 0;  ///< HR = 2, if strength > 0
};

inline namespace CRUMPLE_ISA {

/// Flow stress of MAT_036: the engine's, or a power of the strain.
template <class V>
class BarlatFlow {
 public:
  BarlatFlow(const BarlatSheet& law, V plastic_strain, V strain_rate, V /*dt*/)
      : law_(law), lines_(law, plastic_strain) {
    if (law.rate == RateEffect::cowper_symonds)
      factor_ = V(1) + simd::pow(strain_rate * V(law.inverse_c), V(law.inverse_power));
    V slope;
    at(plastic_strain, V(0), yield_, slope);
  }

  V yield() const { return yield_; }

  void at(V p, V dp, V& k, V& slope) const {
    if (law_.strength == 0) {
      lines_.at(p, dp, k, slope);
    } else {
      const V strain = p + V(law_.first_strain);
      k = V(law_.strength) * simd::pow(strain, V(law_.power_n));
      slope = V(law_.power_n) * k / strain;
    }
    k *= factor_;
    slope *= factor_;
  }

 private:
  const BarlatSheet& law_;
  RateFreeFlow<V> lines_;
  V yield_ = V(0), factor_ = V(1);
};

template <class V>
struct FlowOfLaw<V, BarlatSheet> {
  using Type = BarlatFlow<V>;
};

template <class V>
void update_shell(const BarlatSheet& law, ShellPoint<V>& point) {
  along_axes(point, [&](V(&d)[6], V(&s)[6]) {
    add_elastic_shell(law.elastic, d, s);
    const BarlatLianSurface<V> surface{law.surface};
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
    where_it_yields(law, surface.at(trial).f, point.plastic_strain, point.dt, norm, flow_back);
    d[2] = V(-law.elastic.thinning) * (d[0] + d[1] - plastic_thinning) - plastic_thinning;
  });
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/metal/barlat_fields.hpp"
#endif

CRUMPLE_LAW(BarlatSheet, {.number = 36,
                          .keyword = "MAT_3-PARAMETER_BARLAT",
                          .supports = {.shell = true},
                          .needs = {.material_axes = true},
                          .elastic_fields = true,
                          .cost = 6,
                          .prepare = prepare_barlat})
