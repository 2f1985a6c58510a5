// Formulation data of a part's elements: section and hourglass control.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.hpp"
#include "model/element_kind.hpp"
#include "model/index.hpp"

namespace crumple::model {

enum class Quadrature : std::int8_t { gauss, lobatto, trapezoidal };

/// A layer of a laminated part (*PART_COMPOSITE), or a point of a user's rule (*INTEGRATION_SHELL).
struct Ply {
  LocalId material = kNone;  ///< kNone: that of the part
  double thickness = 0,
         angle = 0;          ///< thickness, or share of it; angle of the axes about the normal, radians
  double at = kInItsMiddle;  ///< place of the point, -1 at the lower surface to 1
  int number = 0;            ///< in the deck, from 1

  static constexpr double kInItsMiddle = 2;  ///< the point is in the middle of its layer
};

/// A point of a user's rule for a cross-section: its place over half of the section's size, its share of the
/// area.
struct RulePoint {
  double s = 0, t = 0, weight = 0;
};

/// A user's rule for the cross-section of beams (*INTEGRATION_BEAM).
struct BeamRule {
  GlobalId id = 0;               ///< 0: there is none
  int shape = 0;                 ///< ICST, a standard section with the sizes D1 to D6; 0: `points`
  int refinement = 0;            ///< K
  double relative_area = 0;      ///< RA: of the section over that of TS times TT; with `points` only
  std::array<double, 6> size{};  ///< D1 to D6
  double sref = 0, tref = 0;     ///< place of the nodes in a standard section, -1 to 1
  std::vector<RulePoint> points;
};

/// Smoothing lengths of particles, and when they act (*SECTION_SPH).
struct SphSection {
  double factor = 1.2;             ///< CSLH
  double least = 0.2, most = 2.0;  ///< HMIN, HMAX: of the length at the start
  double length = 0;               ///< SPHINI; 0: CSLH times the distance of neighbours
  double birth = 0, death = 1e20;  ///< START, DEATH
};

/// Added to ELFORM of *SECTION_TSHELL: thick shells are solids whose first four nodes are the lower surface.
inline constexpr int kThickShells = 1000;

/// *SECTION_SHELL, _SOLID, _TSHELL, _BEAM, _DISCRETE, _SPH; members that do not apply keep their defaults.
struct Section {
  GlobalId id = 0;
  ElementKind kind = ElementKind::none;
  int elform = 0;
  double shear_factor = 1.0;
  int nip = 2;
  Quadrature quadrature = Quadrature::gauss;
  std::array<double, 4> thickness{};  ///< shells: at the four nodes
  double nloc = 0.0;                  ///< shells: reference surface, -1 bottom, 0 middle, 1 top
  double marea = 0.0;                 ///< shells: non-structural mass per area
  std::vector<double> angles;         ///< shells, of material axes by layer, radians (ICOMP); empty: none
  std::vector<Ply> plies;             ///< shells, from the lower surface up; empty: one material
  bool own_rule = false;              ///< shells: `plies` are points of *INTEGRATION_SHELL, by shares
  bool parabolic_shear = false;       ///< thick shells: transverse shear strains (TSHEAR = 0)
  // beams
  int cross_section = 0;             ///< CST: 0 rectangular, 1 tubular, 2 arbitrary
  std::array<double, 2> ts{}, tt{};  ///< Hughes-Liu: thicknesses or diameters at the two ends
  double nsloc = 0.0, ntloc = 0.0;
  BeamRule rule;
  double area = 0.0, iss = 0.0, itt = 0.0, j = 0.0, shear_area = 0.0;  ///< resultant beams, trusses
  double ramp_time = 0.0, initial_stress = 0.0;                        ///< trusses
  double nsm = 0.0;                                                    ///< non-structural mass per length
  // discrete
  bool rotational = false;  ///< DRO
  double kd = 0.0, v0 = 0.0, clearance = 0.0, fail_deflection = 0.0, compression_limit = 0.0,
         tension_limit = 0.0;
  SphSection sph;
};

inline constexpr int kQuadraticTetrahedron = 16;  ///< ELFORM of solids with ten nodes

/// Whether elements of a section are cohesive: two surfaces that a layer joins, perhaps without a volume.
inline bool is_cohesive(const Section& s) {
  return s.kind == ElementKind::solid && s.elform >= 19 && s.elform <= 22;
}

/// Whether elements of a section are thick shells (*ELEMENT_TSHELL).
inline bool is_thick_shell(const Section& s) {
  return s.kind == ElementKind::solid && s.elform > kThickShells;
}

/// Thick shells whose layers are in plane stress: they take the laws of shells.
inline bool has_plane_layers(const Section& s) {
  return s.kind == ElementKind::solid && (s.elform == kThickShells + 1 || s.elform == kThickShells + 2);
}

/// ELFORM as decks give it.
inline int elform_in_deck(const Section& s) { return is_thick_shell(s) ? s.elform - kThickShells : s.elform; }

/// *HOURGLASS or *CONTROL_HOURGLASS as it applies to a part.
struct Hourglass {
  int type = 0;                ///< IHQ; 0 means the default of the element
  double qm = 0.1;             ///< coefficient (membrane for shells)
  double qb = 0.1, qw = 0.1;   ///< shells: bending, warping
  double q1 = 1.5, q2 = 0.06;  ///< bulk viscosity, quadratic and linear
};

}  // namespace crumple::model
