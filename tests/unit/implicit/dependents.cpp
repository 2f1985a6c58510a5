// Rows of T of dependent nodes: loads and stiffness against differences, rigid motion, given motion.
#include <gtest/gtest.h>

#include <cmath>

#include "../model/built_deck.hpp"
#include "base/error.hpp"
#include "constraints/rotation.hpp"
#include "implicit/dependent_nodes.hpp"
#include "implicit/dof_map.hpp"
#include "implicit/support_shares.hpp"

namespace crumple::implicit {
namespace {

using constraints::identity3;
using constraints::Matrix3;
using constraints::operator*;

/// Nodes held together by springs of stiffness 1 between each pair, stretched by a tenth.
struct Springs {
  std::vector<Vec3> x0;

  double length(std::size_t a, std::size_t b) const { return norm(x0[a] - x0[b]) / 1.1; }
  NodalForces forces(std::span<const Vec3> x, std::size_t points) const {
    NodalForces f(points);
    for (std::size_t a = 0; a < x0.size(); ++a)
      for (std::size_t b = 0; b < x0.size(); ++b) {
        if (a == b) continue;
        const Vec3 d = x[b] - x[a];
        f.force[a] += ((norm(d) - length(a, b)) / norm(d)) * d;
      }
    return f;
  }
  /// - d force(a) / d x(b)
  Matrix3 block(std::span<const Vec3> x, std::size_t a, std::size_t b) const {
    Matrix3 k{};
    for (std::size_t c = 0; c < x0.size(); ++c) {
      if (c == a || (a != b && c != b)) continue;
      const Vec3 d = x[c] - x[a], e = (1.0 / norm(d)) * d;
      const double s = (norm(d) - length(a, c)) / norm(d), sign = a == b ? 1.0 : -1.0;
      for (int i = 0; i < 3; ++i) {
        k[at(i)] += (sign * (1.0 - s) * e[i]) * e;
        k[at(i)][i] += sign * s;
      }
    }
    return k;
  }
};

/// A model with dependent nodes, all others free.
struct World {
  model::Model model;
  std::vector<RigidPoint> bodies;
  std::vector<Vec3> x;  ///< of points
  Springs springs;
  DependentNodes dependents;
  DofMap map;

  World(const World&) = delete;  // the map refers to the dependents
  explicit World(std::size_t nodes) {
    for (std::size_t n = 0; n < nodes; ++n) {
      const double t = double(n);
      x.push_back({std::sin(1.3 * t) + 0.3 * t, std::cos(2.1 * t), std::sin(3.7 * t + 1.0)});
      model.nodes.id.push_back(GlobalId(n + 1));
    }
    model.nodes.x.assign(x.begin(), x.end());
  }
  void start() {
    springs.x0 = x;
    dependents = DependentNodes(model, bodies, x);
    for (const RigidPoint& b : bodies) x.push_back(b.point0);
    for (const RigidPoint& b : bodies) x.push_back(b.centre0);
    std::vector<NodeFreedoms> free(x.size());
    for (std::size_t p = 0; p < x.size(); ++p) {
      NodeFreedoms tied = dependents.tied(LocalId(p));
      free[p] = {tied.translation.complement(), tied.rotation.complement()};
    }
    map = DofMap(std::move(free), &dependents);
  }
  std::vector<Vec3> place(Increment& trial) {
    dependents.move(x, trial);
    std::vector<Vec3> now = x;
    for (std::size_t p = 0; p < x.size(); ++p) now[p] += trial.u[p];
    return now;
  }
  std::vector<double> residual(Increment trial) {
    NodalForces f = springs.forces(place(trial), x.size());
    dependents.gather(f);
    std::vector<double> r(at(map.equations()));
    map.reduce(f, r);
    return r;
  }
  /// T' K T and what the forces add, whole.
  std::vector<double> stiffness(Increment trial) {
    const std::vector<Vec3> now = place(trial);
    const auto n = static_cast<std::int32_t>(x.size());
    std::vector<std::int32_t> every;
    for (std::int32_t p = 0; p < n; ++p) every.push_back(p);
    const std::vector<std::int64_t> begin{0, n};
    const linear::BlockPattern pattern = linear::pattern_of(map.row_sizes(), begin, every);
    linear::BlockMatrix matrix{&pattern, std::vector<double>(at(LocalId(pattern.value.back())), 0.0)};
    for (std::size_t a = 0; a < springs.x0.size(); ++a)
      for (std::size_t b = a; b < springs.x0.size(); ++b) {
        const Matrix3 k = springs.block(now, a, b);
        const double rows[9]{k[0].x, k[0].y, k[0].z, k[1].x, k[1].y, k[1].z, k[2].x, k[2].y, k[2].z};
        map.add_block(LocalId(a), LocalId(b), 3, rows, matrix);
      }
    dependents.add_stiffness(
        springs.forces(now, x.size()),
        [&](LocalId a, LocalId b, int dofs, const double* k) { map.add_block(a, b, dofs, k, matrix); });
    const std::size_t size = at(map.equations());
    std::vector<double> whole(size * size), e(size), column(size);
    for (std::size_t j = 0; j < size; ++j) {
      std::ranges::fill(e, 0.0);
      e[j] = 1.0;
      matrix.multiply(e, column);
      for (std::size_t i = 0; i < size; ++i) whole[i * size + j] = column[i];
    }
    return whole;
  }
};

/// The stiffness is minus the symmetric part of the residual's derivative.
void check_stiffness(World& world, const Increment& trial, double within) {
  const std::vector<double> k = world.stiffness(trial);
  const std::size_t n = at(world.map.equations());
  constexpr double h = 1e-6;
  std::vector<double> slope(n * n), q(n);
  for (std::size_t j = 0; j < n; ++j) {
    const auto moved = [&](double by) {
      std::ranges::fill(q, 0.0);
      q[j] = by;
      Increment there = trial;
      world.map.add(1.0, q, there);
      return world.residual(there);
    };
    const std::vector<double> up = moved(h), down = moved(-h);
    for (std::size_t i = 0; i < n; ++i) slope[i * n + j] = -(up[i] - down[i]) / (2 * h);
  }
  double largest = 0.0;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      EXPECT_NEAR(k[i * n + j], 0.5 * (slope[i * n + j] + slope[j * n + i]), within) << i << " " << j;
      largest = std::max(largest, std::abs(slope[i * n + j]));
    }
  EXPECT_GT(largest, 1.0);
}

/// T' f does the work of f: virtual displacements by differences.
void check_loads(World& world, const Increment& trial, double within) {
  const std::size_t n = at(world.map.equations());
  const std::vector<double> r = world.residual(trial);
  Increment there = trial;
  const NodalForces f = world.springs.forces(world.place(there), world.x.size());
  constexpr double h = 1e-6;
  std::vector<double> q(n);
  for (std::size_t j = 0; j < n; ++j) {
    const auto moved = [&](double by) {
      std::ranges::fill(q, 0.0);
      q[j] = by;
      Increment to = trial;
      world.map.add(1.0, q, to);
      return world.place(to);
    };
    const std::vector<Vec3> up = moved(h), down = moved(-h);
    double work = 0.0;
    for (std::size_t p = 0; p < up.size(); ++p) work += dot(f.force[p], up[p] - down[p]) / (2 * h);
    EXPECT_NEAR(r[j], work, within) << j;
  }
}

/// Nodes 0 to 3 are a body, 4 and 5 are free.
void add_body(World& world) {
  RigidPoint body;
  body.point0 = {0.3, 0.1, -0.2};
  body.centre0 = {0.5, 0.4, 0.1};
  body.nodes = {0, 1, 2, 3};
  world.bodies.push_back(body);
  world.start();
}

/// The body is turned by 70 degrees and moved.
Increment turned_body(const World& world) {
  Increment trial(world.x.size());
  trial.turn[6] = cayley_of(1.2 * Vec3{1.0 / 3, 2.0 / 3, 2.0 / 3});
  trial.u[6] = {0.3, -0.2, 0.5};
  trial.u[4] = {0.1, 0.2, 0.3};
  return trial;
}

/// Whether node `node` has the velocity and the acceleration of a rigid motion of all others.
void check_rigid_rates(World& world, std::size_t node, const std::vector<Vec3>& now, bool turns) {
  const Vec3 spin{0.3, -1.0, 0.7}, rate{-0.4, 0.2, 1.1};
  const auto velocity = [&](const Vec3& x) { return cross(spin, x) + Vec3{3, 2, 1}; };
  const auto acceleration = [&](const Vec3& x) {
    return cross(rate, x) + cross(spin, cross(spin, x)) + Vec3{0, -1, 4};
  };
  AlignedVector<Vec3> v(now.size()), w(now.size(), spin), a(now.size()), alpha(now.size(), rate);
  for (std::size_t n = 0; n < now.size(); ++n) v[n] = velocity(now[n]), a[n] = acceleration(now[n]);
  v[node] = a[node] = w[node] = alpha[node] = {};
  world.dependents.follow(v, w);
  world.dependents.follow(v, w, a, alpha);
  EXPECT_NEAR(norm(v[node] - velocity(now[node])), 0, 1e-13);
  EXPECT_NEAR(norm(a[node] - acceleration(now[node])), 0, 1e-13);
  EXPECT_NEAR(norm(w[node] - (turns ? spin : Vec3{})), 0, 1e-13);
  EXPECT_NEAR(norm(alpha[node] - (turns ? rate : Vec3{})), 0, 1e-13);
}

TEST(DependentNodes, RigidBodyTurnsExactly) {
  World world(6);
  add_body(world);
  Increment trial = turned_body(world);
  const std::vector<Vec3> now = world.place(trial);
  const Matrix3 turn = constraints::matrix(constraints::cayley(trial.turn[6]));
  for (const std::size_t n : {0, 1, 2, 3, 7}) {
    const Vec3 exact = world.x[6] + trial.u[6] + turn * (world.x[n] - world.x[6]);
    EXPECT_NEAR(norm(now[n] - exact), 0, 1e-15);
    EXPECT_EQ(trial.turn[n], trial.turn[6]);
  }
  check_rigid_rates(world, 2, now, true);
  check_rigid_rates(world, 7, now, true);
}
TEST(DependentNodes, RigidBodyGetsLoadsOfItsNodes) {
  World world(6);
  add_body(world);
  check_loads(world, turned_body(world), 1e-8);
}
TEST(DependentNodes, RigidBodyHasItsStiffnessAfterALargeTurn) {
  World world(6);
  add_body(world);
  EXPECT_EQ(world.map.equations(), 18);  // two nodes and the body
  check_stiffness(world, turned_body(world), 1e-7);
}

/// Node 5 is the mean of nodes 0 to 3.
void add_interpolation(World& world, std::uint8_t mask) {
  world.model.interpolations.push_back({1, 5, mask, {0, 1, 2, 3}, {0.4, 0.3, 0.2, 0.1}});
  world.start();
}
TEST(DependentNodes, InterpolationHasItsLoadsAndStiffness) {
  World world(6);
  add_interpolation(world, 0b111);
  const Increment none(world.x.size());
  check_loads(world, none, 1e-8);
  check_stiffness(world, none, 1e-7);
}

/// Whether node `node` follows a rigid motion of all others by 100 degrees.
void check_rigid_motion(World& world, std::size_t node, bool turns) {
  Increment trial(world.x.size());
  const Vec3 cayley = cayley_of(1.7 * Vec3{2.0 / 3, 1.0 / 3, -2.0 / 3});
  const Matrix3 turn = constraints::matrix(constraints::cayley(cayley));
  for (std::size_t n = 0; n < world.x.size(); ++n) {
    if (n == node) continue;
    trial.u[n] = turn * world.x[n] - world.x[n] + Vec3{1, 2, 3};
    trial.turn[n] = cayley;
  }
  const std::vector<Vec3> now = world.place(trial);
  EXPECT_NEAR(norm(now[node] - (turn * world.x[node] + Vec3{1, 2, 3})), 0, 1e-13);
  if (turns) {
    EXPECT_NEAR(norm(trial.turn[node] - cayley), 0, 1e-13);
  }
  check_rigid_rates(world, node, now, turns);
}
TEST(DependentNodes, InterpolationFollowsRigidMotion) {
  World world(6);
  add_interpolation(world, 0b111111);
  check_rigid_motion(world, 5, true);
}

/// Node 5 is tied to the segment 0 1 2 3, with an arm.
void add_tie(World& world, model::ElementKind kind, bool torsion) {
  model::Tie tie;
  tie.node = 5;
  tie.nodes = {0, 1, 2, 3};
  tie.weight = {0.4, 0.3, 0.2, 0.1};
  tie.kind = kind;
  tie.rotations = kind == model::ElementKind::shell;
  tie.torsion = torsion;
  tie.arm = {1, 1, 1};  // which it is, is measured
  world.model.contacts.emplace_back().ties.push_back(tie);
  world.start();
}
TEST(DependentNodes, TieToShellHasItsLoadsAndStiffness) {
  World world(6);
  add_tie(world, model::ElementKind::shell, false);
  const Increment none(world.x.size());
  check_loads(world, none, 1e-8);
  check_stiffness(world, none, 1e-7);
  check_rigid_motion(world, 5, true);
}
TEST(DependentNodes, TieToSolidHasItsLoadsAndStiffness) {
  World world(6);
  add_tie(world, model::ElementKind::solid, false);
  const Increment none(world.x.size());
  check_loads(world, none, 1e-8);
  check_stiffness(world, none, 1e-7);
  check_rigid_motion(world, 5, false);
}
TEST(DependentNodes, TieEndsWithTheElementOfItsSegment) {
  World world(6);
  add_tie(world, model::ElementKind::solid, false);
  EXPECT_FALSE(world.dependents.delete_element(model::ElementKind::shell, model::kNone));
  EXPECT_TRUE(world.dependents.depends(5));
  EXPECT_TRUE(world.dependents.delete_element(model::ElementKind::solid, model::kNone));
  EXPECT_FALSE(world.dependents.depends(5));
  EXPECT_FALSE(world.dependents.any());
}
TEST(DependentNodes, TieWithTorsionHasItsLoads) {
  World world(6);
  add_tie(world, model::ElementKind::shell, true);
  check_loads(world, Increment(world.x.size()), 1e-8);
  check_rigid_motion(world, 5, true);
}

/// Node 4 is tied to a segment whose node 3 is of a body, and node 5 is the mean of 4 and others.
TEST(DependentNodes, DependOnDependentNodes) {
  World world(8);
  RigidPoint body;
  body.point0 = body.centre0 = {0.3, 0.1, -0.2};
  body.nodes = {3, 7};
  world.bodies.push_back(body);
  model::Tie tie;
  tie.node = 4;
  tie.nodes = {0, 1, 2, 3};
  tie.weight = {0.4, 0.3, 0.2, 0.1};
  tie.kind = model::ElementKind::solid;
  tie.arm = {1, 1, 1};
  world.model.contacts.emplace_back().ties.push_back(tie);
  world.model.interpolations.push_back({1, 5, 0b111, {4, 6, 7}, {0.2, 0.3, 0.5}});
  world.start();
  check_loads(world, Increment(world.x.size()), 1e-8);
  check_stiffness(world, Increment(world.x.size()), 1e-7);
}

TEST(DependentNodes, SetMovesTogetherAlongItsAxes) {
  World world(4);
  world.model.node_ties.push_back({1, 0b101, model::kNever, {0, 1, 2}});
  world.start();
  EXPECT_EQ(world.map.equations(), 4 * 6 - 4);
  Increment trial(4);
  trial.u[0] = {1, 2, 3};
  trial.u[1] = {5, 6, 7};
  world.place(trial);
  EXPECT_EQ(trial.u[1], (Vec3{1, 6, 3}));
  check_loads(world, Increment(4), 1e-8);
  check_stiffness(world, Increment(4), 1e-7);
}

TEST(DependentNodes, RefuseTwoWaysAndCircles) {
  World twice(4);
  twice.model.interpolations.push_back({1, 0, 7, {1, 2}, {0.5, 0.5}});
  twice.model.interpolations.push_back({2, 0, 7, {2, 3}, {0.5, 0.5}});
  EXPECT_THROW(twice.start(), Error);
  World circle(4);
  circle.model.interpolations.push_back({1, 0, 7, {1, 2}, {0.5, 0.5}});
  circle.model.interpolations.push_back({2, 1, 7, {0, 3}, {0.5, 0.5}});
  EXPECT_THROW(circle.start(), Error);
}

TEST(SupportShares, BalanceTheReaction) {
  model::Model model;
  for (const Vec3& point : {Vec3{0, 0, 0}, Vec3{2, 0, 0}}) {
    model::Support s;
    s.body = 0;
    s.point = point;
    s.axis = {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}};
    s.mask = 0b111;
    model.supports.push_back(s);
  }
  RigidPoint body;
  std::vector<SupportShare> shares(2);
  // A hinge along x, with a force at a third of its length.
  add_support_shares(model, 0, body, identity3(), {0, 0, 3}, {0, -2, 0}, shares);
  EXPECT_NEAR(norm(shares[0].force - Vec3{0, 0, 2}), 0, 1e-12);
  EXPECT_NEAR(norm(shares[1].force - Vec3{0, 0, 1}), 0, 1e-12);
}

}  // namespace
}  // namespace crumple::implicit
