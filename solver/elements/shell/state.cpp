// Quadrature through the thickness, mass, layout and initial state that all shell formulations share.
#include "elements/shell/state.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "model/control.hpp"

namespace crumple::elements::shell {

namespace {

/// Legendre polynomial of degree n and its derivative at x.
struct Legendre {
  double value, slope;
};
Legendre legendre(int n, double x) {
  double p0 = 1, p1 = x;
  for (int k = 2; k <= n; ++k) {
    const double p2 = ((2 * k - 1) * x * p1 - (k - 1) * p0) / k;
    p0 = p1, p1 = p2;
  }
  if (n == 0) return {1, 0};
  return {p1, n * (x * p1 - p0) / (x * x - 1)};
}

void gauss(int n, std::span<double> zeta, std::span<double> weight) {
  for (int i = 0; i < n; ++i) {
    double x = n == 1 ? 0.0 : -std::cos(M_PI * (i + 0.75) / (n + 0.5));  // close enough for Newton
    for (int it = 0; it < 50; ++it) x -= legendre(n, x).value / legendre(n, x).slope;
    if (2 * i + 1 == n) x = 0;
    const double slope = legendre(n, x).slope;
    zeta[i] = x;
    weight[i] = 2 / ((1 - x * x) * slope * slope);
  }
}

/// Gauss-Lobatto: the ends and the extrema of the Legendre polynomial of degree n - 1.
void lobatto(int n, std::span<double> zeta, std::span<double> weight) {
  const int m = n - 1;
  for (int i = 0; i < n; ++i) {
    double x = -std::cos(M_PI * i / m);
    if (i > 0 && i < m) {
      for (int it = 0; it < 50; ++it) {
        const Legendre p = legendre(m, x);
        const double curvature = (2 * x * p.slope - m * (m + 1) * p.value) / (1 - x * x);
        x -= p.slope / curvature;
      }
    }
    if (2 * i == m) x = 0;
    const double p = (i == 0 || i == m) ? 1.0 : legendre(m, x).value;
    zeta[i] = x;
    weight[i] = 2 / (m * n * p * p);
  }
}

void trapezoidal(int n, std::span<double> zeta, std::span<double> weight) {
  for (int i = 0; i < n; ++i) {
    zeta[i] = -1 + 2.0 * i / (n - 1);
    weight[i] = (i == 0 || i == n - 1 ? 1.0 : 2.0) / (n - 1);
  }
}

double mean_thickness(const ElementInput& input, int n_nodes) {
  double t = 0;
  for (int i = 0; i < n_nodes; ++i) t += input.thickness[i] / n_nodes;
  return t;
}

/// Area of the quadrilateral projected on the plane of its diagonals, or of the triangle.
double area(const ElementInput& input, int n_nodes) {
  const Vec3* x = input.x;
  const Vec3 normal = n_nodes == 4 ? cross(x[2] - x[0], x[3] - x[1]) : cross(x[1] - x[0], x[2] - x[0]);
  return 0.5 * norm(normal);
}

}  // namespace

void quadrature(model::Quadrature rule, int n, std::span<double> zeta, std::span<double> weight) {
  const int least = rule == model::Quadrature::lobatto ? 3 : rule == model::Quadrature::trapezoidal ? 2 : 1;
  if (n < least || n > kMaxThroughThickness) {
    throw Error("CR-E101", "a shell section asks for " + std::to_string(n) +
                               " points through the thickness; its rule has " + std::to_string(least) +
                               " to " + std::to_string(kMaxThroughThickness));
  }
  if (rule == model::Quadrature::gauss) gauss(n, zeta, weight);
  if (rule == model::Quadrature::lobatto) lobatto(n, zeta, weight);
  if (rule == model::Quadrature::trapezoidal) trapezoidal(n, zeta, weight);
}

namespace {

/// Points of the section's rule, with its angles by layer.
std::vector<Layer> quadrature_layers(const model::Section& section, const materials::Law& law) {
  std::vector<Layer> layers;
  const int n = section.nip == 0 ? 2 : section.nip;
  double zeta[kMaxThroughThickness] = {}, weight[kMaxThroughThickness] = {};
  quadrature(section.quadrature, n, zeta, weight);
  for (int i = 0; i < n; ++i) layers.push_back({law, zeta[i], weight[i]});
  for (std::size_t i = 0; i < section.angles.size() && i < layers.size(); ++i)
    layers[i].angle = section.angles[i];
  return layers;
}

/// One point in each ply, in its middle or where a user's rule has it. Their laws are set by the one who
/// prepares materials.
std::vector<Layer> plies(const model::Section& section, const materials::Law& law) {
  double total = 0, below = 0;
  for (const model::Ply& ply : section.plies) total += ply.thickness;
  std::vector<Layer> layers;
  for (const model::Ply& ply : section.plies) {
    const double middle = (2 * below + ply.thickness) / total - 1;
    const double zeta = ply.at == model::Ply::kInItsMiddle ? middle : ply.at;
    layers.push_back({law, zeta, 2 * ply.thickness / total, ply.angle});
    below += ply.thickness;
  }
  return layers;
}

}  // namespace

void prepare_shell(const model::Section& section, const model::Control& control, int in_plane,
                   GroupParameters& group) {
  group.layers = section.plies.empty() ? quadrature_layers(section, group.law) : plies(section, group.law);
  const int layers = static_cast<int>(group.layers.size());
  group.section = &section;
  group.n_points = in_plane * layers;
  group.shear_factor = section.shear_factor == 0 ? 1.0 : section.shear_factor;
  group.nloc = section.nloc;
  // ISTUPD = 4 leaves elastic strains out. Elastic laws have no others; of the other laws they are kept,
  // about nu sigma / E.
  constexpr int kWithoutElastic = 4, kElastic = 1, kOrthotropicElastic = 2;
  const int law = group.law.row != nullptr ? group.law.row->number : 0;
  group.thickness_update =
      control.istupd == kWithoutElastic ? law != kElastic && law != kOrthotropicElastic : control.istupd > 0;
  group.bwc = control.bwc;
}

std::vector<LocalId> triangle_corners(std::span<const LocalId> corners) {
  for (std::size_t k = 0; k < 4; ++k)
    if (corners[k] == corners[(k + 1) % 4])
      return {corners[(k + 1) % 4], corners[(k + 2) % 4], corners[(k + 3) % 4]};
  return {};
}

Form quad_or_triangle(std::span<const LocalId> corners, int elform) {
  constexpr int triangle = 4, quadrilateral = 2;
  if (std::vector<LocalId> of_triangle = triangle_corners(corners); !of_triangle.empty())
    return {triangle, std::move(of_triangle)};
  return {elform == triangle ? quadrilateral : elform, {corners.begin(), corners.end()}};
}

StateLayout shell_layout(const GroupParameters& group) {
  StateLayout s;
  s.point_stride = point_stride(group);
  s.n_points = group.n_points;
  s.n_vars = shell_variables(group);
  s.stress = kFirstPoint;
  s.plastic_strain = kFirstPoint + kPlasticStrain;
  s.history = kFirstPoint + kHistory;
  s.stress_is_local = true;
  s.thickness = kThickness;
  return s;
}

NodalShare shell_mass(const ElementInput& input, const GroupParameters& group, int n_nodes) {
  const double t = mean_thickness(input, n_nodes), a = area(input, n_nodes);
  const double marea = group.section ? group.section->marea : 0.0;
  NodalShare share;
  for (int i = 0; i < n_nodes; ++i) {
    share.mass[i] = (group.density * t + marea) * a / n_nodes;
    share.inertia[i] = share.mass[i] * rotary_radius2(a, t);
  }
  return share;
}

void initialise_shell(const ElementInput& input, const GroupParameters& group, int n_nodes,
                      std::span<double> variables) {
  std::fill(variables.begin(), variables.end(), 0.0);
  const double t = mean_thickness(input, n_nodes), a = area(input, n_nodes);
  if (!(t > 0)) throw Error("CR-E102", "a shell has no thickness");
  double side2 = 0;
  for (int i = 0; i < n_nodes; ++i) {
    const Vec3 s = input.x[(i + 1) % n_nodes] - input.x[i];
    side2 = std::max(side2, dot(s, s));
  }
  if (!(a > 1e-12 * side2) || norm(input.x[1] - input.x[0]) == 0)
    throw Error("CR-E103", "a shell has no area");
  variables[kThickness] = t;
  if (group.own_offsets) variables[static_cast<std::size_t>(offset_at(group))] = input.offset;
}

void rotate_to_global(const Vec3& e1, const Vec3& e2, const Vec3& e3, const double* local6, double* global6) {
  const Vec3 e[3] = {e1, e2, e3};
  const double s[3][3] = {{local6[0], local6[3], local6[5]},
                          {local6[3], local6[1], local6[4]},
                          {local6[5], local6[4], local6[2]}};
  constexpr int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
  for (int c = 0; c < 6; ++c) {
    global6[c] = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) global6[c] += e[i][row[c]] * s[i][j] * e[j][column[c]];
    }
  }
}

std::array<Vec3, 3> shell_frame(const Vec3* x, int n_nodes) {
  const Vec3 normal = n_nodes == 4 ? cross(x[2] - x[0], x[3] - x[1]) : cross(x[1] - x[0], x[2] - x[0]);
  const Vec3 along = x[1] - x[0];
  const Vec3 e3 = (1 / norm(normal)) * normal;
  const Vec3 side = along - dot(along, e3) * e3;
  const Vec3 e1 = (1 / norm(side)) * side;
  return {e1, cross(e3, e1), e3};
}

void quad_to_global(const Vec3* x, const double* local6, double* global6) {
  const auto e = shell_frame(x, 4);
  rotate_to_global(e[0], e[1], e[2], local6, global6);
}

void triangle_to_global(const Vec3* x, const double* local6, double* global6) {
  const auto e = shell_frame(x, 3);
  rotate_to_global(e[0], e[1], e[2], local6, global6);
}

}  // namespace crumple::elements::shell
