// Thick shell of eight nodes with layers of points that have the solids' laws (*SECTION_TSHELL, ELFORM 3, 5,
// 7).
//
// ELFORM 5 has one column of NIP points through the thickness, ELFORM 3 and 7 have 2 x 2 (one element serves
// both). Their strains are in column.hpp, the stiffness of the modes that one column does not feel in
// stabilisation.hpp.
//
// The thickness of one element is linear in zeta, so its strain along the thickness is constant, while
// bending with Poisson's ratio nu needs one that is linear: elements without it are too stiff by (1 - nu)^2 /
// (1 - 2 nu), and lock in plastic flow. Enhanced strains (Simo and Rifai 1990, "A class of mixed assumed
// strain methods and the method of incompatible modes"; of the thickness Buechter, Ramm and Roehl 1994,
// "Three-dimensional extension of non-linear shell formulation based on the enhanced assumed strain concept")
// add it. Here every point has an enhanced strain along the normal, and their weighted sum over the element
// is zero: work against a uniform stress vanishes, so patch tests hold, and in equilibrium the normal stress
// is the same at all points. A sheet in bending is in plane stress through its thickness, also where it
// yields; a pressed one carries its mean. The increment of a step is one Newton iteration with the elastic
// modulus M = lambda + 2 mu,
//
//   enhanced_p = -(a_p - mean a) / M,   a_p = sigma_nn,p at its beginning + lambda tr d_p + 2 mu d_nn,p,
//
// exact for an elastic law; where points yield it leaves a difference that the next step takes up, at least
// 60 % of it (the tangent of sigma_nn over d_nn alone is not below the bulk modulus in isochoric flow). Work
// is that of the nodal forces: the work on the enhanced strains, zero in equilibrium, is left out. Each point
// follows its own volume.
//
// Transverse shear strains are constant through the thickness (TSHEAR 1, stiffness times SHRF) or parabolic
// (TSHEAR 0): the mean strain times a (1 - zeta^2), with a such that the points' rule gives 5/6 of the shear
// stiffness, which is that of the exact parabola of stresses (Reissner 1945).
//
// The stable step is that of solids, the thickness over the wave speed, as the thickness has its stiffness;
// edges that differ add to it. There is no bulk viscosity, as in LS-DYNA without TSTYPE.
#pragma once

#include "elements/element.hpp"
#include "elements/failed_points.hpp"
#include "elements/solid/layout.hpp"
#include "elements/solid/material_point.hpp"
#include "elements/solid/solid.hpp"
#include "elements/solid/viscosity.hpp"
#include "elements/thick_shell/column.hpp"
#include "elements/thick_shell/stabilisation.hpp"

namespace crumple::elements {
inline namespace CRUMPLE_ISA {

/// Unit normal of the middle surface from the base vectors along it.
template <class V>
void unit_normal(const V (&xi)[3], const V (&eta)[3], V (&n)[3]) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    n[i] = xi[j] * eta[k] - xi[k] * eta[j];
  }
  const V inverse = simd::inverse_sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (V& component : n) component *= inverse;
}

/// The normal at the time `back` before.
template <class V>
void normal_before(const SignSums<V> (&x)[3], const SignSums<V> (&v)[3], V back, V (&n)[3]) {
  V xi[3], eta[3];
  for (int i = 0; i < 3; ++i) {
    xi[i] = x[i].axis[0] - back * v[i].axis[0];
    eta[i] = x[i].axis[1] - back * v[i].axis[1];
  }
  unit_normal(xi, eta, n);
}

/// Natural coordinate m of a column.
template <int in_plane>
double column_place(int column, int m) {
  constexpr double place = 0.57735026918962576451;  // 1 / sqrt(3)
  return in_plane == 1 ? 0.0 : (column >> m & 1) != 0 ? place : -place;
}

/// What all points of an element share in a step.
template <class V>
struct LayeredStep {
  V normal[3][3];  ///< at the beginning, the middle and the end of the step
  V rotation[3][3];
  V dt;
};

/// Sums over all points; stresses are means over the volume.
template <class V>
struct LayeredSums {
  V mean[6];          ///< conjugate to the strain of the linear part
  ShellStrains<V> f;  ///< conjugate to the generalised strains
  V work, taken;      ///< per volume: work of the nodal forces, energy of stiffness damping
  simd::mask_t<V> failed;
};

/// sigma_nn that an elastic point would have at the end of the step without an enhanced strain, and its mean.
template <class V, int columns>
struct TrialStresses {
  V membrane[columns], bending[columns];  ///< lambda tr d + 2 mu d_nn of the two parts of the strain
  V mean;
};

/// lambda tr d + 2 mu n d n, shears engineering.
template <class V>
V normal_stress_of(const GroupParameters& group, const V (&d)[6], const V (&n)[3]) {
  using T = simd::scalar_t<V>;
  const V half(static_cast<T>(0.5));
  const V tensor[6] = {d[0], d[1], d[2], half * d[3], half * d[4], half * d[5]};
  return V(static_cast<T>(group.bulk - 2.0 / 3.0 * group.shear)) * (d[0] + d[1] + d[2]) +
         V(static_cast<T>(2 * group.shear)) * normal_component(tensor, n);
}

/// sigma_nn of the point whose variables begin at `variables`.
template <class V>
V normal_stress_at(const simd::scalar_t<V>* variables, const V (&n)[3]) {
  V s[6];
  for (int k = 0; k < 6; ++k) s[k] = simd::load<V>(variables + k * kLanes);
  return normal_component(s, n);
}

template <class V, int columns>
void trial_stresses(const GroupParameters& group, const LayeredStep<V>& of,
                    const ColumnStrain<V> (&strains)[columns], const simd::scalar_t<V>* points,
                    TrialStresses<V, columns>& out) {
  using T = simd::scalar_t<V>;
  const int layers = static_cast<int>(group.layers.size()), stride = solid::point_stride(group) * kLanes;
  out.mean = V(0);
  for (int c = 0; c < columns; ++c) {
    out.membrane[c] = normal_stress_of(group, strains[c].membrane, of.normal[1]);
    out.bending[c] = normal_stress_of(group, strains[c].bending, of.normal[1]);
    for (int k = 0; k < layers; ++k) {
      const Layer& layer = group.layers[static_cast<std::size_t>(k)];
      const V trial = normal_stress_at<V>(points + (c * layers + k) * stride, of.normal[0]) +
                      out.membrane[c] + V(static_cast<T>(layer.zeta)) * out.bending[c];
      out.mean += V(static_cast<T>(0.5 / columns * layer.weight)) * trial;
    }
  }
}

/// Strain increment of a point with its transverse shear by the layer's share and its enhanced strain.
template <class V>
void layer_strain(const Layer& layer, const LayeredStep<V>& of, const ColumnStrain<V>& strain, V enhanced,
                  V (&d)[6]) {
  using T = simd::scalar_t<V>;
  const V zeta(static_cast<T>(layer.zeta)), half(static_cast<T>(0.5));
  for (int k = 0; k < 6; ++k) d[k] = strain.membrane[k] + zeta * strain.bending[k];
  add_dyads(V(static_cast<T>(layer.shear - 1)), of.normal[1], strain.shear, V(2), d);
  add_dyads(half * enhanced, of.normal[1], of.normal[1], V(2), d);
}

/// The volume of a point over its initial one, less 1, is the last of its history variables. Returns the
/// ratio after the step.
template <class V>
V follow_volume(const GroupParameters& group, simd::scalar_t<V>* variables, const V (&d)[6]) {
  using T = simd::scalar_t<V>;
  simd::scalar_t<V>* const at = variables + (solid::kHistory + group.n_history - 1) * kLanes;
  const V half_trace = V(static_cast<T>(0.5)) * (d[0] + d[1] + d[2]), one(static_cast<T>(1));
  const V ratio = (one + simd::load<V>(at)) * (one + half_trace) * simd::inverse(one - half_trace);
  simd::store(at, ratio - one);
  return ratio;
}

/// Updates the points and sums up their stresses. A failed point has no stress.
template <int in_plane, class V>
void update_layers(const GroupParameters& group, const LayeredStep<V>& of, const V (&dual)[3][3],
                   const ColumnStrain<V> (&strains)[in_plane * in_plane], V damping,
                   simd::scalar_t<V>* points, LayeredSums<V>& out) {
  using T = simd::scalar_t<V>;
  constexpr int columns = in_plane * in_plane;
  const int layers = static_cast<int>(group.layers.size()), stride = solid::point_stride(group) * kLanes;
  const V zero(0), half(static_cast<T>(0.5)), share(static_cast<T>(1.0 / columns));
  const V compliance(static_cast<T>(1 / (group.bulk + 4.0 / 3.0 * group.shear)));
  TrialStresses<V, columns> trial;
  trial_stresses(group, of, strains, points, trial);
  for (V& s : out.mean) s = zero;
  out.f.clear();
  out.work = out.taken = zero;
  V n_failed = zero;
  for (int c = 0; c < columns; ++c) {
    ColumnStress<V> sum;
    for (int k = 0; k < layers; ++k) {
      const Layer& layer = group.layers[static_cast<std::size_t>(k)];
      T* const variables = points + (c * layers + k) * stride;
      const V zeta(static_cast<T>(layer.zeta)), weight(static_cast<T>(0.5 * layer.weight));
      const V before = normal_stress_at<V>(variables, of.normal[0]);
      const V enhanced = compliance * (trial.mean - before - trial.membrane[c] - zeta * trial.bending[c]);
      V d[6];
      layer_strain(layer, of, strains[c], enhanced, d);
      const V ratio = follow_volume(group, variables, d);
      PointResult<V> point;
      update_point(group, variables, of.rotation, d, of.dt, ratio, point);
      n_failed += simd::select(point.failed, V(1), zero);
      for (int i = 0; i < 6; ++i) {
        point.stress[i] = simd::select(point.failed, zero, point.stress[i]);
        simd::store(variables + i * kLanes, point.stress[i]);
      }
      const V after = normal_component(point.stress, of.normal[2]);
      out.work += share * weight * (point.work - half * (before + after) * enhanced);
      if (group.stiffness_damping != 0)
        out.taken += share * weight *
                     add_stiffness_damping(group, simd::select(point.failed, zero, damping), d, point.stress);
      V shear[3];
      transverse_shear(point.stress, of.normal[2], shear);
      for (int i = 0; i < 6; ++i) sum.moment[i] += zeta * weight * point.stress[i];
      add_dyads(V(static_cast<T>(layer.shear - 1)), of.normal[2], shear, V(1), point.stress);
      for (int i = 0; i < 6; ++i) sum.force[i] += weight * point.stress[i];
    }
    for (int i = 0; i < 6; ++i) out.mean[i] += share * sum.force[i];
    add_column(dual, sum, column_place<in_plane>(c, 0), column_place<in_plane>(c, 1), share, out.f);
  }
  out.failed = enough_failed(group, n_failed, points + solid::kHistory * kLanes, solid::point_stride(group));
}

/// Edges through the thickness that are not parallel stiffen it beyond the mean gradient: their part of the
/// sum of B_i B_j.
template <class V>
void add_taper_products(const AssumedStrainGeometry<V>& g, V (&products)[6]) {
  using T = simd::scalar_t<V>;
  V sum(0);
  for (int i = 0; i < 3; ++i)
    for (int a = 0; a < 4; ++a)
      if (a != 2) sum += g.x[i].hourglass[a] * g.x[i].hourglass[a];
  const V square = g.dual[2][0] * g.dual[2][0] + g.dual[2][1] * g.dual[2][1] + g.dual[2][2] * g.dual[2][2];
  // B = V |G^zeta|^2 X_a gamma_a / 8 with X_a = x_a / 8 and |gamma_a|^2 = 8, along the normal
  const V scale = V(static_cast<T>(1.0 / 512)) * sum * square * g.volume * g.volume;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    products[i] += scale * g.dual[2][i] * g.dual[2][i];
    products[3 + i] += scale * g.dual[2][i] * g.dual[2][j];
  }
}

template <int in_plane>
struct LayeredSolid : Solid {
  static constexpr int n_nodes = 8, columns = in_plane * in_plane;
  static constexpr auto& shape = kHexahedronShape;
  static constexpr bool hourglass = true, damps = true;

  template <class V>
  void operator()(const GroupParameters& group, const Motion<V, 8, false>& motion, const Step<V>& of,
                  const StateBefore<V>& before, const StateAfter<V>& after, Forces<V, 8, false>& out) const {
    using T = simd::scalar_t<V>;
    using namespace solid;
    const V zero(0), half(static_cast<T>(0.5));
    const V dt(static_cast<T>(of.dt));
    SignSums<V> x[3], v[3], mid[3];
    sign_sums(motion.x, x);
    sign_sums(motion.v, v);
    sign_sums_before(x, v, half * dt, mid);
    const AssumedStrainGeometry<V> middle(mid), end(x);
    V l[3][3], products[6];
    velocity_gradient(v, middle.b, V(static_cast<T>(1 / kPatternScale)) * middle.inverse, l);
    gradient_products(end.b, products);
    add_taper_products(end, products);
    const V rate = l[0][0] + l[1][1] + l[2][2];
    const V volume0 = before.load(kVolume0);
    const V length = cube_root_near(end.inverse, before.load(kLength));
    const auto sane =
        end.volume > zero && middle.volume > zero && end.determinant > zero && middle.determinant > zero;
    const SoundSpeed<V> sound =
        sound_speed(group, end.volume * simd::inverse(volume0), volume0 * end.inverse);
    const StepGeometry<V> of_step =
        step_geometry<8>(group, largest_face_squared(motion.x), products, end.inverse);
    out.step = simd::select(sane, solid_stable_step(group, sound, of_step, length, rate), zero);
    if (of.dt == 0) return;

    LayeredStep<V> step;
    step.dt = dt;
    step_rotation(l, dt, step.rotation);
    normal_before(x, v, dt, step.normal[0]);
    unit_normal(middle.base[0], middle.base[1], step.normal[1]);
    unit_normal(end.base[0], end.base[1], step.normal[2]);
    V c[4][3], mean[6];
    hourglass_components(middle, v, l, c);
    strain_increment(l, dt, mean);
    ShellStrains<V> rates;
    shell_strains(FieldGeometry<V>(middle), c, rates);
    ColumnStrain<V> strains[columns];
    for (int k = 0; k < columns; ++k)
      column_strain(middle.dual, step.normal[1], rates, column_place<in_plane>(k, 0),
                    column_place<in_plane>(k, 1), dt, mean, strains[k]);
    LayeredSums<V> sums;
    update_layers<in_plane>(group, step, end.dual, strains,
                            solid_damping_per_step(group, sound, of_step, of.dt), after.from(kPoints), sums);
    after.store(kLength, length);
    V control = resist_thickness(group, middle.dual, rates, sound.density, sound.speed, dt, sums.f);
    if constexpr (in_plane == 1)
      control += stabilise_stiffly(group, middle.dual, rates, dt, before, after, sums.f);
    add_forces(end, sums, out);

    out.survives = of.living && !sums.failed;
    out.acts = out.survives && sane;
    out.counts = of.living && sane;
    out.internal = middle.volume * sums.work;
    out.hourglass = middle.volume * control;
    if (group.stiffness_damping != 0) out.damping = middle.volume * sums.taken;
  }

 private:
  template <class V>
  static void add_forces(const AssumedStrainGeometry<V>& end, const LayeredSums<V>& sums,
                         Forces<V, 8, false>& out) {
    V q[3][4];
    HourglassConjugates<V> conjugates;
    conjugates_of(FieldGeometry<V>(end), sums.f, conjugates.c);
    for (auto& field : conjugates.c)
      for (V& component : field) component *= end.volume;
    conjugates.stresses(end, q);
    assumed_strain_forces(end, sums.mean, V(0), q, out.f);
  }
};

/// ELFORM 5.
struct OneColumnForm {
  static constexpr bool flatten = true;
  template <class Run>
  static void choose(const GroupParameters&, Run run) {
    run(LayeredSolid<1>());
  }
};

/// ELFORM 3 and 7.
struct FourColumnsForm {
  static constexpr bool flatten = true;
  template <class Run>
  static void choose(const GroupParameters&, Run run) {
    run(LayeredSolid<2>());
  }
};

}  // namespace CRUMPLE_ISA
}  // namespace crumple::elements
