// Matrices of nodes from the faces of all ranks, and their effect.
#include "loads/non_reflecting/dashpots.hpp"

#include <algorithm>
#include <cmath>

#include "constraints/rigid_bodies.hpp"
#include "loads/pressure/pressure_loads.hpp"
#include "materials/prepare.hpp"
#include "parallel/fixed_point.hpp"
#include "state/archive.hpp"

namespace crumple::loads {

Vec3 SymmetricMatrix::times(const Vec3& v) const {
  return {c[0] * v.x + c[3] * v.y + c[5] * v.z, c[3] * v.x + c[1] * v.y + c[4] * v.z,
          c[5] * v.x + c[4] * v.y + c[2] * v.z};
}

/// By cofactors: the matrix is positive definite, and `by` keeps it away from singular ones.
Vec3 SymmetricMatrix::solve(double by, double times, const Vec3& b) const {
  const double xx = times * c[0] + by, yy = times * c[1] + by, zz = times * c[2] + by;
  const double xy = times * c[3], yz = times * c[4], zx = times * c[5];
  const double a = yy * zz - yz * yz, d = yz * zx - xy * zz, e = xy * yz - yy * zx;
  const double f = xx * zz - zx * zx, g = xy * zx - xx * yz, h = xx * yy - xy * xy;
  const double per = 1.0 / (xx * a + xy * d + zx * e);
  return per * Vec3{a * b.x + d * b.y + e * b.z, d * b.x + f * b.y + g * b.z, e * b.x + g * b.y + h * b.z};
}

namespace {

/// Impedances of a solid's material: rho c_d and rho c_s.
struct Impedance {
  double normal = 0, tangential = 0;
};

std::vector<Impedance> impedances(const model::Model& model) {
  std::vector<Impedance> of(model.parts.size());
  for (const NonReflectingFace& face : model.features.of<NonReflectingFace>()) {
    const auto p = static_cast<std::size_t>(model.solids.part[static_cast<std::size_t>(face.solid)]);
    if (of[p].normal > 0.0) continue;
    const materials::Prepared m =
        materials::prepare(model, model.materials[static_cast<std::size_t>(model.parts[p].material)]);
    of[p] = {std::sqrt(m.density * (m.elastic.bulk + 4.0 / 3.0 * m.elastic.shear)),
             std::sqrt(m.density * m.elastic.shear)};
  }
  return of;
}

/// Calls visit(node, matrix) for the corners of the rank's faces.
template <class Visit>
void visit_corners(const model::Model& model, const std::vector<Impedance>& impedance, Visit&& visit) {
  for (const NonReflectingFace& face : model.features.of<NonReflectingFace>()) {
    const bool triangle = face.nodes[3] == face.nodes[2];
    std::array<Vec3, 4> x;
    for (std::size_t k = 0; k < 4; ++k) x[k] = model.nodes.x[static_cast<std::size_t>(face.nodes[k])];
    const Vec3 across = cross(x[2] - x[0], x[3] - x[1]);
    const Vec3 n = (1.0 / norm(across)) * across;
    const Impedance of =
        impedance[static_cast<std::size_t>(model.solids.part[static_cast<std::size_t>(face.solid)])];
    const double s = face.shear ? of.tangential : 0.0, d = (face.dilatation ? of.normal : 0.0) - s;
    const std::array<Vec3, 4> area = unit_pressure_forces(x, triangle);
    for (std::size_t k = 0; k < (triangle ? 3u : 4u); ++k) {
      const double share = norm(area[k]);
      SymmetricMatrix by{{s + d * n.x * n.x, s + d * n.y * n.y, s + d * n.z * n.z, d * n.x * n.y,
                          d * n.y * n.z, d * n.z * n.x}};
      for (double& entry : by.c) entry *= share;
      visit(face.nodes[k], by);
    }
  }
}

}  // namespace

/// Sums over faces are fixed point, so that they do not depend on ranks.
Dashpots::Dashpots(const modules::Start& start) {
  const model::Model& model = start.model;
  const std::vector<Impedance> impedance = impedances(model);
  double largest = 0.0;
  visit_corners(model, impedance, [&](LocalId, const SymmetricMatrix& by) {
    for (const double entry : by.c) largest = std::max(largest, std::abs(entry));
  });
  largest = start.comm.max(largest);
  const double scale = std::ldexp(1.0, 50 - (largest > 0.0 ? std::ilogb(largest) : 0));
  std::vector<std::int64_t> sums(6 * model.nodes.size(), 0), faces(model.nodes.size(), 0);
  visit_corners(model, impedance, [&](LocalId node, const SymmetricMatrix& by) {
    const auto n = static_cast<std::size_t>(node);
    for (std::size_t k = 0; k < 6; ++k) sums[6 * n + k] += parallel::to_fixed(by.c[k], scale);
    ++faces[n];
  });
  const std::array<std::span<std::int64_t>, 1> matrices{sums}, counts{faces};
  start.halo.sum(matrices, 6);
  start.halo.sum(counts, 1);
  for (std::size_t n = 0; n < faces.size(); ++n) {
    if (faces[n] == 0 || start.bodies.is_rigid(static_cast<LocalId>(n))) continue;
    Damped damped{static_cast<LocalId>(n), {}, start.nodal.owner[n] == start.comm.rank()};
    for (std::size_t k = 0; k < 6; ++k) damped.by.c[k] = parallel::from_fixed(sums[6 * n + k], scale);
    nodes_.push_back(damped);
  }
}

void Dashpots::add_held_nodes(std::vector<LocalId>& nodes) const {
  for (const Damped& of : nodes_) nodes.push_back(of.node);
}

void Dashpots::slow(state::Nodal& nodal, double dt_v) const {
  const double half = 0.5 * dt_v;
  for (const Damped& of : nodes_) {
    const auto n = static_cast<std::size_t>(of.node);
    const double m = nodal.mass[n];
    if (!(m > 0.0)) continue;
    // m a + C (v + a dt/2) = f with f = m a_without
    const Vec3 right = m * nodal.a[n] - of.by.times(nodal.v[n]);
    nodal.a[n] = of.by.solve(m, half, right);
  }
}

/// C v v dt with the velocity in the middle of the step, after everything else has changed it.
void Dashpots::count_work(modules::Cycle& c) {
  for (const Damped& of : nodes_) {
    if (!of.counts) continue;
    const auto n = static_cast<std::size_t>(of.node);
    const Vec3 v = c.nodal.v[n] - 0.5 * c.dt_v * c.nodal.a[n];
    energy_ += c.dt_v * dot(v, of.by.times(v));
  }
}

void Dashpots::archive(state::Archive& archive, const parallel::IndexMap& nodes) {
  const auto here = archive.module("non-reflecting boundaries");
  archive.global_sum("energy", energy_, nodes.rank());
}

std::unique_ptr<modules::Module> Dashpots::start(const modules::Start& start) {
  if (!start.comm.any(!start.model.features.of<NonReflectingFace>().empty())) return nullptr;
  return std::make_unique<Dashpots>(start);
}

}  // namespace crumple::loads
