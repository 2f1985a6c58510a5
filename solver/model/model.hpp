// The physical model: immutable once built, free of any file format.
//
// `build_model` (deck_to_model.hpp) makes the whole model on rank 0; `extract` (decomposition/) cuts the
// part that a rank works on, which is a Model of the same type: nodes and elements filtered and
// renumbered, everything small (parts, sections, materials, curves) whole on every rank. References are
// indices (LocalId) into the arrays here; the numbers users gave stay beside them for messages, ties and
// results.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"
#include "model/element_kind.hpp"
#include "model/feature_inputs.hpp"
#include "model/stage.hpp"

namespace crumple::model {

inline constexpr LocalId kNone = -1;

struct Nodes {
  std::vector<GlobalId> id;
  std::vector<Vec3> x;
  std::size_t size() const { return id.size(); }
};

/// Quadrilaterals and triangles (last node repeated). `order` is the position in the whole model, the
/// same on every rank; it orders results.
struct Shells {
  std::vector<GlobalId> id;
  std::vector<GlobalId> order;
  std::vector<LocalId> part;
  std::vector<std::array<LocalId, 4>> nodes;
  /// Thickness at the four nodes; empty if no element has its own. A zero means the section's.
  std::vector<std::array<double, 4>> thickness;
  /// Of the middle surface from the nodes along the normal (*ELEMENT_SHELL_OFFSET, or what NLOC of the
  /// section makes of an element without); empty if no element has its own.
  std::vector<double> offset;
  std::size_t size() const { return id.size(); }
};

/// Bricks and their degenerate forms as they came: a wedge or tetrahedron repeats nodes.
struct Solids {
  std::vector<GlobalId> id, order;
  std::vector<LocalId> part;
  std::vector<std::array<LocalId, 8>> nodes;
  std::size_t size() const { return id.size(); }
};

struct Beams {
  std::vector<GlobalId> id, order;
  std::vector<LocalId> part;
  std::vector<std::array<LocalId, 3>> nodes;  ///< third orients the section, kNone without
  /// Parts that a spot weld joins (PID1, PID2 of _PID), kNone where not given; empty if no beam has any.
  std::vector<std::array<LocalId, 2>> joins;
  std::vector<Vec3>
      direction;  ///< orients the section in place of a third node, 0: none; empty if no beam has any
  std::vector<LocalId> section;  ///< own cross section, kNone: the part's; empty if no beam has any
  std::size_t size() const { return id.size(); }
};

/// Springs and dampers (*ELEMENT_DISCRETE). A second node of kNone is ground.
struct Discretes {
  std::vector<GlobalId> id, order;
  std::vector<LocalId> part;
  std::vector<std::array<LocalId, 2>> nodes;
  std::vector<LocalId> orientation;  ///< into Model::vectors, kNone: along the nodes
  std::vector<double> scale;         ///< on forces (S)
  std::vector<double> offset;        ///< initial offset
  std::size_t size() const { return id.size(); }
};

/// Lumped masses (*ELEMENT_MASS).
struct Masses {
  std::vector<GlobalId> id;
  std::vector<LocalId> node;
  std::vector<double> mass;
  std::size_t size() const { return id.size(); }
};

/// *ELEMENT_MASS_PART: mass to spread over parts; it becomes `Masses` before the model is cut.
struct PartMass {
  std::vector<LocalId> parts;
  double added = 0;       ///< ADDMASS
  double final_mass = 0;  ///< FINMASS: what the parts shall have in all, 0 if `added` is given
  bool by_mass = false;   ///< MWD: spread by mass, otherwise by area or volume
  GlobalId id = 0;        ///< of the part or set
  Place place;
};

enum class Quadrature : std::int8_t { gauss, lobatto, trapezoidal };

/// *SECTION_SHELL, _SOLID, _BEAM, _DISCRETE; what does not apply stays at its default.
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
  // beams
  int cross_section = 0;             ///< CST: 0 rectangular, 1 tubular, 2 arbitrary
  std::array<double, 2> ts{}, tt{};  ///< Hughes-Liu: thicknesses or diameters at the two ends
  double nsloc = 0.0, ntloc = 0.0;
  double area = 0.0, iss = 0.0, itt = 0.0, j = 0.0, shear_area = 0.0;  ///< resultant beams, trusses
  double ramp_time = 0.0, initial_stress = 0.0;                        ///< trusses
  double nsm = 0.0;                                                    ///< non-structural mass per length
  // discrete
  bool rotational = false;  ///< DRO
  double kd = 0.0, v0 = 0.0, clearance = 0.0, fail_deflection = 0.0, compression_limit = 0.0,
         tension_limit = 0.0;
};

/// A material: law number and the fields of its cards by the manual's names.
///
/// Each law's file in materials/ turns this into its own parameter struct; the model need not know.
struct Material {
  GlobalId id = 0;
  int law = 0;       ///< LS-DYNA's number; S01 is 1001, S02 1002
  std::string name;  ///< keyword, for messages
  double density = 0.0;
  std::map<std::string, double> fields;
  /// Curve tables given inside the material's own cards (EPS1..8 and ES1..8).
  double field(const std::string& name, double otherwise = 0.0) const {
    const auto it = fields.find(name);
    return it == fields.end() ? otherwise : it->second;
  }
  Place place;
};

/// *HOURGLASS or *CONTROL_HOURGLASS as it applies to a part.
struct Hourglass {
  int type = 0;                ///< IHQ; 0 means the default of the element
  double qm = 0.1;             ///< coefficient (membrane for shells)
  double qb = 0.1, qw = 0.1;   ///< shells: bending, warping
  double q1 = 1.5, q2 = 0.06;  ///< bulk viscosity, quadratic and linear
};

struct Part {
  GlobalId id = 0;
  std::string title;
  LocalId section = kNone;   ///< into Model::sections
  LocalId material = kNone;  ///< into Model::materials
  Hourglass hourglass;
  double drilling = 0;           ///< shells: DRCPRM of *CONTROL_SHELL if in DRCPSID
  double stiffness_damping = 0;  ///< COEF of *DAMPING_PART_STIFFNESS
  bool own_offsets = false;      ///< shells: some have an offset of their own
  ElementKind kind = ElementKind::none;
  LocalId rigid_body = kNone;  ///< into Model::rigid_bodies when its material is rigid
  double element_cost = 1;     ///< relative time of an element in a cycle (decomposition/costs.hpp)
  bool contact_thickness_given = false;
  double contact_thickness = 0.0;                                       ///< OPTT of _CONTACT
  double contact_thickness_scale = 1.0, contact_stiffness_scale = 1.0;  ///< SFT, SSF of _CONTACT
};

/// *DAMPING_PART_MASS: a force -D m v at the nodes of parts, D the curve's value times `scale`.
struct PartDamping {
  std::vector<LocalId> parts;
  LocalId curve = kNone;
  double scale = 1;
  Vec3 translation{1, 1, 1}, rotation{1, 1, 1};  ///< factors along and about the global axes
};

/// *CONTROL_DYNAMIC_RELAXATION: the stresses that loads leave behind, found before the run.
struct Relaxation {
  bool active = false;
  std::int64_t cycles = 250;  ///< NRCYCK: between checks
  double tolerance = 1e-3;    ///< DRTOL: of kinetic energy over the largest so far
  double factor = 0.995;      ///< DRFCTR: velocities are multiplied by it in every cycle
  double end_time = 1e30;     ///< DRTERM
  double step_scale = 0;      ///< TSSFDR
};

/// *DEFINE_CURVE with scales and offsets applied: abscissa (a + offa) * sfa, ordinate (o + offo) * sfo.
struct Curve {
  GlobalId id = 0;
  std::vector<double> x, y;
  int dattyp = 0;
  int sidr = 0;  ///< when loads and motions by it act: 0 in the run, 1 in dynamic relaxation, 2 in both
  bool acts(Stage stage) const { return stage == Stage::relaxation ? sidr != 0 : sidr != 1; }
  /// Value at `t`: linear between points, constant beyond the ends.
  double operator()(double t) const;
};

/// *DEFINE_TABLE: curves at increasing values.
struct Table {
  GlobalId id = 0;
  std::vector<double> value;
  std::vector<LocalId> curve;
};

struct CoordinateSystem {
  GlobalId id = 0;
  Vec3 origin;
  std::array<Vec3, 3> axis;  ///< unit x, y, z in the global frame
};

/// A segment of a contact surface or a pressure load; a triangle repeats its last node.
struct Segment {
  GlobalId order = 0;  ///< position in the surface of the whole model: breaks ties
  std::array<LocalId, 4> nodes{};
  LocalId part = kNone;
  ElementKind kind = ElementKind::none;
  LocalId element = kNone;  ///< in the array of its kind; its deletion removes the segment
  double thickness = 0.0;   ///< contact thickness; 0 on solids
  /// A face inside a solid, which eroding contacts see once the element on its other side is gone.
  bool asleep = false;
  GlobalId twin = -1;  ///< order of the other element's face; -1: none
};

/// Lines that a line of a contact remembers at each of its ends.
inline constexpr int kLineNeighbours = 3;

/// A straight line of a contact: an edge of shells, or a beam. To what touches it it is a round bar.
struct ContactLine {
  GlobalId order = 0;  ///< position in the surface of the whole model: breaks ties
  std::array<LocalId, 2> nodes{};
  std::array<std::array<LocalId, kLineNeighbours>, 2> beyond{
      {{kNone, kNone, kNone}, {kNone, kNone, kNone}}};  ///< far ends of the lines that go on at each end
  std::array<std::array<GlobalId, kLineNeighbours>, 2> beyond_order{};  ///< those lines
  LocalId part = kNone;
  ElementKind kind = ElementKind::none;
  LocalId element = kNone;  ///< in the array of its kind; the first where it is an edge of several
  bool shared = false;      ///< an edge of several elements, which are sharers of the surface
  double radius = 0.0;
};

/// One of several elements that a contact's line is an edge of; the line lives as long as any of them.
struct LineSharer {
  GlobalId line = 0;  ///< its order
  ElementKind kind = ElementKind::none;
  LocalId element = kNone;  ///< in the array of its kind
  LocalId part = kNone;
  std::int32_t place = 0;  ///< among the line's elements
  double radius = 0.0;     ///< that the line has by this element alone
};

/// Two of a contact that never touch, as they hang together in the mesh within the contact's thickness.
struct Neighbours {
  GlobalId one = 0;    ///< user id of a tracked node, or order of a segment or line
  GlobalId other = 0;  ///< order of the segment or line that `one` would be tested against
  auto operator<=>(const Neighbours&) const = default;
};

/// One side of a contact, resolved to segments and nodes.
struct Surface {
  std::vector<Segment> segments;
  std::vector<ContactLine> lines;      ///< for contact of edges and beams
  std::vector<LineSharer> sharers;     ///< of lines
  std::vector<LocalId> nodes;          ///< each once, ascending user id
  std::vector<double> node_thickness;  ///< of each node: largest of the shells at it, 0 on solids
  // Filled by contact::find_neighbours, ascending; `one` is of this surface.
  std::vector<Neighbours> node_neighbours;
  std::vector<Neighbours> segment_neighbours;  ///< with SOFT = 2
  std::vector<Neighbours> line_neighbours;     ///< in the order in which lines are tested
};

/// How the deck names a set of entities for a side of a contact or a force.
struct SurfaceInput {
  int type =
      0;  ///< SURFATYP: 0 segment set, 1 shell set, 2 part set, 3 part, 4 node set, 5 all, 6 exempted parts
  GlobalId id = 0;
  LocalId box = kNone;  ///< into Sets::boxes
};

enum class ContactType : std::int8_t {
  automatic_single_surface,
  automatic_surface_to_surface,
  automatic_nodes_to_surface,
  automatic_general,   ///< a single surface, and its edges and beams
  surface_to_surface,  ///< non-automatic: sides by segment orientation
  nodes_to_surface,
  force_transducer,  ///< measures only
  tied_nodes_to_surface,
  tied_surface_to_surface,
  tied_shell_edge_to_surface,  ///< rotations too
  tied_shell_edge_to_solid,    ///< rotations too, of solids by their faces
  spotweld,                    ///< as tied_shell_edge_to_surface
  spotweld_with_torsion,       ///< turning about the shells' normal too
};

constexpr bool is_tied(ContactType type) { return type >= ContactType::tied_nodes_to_surface; }

/// Contacts with one side, which touches itself.
constexpr bool is_single(ContactType type) {
  return type == ContactType::automatic_single_surface || type == ContactType::automatic_general;
}

/// What happens to the distance between a tied node and its segment.
enum class TiedOffset : std::int8_t {
  none,         ///< the node is moved onto the segment
  constrained,  ///< _CONSTRAINED_OFFSET: a rigid arm
  beam,         ///< _BEAM_OFFSET: a rigid arm
  penalty,      ///< _OFFSET: springs hold the node where it was to the segment
};

/// A node that a tied contact holds at a point of a segment, rigidly or by springs.
struct Tie {
  LocalId node = kNone;
  std::array<LocalId, 4> nodes{};  ///< of the segment; a triangle repeats its last
  std::array<double, 4> weight{};  ///< of the segment's nodes at the point, sum 1; 0 for a repeated node
  Vec3 arm;                        ///< from the point to the node at t = 0
  ElementKind kind = ElementKind::none;
  LocalId element = kNone;  ///< of the segment: its deletion releases the node
  bool rotations = false;   ///< the node turns with the segment
  bool torsion = false;     ///< about a shell's normal as its nodes go around, not as they spin
  std::int32_t level = 0;   ///< one more than those of the ties that hold the segment's nodes
};

struct Contact {
  GlobalId id = 0;  ///< from _ID, else its number in deck order
  std::string title;
  ContactType type{};
  SurfaceInput input_a, input_b;
  Surface a, b;  ///< filled by contact::build_surfaces on the whole model
  double fs = 0, fd = 0, dc = 0, vc = 0, vdc = 0;
  double birth = 0, death = 1e20;
  double sfa = 1, sfb = 1;    ///< penalty scales SFSA, SFSB
  double sta = 0, stb = 0;    ///< thickness overrides SAST, SBST; 0: as the elements
  double sfta = 1, sftb = 1;  ///< thickness scales SFSAT, SFSBT
  double fsf = 1, vsf = 1;
  int soft = 0;
  double sofscl = 0.1;
  int ignore = 0;
  int bsort = 0;
  int depth = 2;                ///< with SOFT = 2: what a segment is looked at by; 5: edges against edges too
  bool interior_edges = false;  ///< _INTERIOR: edges between shells are lines too
  bool edges_only = false;      ///< _EDGEONLY: lines against lines, no nodes against segments
  int penopt = 0;
  double slsfac = 0.1;  ///< *CONTROL_CONTACT's overall penalty scale
  int shlthk = 0;
  bool whole_thickness = false;  ///< SSTHK: single surfaces are as thick as their shells
  bool a_in_rcforc = true, b_in_rcforc = true;
  bool a_in_ncforc = false, b_in_ncforc = false;  ///< SAPR, SBPR
  bool eroding = false;         ///< inner faces of solids come up when their neighbours are deleted
  bool symmetric = false;       ///< ISYM: no faces on planes of symmetry
  bool whole_boundary = false;  ///< IADJ: faces next to other parts too
  int keeps_loose_nodes = 0;    ///< ENMASS: 1 those of solids, 2 those of shells too
  bool measures_ties = false;   ///< a transducer of constraint contacts, not of penalties
  TiedOffset offset{};
  double maxpar = 1.025;     ///< ties: by how much segments are longer than they are
  std::vector<Tie> ties;     ///< filled by contact::find_ties on the whole model
  std::vector<Tie> springs;  ///< as `ties`, for those by penalty
  Place place;
};

/// *CONTACT_INTERIOR on the solids of some parts.
struct InteriorContact {
  std::vector<LocalId> parts;
  double scale = 1.0;       ///< PSF
  double activation = 0.1;  ///< of the first thickness
  double modulus = 0.0;     ///< ED; 0: of the material
  int form = 1;             ///< TYPE: 1 thickness alone, 2 the volumes at corners too
};

enum class DegreeOfFreedom : std::int8_t { tx, ty, tz, rx, ry, rz };

/// Single-point constraints of one node: a bit mask of constrained freedoms in a frame.
struct NodeConstraint {
  LocalId node = kNone;
  std::uint8_t mask = 0;   ///< bit k: DegreeOfFreedom k
  LocalId system = kNone;  ///< into Model::systems, kNone: global axes
  double birth = 0, death = 1e20;
  GlobalId id = 0;  ///< of _ID, for results
};

/// *BOUNDARY_PRESCRIBED_MOTION on a node or a rigid body.
struct PrescribedMotion {
  LocalId node = kNone;  ///< one of the two
  LocalId rigid_body = kNone;
  int dof = 0;   ///< LS-DYNA's: 1-3 translations, 5-7 rotations, +-4 vector, 8 vector rotation
  int kind = 0;  ///< VAD: 0 velocity, 1 acceleration, 2 displacement
  LocalId curve = kNone;
  double scale = 1.0;
  Vec3 direction;  ///< for dof 4 and 8
  double birth = 0, death = 1e28;
};

struct InitialVelocity {
  LocalId node = kNone;
  Vec3 v, w;
};

/// Force or moment on a node or a rigid body's node (*LOAD_NODE).
struct NodalLoad {
  LocalId node = kNone;
  int dof = 0;  ///< 1-3 force, 5-7 moment, 4/8 follower
  LocalId curve = kNone;
  double scale = 1.0;
  std::array<LocalId, 3> follower{kNone, kNone, kNone};
};

/// Pressure on a segment (*LOAD_SEGMENT), positive against the segment's normal as in the manual, or on a
/// shell (*LOAD_SHELL), with which it ends.
struct PressureLoad {
  std::array<LocalId, 4> nodes{};
  LocalId shell = kNone;  ///< kNone: a segment, whatever has its nodes
  LocalId curve = kNone;
  double scale = 1.0;
  double arrival = 0.0;
};

/// Base acceleration (*LOAD_BODY_X, _Y, _Z) or angular velocity about an axis through `centre` (_RX, _RY,
/// _RZ).
///
/// It is the coordinate system that is accelerated: a positive value gives every node an inertia force in the
/// NEGATIVE direction of the axis, so gravity that pulls towards -z is a positive *LOAD_BODY_Z. An angular
/// velocity gives forces radially outward.
struct BodyLoad {
  int axis = 0;  ///< 0-2 translation, 3-5 rotation
  LocalId curve = kNone;
  LocalId relaxation_curve = kNone;  ///< LCIDDR: in its place in dynamic relaxation
  double scale = 1.0;
  Vec3 centre;
  std::vector<LocalId> parts;  ///< empty: everything (*LOAD_BODY_PARTS)
};

enum class WallShape : std::int8_t { plane, finite_plane, cylinder, sphere, prism };

/// *RIGIDWALL_PLANAR, _GEOMETRIC.
struct RigidWall {
  GlobalId id = 0;
  std::string title;
  WallShape shape{};
  Vec3 point, normal;  ///< tail of the normal (or centre); outward unit normal or axis
  Vec3 edge1, edge2;   ///< finite planes, prisms: unit edge directions; edge2 = normal x edge1
  double length1 = 0, length2 = 0, length3 = 0;  ///< edge lengths or radius and axis length; 0: infinite
  double friction = 0;                           ///< FRIC: 0, 1 (no sliding) or a coefficient
  double critical_velocity = 0;                  ///< WVEL
  double birth = 0, death = 1e20;
  bool moving = false;  ///< _MOVING: free mass with an initial velocity
  double mass = 0, v0 = 0;
  LocalId motion_curve = kNone;  ///< geometric _MOTION: along `motion_direction`
  int motion_kind = 0;           ///< 0 velocity, 1 displacement
  Vec3 motion_direction;
  bool display = false;
  std::vector<LocalId> nodes;  ///< tracked nodes, ascending user id
};

/// A rigid body: parts of MAT_020 and node sets of *CONSTRAINED_NODAL_RIGID_BODY, merged.
struct RigidBody {
  GlobalId part_id = 0;  ///< of the lead part, or of the nodal rigid body that leads
  bool nodal = false;    ///< led by a nodal rigid body
  Place place;           ///< of its keyword; empty for parts
  std::vector<LocalId> parts;
  std::vector<LocalId> nodes;   ///< nodes of this rank's share, ascending user id, extra nodes included
  int cmo = 0;                  ///< as MAT_020: 0 none, 1 global, -1 local
  int con1 = 0, con2 = 0;       ///< codes of constrained directions (global: 0-7 each)
  LocalId system = kNone;       ///< for cmo = -1
  std::uint8_t local_mask = 0;  ///< cmo = -1: constrained freedoms in `system`
  // given mass properties (*PART_INERTIA), else from the elements
  bool inertia_given = false;
  double mass = 0;
  Vec3 centre;
  std::array<double, 6> inertia{};  ///< xx yy zz xy yz zx about the centre
  bool velocity_given = false;
  Vec3 v, w;
  LocalId centre_node = kNone;  ///< PNODE: massless, put to the centre of mass at t = 0
};

/// What a joint leaves free between two rigid bodies (*CONSTRAINED_JOINT_...).
enum class JointType : std::int8_t { spherical, revolute, cylindrical, translational, universal };

/// *CONSTRAINED_JOINT_...: a penalty between points of two rigid bodies.
struct Joint {
  GlobalId id = 0;  ///< of _ID, else its number in deck order
  std::string title;
  JointType type{};
  std::array<LocalId, 2> bodies{kNone, kNone};  ///< A and B
  std::array<Vec3, 6> points{};                 ///< N1 to N6 at t = 0; odd ones on A, even ones on B
  double stiffness_scale = 1;                   ///< RPS
  double damping_scale = 1;                     ///< DAMP, 0: none
  LocalId results_body = kNone;                 ///< RAID: whose axes results are in, kNone: global ones
};

/// Moment between two rigid bodies about one of the angles of *CONSTRAINED_JOINT_STIFFNESS_GENERALIZED.
struct JointMoment {
  LocalId curve = kNone, damping_curve = kNone;  ///< of the angle, of its rate; in radians
  double stiffness = 0;                          ///< ES..: of friction and stops, per radian
  double friction = 0;                           ///< FM..: largest moment of friction, 0: none
  LocalId friction_curve = kNone;                ///< that moment as a curve of the angle
  double lower_stop = 0, upper_stop = 0;         ///< NSA.. and PSA.. in radians, 0: none
};

/// *CONSTRAINED_JOINT_STIFFNESS_GENERALIZED.
struct JointStiffness {
  GlobalId id = 0;
  std::array<LocalId, 2> bodies{kNone, kNone};
  std::array<std::array<Vec3, 3>, 2> axes{};  ///< that turn with A and B, at t = 0
  std::array<JointMoment, 3> moments{};       ///< about phi, theta and psi
};

/// A node of a rigid body that *BOUNDARY_SPC holds.
struct Support {
  LocalId body = kNone;
  GlobalId id = 0;  ///< of the constraint
  GlobalId node_id = 0;
  Vec3 point;                ///< at t = 0
  std::array<Vec3, 3> axis;  ///< unit vectors, fixed in space
  std::uint8_t mask = 0;     ///< bit k: DegreeOfFreedom k along or about these
};

/// *LOAD_RIGID_BODY: a force at the centre of mass, or a moment.
struct RigidBodyLoad {
  LocalId body = kNone;
  bool moment = false;
  Vec3 direction;
  LocalId curve = kNone;
  double scale = 1;
};

/// A node that moves as the weighted mean of others (*CONSTRAINED_INTERPOLATION).
struct Interpolation {
  GlobalId id = 0;
  LocalId node = kNone;
  std::uint8_t mask = 0;        ///< bit k: DegreeOfFreedom k of the node
  std::vector<LocalId> nodes;   ///< independent nodes, ascending user id
  std::vector<double> weights;  ///< of these, sum 1
};

/// Two nodes that move as one rigid body until the weld between them breaks (*CONSTRAINED_SPOTWELD, or a link
/// of a *CONSTRAINED_GENERALIZED_WELD_SPOT). A strength of 0 is none.
struct Weld {
  GlobalId id = 0;  ///< of _ID
  std::array<LocalId, 2> nodes{kNone, kNone};
  double normal_strength = 0, shear_strength = 0;  ///< SN, SS
  double normal_power = 1, shear_power = 1;        ///< N, M
  double failure_time = 1e20;                      ///< TF
  bool has_strength() const { return normal_strength > 0 || shear_strength > 0; }
  bool can_break() const { return has_strength() || failure_time < 1e20; }
};

/// Nodes that share translations along global axes (*CONSTRAINED_NODE_SET).
struct NodeTie {
  GlobalId id = 0;
  std::uint8_t mask = 0;  ///< bit k: axis k
  double failure_time = 1e20;
  std::vector<LocalId> nodes;  ///< ascending user id
};

/// *DATABASE_CROSS_SECTION_SET, _PLANE: nodes on a cut, and the elements whose forces on them are summed.
struct CrossSection {
  GlobalId id = 0;  ///< of _ID, else its number in deck order
  std::string title;
  std::vector<LocalId> nodes;  ///< ascending user id
  std::vector<LocalId> shells, solids, beams, discretes;
  LocalId rigid_body = kNone;  ///< whose axes results are in, kNone: `system` or global axes
  LocalId system = kNone;
  GlobalId frame_id = 0;  ///< user number of the one or the other
};

/// A history that a feature writes: "abstat", by *DATABASE_ABSTAT.
struct FeatureHistory {
  std::string name;
  double interval = 0;
  int binary = 0;  ///< as OutputControl's
};

/// Intervals and switches of output, 0: not asked for.
struct OutputControl {
  double d3plot = 0, d3thdt = 0, glstat = 0, matsum = 0, rcforc = 0, rwforc = 0, nodout = 0, rbdout = 0,
         jntforc = 0, elout = 0, spcforc = 0, swforc = 0, secforc = 0, bndout = 0, sleout = 0, ncforc = 0,
         deforc = 0;
  int glstat_binary = 0, matsum_binary = 0, rcforc_binary = 0, rwforc_binary = 0, nodout_binary = 0,
      rbdout_binary = 0, jntforc_binary = 0, swforc_binary = 0, spcforc_binary = 0, secforc_binary = 0,
      bndout_binary = 0, sleout_binary = 0, ncforc_binary = 0, elout_binary = 0,
      deforc_binary = 0;  ///< BINARY: 1 ASCII, 2 binout, 3 both; 0 is ours to choose: both
  std::vector<FeatureHistory> of_features;
  int neiph = 0, neips = 0, maxint = 3, strflg = 0, sigflg = 1, epsflg = 1, rltflg = 1, engflg = 1;
  int cmpflg = 0, ieverp = 0, dcomp = 1, nintsld = 1, beamip = 0, msscl = 0;
  std::vector<LocalId> history_nodes;
  // Elements of elout; springs of deforc, where none means all. On rank 0 only, in the order of user ids.
  std::vector<LocalId> history_shells, history_solids, history_beams, history_discretes;
};

struct Control {
  std::string title;
  std::string units;  ///< of the deck: "mass, length, time" as units.hpp names them; empty: not known
  double end_time = 0;
  std::int64_t end_cycle = 0;   ///< 0: no limit
  double min_step_factor = 0;   ///< DTMIN: stop when dt < DTMIN * first dt
  double end_energy_ratio = 0;  ///< ENDENG: percent change of energy ratio that ends the run
  double end_mass = 1e8;        ///< ENDMAS
  double step_scale = 0.9;      ///< TSSFAC
  double dt_init = 0;           ///< DTINIT
  double dt2ms = 0;             ///< DT2MS: step that masses are scaled for, 0: none
  double tslimt = 0;
  int isdo = 0;
  bool ms1st = false;        ///< MS1ST: masses are scaled at the start only
  int erode = 0;             ///< ERODE of *CONTROL_TIMESTEP: 1 solids, 10 shells, 11 both
  LocalId dt_curve = kNone;  ///< LCTM
  // shells
  double warp_angle = 20;
  int esort = 0;
  int irnxx = -1;
  int istupd = 0;
  int theory = 2;
  int bwc = 2;
  int miter = 1;
  int proj = 0;
  double nfail1 = 0, nfail4 = 0;
  int solid_esort = 0;
  // energies asked for
  bool hourglass_energy = false, wall_energy = true, sliding_energy = false, damping_energy = false;
  int osu = 0, inn = 0;  ///< *CONTROL_ACCURACY
  bool mass_damping = false;
  LocalId damping_curve = kNone;
  double damping_constant = 0;
  Vec3 damping_st{1, 1, 1}, damping_sr{1, 1, 1};
  bool shell_bulk_viscosity = false;  ///< *CONTROL_BULK_VISCOSITY TYPE = -1/-2
  Relaxation relaxation;
};

/// Sets as the deck names them, resolved to indices: each entry once, ascending user id; segments as given.
struct NodeSet {
  GlobalId id = 0;
  std::vector<LocalId> nodes;
};
struct PartSet {
  GlobalId id = 0;
  std::vector<LocalId> parts;
  std::array<double, 4> attributes{};  ///< DA1 to DA4
};
struct ShellSet {
  GlobalId id = 0;
  std::vector<LocalId> shells;
};
/// Solids, beams or springs.
struct ElementSet {
  GlobalId id = 0;
  std::vector<LocalId> elements;
};
struct SegmentSet {
  GlobalId id = 0;
  std::vector<std::array<LocalId, 4>> segments;  ///< a triangle repeats its last node
};

/// *DEFINE_BOX: limits in the global frame or in `system`, both included.
struct Box {
  GlobalId id = 0;
  Vec3 low, high;
  bool local = false;
  CoordinateSystem system;
  bool contains(const Vec3& x) const;
};

/// What contacts need to find their surfaces; only on rank 0, empty in the shares of ranks.
struct Sets {
  std::vector<NodeSet> nodes;
  std::vector<PartSet> parts;
  std::vector<ShellSet> shells;
  std::vector<ElementSet> solids, beams, discretes;
  std::vector<SegmentSet> segments;
  std::vector<Box> boxes;

  const NodeSet* node_set(GlobalId id) const;  ///< null if there is none
  const PartSet* part_set(GlobalId id) const;
  const ShellSet* shell_set(GlobalId id) const;
  const SegmentSet* segment_set(GlobalId id) const;
};

struct Model {
  FeatureInputs features;  ///< what features have of their own (model/feature.hpp)
  Nodes nodes;
  Shells shells;
  Solids solids;
  Beams beams;
  Discretes discretes;
  Masses masses;
  std::vector<PartMass> part_masses;  ///< on rank 0, until they are spread
  std::vector<Part> parts;
  std::vector<PartDamping> part_damping;
  std::vector<Section> sections;
  std::vector<Material> materials;
  std::vector<Curve> curves;
  std::vector<Table> tables;
  std::vector<CoordinateSystem> systems;
  std::vector<Vec3> vectors;  ///< orientation vectors of discrete elements, unit length
  std::vector<NodeConstraint> constraints;
  std::vector<PrescribedMotion> motions;
  std::vector<InitialVelocity> initial_velocities;  ///< one per node at most, later input wins
  std::vector<NodalLoad> nodal_loads;
  std::vector<PressureLoad> pressures;
  std::vector<BodyLoad> body_loads;
  std::vector<RigidWall> walls;
  std::vector<RigidBody> rigid_bodies;
  std::vector<Support> supports;
  std::vector<Joint> joints;
  std::vector<JointStiffness> joint_stiffnesses;
  std::vector<RigidBodyLoad> rigid_body_loads;
  std::vector<Weld> welds;
  std::vector<NodeTie> node_ties;
  std::vector<Interpolation> interpolations;
  std::vector<Contact> contacts;
  std::vector<CrossSection> cross_sections;
  std::vector<InteriorContact> interiors;
  OutputControl output;
  Control control;
  Sets sets;

  LocalId curve_index(GlobalId id) const;  ///< kNone if there is none
  LocalId table_index(GlobalId id) const;
};

}  // namespace crumple::model
