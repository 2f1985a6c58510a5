// Loads on dependent nodes: what their masters get, and its derivative.
#include "implicit/dependent_nodes.hpp"
#include "implicit/mean_spin.hpp"

namespace crumple::implicit {

using constraints::identity3;
using constraints::Matrix3;

/// What the masters take is no longer on the node.
void DependentNodes::gather_one(const Dependent& d, NodalForces& f) const {
  Vec3 force = f.force[at(d.node)], moment = d.turns ? f.moment[at(d.node)] : Vec3{};
  for (int k = 0; d.kind == Kind::set && k < 3; ++k)
    if (!(d.mask & (1u << k))) force[k] = 0.0;
  if (d.kind == Kind::linear) force = d.along.part_of(force);
  f.force[at(d.node)] -= force;
  f.moment[at(d.node)] -= moment;
  moment += cross(d.arm, force);
  for (std::size_t a = 0; a < at(d.count); ++a) {
    const Master& m = masters_[at(d.first) + a];
    f.force[at(m.point)] +=
        d.kind == Kind::linear ? constraints::transpose_times(m.linear, force) : m.weight * force;
    if (d.needs_mean())
      f.force[at(m.point)] += constraints::transpose_times(spin_by_displacement(d, a), moment);
    if (d.kind != Kind::mean && !d.is_partial())
      f.moment[at(m.point)] += constraints::transpose_times(spin_by_turn(d, a), moment);
  }
}

void DependentNodes::gather(NodalForces& f) const {
  for (auto d = all_.rbegin(); d != all_.rend(); ++d) gather_one(*d, f);
}

void DependentNodes::tie_forces(NodalForces f, std::span<Vec3> of_contact) const {
  for (auto d = all_.rbegin(); d != all_.rend(); ++d) {
    if (d->contact != model::kNone) of_contact[at(d->contact)] += f.force[at(d->node)];
    gather_one(*d, f);
  }
}

void DependentNodes::forces_on_members(NodalForces f, std::span<Vec3> of_node) const {
  for (auto d = all_.rbegin(); d != all_.rend(); ++d) {
    if (d->kind == Kind::body) of_node[at(d->node)] = f.force[at(d->node)];
    gather_one(*d, f);
  }
}

namespace {

/// The symmetric part of (r . f) I - r f'.
Matrix3 stiffness_of_arm(const Vec3& r, const Vec3& f) {
  return sum(scaled(dot(r, f), identity3()), scaled(-0.5, sum(outer(r, f), outer(f, r))));
}

/// Adds the part (of, by) of a 6 x 6 block, 0 displacements and 1 turns.
void add_part(LocalId a, LocalId b, int of, int by, const Matrix3& part, const AddBlock& add) {
  double k[36]{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) k[6 * (3 * of + i) + 3 * by + j] = part[at(i)][j];
  add(a, b, 6, k);
}

Matrix3 transposed(const Matrix3& m) {
  return {Vec3{m[0].x, m[1].x, m[2].x}, Vec3{m[0].y, m[1].y, m[2].y}, Vec3{m[0].z, m[1].z, m[2].z}};
}

}  // namespace

/// A mean rotation gives the forces g_i = w_i f + o_i mu x r_i, K mu = M, with its weights o_i and arms r_i:
///     -dg_i = o_i r_i x dmu - o_i mu x (du_i - sum o_j du_j),
///     K dmu = -L dtheta - sum o_j Q_j du_j,   L = (arm . f) I - arm f',   dtheta = sum S_j du_j,
///     Q_j = 2 mu r_j' - (r_j . mu) I - r_j mu', the derivative of K (the centre moves, but sum o_j r_j = 0).
void DependentNodes::add_stiffness_of(const Dependent& d, const Vec3& force, const Vec3& moment,
                                      const AddBlock& add) const {
  if (!d.has_arm && moment == Vec3{}) return;
  const Matrix3 arm = stiffness_of_arm(d.arm, force);
  const auto master = [&](std::size_t a) -> const Master& { return masters_[at(d.first) + a]; };
  const std::size_t n = at(d.count);
  if (d.kind != Kind::mean) {
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = a; b < n; ++b)
        add_part(master(a).point, master(b).point, 1, 1,
                 product(spin_by_turn(d, a), product(arm, spin_by_turn(d, b))), add);
    return;
  }
  const Vec3 mu = constraints::operator*(d.inverse, moment + cross(d.arm, force));
  std::vector<Matrix3> by(n);  // - dmu by du_j
  for (std::size_t j = 0; j < n; ++j) {
    const Vec3& r = mean_arms_[at(d.first) + j];
    const Matrix3 q =
        sum(scaled(2.0, outer(mu, r)), sum(scaled(-dot(r, mu), identity3()), scaled(-1.0, outer(r, mu))));
    by[j] =
        product(d.inverse, sum(product(arm, spin_by_displacement(d, j)), scaled(master(j).spin_weight, q)));
  }
  const auto block = [&](std::size_t i, std::size_t j) {
    const Vec3& r = mean_arms_[at(d.first) + i];
    const double w = master(i).spin_weight;
    const double part = (i == j ? 1.0 : 0.0) - master(j).spin_weight;
    return sum(scaled(-w, product(cross_product_matrix(r), by[j])),
               scaled(-w * part, cross_product_matrix(mu)));
  };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j)
      add_part(master(i).point, master(j).point, 0, 0, scaled(0.5, sum(block(i, j), transposed(block(j, i)))),
               add);
}

void DependentNodes::add_stiffness(NodalForces f, const AddBlock& add) const {
  for (auto d = all_.rbegin(); d != all_.rend(); ++d) {
    if (!d->is_partial())
      add_stiffness_of(*d, f.force[at(d->node)], d->turns ? f.moment[at(d->node)] : Vec3{}, add);
    gather_one(*d, f);
  }
}

}  // namespace crumple::implicit
