// What the fields of a contact mean for a pair of its segments.
#pragma once

#include <algorithm>

#include "contact/mortar/pair.hpp"
#include "model/contact.hpp"

namespace crumple::contact::mortar {

/// Stiffness of shear springs over k: as stiff as the pressure (slope k d / 2 e) where it is a thousandth of
/// the bulk modulus.
inline constexpr double kShear = 0.1;

/// The share of the initial penetrations that is still taken out: with IGNORE = 3 it falls.
inline double left_out(const model::Contact& contact, double time) {
  if (contact.ignore != 3) return 1.0;
  if (!(contact.push_out_time > 0.0)) return 0.0;
  return std::clamp(1.0 - (time - contact.birth) / contact.push_out_time, 0.0, 1.0);
}

/// @param stiffness of shear springs
inline Friction friction_of(const model::Contact& contact, double stiffness) {
  return {contact.fs * contact.fsf, contact.fd * contact.fsf, contact.dc, stiffness, true};
}

}  // namespace crumple::contact::mortar
