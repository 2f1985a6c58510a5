// Fractions of masses, and coefficients by curves.
#include "state/damping_rates.hpp"

#include <algorithm>

#include "parallel/exact_sum.hpp"

namespace crumple::state {

using model::kNone;

bool has_mass_damping(const model::Model& model) {
  return model.control.mass_damping || !model.part_damping.empty();
}

std::vector<DampedShare> damped_nodes(const LumpedMasses& of_parts, std::span<const double> mass,
                                      std::span<const double> inertia) {
  std::vector<DampedShare> shares;
  const auto fraction = [](double part, double all) { return all > 0.0 ? part / all : 0.0; };
  for (std::size_t n = 0; n < mass.size(); ++n)
    if (of_parts.mass[n] != 0.0 || of_parts.inertia[n] != 0.0)
      shares.push_back({static_cast<LocalId>(n), fraction(of_parts.mass[n], mass[n]),
                        fraction(of_parts.inertia[n], inertia[n])});
  return shares;
}

std::vector<DampedShare> damped_bodies(const model::Model& model, const LumpedMasses& of_parts,
                                       std::span<const double> mass, std::span<const int> owner,
                                       const parallel::Communicator& comm) {
  const std::size_t n = model.rigid_bodies.size();
  std::vector<parallel::ExactSum> sums(2 * n);
  for (std::size_t b = 0; b < n; ++b)
    for (const LocalId i : model.rigid_bodies[b].nodes)
      if (owner[at(i)] == comm.rank()) sums[2 * b] += of_parts.mass[at(i)], sums[2 * b + 1] += mass[at(i)];
  parallel::ExactSum::reduce(comm, sums);
  std::vector<DampedShare> shares;
  for (std::size_t b = 0; b < n; ++b) {
    const double all = sums[2 * b + 1].value();
    const double fraction = all > 0.0 ? sums[2 * b].value() / all : 0.0;
    shares.push_back({static_cast<LocalId>(b), fraction, fraction});
  }
  return shares;
}

bool find_damping_rates(const model::Model& model, double time,
                        std::span<const std::vector<DampedShare>> shares, std::span<DampingRates> rates) {
  const model::Control& control = model.control;
  const double everywhere = !control.mass_damping            ? 0.0
                            : control.damping_curve != kNone ? model.curves[at(control.damping_curve)](time)
                                                             : control.damping_constant;
  bool any = everywhere != 0.0;
  std::ranges::fill(rates, DampingRates{everywhere * control.damping_st, everywhere * control.damping_sr});
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const model::PartDamping& damping = model.part_damping[k];
    const double d = damping.scale * model.curves[at(damping.curve)](time);
    if (d == 0.0) continue;
    any = true;
    for (const DampedShare& share : shares[k]) {
      rates[at(share.of)].translation += d * share.mass * damping.translation;
      rates[at(share.of)].rotation += d * share.inertia * damping.rotation;
    }
  }
  return any;
}

}  // namespace crumple::state
