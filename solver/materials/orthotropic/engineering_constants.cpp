// Stiffness from engineering constants, and its fastest waves.
#include "materials/orthotropic/engineering_constants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "materials/prepare.hpp"

namespace crumple::materials {

namespace {

/// The compliance along the axes without shear; its third row is 0 without EC.
struct Compliance {
  double aa, bb, cc = 0, ab, ac = 0, bc = 0;
};

Compliance compliance(const model::Material& material) {
  const double ea = positive_field(material, "EA"), eb = positive_field(material, "EB");
  Compliance s{.aa = 1 / ea, .bb = 1 / eb, .ab = -material.field("PRBA") / eb};
  if (const double ec = not_negative_field(material, "EC"); ec > 0) {
    s.cc = 1 / ec;
    s.ac = -material.field("PRCA") / ec;
    s.bc = -material.field("PRCB") / ec;
  }
  return s;
}

[[noreturn]] void not_definite(const model::Material& material, const char* of, double value) {
  refuse(material, "CR-M111", "PRBA",
         fmt::format("the elastic constants are not positive definite: {} is {:.4g}, it must be positive", of,
                     value));
}

void check_plane(const model::Material& material, const Compliance& s) {
  const double ab = 1 - s.ab * s.ab / (s.aa * s.bb);
  if (!(ab > 0)) not_definite(material, "1 - PRBA^2 EA / EB", ab);
}

/// Determinant over the product of its diagonal.
double check_solid(const model::Material& material, const Compliance& s) {
  const double ab = s.ab * s.ab / (s.aa * s.bb), ac = s.ac * s.ac / (s.aa * s.cc),
               bc = s.bc * s.bc / (s.bb * s.cc);
  if (!(1 - ac > 0)) not_definite(material, "1 - PRCA^2 EA / EC", 1 - ac);
  if (!(1 - bc > 0)) not_definite(material, "1 - PRCB^2 EB / EC", 1 - bc);
  const double all = 1 - ab - ac - bc + 2 * s.ab * s.ac * s.bc / (s.aa * s.bb * s.cc);
  if (!(all > 0)) not_definite(material, "the determinant over EA, EB and EC", all);
  return all;
}

/// Largest eigenvalue of a symmetric 2 x 2 matrix.
double largest(double xx, double yy, double xy) {
  const double mean = 0.5 * (xx + yy), half = 0.5 * (xx - yy);
  return mean + std::sqrt(half * half + xy * xy);
}

/// Largest eigenvalue of a symmetric, positive 3 x 3 matrix, by powers; a little below it at worst.
double largest(const std::array<std::array<double, 3>, 3>& m) {
  std::array<double, 3> v{1.0, 0.83, 0.71};
  double value = 0;
  for (int k = 0; k < 60; ++k) {
    std::array<double, 3> w{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) w[i] += m[i][j] * v[j];
    value = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
    for (std::size_t i = 0; i < 3; ++i) v[i] = w[i] / value;
  }
  return value;
}

constexpr int kDirections = 90;

/// The largest modulus of waves in the plane, over all directions.
double plane_wave(const PlaneStiffness& q) {
  double most = 0;
  for (int k = 0; k <= kDirections; ++k) {
    const double c = std::cos(0.5 * M_PI * k / kDirections), s = std::sin(0.5 * M_PI * k / kDirections);
    most = std::max(most, largest(c * c * q.aa + s * s * q.shear, s * s * q.bb + c * c * q.shear,
                                  c * s * (q.ab + q.shear)));
  }
  return most;
}

/// The same in space: eigenvalues of n C n over directions n of one octant, which are all by symmetry.
double space_wave(const SolidStiffness& k) {
  double most = 0;
  for (int i = 0; i <= kDirections; ++i)
    for (int j = 0; j <= kDirections; ++j) {
      const double t = 0.5 * M_PI * i / kDirections, f = 0.5 * M_PI * j / kDirections;
      const double x = std::sin(t) * std::cos(f), y = std::sin(t) * std::sin(f), z = std::cos(t);
      const double xy = x * y * (k.ab + k.shear_ab), yz = y * z * (k.bc + k.shear_bc),
                   zx = z * x * (k.ca + k.shear_ca);
      most = std::max(most, largest({{{x * x * k.aa + y * y * k.shear_ab + z * z * k.shear_ca, xy, zx},
                                      {xy, x * x * k.shear_ab + y * y * k.bb + z * z * k.shear_bc, yz},
                                      {zx, yz, x * x * k.shear_ca + y * y * k.shear_bc + z * z * k.cc}}}));
    }
  return most;
}

}  // namespace

PlaneStiffness plane_stiffness(const model::Material& material) {
  const Compliance s = compliance(material);
  check_plane(material, s);
  const double determinant = s.aa * s.bb - s.ab * s.ab;
  return {.aa = s.bb / determinant,
          .bb = s.aa / determinant,
          .ab = -s.ab / determinant,
          .shear = positive_field(material, "GAB"),
          .shear_bc = positive_field(material, "GBC"),
          .shear_ca = positive_field(material, "GCA"),
          .thin_a = s.ac,
          .thin_b = s.bc};
}

SolidStiffness solid_stiffness(const model::Material& material) {
  positive_field(material, "EC");
  const Compliance s = compliance(material);
  check_plane(material, s);
  const double determinant = check_solid(material, s) * s.aa * s.bb * s.cc;
  return {.aa = (s.bb * s.cc - s.bc * s.bc) / determinant,
          .bb = (s.aa * s.cc - s.ac * s.ac) / determinant,
          .cc = (s.aa * s.bb - s.ab * s.ab) / determinant,
          .ab = (s.ac * s.bc - s.ab * s.cc) / determinant,
          .bc = (s.ab * s.ac - s.bc * s.aa) / determinant,
          .ca = (s.ab * s.bc - s.ac * s.bb) / determinant,
          .shear_ab = positive_field(material, "GAB"),
          .shear_bc = positive_field(material, "GBC"),
          .shear_ca = positive_field(material, "GCA")};
}

Prepared prepare_plane(const model::Material& material, const PlaneStiffness& q) {
  Prepared prepared;
  prepared.density = checked_density(material);
  Elastic& e = prepared.elastic;
  e.poisson = std::min(std::abs(q.ab) / std::sqrt(q.aa * q.bb), 0.49);
  e.young = plane_wave(q) * (1 - e.poisson * e.poisson);
  e.shear = std::max({q.shear, q.shear_bc, q.shear_ca});
  e.bulk = e.young / (3 * (1 - 2 * e.poisson));
  return prepared;
}

void set_solid_wave(const SolidStiffness& stiffness, Elastic& elastic) {
  const double wave = space_wave(stiffness);
  elastic.shear = std::min(elastic.shear, 0.6 * wave);
  elastic.bulk = wave - 4.0 / 3.0 * elastic.shear;
}

}  // namespace crumple::materials
