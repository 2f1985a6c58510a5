// Joints, ties by springs and walls: derivatives against differences, balance, and motions without force.
#include "implicit/links/links.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "constraints/joint_stiffness/joint_stiffness.hpp"
#include "constraints/joints/joint.hpp"
#include "implicit/links/joint_links.hpp"
#include "implicit/links/joint_moments.hpp"
#include "implicit/links/tie_links.hpp"
#include "implicit/links/wall_links.hpp"
#include "loads/rigid_wall/rigid_wall.hpp"

namespace crumple::implicit {
namespace {

using constraints::Joint;
using constraints::JointType;

constexpr double kDt = 0.1;

/// Points and what links them. `shells` or solids: a segment of four nodes, 1 to 4, and node 0 above it.
struct World {
  model::Model model;
  state::Nodal nodal;
  std::vector<RigidPoint> bodies;
  DependentNodes dependents;
  std::vector<Vec3> x0;
  Increment trial;

  explicit World(std::vector<Vec3> nodes) {
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      nodal.id.push_back(GlobalId(n + 1));
      nodal.x.push_back(nodes[n]);
    }
    nodal.x0 = nodal.x;
    model.nodes.id = nodal.id;
    model.nodes.x.assign(nodes.begin(), nodes.end());
    model::Material material;
    material.law = 1;
    material.density = 1.0;
    material.fields = {{"E", 10.0}, {"PR", 0.3}};
    model.materials.push_back(material);
    model::Part part;
    part.material = 0;
    part.section = 0;
    part.kind = model::ElementKind::solid;
    model.parts.push_back(part);
    model.sections.emplace_back();
  }
  void add_body(const Vec3& point) {
    RigidPoint body;
    body.point0 = body.centre0 = point;
    bodies.push_back(body);
  }
  AllLinks start() {
    x0.assign(nodal.x.begin(), nodal.x.end());
    dependents = DependentNodes(model, bodies, x0);
    for (const RigidPoint& b : bodies) x0.push_back(b.point0);
    for (const RigidPoint& b : bodies) x0.push_back(b.centre0);
    trial = Increment(x0.size());
    return AllLinks({model, nodal, bodies, dependents, 3.0});
  }
  Trial now() const { return {x0, trial, kDt, kDt}; }
  void move_at_random(double size, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> draw(-size, size);
    for (std::size_t p = 0; p < x0.size(); ++p) {
      trial.u[p] = {draw(engine), draw(engine), draw(engine)};
      trial.turn[p] = {draw(engine), draw(engine), draw(engine)};
    }
  }
  /// A rigid motion of all points.
  void turn_all(const Vec3& turn, const Vec3& shift) {
    const constraints::Matrix3 r = constraints::matrix(constraints::cayley(turn));
    for (std::size_t p = 0; p < x0.size(); ++p) {
      trial.u[p] = constraints::operator*(r, x0[p]) + shift - x0[p];
      trial.turn[p] = turn;
    }
  }
};

/// Internal forces and moments on points.
NodalForces forces_of(const AllLinks& links, const World& world) {
  NodalForces sum(world.x0.size());
  links.evaluate(world.now(), false, [&](const ElementTangent& e) {
    for (std::size_t a = 0; a < e.nodes.size(); ++a)
      for (std::size_t i = 0; i < at(e.dofs); ++i)
        (i < 3 ? sum.force : sum.moment)[at(e.nodes[a])][int(i % 3)] += e.force[a * at(e.dofs) + i];
  });
  return sum;
}

/// The largest difference of the stiffness from differences of forces, over its largest entry.
double error_of_stiffness(const AllLinks& links, World& world) {
  const std::size_t n = 6 * world.x0.size();
  std::vector<double> k(n * n, 0.0);
  links.evaluate(world.now(), true, [&](const ElementTangent& e) {
    const std::size_t dofs = at(e.dofs), size = dofs * e.nodes.size();
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        k[(6 * at(e.nodes[i / dofs]) + i % dofs) * n + 6 * at(e.nodes[j / dofs]) + j % dofs] +=
            e.stiffness[i * size + j];
  });
  double largest = 0.0, error = 0.0;
  for (const double entry : k) largest = std::max(largest, std::abs(entry));
  const double h = 1e-6;
  for (std::size_t j = 0; j < n; ++j) {
    double& dof = j % 6 < 3 ? world.trial.u[j / 6][int(j % 6)] : world.trial.turn[j / 6][int(j % 6) - 3];
    const double before = dof;
    dof = before + h;
    const NodalForces up = forces_of(links, world);
    dof = before - h;
    const NodalForces down = forces_of(links, world);
    dof = before;
    for (std::size_t i = 0; i < n; ++i) {
      const auto of = [&](const NodalForces& f) {
        return i % 6 < 3 ? f.force[i / 6][int(i % 6)] : f.moment[i / 6][int(i % 6) - 3];
      };
      error = std::max(error, std::abs(k[i * n + j] - (of(up) - of(down)) / (2 * h)));
    }
  }
  return error / largest;
}

/// Resultant force, and moment about the origin, over the largest force.
double imbalance(const AllLinks& links, const World& world) {
  const NodalForces f = forces_of(links, world);
  Vec3 force, moment;
  double largest = 0.0;
  for (std::size_t p = 0; p < world.x0.size(); ++p) {
    force += f.force[p];
    moment += f.moment[p] + cross(world.x0[p] + world.trial.u[p], f.force[p]);
    largest = std::max({largest, norm(f.force[p]), norm(f.moment[p])});
  }
  return (norm(force) + norm(moment)) / largest;
}

double largest(const NodalForces& f) {
  double most = 0.0;
  for (std::size_t p = 0; p < f.force.size(); ++p)
    most = std::max({most, norm(f.force[p]), norm(f.moment[p])});
  return most;
}

World two_bodies(JointType type) {
  World world({});
  world.add_body({-1.0, 0.3, 0.2});
  world.add_body({1.5, -0.2, 0.1});
  Joint joint;
  joint.type = type;
  joint.bodies = {0, 1};
  joint.points = {Vec3{0.1, 0.0, 0.0}, Vec3{0.1, 0.0, 0.0}, Vec3{0.1, 0.0, 0.8},
                  Vec3{0.1, 0.0, 0.8}, Vec3{0.9, 0.0, 0.0}, Vec3{0.9, 0.0, 0.0}};
  if (type == JointType::universal) joint.points[3] = {0.1, 0.7, 0.0};
  world.model.features.of<Joint>().push_back(joint);
  return world;
}

class EveryJoint : public testing::TestWithParam<JointType> {};
INSTANTIATE_TEST_SUITE_P(Links, EveryJoint,
                         testing::Values(JointType::spherical, JointType::revolute, JointType::cylindrical,
                                         JointType::translational, JointType::universal, JointType::locking));

TEST_P(EveryJoint, StiffnessIsTheDerivative) {
  World world = two_bodies(GetParam());
  AllLinks links = world.start();
  for (const double size : {0.01, 0.5}) {
    world.move_at_random(size, 3);
    EXPECT_LT(error_of_stiffness(links, world), 1e-8) << size;
    EXPECT_LT(imbalance(links, world), 1e-12) << size;
  }
  world.move_at_random(0.4, 8);  // from another orientation
  links.accept(world.now());
  world.move_at_random(0.3, 9);
  EXPECT_LT(error_of_stiffness(links, world), 1e-8);
}

TEST_P(EveryJoint, RigidMotionGivesNoForce) {
  World world = two_bodies(GetParam());
  const AllLinks links = world.start();
  world.turn_all({0.7, -1.1, 0.4}, {3.0, 2.0, 1.0});
  EXPECT_LT(largest(forces_of(links, world)), 1e-12);
}

/// Motions of B alone by turns about the joint's first node and shifts: forces unless the joint is free for
/// them.
TEST_P(EveryJoint, HoldsWhatItsNameSays) {
  const JointType type = GetParam();
  World world = two_bodies(type);
  const AllLinks links = world.start();
  const std::size_t b = at(world.dependents.body_point(1));
  const Vec3 node{0.1, 0.0, 0.0};
  const auto force_of = [&](const Vec3& shift, const Vec3& turn) {
    const constraints::Matrix3 r = constraints::matrix(constraints::cayley(turn));
    world.trial.u[b] = shift + node + constraints::operator*(r, world.x0[b] - node) - world.x0[b];
    world.trial.turn[b] = turn;
    return largest(forces_of(links, world));
  };
  const bool slides = type == JointType::cylindrical || type == JointType::translational;
  for (int i = 0; i < 3; ++i) {
    Vec3 along;
    along[i] = 0.1;
    EXPECT_EQ(force_of(along, {}) < 1e-12, slides && i == 2) << "shift " << i;
    const bool free_to_turn = type == JointType::spherical ||
                              (type == JointType::universal ? i != 0
                                                            : type != JointType::translational &&
                                                                  type != JointType::locking && i == 2);
    EXPECT_EQ(force_of({}, along) < 1e-12, free_to_turn) << "turn " << i;
  }
}

TEST(Links, MomentsOfJointsHaveExactDerivatives) {
  World world({});
  world.add_body({0, 0, 0});
  world.add_body({1, 0, 0});
  model::Curve curve;
  curve.x = {-3.0, -0.1, 0.1, 3.0};
  curve.y = {-4.0, -0.3, 0.2, 5.0};
  world.model.curves.push_back(curve);
  constraints::JointStiffness s;
  s.bodies = {0, 1};
  s.axes = {std::array{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}},
            std::array{Vec3{0.8, 0.6, 0}, Vec3{-0.6, 0.8, 0}, Vec3{0, 0, 1}}};
  s.moments[0] = {.curve = 0, .damping_curve = 0};
  s.moments[1] = {.stiffness = 3.0, .friction = 0.05, .upper_stop = 0.1};
  s.moments[2] = {.curve = 0, .stiffness = 2.0, .friction = 9.0};
  world.model.features.of<constraints::JointStiffness>().push_back(s);
  AllLinks links = world.start();
  for (unsigned seed = 1; seed < 6; ++seed) {
    world.move_at_random(0.4, seed);
    EXPECT_LT(error_of_stiffness(links, world), 1e-8) << seed;
    const NodalForces f = forces_of(links, world);
    EXPECT_LT(norm(f.moment[0] + f.moment[1]), 1e-14);
    links.accept(world.now());
  }
}

/// A node over a segment that is warped, tied by a spring.
World tied(bool shell, bool rotations, bool torsion, bool triangle) {
  World world({{0.4, 0.7, 0.3}, {0, 0, 0}, {1.2, 0.1, 0}, {1, 1, triangle ? 0.0 : 0.2}, {-0.1, 0.9, 0.1}});
  world.model.parts[0].kind = shell ? model::ElementKind::shell : model::ElementKind::solid;
  world.model.shells.id = {1};
  world.model.shells.part = {0};
  world.model.shells.nodes = {{1, 2, 3, 4}};
  model::Contact contact;
  contact.offset = model::TiedOffset::penalty;
  model::Tie tie;
  tie.node = 0;
  tie.nodes = {1, 2, 3, triangle ? 3 : 4};
  tie.weight = {0.3, 0.3, 0.4, 0.0};
  tie.kind = shell ? model::ElementKind::shell : model::ElementKind::solid;
  tie.rotations = rotations;
  tie.torsion = torsion;
  contact.springs.push_back(tie);
  world.model.contacts.push_back(contact);
  return world;
}

TEST(Links, TiesBySpringsHaveExactDerivatives) {
  for (const bool shell : {false, true})
    for (const bool rotations : {false, true})
      for (const bool torsion : {false, true})
        for (const bool triangle : {false, true}) {
          if (torsion && !(shell && rotations)) continue;
          World world = tied(shell, rotations, torsion, triangle);
          AllLinks links = world.start();
          world.turn_all({0.7, -1.1, 0.4}, {3.0, 2.0, 1.0});
          EXPECT_LT(largest(forces_of(links, world)), 1e-10);
          world.move_at_random(0.2, 5);
          links.accept(world.now());
          for (std::size_t p = 0; p < world.x0.size(); ++p) world.x0[p] += world.trial.u[p];
          world.move_at_random(0.2, 6);
          EXPECT_LT(error_of_stiffness(links, world), 1e-7) << shell << rotations << torsion << triangle;
          EXPECT_LT(imbalance(links, world), 1e-11) << shell << rotations << torsion << triangle;
        }
}

/// Loads of an explicit part of a run.
struct Left {
  phases::CarriedLinks loads;
  std::vector<constraints::Quaternion> orientation;
};

Vec3 drawn(std::mt19937& engine) {
  std::uniform_real_distribution<double> draw(-1.0, 1.0);
  return {draw(engine), draw(engine), draw(engine)};
}

/// Moves everything a little, and gives each of `joints` links and `ties` ties a load.
Left left_by_cycles(World& world, std::size_t joints, std::size_t ties) {
  std::mt19937 engine(17);
  Left left;
  for (Vec3& x : world.x0) x += 0.02 * drawn(engine);
  for (std::size_t b = 0; b < world.bodies.size(); ++b)
    left.orientation.push_back(constraints::cayley(0.3 * drawn(engine)));
  for (std::size_t k = 0; k < joints; ++k)
    left.loads.joints.links.push_back({drawn(engine), drawn(engine).x});
  if (joints > 0) left.loads.joints.energy = {0.7};
  for (std::size_t k = 0; k < ties; ++k) left.loads.ties.push_back({drawn(engine), drawn(engine), 0.4});
  return left;
}

TEST_P(EveryJoint, GoesOnFromTheLoadOfAnotherScheme) {
  World world = two_bodies(GetParam());
  AllLinks links = world.start();
  const bool two = GetParam() != JointType::spherical;
  const bool three = GetParam() == JointType::translational || GetParam() == JointType::locking;
  const Left left = left_by_cycles(world, three ? 3 : two ? 2 : 1, 0);
  links.begin_at({world.x0, left.orientation, 0.0, left.loads});
  phases::CarriedLinks again;
  links.leave(world.now(), again);
  ASSERT_EQ(again.joints.links.size(), left.loads.joints.links.size());
  const bool universal = GetParam() == JointType::universal;
  for (std::size_t k = 0; k < again.joints.links.size(); ++k) {
    const constraints::LinkLoad &is = again.joints.links[k], &was = left.loads.joints.links[k];
    if (universal && k == 1)
      EXPECT_NEAR(is.moment, was.moment, 1e-12);
    else
      EXPECT_LT(norm(is.force - was.force), 1e-12);
  }
  ASSERT_EQ(again.joints.energy.size(), 1u);
  EXPECT_NEAR(again.joints.energy[0], 0.7, 1e-14);
  EXPECT_LT(imbalance(links, world), 1e-12);
  const double force = norm(forces_of(links, world).force[0]);
  world.turn_all({0.7, -1.1, 0.4}, {3.0, 2.0, 1.0});
  EXPECT_NEAR(norm(forces_of(links, world).force[0]), force, 1e-11 * force);
  world.move_at_random(0.4, 8);
  EXPECT_LT(error_of_stiffness(links, world), 1e-8);
  EXPECT_LT(imbalance(links, world), 1e-12);
}

TEST(Links, TiesGoOnFromTheLoadOfAnotherScheme) {
  for (const bool shell : {false, true})
    for (const bool torsion : {false, true})
      for (const bool triangle : {false, true}) {
        if (torsion && !shell) continue;
        World world = tied(shell, true, torsion, triangle);
        AllLinks links = world.start();
        const Left left = left_by_cycles(world, 0, 1);
        links.begin_at({world.x0, left.orientation, 0.0, left.loads});
        phases::CarriedLinks again;
        links.leave(world.now(), again);
        EXPECT_LT(norm(again.ties[0].force - left.loads.ties[0].force), 1e-12);
        EXPECT_LT(norm(again.ties[0].moment - left.loads.ties[0].moment), 1e-12);
        EXPECT_EQ(again.ties[0].energy, 0.4);
        EXPECT_LT(imbalance(links, world), 1e-11);
        const NodalForces f = forces_of(links, world);
        const Vec3 turn{0.7, -1.1, 0.4};
        world.turn_all(turn, {3.0, 2.0, 1.0});
        const constraints::Matrix3 r = constraints::matrix(constraints::cayley(turn));
        const NodalForces turned = forces_of(links, world);
        for (std::size_t p = 0; p < world.x0.size(); ++p) {
          EXPECT_LT(norm(turned.force[p] - constraints::operator*(r, f.force[p])), 1e-10) << p;
          EXPECT_LT(norm(turned.moment[p] - constraints::operator*(r, f.moment[p])), 1e-10) << p;
        }
        world.move_at_random(0.2, 6);
        EXPECT_LT(error_of_stiffness(links, world), 1e-7) << shell << torsion << triangle;
        EXPECT_LT(imbalance(links, world), 1e-11) << shell << torsion << triangle;
      }
}

/// The potential of a tie falls by the work of its forces.
TEST(Links, TiesThatWereLoadedKeepEnergy) {
  World world = tied(true, false, false, false);
  AllLinks links = world.start();
  const Left left = left_by_cycles(world, 0, 1);
  links.begin_at({world.x0, left.orientation, 0.0, left.loads});
  const auto* const ties = links.find<TieLinks>();
  const double before = ties->energy();
  double work = 0.0;
  for (int step = 0; step < 2000; ++step) {
    const NodalForces first = forces_of(links, world);
    world.move_at_random(1e-3, 31 + step % 7);
    const NodalForces last = forces_of(links, world);
    for (std::size_t p = 0; p < world.x0.size(); ++p)
      work += 0.5 * dot(first.force[p] + last.force[p], world.trial.u[p]);
    links.accept(world.now());
    for (std::size_t p = 0; p < world.x0.size(); ++p) world.x0[p] += world.trial.u[p];
    world.trial.clear();
  }
  EXPECT_GT(std::abs(work), 0.01);
  EXPECT_NEAR(ties->energy() - before, work, 1e-4 * std::abs(work));
}

TEST(Links, WallsHaveExactDerivativesWithoutSlip) {
  using loads::WallShape;
  for (const WallShape shape : {WallShape::plane, WallShape::sphere, WallShape::cylinder, WallShape::prism})
    for (const double friction : {0.0, 1.0}) {
      World world({{0.1, 0.05, 0.02}, {1, 0, 0}, {1, 1, 0.1}, {0, 1, 0}});
      world.model.shells.id = {1};
      world.model.shells.part = {0};
      world.model.shells.nodes = {{0, 1, 2, 3}};
      loads::RigidWall wall;
      wall.shape = shape;
      wall.point = {0.0, 0.0, -1.0};
      wall.normal = {0.0, 0.0, 1.0};
      wall.edge1 = {1.0, 0.0, 0.0};
      wall.edge2 = {0.0, 1.0, 0.0};
      wall.length1 = 0.9;
      wall.length2 = shape == WallShape::cylinder ? 0.99 : 0.9;
      wall.length3 = 2.0;
      wall.friction = friction;
      wall.nodes = {0};
      world.model.features.of<loads::RigidWall>().push_back(wall);
      const AllLinks links = world.start();
      for (const double depth : {0.011, 0.1}) {  // soft and hard
        world.trial.clear();
        const Vec3 towards = shape == WallShape::sphere ? wall.point - world.x0[0] : Vec3{0, 0, -1};
        const double outside = shape == WallShape::sphere     ? norm(towards) - 0.9
                               : shape == WallShape::cylinder ? 0.03
                               : shape == WallShape::prism    ? 1.02
                                                              : 1.02;
        world.trial.u[0] = ((outside + depth) / norm(towards)) * towards + Vec3{0.003, 0.002, 0.0};
        EXPECT_GT(norm(forces_of(links, world).force[0]), 0.0) << int(shape);
        EXPECT_LT(error_of_stiffness(links, world), 1e-6) << int(shape) << " " << friction << " " << depth;
      }
    }
}

TEST(Links, WallRubsAndLetsGo) {
  World world({{0.0, 0.0, 0.0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}});
  world.model.shells.id = {1};
  world.model.shells.part = {0};
  world.model.shells.nodes = {{0, 1, 2, 3}};
  loads::RigidWall wall;
  wall.normal = {0.0, 0.0, 1.0};
  wall.friction = 0.3;
  wall.nodes = {0};
  world.model.features.of<loads::RigidWall>().push_back(wall);
  AllLinks links = world.start();
  world.trial.u[0] = {0.5, 0.0, -0.02};
  const Vec3 f = -forces_of(links, world).force[0];  // of the wall on the node
  EXPECT_GT(f.z, 0.0);
  EXPECT_NEAR(f.x, -0.3 * f.z, 1e-12 * f.z);
  links.accept(world.now());
  EXPECT_NEAR(links.find<WallLinks>()->states()[0].normal_force, f.z, 1e-12 * f.z);
  world.x0[0] += world.trial.u[0];
  world.trial.u[0] = {0.0, 0.0, 0.03};
  EXPECT_EQ(norm(forces_of(links, world).force[0]), 0.0);
}

}  // namespace
}  // namespace crumple::implicit
