// Laws of metals that are isotropic and linear elastic until they yield.
#pragma once

namespace crumple::materials {

/// Whether a solid of this law obeys Hooke's law with the law's elastic constants, from a state without
/// stress or below yield, as long as it does not yield; also where it yields later by curves, rates or
/// damage.
constexpr bool is_elastic_until_yield(int law) {
  return law == 3 || law == 18 || law == 24 || law == 81 || law == 98 || law == 123;
}

}  // namespace crumple::materials
