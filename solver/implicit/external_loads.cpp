// Forces of loads at given positions.
#include "implicit/external_loads.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "implicit/mean_spin.hpp"
#include "loads/body/body_loads.hpp"
#include "loads/load_curve.hpp"
#include "loads/nodal/nodal_loads.hpp"
#include "loads/pressure/pressure_loads.hpp"
#include "model/element_rows.hpp"
#include "state/assembly.hpp"

namespace crumple::implicit {

using constraints::Matrix3;
using loads::BodyLoad;
using loads::NodalLoad;
using loads::PressureLoad;
using loads::RigidBodyLoad;
using model::kNone;

namespace {

/// Nodes of a load, or of elements of its parts; empty if it acts on all.
std::vector<char> nodes_of_load(const model::Model& model, const BodyLoad& load) {
  if (load.on_all()) return {};
  std::vector<char> wanted(model.parts.size(), 0), chosen(model.nodes.size(), 0);
  for (const LocalId n : load.nodes) chosen[at(n)] = 1;
  if (load.by_nodes) return chosen;
  for (const LocalId p : load.parts) wanted[at(p)] = 1;
  model::for_each_kind(model, [&](const model::ElementKindInfo&, const model::ElementRows& rows) {
    for (std::size_t e = 0; e < rows.size(); ++e)
      if (wanted[at(rows.part[e])]) rows.each_node(e, [&](LocalId n) { chosen[at(n)] = 1; });
  });
  return chosen;
}

/// The integral of N_i N_j-like products of a segment: - d force(i) / d x(j) under unit pressure.
void segment_stiffness(const std::array<Vec3, 4>& x, int corners, std::array<std::array<Matrix3, 4>, 4>& k) {
  k = {};
  const auto add = [&](int i, int j, double by_r, double by_s, double weight, const Vec3& r, const Vec3& s) {
    // force(i) = - weight r x s with r = sum by_r x, s = sum by_s x
    const Matrix3 of_r = cross_product_matrix(r), of_s = cross_product_matrix(s);
    for (std::size_t row = 0; row < 3; ++row)
      k[at(i)][at(j)][row] += weight * (by_s * of_r[row] - by_r * of_s[row]);
  };
  if (corners == 3) {
    constexpr std::array<double, 3> by_r{-1, 1, 0}, by_s{-1, 0, 1};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) add(i, j, by_r[at(j)], by_s[at(j)], 1.0 / 6.0, x[1] - x[0], x[2] - x[0]);
    return;
  }
  const double g = 1.0 / std::sqrt(3.0);
  constexpr std::array<double, 4> corner_r{-1, 1, 1, -1}, corner_s{-1, -1, 1, 1};
  for (int q = 0; q < 4; ++q) {
    const double r = g * corner_r[at(q)], s = g * corner_s[at(q)];
    std::array<double, 4> shape, by_r, by_s;
    Vec3 along_r, along_s;
    for (std::size_t i = 0; i < 4; ++i) {
      shape[i] = 0.25 * (1 + r * corner_r[i]) * (1 + s * corner_s[i]);
      by_r[i] = 0.25 * corner_r[i] * (1 + s * corner_s[i]);
      by_s[i] = 0.25 * corner_s[i] * (1 + r * corner_r[i]);
      along_r += by_r[i] * x[i];
      along_s += by_s[i] * x[i];
    }
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) add(i, j, by_r[at(j)], by_s[at(j)], shape[at(i)], along_r, along_s);
  }
}

std::array<Vec3, 4> positions_of(const PressureLoad& load, std::span<const Vec3> x) {
  std::array<Vec3, 4> corner{};
  for (int c = 0; c < load.corners(); ++c) corner[at(c)] = x[at(load.nodes[at(c)])];
  return corner;
}

}  // namespace

ExternalLoads::ExternalLoads(const model::Model& model, std::span<const double> mass,
                             std::span<const RigidPoint> bodies, model::Stage stage,
                             const parallel::Halo* halo)
    : model_(&model),
      mass_(mass),
      nodal_(&model.features.of<NodalLoad>()),
      pressures_(&model.features.of<PressureLoad>()),
      body_(&model.features.of<BodyLoad>()),
      gravity_(&model.features.of<loads::PartGravity>()),
      on_bodies_(&model.features.of<RigidBodyLoad>()),
      bodies_(bodies),
      stage_(stage),
      ended_(pressures_->size(), 0) {
  for (const BodyLoad& load : *body_) choose(load);
  for (const loads::PartGravity& load : *gravity_) choose(load, *halo);
}

/// Bodies whose mass is given are pulled at their centre, by the share of their parts' mass that is loaded,
/// as in the explicit solver (loads/part_gravity).
void ExternalLoads::choose(const loads::PartGravity& load, const parallel::Halo& halo) {
  std::vector<double>& pulled = of_parts_.emplace_back(state::lump_parts(*model_, load.parts, halo).mass);
  pulled.resize(mass_.size() + 2 * bodies_.size(), 0.0);
  for (std::size_t b = 0; b < model_->rigid_bodies.size(); ++b) {
    const model::RigidBody& body = model_->rigid_bodies[b];
    if (!body.inertia_given) continue;
    const std::vector<double> whole = state::lump_parts(*model_, body.parts, halo).mass;
    double of_load = 0.0, all = 0.0;
    for (const LocalId n : bodies_[b].nodes)
      of_load += pulled[at(n)], all += whole[at(n)], pulled[at(n)] = 0.0;
    if (all > 0.0) pulled[at(centre(b))] = bodies_[b].mass * of_load / all;
  }
}

/// A body with parts is pulled at its centre, with its own mass, as in the explicit solver (loads/body).
void ExternalLoads::choose(const BodyLoad& load) {
  const std::vector<char> chosen = nodes_of_load(*model_, load);
  std::vector<double>& pulled = pulled_.emplace_back(mass_.begin(), mass_.end());
  for (std::size_t n = 0; n < chosen.size(); ++n)
    if (!chosen[n]) pulled[n] = 0.0;
  pulled.resize(mass_.size() + 2 * bodies_.size(), 0.0);
  for (std::size_t b = 0; b < bodies_.size(); ++b) {
    if (!bodies_[b].parts) continue;
    for (const LocalId n : bodies_[b].nodes) pulled[at(n)] = 0.0;
    const std::vector<LocalId>& parts = model_->rigid_bodies[b].parts;
    const auto wanted = [&](LocalId p) { return std::ranges::find(load.parts, p) != load.parts.end(); };
    if (load.on_all() || std::ranges::any_of(parts, wanted)) pulled[at(centre(b))] = bodies_[b].mass;
  }
}

double ExternalLoads::pressure(const PressureLoad& load, double time) const {
  const auto k = static_cast<std::size_t>(&load - pressures_->data());
  if (time < load.arrival || ended_[k]) return 0.0;
  return load.scale * loads::load_value(*model_, load.curve, time - load.arrival, stage_);
}

double ExternalLoads::size_of(const BodyLoad& load, double time) const {
  return loads::load_value(*model_, load.curve, load.relaxation_curve, time, stage_);
}

void ExternalLoads::add(std::span<const Vec3> x, double time, NodalForces& to) const {
  for (const NodalLoad& load : *nodal_) {
    const double size = load.scale * loads::load_value(*model_, load.curve, time, stage_);
    (load.dof >= 5 ? to.moment : to.force)[at(load.node)] += size * loads::direction_of(load, x);
  }
  for (const PressureLoad& load : *pressures_) {
    const double p = pressure(load, time);
    if (p == 0.0) continue;
    const int corners = load.corners();
    const auto f = loads::unit_pressure_forces(positions_of(load, x), corners == 3);
    for (int c = 0; c < corners; ++c) to.force[at(load.nodes[at(c)])] += p * f[at(c)];
  }
  for (std::size_t k = 0; k < body_->size(); ++k) {
    const BodyLoad& load = (*body_)[k];
    const double size = load.scale * size_of(load, time);
    for (std::size_t n = 0; n < pulled_[k].size(); ++n)
      if (pulled_[k][n] != 0.0) to.force[n] += pulled_[k][n] * loads::acceleration_by(load, size, x[n]);
  }
  for (std::size_t k = 0; k < gravity_->size(); ++k) {
    const loads::PartGravity& load = (*gravity_)[k];
    const double a =
        -load.acceleration * loads::load_value(*model_, load.curve, load.relaxation_curve, time, stage_);
    for (std::size_t n = 0; n < of_parts_[k].size(); ++n) to.force[n][load.axis] += a * of_parts_[k][n];
  }
  for (const RigidBodyLoad& load : *on_bodies_) {
    const double size = load.scale * loads::load_value(*model_, load.curve, time, stage_);
    (load.moment ? to.moment : to.force)[at(centre(at(load.body)))] += size * load.direction;
  }
}

void ExternalLoads::add_stiffness(std::span<const Vec3> x, double time, const AddLoadStiffness& add) const {
  std::array<std::array<Matrix3, 4>, 4> k;
  for (const PressureLoad& load : *pressures_) {
    const double p = pressure(load, time);
    if (p == 0.0) continue;
    const int corners = load.corners();
    segment_stiffness(positions_of(load, x), corners, k);
    for (int i = 0; i < corners; ++i)
      for (int j = 0; j < corners; ++j) {
        Matrix3 block = k[at(i)][at(j)];
        for (Vec3& row : block) row *= p;
        add(load.nodes[at(i)], load.nodes[at(j)], block);
      }
  }
  for (std::size_t b = 0; b < body_->size(); ++b) {
    const BodyLoad& load = (*body_)[b];
    if (load.axis < 3) continue;
    const double size = load.scale * size_of(load, time);
    Vec3 axis = load.about;
    if (load.axis != BodyLoad::kAboutVector) axis = {}, axis[load.axis - 3] = 1.0;
    Matrix3 soft{};  // of the centrifugal force: w^2 (a a' - 1)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) soft[at(i)][j] = size * size * (axis[i] * axis[j] - (i == j ? 1.0 : 0.0));
    for (std::size_t n = 0; n < pulled_[b].size(); ++n) {
      const double mass = pulled_[b][n];
      if (mass == 0.0) continue;
      add(static_cast<LocalId>(n), static_cast<LocalId>(n), {mass * soft[0], mass * soft[1], mass * soft[2]});
    }
  }
}

std::vector<std::vector<LocalId>> ExternalLoads::segments() const {
  std::vector<std::vector<LocalId>> all;
  for (const PressureLoad& load : *pressures_)
    all.emplace_back(load.nodes.begin(), load.nodes.begin() + load.corners());
  return all;
}

void ExternalLoads::delete_shell(LocalId shell) {
  for (std::size_t k = 0; k < ended_.size(); ++k)
    if ((*pressures_)[k].shell == shell) ended_[k] = 1;
}

}  // namespace crumple::implicit
