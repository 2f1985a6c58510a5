// Brittleness from strengths and toughnesses.
#include "materials/orthotropic/fracture_size.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "materials/orthotropic/damaged_plane.hpp"
#include "materials/prepare.hpp"

namespace crumple::materials {

std::array<double, 5> brittleness(const model::Material& material) {
  struct Mode {
    const char *strength, *toughness;
    double modulus;
  };
  const DamagedPlane plane = damaged_plane(plane_stiffness(material));
  const std::array<Mode, 5> modes{{{"XT", "GXT", plane.young_a},
                                   {"XC", "GXC", plane.young_a},
                                   {"YT", "GYT", plane.young_b},
                                   {"YC", "GYC", plane.young_b},
                                   {"SL", "GSL", plane.shear}}};
  std::array<double, 5> brittle{};
  for (std::size_t k = 0; k < modes.size(); ++k) {
    const Mode& mode = modes[k];
    if (material.field(mode.toughness) < 0)
      refuse(material, "CR-M105", mode.toughness,
             fmt::format("a curve of the toughness over the element's size ({} < 0) is not supported",
                         mode.toughness));
    const double strength = positive_field(material, mode.strength);
    brittle[k] = strength * strength / (2 * mode.modulus * positive_field(material, mode.toughness));
  }
  return brittle;
}

double largest_size(const model::Material& material) {
  if (!material.fields.contains("GXT")) return 0;
  const std::array<double, 5> brittle = brittleness(material);
  return 1 / *std::max_element(brittle.begin(), brittle.end());
}

}  // namespace crumple::materials
