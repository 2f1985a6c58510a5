// Registers the cohesive elements (ELFORM 19 to 22): their checks, masses and state at the start.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "elements/solid/cohesive_offset.hpp"
#include "elements/solid/prepare.hpp"

namespace crumple::elements::solid {
namespace cohesive_elements {

void prepare(int points, GroupParameters& group) {
  if (!group.law.row->supports.cohesive)
    throw Error("CR-E205", fmt::format("cohesive elements take laws of tractions over separations only, and "
                                       "*{} is none",
                                       group.law.row->keyword));
  if (!(group.density > 0)) throw Error("CR-E203", "a cohesive element needs a positive density");
  if (group.stiffness_damping != 0)
    throw Error("CR-E205", "cohesive elements have no stiffness damping (*DAMPING_PART_STIFFNESS)");
  group.n_points = points;
  group.hourglass.type = 0;
  group.cohesive.points_to_delete = std::min(group.cohesive.points_to_delete, double(points));
}

/// Positions of N nodes relative to the first.
template <int N>
void relative(const ElementInput& input, double (&x)[N][3]) {
  for (int a = 0; a < N; ++a)
    for (int i = 0; i < 3; ++i) x[a][i] = input.x[a][i] - input.x[0][i];
}

template <int corners>
double area(const double (&surface)[corners][3]) {
  double sum = 0;
  for (int p = 0; p < CohesiveSurface<corners>::n_points; ++p)
    sum += area_at<corners>(surface, p, 0.57735026918962576451);
  return sum;
}

/// Volume between the surfaces: a wedge is a brick with coincident corners.
template <int corners>
double volume(const ElementInput& input) {
  if constexpr (corners == 4) return hexahedron_volume(input);
  constexpr int brick[8] = {0, 1, 2, 2, 3, 4, 5, 5};
  ElementInput all = input;
  for (int a = 0; a < 8; ++a) all.x[a] = input.x[brick[a]];
  return hexahedron_volume(all);
}

/// Mass by the volume or, with ROFLG = 1, by the area of the lower surface.
template <int corners>
NodalShare mass(const ElementInput& input, const GroupParameters& group) {
  if (!group.cohesive.per_area) return equal_mass(volume<corners>(input), 2 * corners, group);
  double x[2 * corners][3], lower[corners][3];
  relative(input, x);
  for (int a = 0; a < corners; ++a) std::copy_n(x[a], 3, lower[a]);
  return equal_mass(area<corners>(lower), 2 * corners, group);
}

/// Throws for an element without an area, one whose upper surface lies below the lower one, and one without
/// mass.
void check(double area, double volume, const GroupParameters& group) {
  // Coordinates of a deck are rounded: surfaces in one place may be a little apart, or through each other.
  constexpr double rounded = 1e-4, none = 1e-9;
  const double cube = area * std::sqrt(area);
  if (!(area > 0)) throw Error("CR-E201", "the mid-surface of the cohesive element has no area");
  if (volume < -rounded * cube)
    throw Error("CR-E201",
                fmt::format("the volume of the cohesive element is {:.4g}: by the order of its nodes "
                            "its upper surface lies below the lower one",
                            volume));
  if (!group.cohesive.per_area && volume <= none * cube)
    throw Error("CR-E205",
                "the cohesive element has no volume, and its density is one of volume: give a density "
                "per area with ROFLG = 1");
}

/// The thickness of the layer between the nodes, for a law that needs it: to the points, and to the mass, so
/// that the step is that of the modulus over the thickness.
template <int corners>
void put_thickness(const ElementInput& input, const double (&normal)[3], double size,
                   const GroupParameters& group, std::span<double> variables) {
  double thickness = 0;
  for (int a = 0; a < corners; ++a)
    for (int i = 0; i < 3; ++i) thickness += normal[i] * (input.x[corners + a][i] - input.x[a][i]) / corners;
  constexpr double rounded = 1e-4;
  if (!(thickness > rounded * size))
    throw Error("CR-E205",
                "the cohesive element has no thickness, and its law divides moduli by it: give THICK");
  variables[cohesive::kNodeMass] *= thickness;
  constexpr int kHistory = 7;
  for (int p = 0; p < group.n_points; ++p) {
    const int to = cohesive::points_at(corners) + p * cohesive::point_stride(group) + kHistory;
    variables[static_cast<std::size_t>(to)] = thickness;
  }
}

/// Size, mass and separations of a layer between corners `x`.
template <int corners>
void put_layer(const double (&x)[2 * corners][3], const ElementInput& input, const GroupParameters& group,
               std::span<double> variables) {
  double middle[corners][3], axes[3][3];
  for (int a = 0; a < corners; ++a)
    for (int i = 0; i < 3; ++i) middle[a][i] = 0.5 * (x[a][i] + x[corners + a][i]);
  const double of_middle = area<corners>(middle);
  check(of_middle, volume<corners>(input), group);
  surface_axes<corners>(middle, axes);
  std::ranges::fill(variables, 0.0);
  variables[cohesive::kSize] = std::sqrt(of_middle);
  variables[cohesive::kNodeMass] = mass<corners>(input, group).mass[0];
  for (int a = 0; a < corners; ++a)
    for (int k = 0; k < 3; ++k) {
      double sum = 0;
      for (int i = 0; i < 3; ++i) sum += axes[k][i] * (x[corners + a][i] - x[a][i]);
      const int to = cohesive::kSeparation0 + 3 * a + k;
      variables[static_cast<std::size_t>(to)] = sum;
    }
  if (group.cohesive.by_thickness)
    put_thickness<corners>(input, axes[2], variables[cohesive::kSize], group, variables);
}

template <int corners>
void initialise(const ElementInput& input, const GroupParameters& group, std::span<double> variables) {
  double x[2 * corners][3];
  relative(input, x);
  put_layer<corners>(x, input, group, variables);
}

/// Arms from the nodes to the layer between them, at the place `offset` from -1, below, to 1.
template <int corners>
void arms_of(const double (&x)[2 * corners][3], double offset, double (&arms)[2 * corners][3]) {
  for (int a = 0; a < corners; ++a)
    for (int i = 0; i < 3; ++i) {
      const double across = x[corners + a][i] - x[a][i];
      arms[a][i] = 0.5 * (1 + offset) * across;
      arms[corners + a][i] = -0.5 * (1 - offset) * across;
    }
}

template <int corners>
void initialise_offset(const ElementInput& input, const GroupParameters& group, std::span<double> variables) {
  double x[2 * corners][3], arms[2 * corners][3];
  relative(input, x);
  arms_of<corners>(x, group.nloc, arms);
  for (int n = 0; n < 2 * corners; ++n)
    for (int i = 0; i < 3; ++i) x[n][i] += arms[n][i];
  put_layer<corners>(x, input, group, variables);
  std::copy_n(&arms[0][0], 6 * corners, variables.begin() + cohesive::n_variables(group, corners));
}

/// The mass of a surface lies at the end of its arm.
template <int corners>
NodalShare mass_offset(const ElementInput& input, const GroupParameters& group) {
  double x[2 * corners][3], arms[2 * corners][3];
  relative(input, x);
  arms_of<corners>(x, group.nloc, arms);
  NodalShare share = mass<corners>(input, group);
  for (int n = 0; n < 2 * corners; ++n)
    share.inertia[n] =
        share.mass[n] * (arms[n][0] * arms[n][0] + arms[n][1] * arms[n][1] + arms[n][2] * arms[n][2]);
  return share;
}

/// A brick, or a wedge given as N1 N2 N3 N3 N5 N6 N7 N7; `offset` is 1 for the forms with offsets.
template <int offset>
Form form(std::span<const LocalId> n, int) {
  if (n[2] == n[3] && n[6] == n[7]) return {21 + offset, {n[0], n[1], n[2], n[4], n[5], n[6]}};
  return {19 + offset, {n.begin(), n.end()}};
}

template <int corners, int offset>
Formulation formulation(std::string name) {
  Formulation f;
  f.name = std::move(name);
  f.kind = model::ElementKind::solid;
  f.elform = (corners == 4 ? 19 : 21) + offset;
  f.n_nodes = 2 * corners;
  f.rotations = offset == 1;
  f.cost = (corners == 4 ? 2.0 : 1.0) + 0.5 * offset;
  f.prepare = [](const model::Section&, const model::Control&, GroupParameters& group) {
    prepare(CohesiveSurface<corners>::n_points, group);
  };
  f.form = form<offset>;
  f.layout = [](const GroupParameters& group) {
    StateLayout l;
    l.n_vars = cohesive::n_variables(group, corners) + 6 * corners * offset;
    l.stress = cohesive::points_at(corners);
    l.plastic_strain = l.stress + 6;
    l.history = l.stress + 7;
    l.point_stride = cohesive::point_stride(group);
    l.n_points = group.n_points;
    return l;
  };
  f.mass = offset == 1 ? mass_offset<corners> : mass<corners>;
  f.initialise = offset == 1 ? initialise_offset<corners> : initialise<corners>;
  return f;
}

const detail::RegisterFormulation quad(formulation<4, 0>("four-point cohesive"));
const detail::RegisterFormulation quad_between_shells(formulation<4, 1>("four-point cohesive with offsets"));
const detail::RegisterFormulation triangle(formulation<3, 0>("one-point cohesive"));
const detail::RegisterFormulation triangle_between_shells(
    formulation<3, 1>("one-point cohesive with offsets"));

}  // namespace cohesive_elements
}  // namespace crumple::elements::solid
