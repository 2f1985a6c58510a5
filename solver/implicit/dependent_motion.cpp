// Velocities and accelerations of dependent nodes.
#include <cmath>

#include "implicit/dependent_nodes.hpp"
#include "implicit/mean_spin.hpp"

namespace crumple::implicit {

using constraints::operator*;

/// Of the arm: also that of the node if it turns with its masters.
Vec3 DependentNodes::spin_of(const Dependent& d, std::span<const Vec3> v, std::span<const Vec3> w) const {
  Vec3 spin;
  if (d.is_partial()) return spin;
  for (std::size_t a = 0; a < at(d.count); ++a) {
    const std::size_t point = at(masters_[at(d.first) + a].point);
    if (d.needs_mean()) spin += spin_by_displacement(d, a) * v[point];
    if (d.kind != Kind::mean) spin += spin_by_turn(d, a) * w[point];
  }
  return spin;
}

void DependentNodes::follow(std::span<Vec3> v, std::span<Vec3> w) const {
  for (const Dependent& d : all_) {
    Vec3& to = v[at(d.node)];
    if (d.is_partial()) {
      to = partly(d, to, v);
      continue;
    }
    Vec3 mean;
    for (const Master& m : masters(d)) mean += m.weight * v[at(m.point)];
    const Vec3 spin = spin_of(d, v, w);
    to = mean + cross(spin, d.arm);
    if (d.turns) w[at(d.node)] = spin;
  }
}

/// The spin is S v with S that turns: of rigid motion, S (a - W x (W x r)) is its rate, r the masters' arms.
void DependentNodes::follow(std::span<const Vec3> v, std::span<const Vec3> w, std::span<Vec3> a,
                            std::span<Vec3> alpha) const {
  for (const Dependent& d : all_) {
    Vec3& to = a[at(d.node)];
    if (d.is_partial()) {
      to = partly(d, to, a);
      continue;
    }
    Vec3 mean;
    for (const Master& m : masters(d)) mean += m.weight * a[at(m.point)];
    const Vec3 spin = spin_of(d, v, w);
    Vec3 rate;
    for (std::size_t k = 0; k < at(d.count); ++k) {
      const std::size_t point = at(masters_[at(d.first) + k].point);
      if (d.needs_mean())
        rate +=
            spin_by_displacement(d, k) * (a[point] - cross(spin, cross(spin, mean_arms_[at(d.first) + k])));
      if (d.kind != Kind::mean) rate += spin_by_turn(d, k) * alpha[point];
    }
    to = mean + cross(rate, d.arm) + cross(spin, cross(spin, d.arm));
    if (d.turns) alpha[at(d.node)] = rate;
  }
}

std::vector<DependentNodes::Members> DependentNodes::bodies_from(std::size_t first) const {
  std::vector<Members> members(bodies_ - first);
  for (std::size_t b = first; b < bodies_; ++b) members[b - first].point = body_point(b);
  for (const Dependent& d : all_) {
    const LocalId body = body_of(d.node);
    if (body == model::kNone || at(body) < first || at(d.node) >= nodes_) continue;
    members[at(body) - first].nodes.push_back(d.node);
    members[at(body) - first].arms.push_back(d.arm);
  }
  return members;
}

void DependentNodes::give_inertia(std::span<double> mass, std::span<Matrix3> tensor) const {
  for (auto d = all_.rbegin(); d != all_.rend(); ++d) {
    const double m = mass[at(d->node)];
    const Matrix3 own = d->turns ? tensor[at(d->node)] : Matrix3{};
    const double size = own[0].x + own[1].y + own[2].z;
    const Matrix3 all = sum(own, inertia_of_arm(m, d->arm));
    const bool by_turn = d->kind != Kind::mean && !d->is_partial();
    for (std::size_t a = 0; a < at(d->count); ++a) {
      const Master& to = masters_[at(d->first) + a];
      mass[at(to.point)] += std::abs(to.weight) * m;
      if (by_turn) tensor[at(to.point)] = sum(tensor[at(to.point)], scaled(std::abs(to.weight), all));
      if (!d->needs_mean() || !(size > 0.0)) continue;
      // By mean rotations: a mass at the master's arm.
      const double arm2 = dot(mean_arms_[at(d->first) + a], mean_arms_[at(d->first) + a]);
      if (arm2 > 0.0) mass[at(to.point)] += size / arm2;
    }
  }
}

}  // namespace crumple::implicit
