// Shape functions, their products by Gauss points, sums over elements.
#include "implicit/consistent_mass.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "model/element_rows.hpp"
#include "model/implicit_matrices.hpp"
#include "model/solid_faces.hpp"
#include "state/groups.hpp"

namespace crumple::implicit {

namespace {

constexpr int kMostMassNodes = 10;

/// Shape functions at a point, and their derivatives by its three coordinates.
struct Shape {
  std::array<double, kMostMassNodes> value{};
  std::array<Vec3, kMostMassNodes> by{};
};

/// A point of the unit cube with its weight.
struct CubePoint {
  Vec3 at;
  double weight = 0;
};

/// Gauss's rule with n points on [0, 1], 3 to 5, exact to the degree 2 n - 1.
std::vector<std::pair<double, double>> gauss(int n) {
  using Rule = std::vector<std::pair<double, double>>;  // half of the points of [-1, 1], and weights
  static const Rule three{{0.0, 8.0 / 9.0}, {0.77459666924148337704, 5.0 / 9.0}};
  static const Rule four{{0.33998104358485626480, 0.65214515486254614263},
                         {0.86113631159405257522, 0.34785484513745385737}};
  static const Rule five{{0.0, 128.0 / 225.0},
                         {0.53846931010568309104, 0.47862867049936646804},
                         {0.90617984593866399280, 0.23692688505618908751}};
  Rule rule;
  for (const auto& [x, w] : n == 3 ? three : n == 4 ? four : five) {
    rule.emplace_back(0.5 * (1.0 + x), 0.5 * w);
    if (x > 0.0) rule.emplace_back(0.5 * (1.0 - x), 0.5 * w);
  }
  return rule;
}

std::vector<CubePoint> cube(int n) {
  std::vector<CubePoint> points;
  const auto rule = gauss(n);
  for (const auto& [x, a] : rule)
    for (const auto& [y, b] : rule)
      for (const auto& [z, c] : rule) points.push_back({{x, y, z}, a * b * c});
  return points;
}

Shape hexahedron(const Vec3& p) {
  constexpr int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  Shape s;
  for (std::size_t a = 0; a < 8; ++a) {
    double f[3], d[3];
    for (int i = 0; i < 3; ++i) {
      f[i] = corner[a][i] ? p[i] : 1.0 - p[i];
      d[i] = corner[a][i] ? 1.0 : -1.0;
    }
    s.value[a] = f[0] * f[1] * f[2];
    s.by[a] = {d[0] * f[1] * f[2], f[0] * d[1] * f[2], f[0] * f[1] * d[2]};
  }
  return s;
}

/// Area coordinates along x and y times lines along z: the triangle 1 2 3, then 4 5 6 above it.
Shape wedge(const Vec3& p) {
  const double area[3] = {1.0 - p.x - p.y, p.x, p.y}, by_x[3] = {-1, 1, 0}, by_y[3] = {-1, 0, 1};
  Shape s;
  for (std::size_t a = 0; a < 6; ++a) {
    const std::size_t c = a % 3;
    const double line = a < 3 ? 1.0 - p.z : p.z;
    s.value[a] = area[c] * line;
    s.by[a] = {by_x[c] * line, by_y[c] * line, a < 3 ? -area[c] : area[c]};
  }
  return s;
}

/// Linear with four nodes, quadratic with ten: those at the middles of the edges in the order of the element.
Shape tetrahedron(const Vec3& p, std::size_t nodes) {
  const double volume[4] = {1.0 - p.x - p.y - p.z, p.x, p.y, p.z};
  const Vec3 slope[4] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  constexpr std::size_t edge[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
  Shape s;
  for (std::size_t a = 0; a < 4; ++a) {
    const double l = volume[a];
    s.value[a] = nodes == 4 ? l : l * (2.0 * l - 1.0);
    s.by[a] = nodes == 4 ? slope[a] : (4.0 * l - 1.0) * slope[a];
  }
  for (std::size_t k = 0; nodes == 10 && k < 6; ++k) {
    const auto [b, c] = edge[k];
    s.value[4 + k] = 4.0 * volume[b] * volume[c];
    s.by[4 + k] = 4.0 * (volume[b] * slope[c] + volume[c] * slope[b]);
  }
  return s;
}

/// Shape functions of the points of an element, with weights in its own coordinates.
std::vector<std::pair<Shape, double>> rule_of(std::size_t nodes) {
  std::vector<std::pair<Shape, double>> rule;
  if (nodes == 8)
    for (const CubePoint& q : cube(3)) rule.emplace_back(hexahedron(q.at), q.weight);
  else if (nodes == 6)  // the cube's y shrinks to a corner of the triangle
    for (const CubePoint& q : cube(4))
      rule.emplace_back(wedge({q.at.x, q.at.y * (1.0 - q.at.x), q.at.z}), q.weight * (1.0 - q.at.x));
  else
    for (const CubePoint& q : cube(nodes == 4 ? 3 : 5)) {
      const double x = q.at.x, y = q.at.y * (1.0 - x), left = 1.0 - x - y;
      rule.emplace_back(tetrahedron({x, y, q.at.z * left}, nodes), q.weight * (1.0 - x) * left);
    }
  return rule;
}

const std::vector<std::pair<Shape, double>>& points_of(std::size_t nodes) {
  static const auto four = rule_of(4), six = rule_of(6), eight = rule_of(8), ten = rule_of(10);
  return nodes == 4 ? four : nodes == 6 ? six : nodes == 8 ? eight : ten;
}

}  // namespace

std::vector<double> mass_shares(std::span<const Vec3> x) {
  const std::size_t n = x.size();
  std::vector<double> shares(n * n, 0.0);
  double volume = 0.0;
  for (const auto& [shape, weight] : points_of(n)) {
    Vec3 along[3];
    for (std::size_t a = 0; a < n; ++a)
      for (int i = 0; i < 3; ++i) along[i] += shape.by[a][i] * x[a];
    const double part = weight * dot(cross(along[0], along[1]), along[2]);
    volume += part;
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) shares[a * n + b] += part * shape.value[a] * shape.value[b];
  }
  for (double& share : shares) share /= volume;
  return shares;
}

bool has_consistent_masses(const model::Model& model) {
  const model::Implicit& c = model.control.implicit;
  const bool modes = c.eigenvalues.count > 0 || c.eigenvalues.by_curve != model::kNone;
  return model::implicit_matrices(model).consistent_mass && (c.dynamics.active || modes || c.relief.active);
}

bool has_consistent_mass(const model::Model& model, const model::Part& part) {
  if (part.rigid_body != model::kNone || !model::info(part.kind).has_mass) return true;
  if (part.kind != model::ElementKind::solid || part.section == model::kNone) return false;
  const model::Section& section = model.sections[at(part.section)];
  return !model::is_thick_shell(section) && !model::is_cohesive(section);
}

ConsistentMass::ConsistentMass(const model::Model& model, const LeaveOut& leave_out) {
  std::map<std::pair<LocalId, std::pair<int, LocalId>>, state::PartFormulation> ready;
  const model::ElementRows rows = model::rows_of(model, model::ElementKind::solid);
  for (std::size_t e = 0; e < rows.size(); ++e) {
    const model::Part& part = model.parts[at(rows.part[e])];
    if (part.rigid_body != model::kNone) continue;
    const auto element = static_cast<LocalId>(e);
    const state::Compact c = state::compact(model, model::ElementKind::solid, element);
    if (leave_out(c.nodes)) continue;
    const std::pair key{rows.part[e], c.form()};
    auto it = ready.find(key);
    if (it == ready.end()) it = ready.emplace(key, state::part_formulation(model, part, c)).first;
    const elements::ElementInput input =
        state::element_input(model, model::ElementKind::solid, element, c.nodes);
    const std::size_t n = c.nodes.size();
    const elements::NodalShare lumped = it->second.formulation->mass(input, it->second.parameters);
    double mass = 0.0;
    for (std::size_t a = 0; a < n; ++a) mass += lumped.mass[a];
    std::vector<double> values = mass_shares(std::span(input.x, n));
    for (double& value : values) value *= mass;
    for (std::size_t a = 0; a < n; ++a) values[a * n + a] -= lumped.mass[a];
    elements_.push_back({rows.part[e], static_cast<int>(n), nodes_.size(), values_.size()});
    nodes_.insert(nodes_.end(), c.nodes.begin(), c.nodes.end());
    values_.insert(values_.end(), values.begin(), values.end());
  }
}

/// Calls visit(element, node, its v, its part of D v).
template <class Visit>
void ConsistentMass::each_product(std::span<const Vec3> v, Visit&& visit) const {
  for (const Element& e : elements_) {
    const LocalId* const node = nodes_.data() + e.first_node;
    const double* value = values_.data() + e.first_value;
    for (int a = 0; a < e.nodes; ++a) {
      Vec3 sum;
      for (int b = 0; b < e.nodes; ++b) sum += *value++ * v[at(node[b])];
      visit(e, node[a], v[at(node[a])], sum);
    }
  }
}

void ConsistentMass::add_product(std::span<const Vec3> v, std::span<Vec3> to) const {
  each_product(v, [&](const Element&, LocalId n, const Vec3&, const Vec3& part) { to[at(n)] += part; });
}

ConsistentMass::Motion ConsistentMass::motion(std::span<const Vec3> v) const {
  Motion all;
  each_product(v, [&](const Element&, LocalId, const Vec3& of_node, const Vec3& part) {
    all.kinetic += 0.5 * dot(of_node, part);
    all.momentum += part;
  });
  return all;
}

std::vector<ConsistentMass::Motion> ConsistentMass::motion_of_parts(std::span<const Vec3> v,
                                                                    std::size_t parts) const {
  std::vector<Motion> all(parts);
  each_product(v, [&](const Element& e, LocalId, const Vec3& of_node, const Vec3& part) {
    all[at(e.part)].kinetic += 0.5 * dot(of_node, part);
    all[at(e.part)].momentum += part;
  });
  return all;
}

void ConsistentMass::add_blocks(double scale, const AddBlock& add) const {
  double block[9] = {};
  for (const Element& e : elements_)
    for (int a = 0; a < e.nodes; ++a)
      for (int b = 0; b < e.nodes; ++b) {
        const LocalId p = nodes_[e.first_node + at(a)], q = nodes_[e.first_node + at(b)];
        if (p > q) continue;  // a node may be in an element twice: then each of its pairs counts
        const double value = scale * values_[e.first_value + at(a * e.nodes + b)];
        block[0] = block[4] = block[8] = value;
        add(p, q, 3, block);
      }
}

}  // namespace crumple::implicit
