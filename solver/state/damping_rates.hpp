// Coefficients of damping by mass at a time: *DAMPING_GLOBAL and *DAMPING_PART_MASS, of nodes and of rigid
// bodies.
//
// For parts, a node's coefficient is theirs times the fraction of its mass and inertia that belongs to them:
// at a node that parts share, each damps its own mass. Lumped masses (*ELEMENT_MASS) belong to no part.
#pragma once

#include <span>
#include <vector>

#include "model/model.hpp"
#include "parallel/communicator.hpp"
#include "state/assembly.hpp"

namespace crumple::state {

/// Along and about the axes.
struct DampingRates {
  Vec3 translation, rotation;
};

/// A node or rigid body of damped parts, and their fraction of its mass and inertia.
struct DampedShare {
  LocalId of = model::kNone;
  double mass = 0, inertia = 0;
};

/// Whether a deck has damping by mass.
bool has_mass_damping(const model::Model& model);

/// Nodes with mass or inertia of some parts.
/// @param of_parts masses by these parts
/// @param own masses by all
std::vector<DampedShare> damped_nodes(const LumpedMasses& of_parts, std::span<const double> mass,
                                      std::span<const double> inertia);

/// Of each rigid body the fraction of its nodes' mass that belongs to some parts. Collective.
/// @param owner of each node: the rank that counts it
std::vector<DampedShare> damped_bodies(const model::Model& model, const LumpedMasses& of_parts,
                                       std::span<const double> mass, std::span<const int> owner,
                                       const parallel::Communicator& comm);

/// Fills the rates of all nodes, or of all bodies.
/// @param shares one list for each of Model::part_damping
/// @returns whether anything is damped
bool find_damping_rates(const model::Model& model, double time,
                        std::span<const std::vector<DampedShare>> shares, std::span<DampingRates> rates);

}  // namespace crumple::state
