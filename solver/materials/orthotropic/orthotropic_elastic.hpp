// MAT_002 (*MAT_ORTHOTROPIC_ELASTIC): orthotropic elasticity in solids and shells.
//
// Solids: second Piola-Kirchhoff stress S = C E of Green's strain E along the material's axes at the start,
// and Cauchy stress F S F^T / det F (Hallquist 2006, LS-DYNA Theory Manual, material 2; Belytschko, Liu and
// Moran 2000, box 3.2). History: G = F [a b c], which the increments of rotation R and strain d carry along,
// G' = (1 + d + d^2 / 2) R G, and E by its own increments U^T d U, U = (1 + d / 2) R G: so that it keeps its
// digits where it is small beside F. In tension the material stiffens by the square of its stretch; the
// stable step is that at rest, and with TSSFAC = 0.9 it holds up to 7 % in the direction of the fastest wave.
//
// Shells: Hooke's law of plane stress in rate form along axes at a constant angle to the element's frame
// (Jones 1975, eqs. 2.60 to 2.63); transverse shear with GBC and GCA. The strain of the thickness is that of
// the stresses a and b.
#pragma once

#include "materials/orthotropic/axes.hpp"
#include "materials/orthotropic/engineering_constants.hpp"

namespace crumple::materials {

struct OrthotropicLaw {
  PlaneStiffness plane;
  SolidStiffness solid;
};

inline namespace CRUMPLE_ISA {

/// Hooke's law of a sheet along its axes.
template <class V>
void add_plane_stress(const PlaneStiffness& q, const V (&d)[6], V (&s)[6]) {
  s[0] += V(q.aa) * d[0] + V(q.ab) * d[1];
  s[1] += V(q.ab) * d[0] + V(q.bb) * d[1];
  s[3] += V(q.shear) * d[3];
  s[4] += V(q.shear_bc) * d[4];
  s[5] += V(q.shear_ca) * d[5];
}

/// Strain of the thickness of a change of stress.
template <class V>
V thickness_strain(const PlaneStiffness& q, V a, V b) {
  return V(q.thin_a) * a + V(q.thin_b) * b;
}

template <class V>
void update_shell(const OrthotropicLaw& p, ShellPoint<V>& point) {
  along_axes(point, [&](V(&d)[6], V(&s)[6]) {
    const V a = s[0], b = s[1];
    add_plane_stress(p.plane, d, s);
    d[2] = thickness_strain(p.plane, V(s[0] - a), V(s[1] - b));
  });
  point.failed = never(point.plastic_strain);
}

/// m = (1 + h) m for a symmetric h, columns of m in rows of the array.
template <class V>
void stretch_lines(const V (&h)[6], V (&m)[3][3]) {
  for (auto& line : m) {
    const V x = line[0], y = line[1], z = line[2];
    line[0] += h[0] * x + h[3] * y + h[5] * z;
    line[1] += h[3] * x + h[1] * y + h[4] * z;
    line[2] += h[5] * x + h[4] * y + h[2] * z;
  }
}

/// u . e v for a symmetric e.
template <class V>
V form_of(const V (&e)[6], const V (&u)[3], const V (&v)[3]) {
  return u[0] * (e[0] * v[0] + e[3] * v[1] + e[5] * v[2]) + u[1] * (e[3] * v[0] + e[1] * v[1] + e[4] * v[2]) +
         u[2] * (e[5] * v[0] + e[4] * v[1] + e[2] * v[2]);
}

/// Carries the lines of the history through a step, and returns them, and the increments of Green's strain
/// along them, aa bb cc ab bc ca (the tensor's).
template <class V>
void carry_lines(const SolidPoint<V>& point, V (&lines)[3][3], V (&green)[6]) {
  for (int k = 0; k < 9; ++k)
    lines[k / 3][k % 3] = point.history.template load<V>(k) + V(k % 4 == 0 ? 1.0 : 0.0);
  if (point.rotation)
    for (auto& line : lines) {
      const V x = line[0], y = line[1], z = line[2];
      for (int i = 0; i < 3; ++i)
        line[i] = point.rotation[i][0] * x + point.rotation[i][1] * y + point.rotation[i][2] * z;
    }
  const V half(0.5);
  const V e[6] = {point.d[0],        point.d[1],        point.d[2],
                  half * point.d[3], half * point.d[4], half * point.d[5]};
  V h[6], middle[3][3];
  for (int k = 0; k < 6; ++k) h[k] = half * e[k];
  for (int k = 0; k < 9; ++k) middle[k / 3][k % 3] = lines[k / 3][k % 3];
  stretch_lines(h, middle);
  constexpr int first[6] = {0, 1, 2, 0, 1, 2}, second[6] = {0, 1, 2, 1, 2, 0};
  for (int k = 0; k < 6; ++k) green[k] = form_of(e, middle[first[k]], middle[second[k]]);
  // 1 + e + e^2 / 2 = 1 + e (1 + e / 2)
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i) {
      constexpr int at[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
      lines[a][i] += e[at[i][0]] * middle[a][0] + e[at[i][1]] * middle[a][1] + e[at[i][2]] * middle[a][2];
    }
  for (int k = 0; k < 9; ++k) point.history.store(k, lines[k / 3][k % 3] - V(k % 4 == 0 ? 1.0 : 0.0));
}

template <class V>
V determinant_of(const V (&m)[3][3]) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/// F S F^T / det F from stresses along the lines.
template <class V>
void push_forward(const V (&lines)[3][3], const V (&s)[6], V (&cauchy)[6]) {
  V t[3][3];  // S F^T, by line
  for (int i = 0; i < 3; ++i) {
    t[0][i] = s[0] * lines[0][i] + s[3] * lines[1][i] + s[5] * lines[2][i];
    t[1][i] = s[3] * lines[0][i] + s[1] * lines[1][i] + s[4] * lines[2][i];
    t[2][i] = s[5] * lines[0][i] + s[4] * lines[1][i] + s[2] * lines[2][i];
  }
  const V inverse = V(1) / determinant_of(lines);
  constexpr int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
  for (int k = 0; k < 6; ++k) {
    V sum = lines[0][row[k]] * t[0][column[k]];
    for (int a = 1; a < 3; ++a) sum += lines[a][row[k]] * t[a][column[k]];
    cauchy[k] = inverse * sum;
  }
}

template <class V>
void update_solid(const OrthotropicLaw& p, SolidPoint<V>& point) {
  V lines[3][3], e[6];
  carry_lines(point, lines, e);
  for (int k = 0; k < 6; ++k) {
    e[k] += point.history.template load<V>(kSolidAxes + k);
    point.history.store(kSolidAxes + k, e[k]);
  }
  const SolidStiffness& c = p.solid;
  const V two(2);
  const V s[6] = {V(c.aa) * e[0] + V(c.ab) * e[1] + V(c.ca) * e[2],
                  V(c.ab) * e[0] + V(c.bb) * e[1] + V(c.bc) * e[2],
                  V(c.ca) * e[0] + V(c.bc) * e[1] + V(c.cc) * e[2],
                  two * V(c.shear_ab) * e[3],
                  two * V(c.shear_bc) * e[4],
                  two * V(c.shear_ca) * e[5]};
  push_forward(lines, s, point.s);
  point.failed = never(point.plastic_strain);
}

}  // namespace CRUMPLE_ISA

}  // namespace crumple::materials

#ifdef CRUMPLE_PREPARES_LAWS
#include "materials/prepare.hpp"

namespace crumple::materials {

inline Prepared prepare_orthotropic(const model::Model&, const model::Material& material) {
  if (material.field("SIGF") != 0)
    refuse(material, "CR-M105", "SIGF", "damping by the slider G and SIGF is not supported");
  OrthotropicLaw law{plane_stiffness(material), solid_stiffness(material)};
  Prepared prepared = prepare_plane(material, law.plane);
  set_solid_wave(law.solid, prepared.elastic);
  prepared.n_history = kSolidAxes + 6;
  prepared.parameters = std::make_shared<OrthotropicLaw>(law);
  return prepared;
}

}  // namespace crumple::materials
#endif

CRUMPLE_LAW(OrthotropicLaw, {.number = 2,
                             .keyword = "MAT_ORTHOTROPIC_ELASTIC",
                             .supports = {.solid = true, .shell = true},
                             .needs = {.material_axes = true},
                             .young_field = "EA",
                             .prepare = prepare_orthotropic})
