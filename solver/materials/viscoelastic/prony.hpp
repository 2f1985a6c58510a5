// Deviatoric stress of Maxwell elements side by side, a Prony series sum G_i exp(-b_i t), for laws that add
// it to their own stress.
#pragma once

#include <array>

#include "materials/prepared.hpp"
#include "materials/viscoelastic/maxwell.hpp"

namespace crumple::model {
struct Material;
}

namespace crumple::materials {

/// Terms of a series that are not zero.
struct PronySeries {
  static constexpr int kMost = 18;
  int n = 0;
  std::array<double, kMost> shear{}, rate{};

  double sum() const {
    double total = 0;
    for (int i = 0; i < n; ++i) total += shear[static_cast<std::size_t>(i)];
    return total;
  }
};

/// Fields GI1, BETAI1, ... up to `most` terms. Throws CR-M108 for negative ones.
PronySeries read_prony(const model::Material& material, int most);

inline namespace CRUMPLE_ISA {

/// Adds the stresses of all terms, of which the history begins at variable `first`, 6 each.
template <class V>
void add_prony_stress(const PronySeries& series, const SolidPoint<V>& point, int first, V (&s)[6]) {
  if (series.n == 0) return;
  V e[6], add[6], h[6];
  deviatoric_increment(point.d, e);
  for (int i = 0; i < series.n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    for (int k = 0; k < 6; ++k) add[k] = V(2 * series.shear[at]) * e[k];
    update_maxwell(point, first + 6 * i, decay_in(point.dt, series.rate[at]), add, h);
    for (int k = 0; k < 6; ++k) s[k] += h[k];
  }
}

}  // namespace CRUMPLE_ISA
}  // namespace crumple::materials
