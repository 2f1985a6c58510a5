// Integrals over element shapes.
#include "model/geometry.hpp"

#include <numbers>

namespace crumple::model {

VolumeAndCentre solid_volume(const std::array<Vec3, 8>& x) {
  // 2 x 2 x 2 Gauss points integrate the Jacobian, and the Jacobian times position, of a trilinear map
  // exactly: both are at most cubic in each coordinate.
  constexpr std::array<std::array<int, 3>, 8> sign{
      {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {-1, -1, 1}, {1, -1, 1}, {1, 1, 1}, {-1, 1, 1}}};
  const double g = 1.0 / std::numbers::sqrt3;
  VolumeAndCentre out;
  Vec3 moment;
  for (const auto& point : sign) {
    Vec3 at, d[3];
    for (std::size_t a = 0; a < 8; ++a) {
      const double f[3] = {1.0 + g * point[0] * sign[a][0], 1.0 + g * point[1] * sign[a][1],
                           1.0 + g * point[2] * sign[a][2]};
      at += 0.125 * f[0] * f[1] * f[2] * x[a];
      d[0] += 0.125 * sign[a][0] * f[1] * f[2] * x[a];
      d[1] += 0.125 * sign[a][1] * f[0] * f[2] * x[a];
      d[2] += 0.125 * sign[a][2] * f[0] * f[1] * x[a];
    }
    const double jacobian = dot(d[0], cross(d[1], d[2]));
    out.volume += jacobian;
    moment += jacobian * at;
  }
  if (out.volume != 0.0) out.centre = moment * (1.0 / out.volume);
  return out;
}

}  // namespace crumple::model
