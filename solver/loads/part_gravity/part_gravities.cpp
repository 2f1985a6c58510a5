// Masses of loaded parts, accelerations and their work.
#include "loads/part_gravity/part_gravities.hpp"

#include <algorithm>

#include "constraints/wide_sum.hpp"
#include "loads/load_curve.hpp"
#include "state/archive.hpp"

namespace crumple::loads {

namespace {

/// Work of a node in a step is rounded to 2^-80 of the deck's unit of energy, as for *LOAD_BODY.
constexpr double kWeightWorkScale = 0x1p80;

}  // namespace

PartGravities::PartGravities(const model::Model& model, const state::Nodal& nodal,
                             const std::vector<double>& own, const state::Transfer& transfer,
                             const parallel::Halo& halo, const parallel::Communicator& comm)
    : model_(model),
      inputs_(model.features.of<PartGravity>()),
      rank_(comm.rank()),
      now_(nodal.size()),
      last_(nodal.size()),
      of_bodies_(model.rigid_bodies.size()) {
  const std::vector<double> part_masses = state::part_masses(model, comm);
  std::vector<char> loaded(nodal.size(), 0);
  for (const PartGravity& load : inputs_) {
    const std::vector<double> before = state::lump_parts(model, load.parts, halo).mass;
    const std::vector<double> after = transfer(before);
    auto& shares = shares_.emplace_back();
    for (std::size_t i = 0; i < nodal.size(); ++i) {
      // A tied node has no mass of its own; its fraction counts once its tie has let go.
      const bool moved = nodal.mass[i] != own[i] && nodal.mass[i] > 0.0;
      const double part = moved ? after[i] : before[i], all = moved ? nodal.mass[i] : own[i];
      if (!(part > 0.0)) continue;
      shares.push_back({static_cast<LocalId>(i), std::min(1.0, part / all)});
      loaded[i] = 1;
    }
    auto& of_bodies = body_shares_.emplace_back();
    for (const model::RigidBody& body : model.rigid_bodies)
      of_bodies.push_back(body.inertia_given ? share_of(body, load, part_masses) : 0.0);
  }
  for (std::size_t i = 0; i < loaded.size(); ++i)
    if (loaded[i]) nodes_.push_back(static_cast<LocalId>(i));
}

double PartGravities::share_of(const model::RigidBody& body, const PartGravity& load,
                               const std::vector<double>& part_masses) const {
  double of_load = 0.0, all = 0.0;
  for (const LocalId p : body.parts) {
    const double mass = part_masses[static_cast<std::size_t>(p)];
    all += mass;
    if (std::ranges::find(load.parts, p) != load.parts.end()) of_load += mass;
  }
  return all > 0.0 ? of_load / all : 0.0;
}

void PartGravities::find_accelerations(double time, model::Stage stage) {
  for (const LocalId n : nodes_) now_[n] = {};
  std::ranges::fill(of_bodies_, Vec3{});
  for (std::size_t k = 0; k < inputs_.size(); ++k) {
    const PartGravity& load = inputs_[k];
    const double a = -load.acceleration * load_value(model_, load.curve, load.relaxation_curve, time, stage);
    if (a == 0.0) continue;
    for (const Share& share : shares_[k]) now_[share.node][load.axis] += a * share.mass;
    for (std::size_t b = 0; b < of_bodies_.size(); ++b) of_bodies_[b][load.axis] += a * body_shares_[k][b];
  }
}

void PartGravities::pull(state::Nodal& nodal, constraints::RigidBodies& bodies, double time, double dt_last,
                         model::Stage stage) {
  find_accelerations(time, stage);
  constraints::WideSum work(kWeightWorkScale);
  for (const LocalId n : nodes_) {
    const LocalId body = bodies.body_of(n);
    if (body != model::kNone) {
      if (model_.rigid_bodies[static_cast<std::size_t>(body)].inertia_given) continue;
      nodal.add_force(n, nodal.mass[n] * now_[n]);
    }
    if (nodal.owner[n] == rank_ && dt_last > 0.0)
      work.add(nodal.mass[n] * dt_last * dot(0.5 * (last_[n] + now_[n]), nodal.v[n]));
    last_[n] = now_[n];
  }
  work.flush_to(work_);
  for (int b = 0; b < bodies.size(); ++b)
    if (const Vec3& a = of_bodies_[static_cast<std::size_t>(b)]; !(a == Vec3{}))
      bodies.add_acceleration(b, a);
}

void PartGravities::accelerate(state::Nodal& nodal, const constraints::RigidBodies& bodies) const {
  for (const LocalId n : nodes_)
    if (!bodies.is_rigid(n)) nodal.a[n] += now_[n];
}

/// Accelerations of this cycle follow from curves; those of the last are needed for the work.
void PartGravities::archive(state::Archive& archive, const parallel::IndexMap& nodes) {
  const auto here = archive.module("part gravity");
  archive.field("last acceleration", state::Rows::nodes(nodes.global(), nodes.owners(), rank_),
                std::span<Vec3>(last_));
  archive.global_sum("work", work_, rank_);
}

}  // namespace crumple::loads
