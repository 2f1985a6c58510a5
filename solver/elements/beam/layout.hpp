// Layout of the state variables of beams, the same for Hughes-Liu, Belytschko-Schwer and trusses.
//
// First the variables of the element, then n_points x (stress 6, plastic strain, history), then those of one
// formulation only. Stresses are in the beam's frame: r along it, s, t; yy, zz and yz stay 0.
#pragma once

#include "elements/kernel.hpp"

namespace crumple::elements::beam {

inline constexpr int kLength0 = 0;     ///< initial length
inline constexpr int kAxis = 1;        ///< three components of the s axis
inline constexpr int kResultants = 4;  ///< axial, shear s, shear t, moment s, moment t, torsion
inline constexpr int kPoints = 10;     ///< first variable of point 0

/// After the points of a spot weld beam: the fraction of its limit that is reached (1: it fails), time of
/// failure.
inline constexpr int kSpotWeldVariables = 2;

/// Sections along ELFORM 4 and 5 (Lobatto): their places on 0 to 1, and shares of the length.
inline constexpr int kStations = 3;
inline constexpr double kStationPlaces[kStations] = {0, 0.5, 1};
inline constexpr double kStationWeights[kStations] = {1.0 / 6, 2.0 / 3, 1.0 / 6};

/// Whether trusses are a chain: their strain comes from outside (state/truss_chains.hpp), as the dilatation
/// of some solids does, so that they have its mark.
inline bool is_chain(const GroupParameters& group) { return group.nodal_dilatation; }
inline void make_chain(GroupParameters& group) { group.nodal_dilatation = true; }

/// After the points of a truss in a chain: what all its trusses read (state/truss_chains.hpp).
namespace ChainVariable {
enum { kLength, kMidLength, kSpeed, kStartLength, kMobility, kCount };
}

/// The law's history, counted from the first variable of a point.
inline constexpr int kHistory = 7;

inline int point_stride(const GroupParameters& group) { return kHistory + group.n_history; }

/// First variable after the points.
inline int extra_offset(const GroupParameters& group) {
  return kPoints + group.n_points * point_stride(group);
}

/// Checks that every beam needs. Throws CR-E307 for a law without Young's modulus or density.
void check_law(const GroupParameters& group);

/// Layout with `extra` variables after the points.
StateLayout layout(const GroupParameters& group, int extra);

/// Frame and length of a beam at the start, all else zero. Throws CR-E301 for two nodes at one place,
/// CR-E302 for a third node in line with them.
void initialise_beam(const ElementInput& input, std::span<double> variables);

/// Length of a beam at the start. Throws CR-E301.
double initial_length(const ElementInput& input);

/// Shares of both nodes: half the mass, and a rotational inertia so large that bending does not reduce the
/// time step below that of stretching (stable_step.hpp). `area` and `inertia` are of the cross-section,
/// `inertia` the larger one.
NodalShare beam_mass(const ElementInput& input, const GroupParameters& group, double area, double inertia);

}  // namespace crumple::elements::beam
