// Energies of the implicit solver.
#include <array>

#include "explicit/state_hash.hpp"
#include "implicit/links/joint_links.hpp"
#include "implicit/links/joint_moments.hpp"
#include "implicit/links/tie_links.hpp"
#include "implicit/links/wall_links.hpp"
#include "implicit/solver.hpp"

namespace crumple::implicit {

namespace {

/// Squares of velocities, as energies take them.
std::vector<double> squares_of(std::span<const Vec3> v) {
  std::vector<double> squares;
  squares.reserve(v.size());
  for (const Vec3& of : v) squares.push_back(dot(of, of));
  return squares;
}

}  // namespace

std::vector<contact::ContactResult> Solver::contact_results() const {
  std::vector<contact::ContactResult> results = contacts_.results();
  if (const auto* const ties = links_.find<TieLinks>()) ties->add_results(results);
  return results;
}

Balance Solver::balance() const {
  Balance b;
  const std::span<const Vec3> v = inertia_ ? nodal_.v : zero_, w = inertia_ ? nodal_.w : zero_;
  const std::vector<double> v2 = squares_of(v), w2 = squares_of(w);
  b.parts = explicit_dynamics::global_energies(*comm_, nodal_, {v, w, v2, w2}, counted_, groups());
  if (inertia_) {
    const Inertia::OfBodies bodies = inertia_->of_bodies();
    b.parts.kinetic += bodies.kinetic;
    b.parts.mass += bodies.mass;
    b.parts.momentum += bodies.momentum;
    const ConsistentMass::Motion coupled = consistent_mass_.motion(v);
    b.parts.kinetic += coupled.kinetic;
    b.parts.momentum += coupled.momentum;
  }
  const phases::Totals sums = totals();
  b.external_work = sums.external_work + before_.external_work;
  b.sliding = sums.sliding + before_.sliding;
  b.damping = sums.damping + before_.damping;
  b.joint = sums.joint + before_.joint;
  b.walls = sums.stonewall + before_.stonewall;
  const auto& p = b.parts;
  b.total = b.sliding + b.joint + b.walls + p.internal + p.hourglass + p.spring + p.eroded_internal +
            p.eroded_hourglass;
  if (inertia_) b.total += inertia_->share() * p.kinetic + sums.damping;
  b.total += before_.damping + before_.eroded_kinetic;
  b.initial = initial_energy_;
  return b;
}

/// Of this part of the run.
phases::Totals Solver::totals() const {
  phases::Totals sums;
  const modules::Work work = modules_.work();
  std::array<parallel::ExactSum, 1> sum{work.external};
  for (const Reaction& drive : drives_) sum[0] += drive.work;
  sum[0] += body_work_ + work_of_ended_drives_;
  parallel::ExactSum::reduce(*comm_, sum);
  sums.external_work = sum[0].value();
  for (const contact::ContactResult& r : contact_results()) sums.sliding += r.sliding_energy();
  if (const auto* const joints = links_.find<JointLinks>())
    for (const JointLinks::State& s : joints->states()) sums.joint += s.energy;
  if (const auto* const moments = links_.find<JointMoments>())
    for (const JointMoments::State& s : moments->states()) sums.joint += s.energy;
  if (const auto* const walls = links_.find<WallLinks>())
    for (const WallLinks::State& s : walls->states()) sums.stonewall += s.energy;
  if (inertia_) sums.damping = inertia_->damping_energy();
  return sums;
}

std::vector<explicit_dynamics::PartEnergies> Solver::parts() const {
  const std::span<const Vec3> v = inertia_ ? nodal_.v : zero_, w = inertia_ ? nodal_.w : zero_;
  const std::vector<double> v2 = squares_of(v), w2 = squares_of(w);
  std::vector<explicit_dynamics::PartEnergies> parts =
      explicit_dynamics::part_energies(*comm_, subdomain_->model, masses_, {v, w, v2, w2}, groups());
  const std::vector<ConsistentMass::Motion> coupled = consistent_mass_.motion_of_parts(v, parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p) {
    parts[p].kinetic += coupled[p].kinetic;
    parts[p].momentum += coupled[p].momentum;
  }
  return parts;
}

std::uint64_t Solver::hash() const { return explicit_dynamics::state_hash(*comm_, nodal_, groups()); }

}  // namespace crumple::implicit
