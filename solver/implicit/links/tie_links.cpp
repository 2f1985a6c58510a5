// Positions relative to segments, and the forces of springs to them.
#include "implicit/links/tie_links.hpp"

#include <algorithm>
#include <cmath>

#include "contact/part_constants.hpp"
#include "contact/tied/segment_spin.hpp"

namespace crumple::implicit {

using contact::spins;

namespace {

/// Of springs over those of a cube of the material, at SLSFAC = 1.
constexpr double kTieStiffness = 1000.0;

/// The mean lines of a segment, and each corner's coefficients in them.
template <class T>
struct MeanLines {
  static constexpr double kQuad[2][4] = {{-0.5, 0.5, 0.5, -0.5}, {-0.5, -0.5, 0.5, 0.5}};
  static constexpr double kTriangle[2][4] = {{-1.0, 1.0, 0.0, 0.0}, {-1.0, 0.0, 1.0, 0.0}};

  const double (*of)[4];
  std::array<Vector<T>, 2> g;
  Vector<T> normal;
  T area;

  /// @param x corners from the second point on
  MeanLines(const std::array<Vector<T>, 5>& x, int corners) : of(corners == 4 ? kQuad : kTriangle) {
    using std::sqrt;
    for (std::size_t a = 0; a < at(corners); ++a)
      for (std::size_t i = 0; i < 2; ++i) g[i] += T(of[i][a]) * x[a + 1];
    normal = cross(g[0], g[1]);
    area = sqrt(dot(normal, normal));
    normal = (T(1.0) / area) * normal;
  }
};

/// A vector as sum of the mean lines and the normal.
struct Coordinates {
  Coordinates(const MeanLines<double>& lines, const Vec3& v)
      : of(lines.of), height(dot(Vector<double>(v), lines.normal)) {
    const Vector<double> flat = v;
    const double aa = dot(lines.g[0], lines.g[0]), ab = dot(lines.g[0], lines.g[1]),
                 bb = dot(lines.g[1], lines.g[1]), det = aa * bb - ab * ab;
    const double a = dot(flat, lines.g[0]), b = dot(flat, lines.g[1]);
    if (det > 0.0) along = {(a * bb - b * ab) / det, (b * aa - a * ab) / det};
  }
  /// The coefficient of a corner.
  double operator[](std::size_t k) const { return along[0] * of[0][k] + along[1] * of[1][k]; }

  const double (*of)[4];
  double height;
  std::array<double, 2> along{};
};

MeanLines<double> lines_of(const model::Tie& tie, std::span<const Vec3> x) {
  std::array<Vector<double>, 5> corners;
  for (std::size_t a = 0; a < 4; ++a) corners[a + 1] = x[at(tie.nodes[a])];
  return {corners, tie.nodes[2] == tie.nodes[3] ? 3 : 4};
}

/// What a force on the point sum w_a x_a + h n does to a corner.
template <class T>
Vector<T> on_corner(const MeanLines<T>& lines, double weight, double height, const Vector<T>& f,
                    std::size_t a) {
  const Vector<T> q = (T(height) / lines.area) * (f - dot(f, lines.normal) * lines.normal);
  return T(weight) * f + T(lines.of[0][a]) * cross(lines.g[1], q) + T(lines.of[1][a]) * cross(q, lines.g[0]);
}

/// The mean rotation of corners about their centre (contact/tied/mean_rotation.hpp).
template <class T>
struct MeanTurn {
  std::array<Vector<T>, 4> arm;
  std::array<Vector<T>, 3> inverse;  ///< rows of K^-1
  int corners;

  MeanTurn(const std::array<Vector<T>, 5>& x, int n) : corners(n) {
    Vector<T> centre;
    for (std::size_t a = 0; a < at(n); ++a) centre += T(1.0 / n) * x[a + 1];
    std::array<Vector<T>, 3> k;
    for (std::size_t a = 0; a < at(n); ++a) {
      arm[a] = x[a + 1] - centre;
      const T square = dot(arm[a], arm[a]);
      for (int i = 0; i < 3; ++i) {
        k[at(i)] -= arm[a][i] * arm[a];
        k[at(i)][i] += square;
      }
    }
    // K is symmetric: the rows of its inverse are the cross products of its rows.
    const Vector<T> first = cross(k[1], k[2]);
    const T factor = T(1.0) / dot(k[0], first);
    inverse = {factor * first, factor * cross(k[2], k[0]), factor * cross(k[0], k[1])};
  }
  Vector<T> solve(const Vector<T>& m) const {
    return {dot(inverse[0], m), dot(inverse[1], m), dot(inverse[2], m)};
  }
  /// @param u of node and corners
  Vector<T> turn(const std::array<Vector<T>, 5>& u) const {
    Vector<T> sum;
    for (std::size_t a = 0; a < at(corners); ++a) sum += cross(arm[a], u[a + 1]);
    return solve(sum);
  }
  Vector<T> force(const Vector<T>& m, std::size_t a) const { return cross(solve(m), arm[a]); }
};

}  // namespace

TieLinks::TieLinks(const LinkInput& input) : phased_(input.model.control.has_phases()) {
  const std::vector<contact::PartConstants> constants = contact::part_constants(input.model);
  std::vector<double> bulk(input.nodal.size(), 0.0);  // the largest of the parts at a node
  const auto raise = [&](const auto& elements) {
    for (std::size_t e = 0; e < elements.size(); ++e)
      model::each_node(elements, e, [&](LocalId n) {
        bulk[at(n)] = std::max(bulk[at(n)], constants[at(elements.part[e])].bulk);
      });
  };
  raise(input.model.shells);
  raise(input.model.solids);
  raise(input.model.beams);
  for (std::size_t c = 0; c < input.model.contacts.size(); ++c) {
    const model::Contact& contact = input.model.contacts[c];
    for (const model::Tie& tie : contact.springs) {
      Spring s;
      s.tie = tie;
      s.contact = static_cast<std::int32_t>(c);
      s.death = contact.death;
      place(s, input.nodal.x);
      double modulus = bulk[at(tie.node)];
      for (const LocalId n : tie.nodes) modulus = std::max(modulus, bulk[at(n)]);
      const double area = lines_of(tie, input.nodal.x).area;
      s.stiffness = kTieStiffness * contact.slsfac * contact.sfa * modulus * std::sqrt(area);
      s.turning = tie.rotations ? s.stiffness * area : 0.0;
      springs_.push_back(s);
    }
  }
}

/// Finds the weights and the height that give the node's position. @param x of all nodes
void TieLinks::place(Spring& spring, std::span<const Vec3> x) {
  model::Tie& tie = spring.tie;
  Vec3 point;
  for (std::size_t a = 0; a < 4; ++a) point += tie.weight[a] * x[at(tie.nodes[a])];
  const Coordinates arm(lines_of(tie, x), x[at(tie.node)] - point);
  spring.height = arm.height;
  for (std::size_t k = 0; k < at(spring.corners()); ++k) tie.weight[k] += arm[k];
}

void TieLinks::append_points(std::vector<std::vector<LocalId>>& all) const {
  for (const Spring& s : springs_) {
    std::vector<LocalId>& points = all.emplace_back(1, s.tie.node);
    points.insert(points.end(), s.tie.nodes.begin(), s.tie.nodes.begin() + s.corners());
  }
}

void TieLinks::raise_unknowns(std::span<std::uint8_t> of_point) const {
  const auto raise = [&](LocalId n, std::uint8_t to) { of_point[at(n)] = std::max(of_point[at(n)], to); };
  for (const Spring& s : springs_) {
    raise(s.tie.node, 3);
    for (const LocalId n : s.tie.nodes) raise(n, 3);
  }
}

/// The force on the node is -k (x - p); on corners it is the negative of the gradient of p.
template <class T>
TieLinks::Action<T> TieLinks::act(const Spring& spring, const Trial& trial) {
  const model::Tie& tie = spring.tie;
  const int corners = spring.corners(), dofs = tie.rotations ? 6 : 3;
  std::array<Vector<T>, 5> x, half, u, turn;
  for (std::size_t a = 0; a <= at(corners); ++a) {
    const std::size_t n = at(a == 0 ? tie.node : tie.nodes[a - 1]);
    const int first = dofs * static_cast<int>(a);
    u[a] = variables<T>(trial.increment.u[n], first);
    if (tie.rotations) turn[a] = variables<T>(trial.increment.turn[n], first + 3);
    half[a] = Vector<T>(trial.x0[n]) + T(0.5) * u[a];
    x[a] = Vector<T>(trial.x0[n]) + u[a];
  }
  const MeanLines<T> lines(x, corners);
  Vector<T> place = T(spring.height) * lines.normal;
  for (std::size_t a = 0; a < at(corners); ++a) place += T(tie.weight[a]) * x[a + 1];
  const Vector<T> gap = x[0] - place;
  Action<T> result;
  Vector<T> f = T(-spring.stiffness) * gap;
  result.energy = T(0.5 * spring.stiffness) * dot(gap, gap);
  const contact::TieStart& start = spring.start;
  if (start.taken) {
    Vector<T> before = T(start.force_along_normal) * lines.normal;
    for (std::size_t a = 0; a < at(corners); ++a) before += T(start.force[a]) * x[a + 1];
    f += before;
    result.energy -= dot(before, gap);
  }
  result.force[0] = f;
  for (std::size_t a = 0; a < at(corners); ++a) {
    result.force[a + 1] = -on_corner(lines, tie.weight[a], spring.height, f, a);
    if (start.taken)
      result.force[a + 1] += on_corner(lines, start.force[a], start.force_along_normal, gap, a);
  }
  if (!tie.rotations) return result;

  const bool mean = !spins(tie) || tie.torsion;
  Vector<T> spin;
  for (std::size_t a = 0; a < at(corners) && spins(tie); ++a) spin += T(tie.weight[a]) * turn[a + 1];
  if (mean) {
    const Vector<T> around = MeanTurn<T>(half, corners).turn(u);
    spin = spins(tie) ? spin + dot(lines.normal, around - spin) * lines.normal : around;
  }
  result.turned = turned(Vector<T>(spring.turned), spin) + (turn[0] - spin);
  Vector<T> m = T(-spring.turning) * result.turned;
  if (start.taken) m += result.moment_before = turned(Vector<T>(start.moment), spin);
  result.moment[0] = m;
  const Vector<T> about = !spins(tie) ? m : tie.torsion ? dot(lines.normal, m) * lines.normal : Vector<T>();
  if (mean) {
    const MeanTurn<T> now(x, corners);
    for (std::size_t a = 0; a < at(corners); ++a) result.force[a + 1] -= now.force(about, a);
  }
  for (std::size_t a = 0; a < at(corners) && spins(tie); ++a)
    result.moment[a + 1] -= T(tie.weight[a]) * (m - about);
  result.energy += T(0.5 * spring.turning) * dot(result.turned, result.turned);
  if (start.taken) result.energy -= dot(result.moment_before, result.turned);
  return result;
}

template <int kDofs, int kPoints>
void TieLinks::visit_one(const Spring& spring, const Trial& trial, bool stiffness,
                         const Elements::Visit& visit) {
  LinkTangent<kDofs, kPoints> tangent;
  tangent.points[0] = spring.tie.node;
  for (std::size_t a = 1; a < kPoints; ++a) tangent.points[a] = spring.tie.nodes[a - 1];
  const auto put = [&](const auto& action) {
    for (std::size_t a = 0; a < kPoints; ++a)
      for (int i = 0; i < kDofs; ++i)
        tangent.put(kDofs * static_cast<int>(a) + i, i < 3 ? -action.force[a][i] : -action.moment[a][i - 3]);
  };
  if (stiffness)
    put(act<Number<kDofs * kPoints>>(spring, trial));
  else
    put(act<double>(spring, trial));
  visit(tangent.view(stiffness));
}

void TieLinks::evaluate(const Trial& trial, bool stiffness, const Elements::Visit& visit) const {
  for (const Spring& s : springs_) {
    if (!s.acts(trial)) continue;
    if (s.tie.rotations)
      s.corners() == 4 ? visit_one<6, 5>(s, trial, stiffness, visit)
                       : visit_one<6, 4>(s, trial, stiffness, visit);
    else
      s.corners() == 4 ? visit_one<3, 5>(s, trial, stiffness, visit)
                       : visit_one<3, 4>(s, trial, stiffness, visit);
  }
}

void TieLinks::accept(const Trial& trial) {
  for (Spring& s : springs_) {
    if (!s.acts(trial)) {
      s.alive = false;
      s.force = {};
      continue;
    }
    const Action<double> now = act<double>(s, trial);
    s.force = value_of(now.force[0]);
    s.turned = value_of(now.turned);
    if (s.start.taken) s.start.moment = value_of(now.moment_before);
    s.energy += now.energy - s.stored;
    s.stored = now.energy;
  }
}

void TieLinks::begin_at(const LinkBegin& begin) {
  for (std::size_t k = 0; k < springs_.size(); ++k) {
    Spring& s = springs_[k];
    const contact::TieLoad& load = begin.loads.ties[k];
    s.force = load.force;
    s.energy = load.energy;
    s.stored = 0.0;
    s.turned = {};
    place(s, begin.points);
    const Coordinates force(lines_of(s.tie, begin.points), load.force);
    s.start = {.taken = true, .force_along_normal = force.height, .moment = load.moment};
    for (std::size_t a = 0; a < at(s.corners()); ++a) s.start.force[a] = force[a];
  }
}

void TieLinks::leave(const Trial& at_rest, phases::CarriedLinks& to) const {
  for (const Spring& s : springs_) {
    contact::TieLoad& load = to.ties.emplace_back();
    load.energy = s.energy;
    if (!s.alive) continue;
    const Action<double> now = act<double>(s, at_rest);
    load.force = value_of(now.force[0]);
    load.moment = value_of(now.moment[0]);
  }
}

bool TieLinks::delete_element(model::ElementKind kind, LocalId element) {
  bool ended = false;
  for (Spring& s : springs_)
    if (s.alive && s.tie.kind == kind && s.tie.element == element) s.alive = false, ended = true;
  return ended;
}

void TieLinks::add_results(std::span<contact::ContactResult> results) const {
  for (const Spring& s : springs_) {
    contact::ContactResult& r = results[at(s.contact)];
    r.force_a += s.force;
    r.force_b -= s.force;
    r.energy_a += s.energy;
    if (s.alive) ++r.touching;
  }
}

double TieLinks::energy() const {
  double sum = 0.0;
  for (const Spring& s : springs_) sum += s.energy;
  return sum;
}

}  // namespace crumple::implicit
