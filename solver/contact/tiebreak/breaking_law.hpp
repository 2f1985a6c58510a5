// When and how a tie of a tiebreak contact fails: its damage from the separation of the two surfaces.
//
// With the opening u = max(u_n, 0), the sliding v and the stiffnesses k_n and k_t (stress over length, or
// force over length where forces count), the tractions are (1 - D) k_n u and (1 - D) k_t v, and k_n u_n
// without damage in compression. D begins, and by stress or force alone is complete, where
//
//   (k_n u / N)^a + (k_t v / S)^b = 1,   a = b = 2 but for *CONTACT_TIEBREAK_NODES_TO_SURFACE (NEN, MES)
//
// (LS-DYNA keyword manual, vol. I, *CONTACT_TIEBREAK and *CONTACT_AUTOMATIC_..._TIEBREAK). Softening has the
// one criterion and the one line of *MAT_COHESIVE_MIXED_MODE (materials/cohesive/cohesive_mixed_mode.hpp;
// Camanho, Davila and de Moura 2003, eqs. 10 to 19): from the separation m_0 at which the criterion is met to
// m_F,
//
//   D = m_F (m - m_0) / (m (m_F - m_0)),   m^2 = u^2 + v^2,
//
// with m_F = PARAM (OPTION 6, 8), so that tractions fall linearly to zero at this distance, or m_F of the
// energies and the law for mixed modes (OPTION 9, 11). Where m_F would be less than m_0 the tie breaks at
// m_0: a stiffness that is limited to the stable one has then stored more energy than the law has.
//
// The largest D counts. The stiffness may decrease during a run (breaking_ties.hpp); D does not.
#pragma once

#include <algorithm>
#include <cmath>

#include "materials/cohesive/cohesive_mixed_mode.hpp"
#include "model/contact.hpp"

namespace crumple::contact {

/// A separation of the surfaces and the stiffnesses that answer it.
struct Separation {
  double opening = 0;  ///< negative in compression
  double sliding = 0;
  double normal_stiffness = 0, shear_stiffness = 0;  ///< per area, or of the node where forces count
};

/// The damage after `now`, if it was `damage` before; 1: the tie has failed.
inline double damage_after(const model::Tiebreak& law, const Separation& now, double damage) {
  using enum model::TieFailure;
  const double opening = std::max(now.opening, 0.0);
  const double by_normal = law.normal > 0 ? now.normal_stiffness / law.normal : 0.0;
  const double by_shear = law.shear > 0 ? now.shear_stiffness / law.shear : 0.0;
  const auto reached = [](double ratio, double power) { return ratio > 0 ? std::pow(ratio, power) : 0.0; };
  if (law.failure == normal) return by_normal * opening >= 1 ? 1.0 : damage;
  if (law.failure == stress || law.failure == force)
    return reached(by_normal * opening, law.normal_power) +
                       reached(by_shear * now.sliding, law.shear_power) >=
                   1
               ? 1.0
               : damage;
  const double square = opening * opening + now.sliding * now.sliding;
  if (!(square > 0)) return damage;
  const double share = now.sliding * now.sliding / square, m = std::sqrt(square);
  const double onset = 1 / std::sqrt((1 - share) * by_normal * by_normal + share * by_shear * by_shear);
  if (m <= onset) return damage;
  double ultimate = law.distance;
  if (law.failure == energy) {
    materials::CohesiveMixedModeLaw of;
    of.normal = now.normal_stiffness;
    of.tangential = now.shear_stiffness;
    of.exponent = law.exponent;
    of.benzeggagh_kenane = law.benzeggagh_kenane;
    of.ratio_to_gamma = of.tangential / of.normal;
    ultimate = materials::ultimate_times_onset(of, share, law.energy_1, law.energy_2) / onset;
  }
  if (!(ultimate > onset) || m >= ultimate) return 1;
  return std::max(damage, std::min(1.0, ultimate * (m - onset) / (m * (ultimate - onset))));
}

}  // namespace crumple::contact
