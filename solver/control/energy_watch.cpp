// Checks of an energy balance.
#include "control/energy_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "state/archive.hpp"

namespace crumple::control {

namespace {

using explicit_dynamics::Balance;
using explicit_dynamics::PartEnergies;
using explicit_dynamics::RunFailure;

struct Term {
  const char* name;
  double energy;
};

/// The term of a balance with the largest magnitude.
Term largest_term(const Balance& b) {
  const Term terms[] = {{"kinetic", b.parts.kinetic_balance},
                        {"internal", b.parts.internal + b.parts.spring},
                        {"hourglass", b.parts.hourglass},
                        {"sliding", b.sliding},
                        {"damping", b.damping},
                        {"stonewall", b.stonewall}};
  return *std::max_element(std::begin(terms), std::end(terms), [](const Term& x, const Term& y) {
    return !(std::abs(x.energy) >= std::abs(y.energy));  // a term that is not a number is the largest
  });
}

/// Index of the part with the most energy.
std::size_t busiest_part(const std::vector<PartEnergies>& parts) {
  const auto size = [](const PartEnergies& p) {
    return std::abs(p.kinetic) + std::abs(p.internal) + std::abs(p.hourglass);
  };
  const auto most = std::max_element(parts.begin(), parts.end(),
                                     [&](const auto& x, const auto& y) { return size(x) < size(y); });
  return static_cast<std::size_t>(most - parts.begin());
}

}  // namespace

void EnergyWatch::look(explicit_dynamics::Solver& solver) {
  const Balance b = solver.balance();
  const auto& snapshot = solver.snapshot();
  given_ = std::max(given_, b.initial + std::abs(b.external_work));
  const Term term = largest_term(b);
  if (given_ > 0.0 && !(std::abs(term.energy) <= kRunaway * given_)) {
    const auto& part = solver.model().parts.at(busiest_part(solver.parts()));
    throw RunFailure(
        "CR-R105",
        fmt::format("{} energy ran away to {:.4e}, where all that the model was given is {:.4e}, "
                    "at time {:.6e}, cycle {}; part {} has most of the energy",
                    term.name, term.energy, given_, snapshot.time, snapshot.cycle, part.id),
        {}, Exit::run);
  }
  const double change = 100.0 * std::abs(b.ratio() - 1.0);
  if (control_->end_energy_ratio > 0.0 && !(change <= control_->end_energy_ratio))
    throw RunFailure(
        "CR-R104",
        fmt::format("the energy ratio is {:.6g}, off by more than ENDENG = {:g} percent, at time "
                    "{:.6e}, cycle {}",
                    b.ratio(), control_->end_energy_ratio, snapshot.time, snapshot.cycle),
        {}, Exit::run);
  const double added = solver.mass() > 0.0 ? 100.0 * b.added_mass / solver.mass() : 0.0;
  if (added > control_->end_mass)
    throw RunFailure(
        "CR-R106",
        fmt::format("mass scaling has added {:.2f} percent of the mass, more than ENDMAS = {:g}, at "
                    "time {:.6e}, cycle {}",
                    added, control_->end_mass, snapshot.time, snapshot.cycle),
        {}, Exit::run);
}

void EnergyWatch::archive(state::Archive& archive) {
  const auto here = archive.module("energy watch");
  archive.global("given", given_);
}

}  // namespace crumple::control
