// Which point has which mass, and blocks of the mass matrix.
#include "implicit/point_masses.hpp"

#include <algorithm>

#include "implicit/mean_spin.hpp"

namespace crumple::implicit {

using constraints::identity3;
using constraints::Matrix3;

namespace {

void put(double (&block)[36], int row, int column, const Matrix3& part) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) block[6 * (row + i) + column + j] = part[at(i)][j];
}

BodyMass body_mass(const constraints::RigidBodies& bodies, int b, const RigidPoint& point, LocalId where) {
  BodyMass body;
  body.point = where;
  body.mass = bodies.mass(b);
  body.arm = point.centre0 - point.point0;
  body.inertia = bodies.inertia(b);
  body.free = point.held.rotation.complement();
  body.pivots = point.held.translation.count == 3 && norm(body.arm) > 0.0;
  if (body.pivots) body.inertia = sum(body.inertia, inertia_of_arm(body.mass, body.arm));
  return body;
}

}  // namespace

Matrix3 turned_tensor(const Matrix3& r, const Matrix3& j) {
  Matrix3 turned{};
  for (std::size_t i = 0; i < 3; ++i)
    turned[i] = constraints::operator*(r, constraints::transpose_times(j, r[i]));
  return turned;
}

PointMasses::PointMasses(const model::Model& model, const state::Nodal& nodal,
                         const constraints::RigidBodies& rigid_bodies, std::span<const RigidPoint> rigid,
                         const DependentNodes& dependents)
    : mass(nodal.mass.begin(), nodal.mass.end()), inertia(nodal.inertia.begin(), nodal.inertia.end()) {
  const std::size_t points = std::max(nodal.size(), dependents.points());
  for (auto* values : {&mass, &inertia}) values->resize(points, 0.0);
  in_body.assign(points, 0);
  for (std::size_t b = 0; b < model.rigid_bodies.size(); ++b) {
    for (const LocalId n : rigid[b].nodes) mass[at(n)] = inertia[at(n)] = 0.0, in_body[at(n)] = 1;
    bodies.push_back(body_mass(rigid_bodies, static_cast<int>(b), rigid[b], dependents.body_point(b)));
  }
  find_what_moves(dependents);
}

void PointMasses::find_what_moves(const DependentNodes& dependents) {
  constexpr double nothing = 1e-10;
  std::vector<double> all = mass;
  std::vector<Matrix3> tensor;
  for (const double j : inertia) tensor.push_back(scaled(j, identity3()));
  for (const BodyMass& body : bodies) {
    all[at(body.point)] += body.mass;
    tensor[at(body.point)] = sum(body.inertia, inertia_of_arm(body.mass, body.arm));
  }
  dependents.give_inertia(all, tensor);
  for (std::size_t p = 0; p < mass.size(); ++p) {
    moves.push_back(all[p] > 0.0);
    turns.push_back(tensor[p][0].x + tensor[p][1].y + tensor[p][2].z > 0.0);
  }
  for (const DependentNodes::Members& body : dependents.bodies_from(0)) {
    const constraints::Eigen3 e = constraints::eigen(tensor[at(body.point)]);
    const double largest = *std::ranges::max_element(e.value), least = *std::ranges::min_element(e.value);
    if (body.nodes.empty() || !(largest > 0.0) || least > nothing * largest) continue;
    const auto farthest = std::ranges::max_element(body.arms, {}, [](const Vec3& r) { return norm(r); });
    if (norm(*farthest) > 0.0)
      lines.push_back({body.point, body.nodes[at(farthest - body.arms.begin())], largest});
  }
}

void body_mass_block(const BodyMass& body, const Vec3& arm, const Matrix3& inertia, double (&block)[36]) {
  std::fill_n(block, 36, 0.0);
  const Matrix3 first = scaled(body.mass, cross_product_matrix(arm));
  put(block, 0, 0, scaled(body.mass, identity3()));
  put(block, 0, 3, scaled(-1.0, first));
  put(block, 3, 0, first);
  put(block, 3, 3, body.pivots ? inertia : sum(inertia, inertia_of_arm(body.mass, arm)));
}

void PointMasses::add_blocks(std::span<const constraints::Quaternion> orientation,
                             std::span<const std::uint8_t> dofs, const AddBlock& add) const {
  double block[36];
  for (std::size_t p = 0; p < mass.size(); ++p) {
    const int n = dofs[p];
    if (n == 0 || (mass[p] == 0.0 && inertia[p] == 0.0)) continue;
    std::fill_n(block, 36, 0.0);
    for (int i = 0; i < n; ++i) block[i * n + i] = i < 3 ? mass[p] : inertia[p];
    add(static_cast<LocalId>(p), static_cast<LocalId>(p), n, block);
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Matrix3 r = constraints::matrix(orientation[b]);
    body_mass_block(bodies[b], constraints::operator*(r, bodies[b].arm), turned_tensor(r, bodies[b].inertia),
                    block);
    add(bodies[b].point, bodies[b].point, 6, block);
  }
}

}  // namespace crumple::implicit
