// Rates of deformation at the centres of elements, from the operators that their kernels use.
//
// All rates are taken on the geometry half way through the step, where a rigid motion strains nothing
// (Hughes and Winget 1980).
#include "state/strains.hpp"

#include <algorithm>

#include "elements/shell/c0_triangle.hpp"
#include "elements/shell/quad_operators.hpp"
#include "elements/solid/geometry.hpp"
#include "elements/solid/kinematics.hpp"
#include "elements/solid/quadratic_tetrahedron.hpp"
#include "state/groups.hpp"
#include "state/initial_states.hpp"
#include "state/material_axes.hpp"

namespace crumple::state {

using model::ElementKind;

namespace {

/// Motion of an element's nodes relative to its first, so that nothing cancels far from the origin.
template <int N>
elements::shell::Motion<double, N> shell_motion(const Nodal& nodal, const GroupView& g, std::int32_t e) {
  elements::shell::Motion<double, N> m;
  const LocalId first = g.node(e, 0);
  for (int a = 0; a < N; ++a) {
    const LocalId n = g.node(e, a);
    const Vec3 x = nodal.x[n] - nodal.x[first], v = nodal.v[n] - nodal.v[first], w = nodal.w[n];
    for (int i = 0; i < 3; ++i) m.x[a][i] = x[i], m.v[a][i] = v[i], m.w[a][i] = w[i];
  }
  return m;
}

/// At the centre: Belytschko, Lin and Tsay (1984), eqs. 11-14, for all quadrilaterals (the warping terms of
/// BWC = 1 are left out), and the same fields on a triangle.
elements::shell::Increment<double> shell_increment(const Nodal& nodal, const GroupView& g, std::int32_t e,
                                                   double dt) {
  if (g.ready.formulation->n_nodes == 4) {
    const auto motion = shell_motion<4>(nodal, g, e);
    elements::shell::QuadGeometry<double> middle;
    elements::shell::quad_geometry_at(motion, 0.5 * dt, middle);
    return quad_increment(quad_rates(motion.v, motion.w, middle), dt);
  }
  const auto motion = shell_motion<3>(nodal, g, e);
  double x[3][3];
  elements::midstep_positions(motion.x, motion.v, dt, x);
  elements::shell::TriangleGeometry<double> middle;
  elements::shell::triangle_geometry(x, middle);
  return triangle_increment(motion, middle, dt);
}

void strain_shell(const Nodal& nodal, const GroupView& g, std::int32_t e, double dt,
                  std::array<std::array<double, 5>, 2>& strain) {
  const elements::shell::Increment<double> d = shell_increment(nodal, g, e, dt);
  const double half_thickness = 0.5 * g.variable(e, g.layout.thickness);
  const elements::GroupParameters& p = g.ready.parameters;
  // NLOC and offsets move the reference surface, where the nodes are, off the middle.
  const double offset =
      p.own_offsets ? g.variable(e, elements::shell::offset_at(p)) : -p.nloc * half_thickness;
  for (int surface = 0; surface < 2; ++surface) {
    const double z = (surface == 0 ? -half_thickness : half_thickness) + offset;
    for (int k = 0; k < 3; ++k) strain[surface][k] += d.membrane[k] + z * d.curvature[k];
    strain[surface][3] += d.shear[0];
    strain[surface][4] += d.shear[1];
  }
}

/// The brick corners of a solid with fewer nodes. The gradient is the derivative of the brick's volume by the
/// corners. With coincident corners it equals that of the smaller solid.
std::array<int, 8> brick_corners(int n_nodes) {
  if (n_nodes == 4) return {0, 1, 2, 2, 3, 3, 3, 3};
  if (n_nodes == 6) return {0, 1, 2, 2, 3, 4, 5, 5};
  return {0, 1, 2, 3, 4, 5, 6, 7};
}

/// The mean velocity gradient at mid step of a tetrahedron with ten nodes.
void gradient_of_ten(const Nodal& nodal, const GroupView& g, std::int32_t e, double dt, double (&l)[3][3]) {
  double middle[10][3], v[10][3], gradient[10][3], j[3][3], c[3][3], volume = 0;
  for (int a = 0; a < 10; ++a) {
    const LocalId n = g.node(e, a), first = g.node(e, 0);
    for (int i = 0; i < 3; ++i) {
      v[a][i] = nodal.v[n][i] - nodal.v[first][i];
      middle[a][i] = nodal.x[n][i] - nodal.x[first][i] - 0.5 * dt * v[a][i];
    }
  }
  using Shape = elements::QuadraticTetrahedronShape;
  const elements::NaturalField<Shape, double> position(middle);
  elements::NodalSum<Shape, double> sum;
  for (int p = 0; p < Shape::n_points; ++p) {
    position.derivatives(p, j);
    volume += elements::cofactors(Shape::weight, j, c);
    sum.add(p, c);
  }
  sum.at_nodes(gradient);
  elements::velocity_gradient(v, gradient, 1.0 / volume, l);
}

/// The same of solids with fewer nodes.
void gradient_of_brick(const Nodal& nodal, const GroupView& g, std::int32_t e, double dt, double (&l)[3][3]) {
  const std::array<int, 8> corners = brick_corners(g.ready.formulation->n_nodes);
  double x[8][3], v[8][3], middle[8][3], gradient[8][3];
  for (int a = 0; a < 8; ++a) {
    const LocalId n = g.node(e, corners[a]), first = g.node(e, 0);
    for (int i = 0; i < 3; ++i) {
      x[a][i] = nodal.x[n][i] - nodal.x[first][i];
      v[a][i] = nodal.v[n][i] - nodal.v[first][i];
    }
  }
  elements::midstep_positions(x, v, dt, middle);
  elements::hexahedron_gradient(middle, gradient);
  elements::velocity_gradient(v, gradient, 1.0 / elements::volume_of(middle, gradient), l);
}

/// Rotates the strain by the step's rotation, then adds the increment (Hughes and Winget 1980), both of the
/// mean velocity gradient.
void strain_solid(const Nodal& nodal, const GroupView& g, std::int32_t e, double dt,
                  std::array<double, 6>& strain) {
  double l[3][3], d[6], rotation[3][3], turned[6];
  if (g.ready.formulation->n_nodes == 10)
    gradient_of_ten(nodal, g, e, dt, l);
  else
    gradient_of_brick(nodal, g, e, dt, l);
  elements::strain_increment(l, dt, d);
  elements::step_rotation(l, dt, rotation);
  std::copy(strain.begin(), strain.end(), turned);
  elements::rotate_symmetric(rotation, turned);
  for (int k = 0; k < 6; ++k) strain[k] = turned[k] + (k < 3 ? d[k] : 0.5 * d[k]);
}

/// sxx + syy at a surface, extrapolated linearly from the two points next to it.
double surface_trace(const GroupView& g, std::int32_t e, Surface surface) {
  const elements::GroupParameters& p = g.ready.parameters;
  const int layers = p.section->nip, in_plane = g.layout.n_points / layers;
  const auto trace = [&](int layer) {
    double sum = 0.0;
    for (int i = 0; i < in_plane; ++i) {
      const int point = g.layout.stress + (i * layers + layer) * g.layout.point_stride;
      sum += g.variable(e, point) + g.variable(e, point + 1);
    }
    return sum / in_plane;
  };
  if (layers == 1) return trace(0);
  const int outermost = surface == Surface::inner ? 0 : layers - 1;
  const int next = surface == Surface::inner ? 1 : layers - 2;
  const double slope = (trace(outermost) - trace(next)) / (p.layers[outermost].zeta - p.layers[next].zeta);
  return trace(outermost) + slope * ((surface == Surface::inner ? -1.0 : 1.0) - p.layers[outermost].zeta);
}

}  // namespace

Strains::Strains(const model::Model& model, int threads)
    : threads_(threads), shells_(model.shells.size(), ShellStrain{}), solids_(model.solids.size()) {
  for (const springback::InitialStrain& given : model.features.of<springback::InitialStrain>()) {
    if (given.kind == ElementKind::solid) {
      std::ranges::copy(given.values, solids_[at(given.element)].begin());
      continue;
    }
    const Compact c = compact(model, ElementKind::shell, given.element);
    const elements::Formulation* const f = elements::find_formulation(ElementKind::shell, c.elform);
    if (f == nullptr) continue;  // of a rigid part
    const elements::ElementInput input = element_input(model, ElementKind::shell, given.element, c.nodes);
    for (std::size_t surface = 0; surface < 2; ++surface) {
      const auto e = to_local(*f, input.x, std::span<const double, 6>(&given.values[6 * surface], 6));
      shells_[at(given.element)][surface] = {e[0], e[1], 2.0 * e[3], 2.0 * e[4], 2.0 * e[5]};
    }
  }
}

void Strains::add(const Nodal& nodal, std::span<const GroupView> groups, double dt) {
  for (const GroupView& g : groups) {
    if (g.kind() != ElementKind::shell && g.kind() != ElementKind::solid) continue;
    if (g.ready.parameters.law.row->supports.cohesive) continue;  // these have no strain, nor a volume
    const bool shell = g.kind() == ElementKind::shell;
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::int32_t e = 0; e < g.count; ++e) {
      if (!g.is_alive(e)) continue;
      if (shell) {
        strain_shell(nodal, g, e, dt, shells_[g.element[e]]);
      } else {
        strain_solid(nodal, g, e, dt, solids_[g.element[e]]);
      }
    }
  }
}

/// In plane stress the elastic strain has the trace (1 - 2 nu) / E * (sxx + syy) and plastic flow keeps the
/// volume, so ezz = (1 - 2 nu) / E * (sxx + syy) - exx - eyy: in the elastic range -nu / (1 - nu) times exx +
/// eyy, in fully plastic flow the strain at constant volume. Holds for isotropic laws whose stress starts at
/// zero; without stress (null shells, failed points) the volume is constant. Of laws with axes ezz is not
/// known here: 0.
std::array<double, 6> Strains::shell(const GroupView& g, std::int32_t e, Surface surface) const {
  const auto& s = shells_[g.element[e]][surface == Surface::inner ? 0 : 1];
  const elements::GroupParameters& p = g.ready.parameters;
  if (keeps_axes(ElementKind::shell, *p.law.row))
    return {s[0], s[1], 0.0, 0.5 * s[2], 0.5 * s[3], 0.5 * s[4]};
  const double elastic = p.young > 0 ? (1.0 - 2.0 * p.poisson) / p.young * surface_trace(g, e, surface) : 0.0;
  return {s[0], s[1], elastic - s[0] - s[1], 0.5 * s[2], 0.5 * s[3], 0.5 * s[4]};
}

void Strains::archive(Archive& archive, const model::Model& model) {
  const auto here = archive.module("strains");
  archive.field("shells", Rows::own(Of::element, model.shells.order), std::span(shells_));
  archive.field("solids", Rows::own(Of::element, model.solids.order), std::span(solids_));
}

}  // namespace crumple::state
