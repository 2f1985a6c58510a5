// Passes over ties whose segments turn as their nodes do, which are compiled once per instruction set.
#pragma once

#include <cstddef>
#include <span>

#include "contact/tied/held_tie.hpp"
#include "elements/kernel.hpp"
#include "parallel/load_sum.hpp"

namespace crumple::contact {

/// Both go from tie `begin` up to `end`, or to the first tie that plain code must treat, which they return.
/// The same bits on every instruction set and as plain code has.
struct TiePasses {
  /// Adds forces and moments of tied nodes to the nodes of their segments. Plain code treats ties of other
  /// ranks or threads, nodes that have a mass to transfer, and forces of very many digits.
  ///
  /// @param mass, inertia by node: not zero if they are to be transferred
  std::size_t (*give)(std::span<const HeldTie> ties, std::size_t begin, std::size_t end, const double* mass,
                      const double* inertia, parallel::LoadSum* loads) = nullptr;
  /// Velocities of tied nodes; turns their arms.
  ///
  /// @param v, w (AlignedVectors) by node: linear and angular velocities
  std::size_t (*move)(std::span<HeldTie> ties, std::size_t begin, std::size_t end, double dt_x, Vec3* v,
                      Vec3* w) = nullptr;
};

/// For an instruction set, or for the best one below it that was compiled.
const TiePasses& tie_passes(elements::Isa isa);

namespace detail {
struct RegisterTiePasses {
  RegisterTiePasses(elements::Isa isa, const TiePasses& passes);
};
}  // namespace detail

}  // namespace crumple::contact
