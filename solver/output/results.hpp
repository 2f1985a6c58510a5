// Input of the result writers: plain data in global order, gathered on rank 0 by the caller.
//
// A Catalogue has the data that do not change during a run, a PlotState is the state of the whole model at
// one time, a ...Row is one line of a time history. Arrays are in the catalogue's order; `Nested` sizes are
// given as [element][layer][component], the last index fastest. The writers do not depend on ranks or on the
// time loop.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/members.hpp"
#include "base/types.hpp"
#include "model/element_kind.hpp"

namespace crumple::output {

using model::ElementKind;

/// Elements [first, last) of one kind.
struct Range {
  std::size_t first = 0, last = 0;
};

/// A part. `kind` is that of its elements; `none` without elements.
struct PartInfo {
  GlobalId id = 0;
  std::string title;
  int law = 0;         ///< number of the material law in LS-DYNA's manual
  bool rigid = false;  ///< its elements have no stresses
  ElementKind kind = ElementKind::none;
};

/// The elements of one kind: user id, part (index into Catalogue::parts), node positions (0-based).
template <int N>
struct Elements {
  std::vector<GlobalId> id;
  std::vector<std::int32_t> part;
  std::vector<std::array<std::int32_t, N>> nodes;
  std::size_t size() const { return id.size(); }
};

/// Nodes in the middle of the edges of a tetrahedron with ten nodes.
using MiddleOfEdges = std::array<std::int32_t, 6>;

struct WallInfo {
  GlobalId id = 0;
  std::string title;
};

struct ContactInfo {
  GlobalId id = 0;
  std::string title;
  bool side_a = true, side_b = true;  ///< which sides rcforc has
};

/// A side of a contact in ncforc and intfor.
struct ContactSideInfo {
  std::int32_t contact = 0;  ///< into Catalogue::contacts
  bool b = false;
  std::vector<std::int32_t> nodes;  ///< positions of its nodes, by user id
  /// Of intfor: indices into `nodes`; a triangle repeats its last. Without faces that erosion may expose.
  std::vector<std::array<std::int32_t, 4>> segments;
};

/// An entity of *DATABASE_HISTORY, with its name from _ID.
struct Named {
  GlobalId id = 0;
  std::string title;
};

/// A spring or damper of deforc.
struct SpringInfo {
  GlobalId id = 0;
  bool rotational = false;
  std::string title;
};

/// A spot weld beam; its index among the catalogue's beams.
struct WeldInfo {
  GlobalId id = 0;
  std::int32_t beam = 0;
};

/// A cross section. Its results are in the axes of a rigid body or a coordinate system; 0: global ones.
struct SectionInfo {
  GlobalId id = 0;
  std::string title;
  GlobalId rigid_body = 0, system = 0;
};

/// A node with single-point constraints; the held freedoms decide what is written.
struct HeldNode {
  GlobalId id = 0;
  GlobalId constraint = 0;  ///< number of the (first) constraint's _ID, 0 without _ID
  bool translations = false, rotations = false;
};

/// Entities with external loads, by user number: nodes with loads, nodes of segments under pressure, nodes
/// and rigid bodies with prescribed motion.
struct BoundaryInfo {
  std::vector<GlobalId> loaded, pressed, moved, bodies;
};

/// A joint, or a *CONSTRAINED_JOINT_STIFFNESS.
struct JointInfo {
  GlobalId id = 0;
  std::string title;
  bool local = false;  ///< forces are along axes of a body
  int kind = 0;        ///< of stiffnesses: 0 generalized, 1 flexion and torsion, 2 translational
};

/// A rigid body; nodal ones come last.
struct RigidBodyInfo {
  GlobalId id = 0;
  std::string title;
  bool nodal = false;
  std::int32_t body = 0;  ///< index in the model's list
};

/// Data of the run for the headers of files. Nothing here is read from a clock: the caller decides whether
/// two runs give the same bytes.
struct RunInfo {
  std::string version = "crumple";  ///< e.g. "crumple 0.1.0 d"
  std::string revision;             ///< commit of the source; empty if it is not known
  std::string date;                 ///< mm/dd/yyyy
  std::int64_t seconds = 0;         ///< since 1970, when the run began
  /// "crumple 0.1.0 d (revision b0729094cf12)"
  std::string program() const {
    return revision.empty() ? version : version + " (revision " + revision + ")";
  }
};
CRUMPLE_MEMBERS(RunInfo, version, revision, date, seconds)

/// Data that does not change during a run.
struct Catalogue {
  RunInfo run;
  std::string title;
  std::vector<GlobalId> node_id;
  std::vector<Vec3> node_x;  ///< at t = 0
  Elements<8> solids;        ///< degenerate forms repeat nodes as in the deck
  /// By solid; negative where it has none. Empty if no solid has any.
  std::vector<MiddleOfEdges> solid_middle;
  Elements<3> beams;      ///< third: orientation node, or the first again
  Elements<4> shells;     ///< triangles repeat the third node
  Elements<1> particles;  ///< SPH
  std::vector<PartInfo> parts;
  std::vector<WallInfo> walls;
  std::vector<ContactInfo> contacts;
  std::vector<ContactSideInfo> contact_sides;
  std::vector<Named> history_nodes;
  std::vector<Named> named_solids, named_beams, named_shells;  ///< elements of elout with a name
  std::vector<WeldInfo> welds;
  std::vector<SectionInfo> sections;
  std::vector<HeldNode> held_nodes;
  BoundaryInfo boundary;
  std::vector<SpringInfo> springs;
  std::vector<JointInfo> joints, joint_stiffnesses;
  std::vector<RigidBodyInfo> rigid_bodies;
  bool has_joints() const { return !joints.empty() || !joint_stiffnesses.empty(); }
};

/// Number of values per element in a PlotState; the same for all elements of a kind.
struct Layout {
  int shell_layers = 3;     ///< MAXINT; plot_layers() gives the integration points of each layer
  int shell_history = 0;    ///< NEIPS, per layer
  int solid_points = 1;     ///< 1 or 8 (NINTSLD)
  int solid_history = 0;    ///< NEIPH, per point, without the strains
  int beam_points = 0;      ///< BEAMIP
  bool strains = false;     ///< STRFLG
  bool added_mass = false;  ///< MSSCL: of nodes
};

/// Shells at one time. An empty array means zeros; any other size than the given one is an error.
struct ShellStates {
  std::vector<double> stress;          ///< [n][layers][6] xx yy zz xy yz zx, global axes; shear with SHRF
  std::vector<double> plastic_strain;  ///< [n][layers] effective
  std::vector<double> history;         ///< [n][layers][history]
  /// [n][8] mx my mxy qx qy nx ny nxy per length, element axes: moments positive for compression of the upper
  /// surface (in the direction of the normal), shear forces with SHRF.
  std::vector<double> resultant;
  std::vector<double> thickness;       ///< [n]
  std::vector<double> energy_density;  ///< [n] internal energy per volume
  std::vector<double> strain;          ///< [n][2][6] inner and outer surface, global axes
  std::vector<std::uint8_t> alive;     ///< [n]; empty: all are
};

struct SolidStates {
  std::vector<double> stress;          ///< [n][points][6]
  std::vector<double> plastic_strain;  ///< [n][points]
  std::vector<double> history;         ///< [n][points][history]
  std::vector<double> strain;          ///< [n][points][6]
  std::vector<std::uint8_t> alive;
};

struct BeamStates {
  std::vector<double> resultant;  ///< [n][6] axial, shear s, shear t, moment s, moment t, torsion
  std::vector<double> point;      ///< [n][points][5] stress rr, rs, tr, plastic strain, axial strain
  std::vector<std::uint8_t> alive;
};

/// SPH particles.
struct ParticleStates {
  std::vector<double> stress;          ///< [n][6]
  std::vector<double> plastic_strain;  ///< [n]
  std::vector<double> length;          ///< [n] smoothing length
  std::vector<double> density;         ///< [n]
  std::vector<double> energy;          ///< [n] internal energy
  std::vector<double> neighbours;      ///< [n] number of them
  std::vector<double> mass;            ///< [n]
  std::vector<std::uint8_t> alive;
};

struct PartState {
  double internal = 0, kinetic = 0, hourglass = 0, mass = 0;
  Vec3 velocity;  ///< of the centre of mass
};

/// The state of the whole model at one time.
struct PlotState {
  double time = 0;
  std::int64_t cycle = 0;
  std::vector<Vec3> x, v, a;       ///< of every node: current position, velocity, acceleration
  std::vector<double> added_mass;  ///< of every node, by mass scaling: absolute or in percent
  SolidStates solids;
  BeamStates beams;
  ShellStates shells;
  ParticleStates particles;
  double kinetic = 0, internal = 0, total = 0;
  Vec3 velocity;                   ///< of the centre of mass
  std::vector<PartState> parts;    ///< one per part
  std::vector<double> wall_force;  ///< normal force of each wall
};

/// One block of glstat.
struct GlobalRow {
  std::int64_t cycle = 0;
  double time = 0, dt = 0;
  ElementKind controlling = ElementKind::none;  ///< of the element that limits the step; none: LCTM
  GlobalId controlling_element = 0, controlling_part = 0;
  double kinetic = 0, internal = 0, spring_damper = 0, hourglass = 0, damping = 0, sliding = 0,
         external_work = 0, eroded_kinetic = 0, eroded_internal = 0, eroded_hourglass = 0, total = 0,
         ratio = 1, ratio_without_eroded = 1;
  double joint = 0;               ///< written if the catalogue has joints
  std::vector<double> stonewall;  ///< energy of each wall
  Vec3 velocity;
  double ns_per_zone_cycle = 0;
  double added_mass = 0, added_mass_percent = 0;  ///< written when mass scaling is on
};

/// One part of one block of matsum; rows are in the catalogue's order of parts.
struct MatsumRow {
  double internal = 0, kinetic = 0, hourglass = 0, eroded_internal = 0, eroded_kinetic = 0,
         eroded_hourglass = 0, mass = 0, added_mass = 0;
  Vec3 momentum, rigid_velocity;
};

/// One contact of one block of rcforc: forces on the two sides, masses of their nodes.
struct RcforcRow {
  Vec3 force_a, force_b;
  double mass_a = 0, mass_b = 0;
};

/// One contact of one block of sleout: energies of its sides so far.
struct SleoutRow {
  double energy_a = 0, energy_b = 0;
  double friction = 0;  ///< part of both that friction dissipated
};

/// One node of one block of ncforc; blocks have the nodes of a side in the order of its ContactSideInfo.
struct NcforcRow {
  Vec3 force, x;
};

/// One wall of one block of rwforc.
struct RwforcRow {
  double normal = 0;
  Vec3 force;
};

/// One weld of one block of swforc; rows are in the order of Catalogue::welds. A failed weld has no forces.
struct SwforcRow {
  double axial = 0, shear = 0, bending = 0, torsion = 0;  ///< at the middle; shear and bending are magnitudes
  double length = 0;
  bool failed = false;
  double failure_time = 0;
};

/// One cross section of one block of secforc.
struct SecforcRow {
  Vec3 force, moment;  ///< moment about the centroid
  Vec3 centroid;
  double area = 0;
};

/// One block of spcforc: a row for each of Catalogue::held_nodes, in the axes of its first constraint.
struct SpcforcBlock {
  struct Row {
    Vec3 force, moment;
  };
  std::vector<Row> rows;
  Vec3 resultant;  ///< sum of forces, global axes
};

/// One block of bndout: rows in the order of Catalogue::boundary, energies are work done so far.
struct BndoutBlock {
  struct Row {
    Vec3 force, moment;
    double energy = 0;
  };
  std::vector<Row> loaded, pressed, moved, bodies;

  /// Subtract the energies of another block of the same run.
  void count_from(const BndoutBlock& start);
};

/// An integration point, or a layer as the mean of its points in the plane: global axes.
struct PointState {
  std::array<double, 6> stress{};  ///< xx yy zz xy yz zx
  double plastic_strain = 0;
  /// Whether the point has plastic strain.
  bool plastic() const { return plastic_strain > 0; }
  double von_mises() const;
};

/// An element in one block of elout.
struct EloutElement {
  GlobalId id = 0, part = 0;
  int form = 0;  ///< ELFORM
  /// Layers from the bottom; the mean of a solid; points of a beam, in its own axes.
  std::vector<PointState> points;
  std::array<double, 6> resultant{};       ///< beams: axial, shear s, shear t, moment s, moment t, torsion
  std::array<double, 6> inner{}, outer{};  ///< strains of shells at both surfaces; of solids in `inner`
};

/// One block of elout; elements in the order of their numbers.
struct EloutRow {
  bool strains = false;
  std::vector<EloutElement> solids, beams, shells;
};

/// One spring of one block of deforc; rows are in the order of Catalogue::springs. Moments of rotational
/// ones.
struct DeforcRow {
  Vec3 force;            ///< on the first node, tension pulls it towards the second
  double resultant = 0;  ///< positive in tension
  double change = 0;     ///< of length, or relative rotation
};

/// One joint of one block of jntforc: force on body A and moment about node 1, global axes.
struct JointRow {
  Vec3 force, moment;
  double energy = 0;
};

/// One joint stiffness of one block of jntforc: angles phi, theta, psi or alpha, gamma, beta in degrees, or
/// lengths, and resisting moments or forces.
struct JointStiffnessRow {
  std::array<double, 3> angle{}, rate{}, stiffness{}, damping{};
  double energy = 0;
  double scale = 1;  ///< factor of the moment of alpha by gamma
};

/// One rigid body of one block of rbdout; rows are in the order of Catalogue::rigid_bodies.
struct RigidBodyRow {
  Vec3 x, displacement, velocity, acceleration, rotation, angular_velocity, angular_acceleration;
  std::array<Vec3, 3> direction{};  ///< rows of the rotation from the body's axes to global ones
};

/// One node of one block of nodout; rows are in the order of Catalogue::history_nodes.
struct NodoutRow {
  Vec3 displacement, velocity, acceleration, x;
  Vec3 rotation, angular_velocity, angular_acceleration;
};

/// One output layer as a mean of an element's integration points, which are counted from the bottom.
struct LayerPick {
  int first = 0, second = 0;  ///< the layer is (first + second) / 2; equal for a single point
};

/// Which integration points of an element with `nip` points through the thickness (bottom first) become
/// the `maxint` layers of the plot file: 3 gives middle, lowest, highest, as LS-DYNA does (an even number
/// of points gives the middle as the mean of the two next to it); any other number gives the first
/// `maxint` points, the last repeated where the element has fewer.
std::vector<LayerPick> plot_layers(int nip, int maxint);

/// Raises CR-O001 if the size of an array of the plot_state does not fit catalogue and layout.
void check_sizes(const Catalogue& catalogue, const Layout& layout, const PlotState& plot_state);
/// The same for its rows of parts and walls only.
void check_globals(const Catalogue& catalogue, const PlotState& plot_state);

}  // namespace crumple::output
