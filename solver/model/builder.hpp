// Common data of the files that build the model: the deck, the model so far, tables from numbers to indices,
// problems.
//
// Problems: CR-D301 a number given twice, CR-D302 an unknown part, section, material, ...; CR-D303 an unknown
// node; CR-D304 an unknown curve, frame or vector; CR-D305 an unknown set or box; CR-D310 an invalid value;
// CR-D311 a material without density; CR-D320 physics that is not supported; CR-D321 a part that is left out
// because of it; CR-D330 input without effect.
#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <string>

#include "deck/deck.hpp"
#include "model/deck_to_model.hpp"
#include "model/id_table.hpp"
#include "model/left_out_parts.hpp"
#include "model/model.hpp"

namespace crumple::model {

using deck::Keyword;
using deck::Record;

/// A blank field reads as zero, so zero means the default, as in LS-DYNA.
inline double or_default(double value, double otherwise) { return value == 0.0 ? otherwise : value; }
inline std::int64_t or_default(std::int64_t value, std::int64_t otherwise) {
  return value == 0 ? otherwise : value;
}

/// A row of a bulk table.
struct BulkRows {
  explicit BulkRows(const deck::Bulk& table) : table(table) {}
  const deck::Bulk& table;
  std::size_t size() const { return table.size(); }
  /// Column by name; null if no card of the deck has it.
  const std::vector<GlobalId>* integers(std::string_view name) const;
  const std::vector<double>* reals(std::string_view name) const;
};

/// What *NODE_TRANSFORM, *PART_MOVE and *NODE_MERGE_SET change, by node numbers.
struct NodeChanges {
  std::map<GlobalId, Vec3> moved;       ///< new coordinates
  std::map<GlobalId, GlobalId> merged;  ///< the node that takes its place, which is not merged itself
};

class Builder {
 public:
  Builder(const deck::Deck& deck, const BuildOptions& options) : deck(deck), options_(options) {}

  const deck::Deck& deck;
  Model model;

  // numbers to indices
  IdTable nodes, shells, solids, beams, discretes, particles;
  IdTable parts, sections, materials, curves, tables, systems, boxes, hourglasses;
  IdTable node_sets, part_sets, shell_sets, solid_sets, beam_sets, discrete_sets, segment_sets;
  NodeChanges node_changes;  ///< merged numbers are in `nodes`, with the index of the other node
  /// The nodes of *DEFINE_COORDINATE_NODES, and the axis (0 to 2) from the first to the second; the third is
  /// in the plane of that and the next.
  struct FrameNodes {
    std::array<LocalId, 3> node{kNone, kNone, kNone};
    int first = 0;
  };
  std::map<LocalId, FrameNodes> frame_nodes;  ///< by frame
  std::set<LocalId> moving_systems;           ///< frames of *DEFINE_COORDINATE_NODES with FLAG = 1
  IdTable orientations;                       ///< *DEFINE_SD_ORIENTATION into Model::vectors
  std::map<GlobalId, Vec3> vectors;           ///< *DEFINE_VECTOR, head minus tail
  std::map<GlobalId, BeamRule> beam_rules;    ///< *INTEGRATION_BEAM
  std::vector<Hourglass> hourglass;           ///< *HOURGLASS
  Hourglass default_hourglass;                ///< *CONTROL_HOURGLASS, *CONTROL_BULK_VISCOSITY
  struct NamedCurve {
    GlobalId id = 0;
    Place place;
  };
  NamedCurve step_curve, damping_curve;  ///< LCTM, LCID of *DAMPING_GLOBAL: resolved when curves are known
  NamedCurve inertia_curve;              ///< IMASS < 0 of *CONTROL_IMPLICIT_DYNAMICS, as well
  NamedCurve sizes_curve, largest_step_curve;  ///< IAUTO, DTMAX < 0 of *CONTROL_IMPLICIT_AUTO, as well
  NamedCurve modes_curve;                      ///< NEIG < 0 of *CONTROL_IMPLICIT_EIGENVALUE, as well
  NamedCurve scheme_curve;                     ///< IMFLAG < 0 of *CONTROL_IMPLICIT_GENERAL, as well
  bool lobatto_shells = false;                 ///< INTGRD of *CONTROL_SHELL
  int shell_theory = 2;  ///< THEORY of *CONTROL_SHELL: ELFORM of shells whose section has none
  struct Drilling {
    GlobalId parts = 0;
    double scale = 1;
    Place place;
  } drilling;                            ///< DRCPSID, DRCPRM of *CONTROL_SHELL
  bool relaxation_switched_off = false;  ///< IDRFLG = -999
  NamedCurve relaxed_parts;              ///< DRPSET, a part set: resolved in adapt_to_implicit
  bool elements_lost = false;            ///< some elements have missing nodes or parts
  LeftOutParts left_out;                 ///< with --allow-unsupported
  std::set<GlobalId> belt_parts;         ///< whose elements are seat belts, which are no part of the mesh
  /// Belts of shells: *PART with *SECTION_SHELL and *MAT_SEATBELT, and what these name. No section of others.
  struct ShellBelts {
    std::set<GlobalId> parts, sections, materials;
  } shell_belts;
  std::map<GlobalId, std::string> unsupported_sections;  ///< and their unsupported feature

  /// Points through the thickness of shells (*INTEGRATION_SHELL).
  struct ShellRule {
    std::vector<Ply> points;      ///< from the lower surface up
    std::vector<GlobalId> parts;  ///< whose materials layers have, by their numbers; 0: none
  };
  std::map<GlobalId, ShellRule> shell_rules;
  std::map<GlobalId, GlobalId> rule_of_section;
  /// Gives a section the points of a rule; false if there is none of this number.
  bool use_shell_rule(GlobalId id, Section& section);

  struct NamedContact {
    GlobalId id = 0;
    std::string by;
    Place place;
  };
  std::vector<NamedContact> awaited_contacts;  ///< that are named before contacts are read

  // steps, in the order of build_model
  void find_node_changes();
  void read_mesh_and_sets();  ///< calls all up to read_sets
  void read_nodes();
  void apply_node_changes();  ///< called by read_nodes
  void read_frames_and_boxes();
  void read_curves();
  void read_control();
  void read_implicit();             ///< called by read_control
  void find_share_of_inertia();     ///< called by read_output
  void find_scheme_curve();         ///< called by read_output
  void find_curves_of_steps();      ///< called by read_output
  void find_times_of_modes();       ///< called by read_output
  void read_seamless_springback();  ///< called by adapt_to_implicit
  void adapt_to_implicit();         ///< after all elements and read_drilling
  void read_materials();
  void read_failure();            ///< after read_materials
  void read_integration_rules();  ///< called by read_sections
  void read_sections();
  /// The rule that a section names by a negative QR/IRID.
  void use_beam_rule(const Record& record, const std::string& label, Section& section) const;
  void read_hourglass();
  void read_parts();
  void find_shell_belts();  ///< before materials and sections
  void read_shells();
  void read_belt_shells();       ///< called by read_shells
  void read_composite_shells();  ///< called by read_shells
  void read_solids();
  void read_solid_table(const std::string& name);
  void read_beams();
  void read_discretes();
  void read_particles();
  void read_particle_control();  ///< called by read_control
  void read_sets();
  void read_segment_sets();  ///< called by read_sets when element sets are known
  void read_masses();
  void read_part_masses();
  void read_rigid_bodies();
  void read_constraints();
  void read_motions();
  void read_linking();  ///< called by read_motions
  void read_welds();
  void read_interpolations();  ///< after read_welds
  void read_velocities();
  void read_contacts();
  void read_drilling();
  void read_cross_sections();
  void read_part_damping();  ///< after read_sets
  void read_output();
  void check_parts();

  // problems
  void error(const char* id, std::string text, Place place) const;
  void warn(const char* id, std::string text, Place place) const;
  /// A number of `what` ("part set") that does not exist. Nothing is reported if keywords that may define it
  /// have an error. If an include file is missing, one line is reported for all with the same error id.
  void missing(const char* id, std::string_view what, std::string text, Place place) const;
  /// Whether a reported error explains that entities of this kind are missing.
  bool lost(std::string_view what) const;
  /// Whether keywords that define entities of this kind were not read, reported as errors or, with
  /// --allow-unsupported, as warnings.
  bool not_read(std::string_view what) const;
  /// Whether an include file is missing (already reported), which may define anything.
  bool lost_file() const { return deck.lost_file() && deck.has_errors(); }
  void report_missing() const;  ///< reports that `missing` has deferred
  /// Physics that is not supported.
  void unsupported(std::string text, Place place) const;

  /// Index of number `id`, kNone and an error if it does not exist: "*X: part 7 does not exist".
  LocalId find(const IdTable& table, GlobalId id, const char* error_id, std::string_view what,
               std::string_view by, const Place& place) const;
  LocalId find_node(GlobalId id, std::string_view by, const Place& place) const;
  LocalId find_part(GlobalId id, std::string_view by, const Place& place) const;
  LocalId find_curve(GlobalId id, std::string_view by, const Place& place) const;
  void refuse_function(LocalId curve, std::string_view by, const Place& place) const;
  /// A frame; 0 is the global one: kNone without an error.
  /// A frame that moves with its nodes (FLAG = 1) is an error, except where it is used only at the start.
  enum class Use { throughout, at_start };
  LocalId find_system(GlobalId id, std::string_view by, const Place& place, Use use = Use::throughout) const;
  const Box* find_box(GlobalId id, std::string_view by, const Place& place) const;
  /// Rigid body of a part number, kNone and an error if the part is not rigid; after read_rigid_bodies.
  LocalId find_rigid_body(GlobalId id, std::string_view by, const Place& place) const;
  /// Why elements of a kind cannot be computed in a part (its section or material was refused); empty if they
  /// can. With --allow-unsupported such elements are not read, and the part is in `left_out`.
  std::string why_left_out(LocalId part, ElementKind kind) const;
  /// Whether all parts, or shells, of a contact's side are left out.
  bool is_left_out(const SurfaceInput& side) const;
  /// Numbers of the elements of a kind.
  const IdTable& elements_of(ElementKind kind) const;
  /// Nodes of a set, null and an error if there is none.
  const NodeSet* find_node_set(GlobalId id, std::string_view by, const Place& place) const;
  const PartSet* find_part_set(GlobalId id, std::string_view by, const Place& place) const;

  /// "*BOUNDARY_SPC_NODE", for messages.
  static std::string star(const Keyword& keyword) { return fmt::format("*{}", keyword.full_name()); }

  /// Nodes of the elements of a part, ascending user id, each once.
  const std::vector<LocalId>& nodes_of_part(LocalId part);
  /// Whether a node belongs to an element with mass, or has a lumped mass; after read_masses.
  bool has_mass(LocalId node);
  /// Sort by user id and remove duplicates.
  void sort_nodes(std::vector<LocalId>& list) const;
  /// Rigid body of a node, kNone if it has none; known after read_rigid_bodies.
  std::vector<LocalId> body_of_node;
  std::vector<LocalId> printed_discretes;     ///< with PF = 0
  std::map<LocalId, Record> inertia_records;  ///< *PART_INERTIA, by part
  IdTable nodal_bodies;  ///< part numbers of *CONSTRAINED_NODAL_RIGID_BODY into Model::rigid_bodies

  Vec3 to_global(LocalId system, const Vec3& v) const;

 private:
  struct PartNodes {
    bool known = false;
    std::vector<LocalId> nodes;
  };
  struct PartInput {
    Place section_place, material_place;
    GlobalId section, material, equation_of_state;
  };
  void collect_part_nodes();
  Hourglass hourglass_of(const Record& record, const std::string& label) const;
  void read_part_contact(const Record& record, const std::string& label, Part& part) const;
  void add_part(Part part, PartInput input, const std::string& label, const Place& place);
  void read_composite_parts();  ///< called by read_parts
  /// Reports a material that cannot be a layer of a shell.
  void check_layer(LocalId material, const std::string& label, const Place& place) const;
  void read_shell_rules();        ///< called by read_sections
  void give_rules_their_parts();  ///< called by read_parts
  void read_composite_part(const Keyword& keyword, const Record& record, bool thick);
  void read_composite_thick_shell(const Record& record, bool one_to_a_line, const std::string& label,
                                  Section& section);
  void read_plies(const Record& record, bool one_to_a_line, const std::string& label, Section& section);
  void read_composite_section(const Record& record, bool one_to_a_line, const std::string& label,
                              Section& section);
  void check_references(const Part& part, const PartInput& input) const;
  void report_left_out_parts() const;
  void check_own_thickness();
  void check_flow_curves(const Material& m, const std::string& label) const;
  void report_triangles() const;

  struct Missing {
    std::string text;
    Place place;
    std::size_t count = 0;
  };
  BuildOptions options_;
  mutable std::map<std::string, Missing> missing_;  ///< deferred reports by error id
  std::vector<PartNodes> part_nodes_;
  std::vector<bool> has_mass_;  ///< by node; empty until first used
  std::vector<PartInput> part_inputs_;
};

}  // namespace crumple::model
