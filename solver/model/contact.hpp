// Contacts and tied contacts.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/friction.hpp"
#include "model/never.hpp"
#include "model/surface.hpp"

namespace crumple::model {

enum class ContactType : std::int8_t {
  automatic_single_surface,
  automatic_surface_to_surface,
  automatic_nodes_to_surface,
  automatic_general,   ///< a single surface, and its edges and beams
  surface_to_surface,  ///< non-automatic: uses the orientation of segments
  nodes_to_surface,
  force_transducer,  ///< measures only
  tied_nodes_to_surface,
  tied_surface_to_surface,
  tied_shell_edge_to_surface,  ///< rotations too
  tied_shell_edge_to_solid,    ///< rotations too; for solids those of their faces
  spotweld,                    ///< as tied_shell_edge_to_surface
  spotweld_with_torsion,       ///< also rotation about the shells' normal
};

constexpr bool is_tied(ContactType type) { return type >= ContactType::tied_nodes_to_surface; }

/// Contacts with a single surface, which touches itself.
constexpr bool is_single(ContactType type) {
  return type == ContactType::automatic_single_surface || type == ContactType::automatic_general;
}

/// How the distance between a tied node and its segment is treated.
enum class TiedOffset : std::int8_t {
  none,         ///< the node is moved onto the segment
  constrained,  ///< _CONSTRAINED_OFFSET: a rigid arm
  beam,         ///< _BEAM_OFFSET: a rigid arm
  penalty,      ///< _OFFSET: springs hold the node at its initial position relative to the segment
};

/// A node that is tied to a point of a segment, rigidly or by springs.
struct Tie {
  LocalId node = kNone;
  std::array<LocalId, 4> nodes{};  ///< of the segment; a triangle repeats its last
  std::array<double, 4> weight{};  ///< of the segment's nodes at the point, sum 1; 0 for a repeated node
  Vec3 arm;                        ///< from the point to the node at t = 0
  ElementKind kind = ElementKind::none;
  LocalId element = kNone;  ///< of the segment: its deletion releases the node
  bool rotations = false;   ///< the node rotates with the segment
  bool torsion = false;     ///< about a shell's normal, the mean rotation of its nodes' positions
  std::int32_t level = 0;   ///< one more than the levels of ties of the segment's nodes
};

/// How the ties of a tiebreak contact fail.
enum class TieFailure : std::int8_t {
  none,      ///< no tiebreak contact
  stress,    ///< by both stresses: OPTION 2, *CONTACT_TIEBREAK_SURFACE_TO_SURFACE
  force,     ///< by both forces: *CONTACT_TIEBREAK_NODES_TO_SURFACE
  normal,    ///< by the normal stress, sliding with friction: OPTION 4
  distance,  ///< by stress, then softening up to a distance: OPTION 6 and 8
  energy,    ///< by stress, then softening by the energies of both modes: OPTION 9 and 11
};

/// Strengths of a tiebreak contact; a strength of 0 is no limit.
struct Tiebreak {
  TieFailure failure = TieFailure::none;
  double normal = 0, shear = 0;              ///< NFLS and SFLS, or NFLF and SFLF
  double normal_power = 2, shear_power = 2;  ///< NEN, MES
  double distance = 0;                       ///< PARAM of OPTION 6 and 8
  double exponent = 1;                       ///< |PARAM| of OPTION 9 and 11
  bool benzeggagh_kenane = false;            ///< PARAM < 0
  double energy_1 = 0, energy_2 = 0;         ///< ERATEN, ERATES
  double ratio = 1;                          ///< CT2CN
  double stiffness = 0;                      ///< CN, stress over length; 0: the largest stable one
};

/// A tie of a tiebreak contact.
struct BreakingTie {
  Tie tie;          ///< its arm is the distance at the start
  double area = 0;  ///< of the node, at the start
  double node_share =
      0;  ///< part of the distance from the segment that turns with the node: its half thickness
};

/// Normal force of a node by a curve over its penetration: *CONTACT_RIGID_... with FCM = 2 and 3.
struct ForceCurve {
  LocalId curve = kNone;     ///< LCID
  bool pressure = false;     ///< FCM = 3: force over the node's share of its surface
  double unloading = 0;      ///< US; 0: unloads along the curve
  LocalId damping = kNone;   ///< LCDC, over the speed
  double damping_scale = 1;  ///< DSF
};

struct Contact {
  GlobalId id = 0;  ///< from _ID, else its number in deck order
  std::string title;
  ContactType type{};
  SurfaceInput input_a, input_b;
  Surface a, b;  ///< filled by preparation::build_surfaces on the whole model
  double fs = 0, fd = 0, dc = 0, vc = 0, vdc = 0;
  bool friction_of_parts = false;  ///< FS = -1: that of *PART_CONTACT
  FrictionTable pairs;             ///< FS = -2: *DEFINE_FRICTION, scaled by FSF and VSF
  double birth = 0, death = kNever;
  double sfa = 1, sfb = 1;    ///< penalty scales SFSA, SFSB
  double sta = 0, stb = 0;    ///< thickness overrides SAST, SBST; 0: thickness of the elements
  double sfta = 1, sftb = 1;  ///< thickness scales SFSAT, SFSBT
  double fsf = 1, vsf = 1;
  int soft = 0;
  double sofscl = 0.1;
  int ignore = 0;
  double push_out_time = 0;       ///< MPAR1, of implicit runs with IGNORE = 3
  int depth = 2;                  ///< with SOFT = 2: points of a segment; 5: also edges against edges
  bool interior_edges = false;    ///< _INTERIOR: edges between shells are lines too
  bool edges_only = false;        ///< _EDGEONLY: lines against lines, no nodes against segments
  bool without_beams = false;     ///< _SINGLE_EDGE: its lines are edges of shells only
  bool beams_on_surface = false;  ///< _BEAMS_TO_SURFACE: beams of a against segments and edges of b
  bool forming = false;  ///< _FORMING_: a has thickness, segments of b are touched on their front only
  int orien = 1;         ///< ORIEN of *CONTROL_CONTACT
  ForceCurve by_curve;   ///< of rigid bodies
  /// CNTCO or SHLOFF: the surfaces of shells are around their nodes (0), around the middle surface that NLOC
  /// or OFFSET gives (1), or around one at that distance scaled by contact thickness over thickness (2).
  int reference_planes = 0;
  bool nodes_stay = false;                        ///< _NODES_TO_SURFACE: those of a have no such planes
  int ignroff = 0;                                ///< without the shell thickness of b (1), a (2) or both (3)
  double solid_thickness = 0, solid_modulus = 0;  ///< SLDTHK, SLDSTF; 0: not given
  double edge_scale = 1, friction_scale = 1;      ///< EDGEK, FRICSF, of SOFT = 2
  double stiffness_step = 0;                      ///< DTSTIF, of SOFT = 1 and 2; 0: not given
  int penopt = 0;
  double slsfac = 0.1;  ///< *CONTROL_CONTACT's overall penalty scale
  int shlthk = 0;
  bool whole_thickness = false;                   ///< SSTHK: single surfaces use the full thickness
  bool a_in_ncforc = false, b_in_ncforc = false;  ///< SAPR, SBPR
  bool eroding = false;         ///< inner faces of solids become active when their neighbours are deleted
  bool symmetric = false;       ///< ISYM: without faces of solids on planes of symmetry
  bool whole_boundary = false;  ///< IADJ: also faces next to other parts
  int keeps_loose_nodes = 0;    ///< ENMASS: 1 keeps those of solids, 2 also those of shells
  bool measures_ties = false;   ///< a transducer of constraint contacts, not of penalties
  TiedOffset offset{};
  bool backup = false;       ///< IPBACK: springs tie the nodes that the constraint leaves out
  double maxpar = 1.025;     ///< ties: factor by which segments are enlarged
  std::vector<Tie> ties;     ///< filled by preparation::find_ties on the whole model
  std::vector<Tie> springs;  ///< the same for ties by penalty
  Tiebreak tiebreak;
  bool only_ties = false;             ///< ..._ONLY: no contact after they have failed
  std::vector<BreakingTie> breaking;  ///< the same for a tiebreak contact, which keeps its surfaces
  Place place;
};

/// *CONTACT_INTERIOR on the solids of some parts.
struct InteriorContact {
  std::vector<LocalId> parts;
  double scale = 1.0;       ///< PSF
  double activation = 0.1;  ///< fraction of the initial thickness
  double modulus = 0.0;     ///< ED; 0: of the material
  int form = 1;             ///< TYPE: 1 thickness only, 2 also the volumes at corners
};

}  // namespace crumple::model
