// Reads the terms of a Prony series.
#include "materials/viscoelastic/prony.hpp"

#include "materials/prepare.hpp"

namespace crumple::materials {

PronySeries read_prony(const model::Material& material, int most) {
  PronySeries series;
  for (int i = 1; i <= most; ++i) {
    const double shear = not_negative_field(material, fmt::format("GI{}", i));
    const double rate = not_negative_field(material, fmt::format("BETAI{}", i));
    if (shear == 0) continue;
    const auto at = static_cast<std::size_t>(series.n++);
    series.shear[at] = shear;
    series.rate[at] = rate;
  }
  return series;
}

}  // namespace crumple::materials
