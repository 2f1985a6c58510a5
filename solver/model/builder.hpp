// What the files that build the model share: the deck, the model so far, numbers to indices, problems.
//
// Problems: CR-D301 a number given twice, CR-D302 an unknown part, section, material, ...; CR-D303 an unknown
// node; CR-D304 an unknown curve, frame or vector; CR-D305 an unknown set or box; CR-D310 a value that cannot
// be; CR-D311 a material without density; CR-D320 physics that is not supported; CR-D321 a part that is left
// out for it; CR-D330 input without effect.
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

/// Zero is how a blank field reads, so zero means the default, as in LS-DYNA.
inline double or_default(double value, double otherwise) { return value == 0.0 ? otherwise : value; }
inline std::int64_t or_default(std::int64_t value, std::int64_t otherwise) {
  return value == 0 ? otherwise : value;
}

/// A row of a bulk table.
struct BulkRows {
  explicit BulkRows(const deck::Bulk& table) : table(table) {}
  const deck::Bulk& table;
  std::size_t size() const { return table.size(); }
  /// Column by name; null where no card of the deck has it.
  const std::vector<GlobalId>* integers(std::string_view name) const;
  const std::vector<double>* reals(std::string_view name) const;
};

class Builder {
 public:
  Builder(const deck::Deck& deck, const BuildOptions& options) : deck(deck), options_(options) {}

  const deck::Deck& deck;
  Model model;

  // numbers to indices
  IdTable nodes, shells, solids, beams, discretes;
  IdTable parts, sections, materials, curves, tables, systems, boxes, hourglasses;
  IdTable node_sets, part_sets, shell_sets, solid_sets, beam_sets, discrete_sets, segment_sets;
  std::set<LocalId> moving_systems;  ///< frames of *DEFINE_COORDINATE_NODES with FLAG = 1
  IdTable orientations;              ///< *DEFINE_SD_ORIENTATION into Model::vectors
  std::map<GlobalId, Vec3> vectors;  ///< *DEFINE_VECTOR, head minus tail
  std::vector<Hourglass> hourglass;  ///< *HOURGLASS
  Hourglass default_hourglass;       ///< *CONTROL_HOURGLASS, *CONTROL_BULK_VISCOSITY
  struct NamedCurve {
    GlobalId id = 0;
    Place place;
  };
  NamedCurve step_curve, damping_curve;  ///< LCTM, LCID of *DAMPING_GLOBAL: found once curves are known
  bool lobatto_shells = false;           ///< INTGRD of *CONTROL_SHELL
  int shell_theory = 2;  ///< THEORY of *CONTROL_SHELL: form of shells whose section gives none
  struct Drilling {
    GlobalId parts = 0;
    double scale = 1;
    Place place;
  } drilling;                                            ///< DRCPSID, DRCPRM of *CONTROL_SHELL
  bool relaxation_switched_off = false;                  ///< IDRFLG = -999
  bool elements_lost = false;                            ///< some have nodes or parts that do not exist
  LeftOutParts left_out;                                 ///< with --allow-unsupported
  std::map<GlobalId, std::string> unsupported_sections;  ///< and what of them is not supported

  // steps, in the order in which build_model takes them
  void read_nodes();
  void read_frames_and_boxes();
  void read_curves();
  void read_control();
  void read_materials();
  void read_erosion();  ///< after read_materials
  void read_sections();
  void read_hourglass();
  void read_parts();
  void read_shells();
  void read_solids();
  void read_beams();
  void read_discretes();
  void read_sets();
  void read_segment_sets();  ///< by read_sets, once element sets are known
  void read_masses();
  void read_part_masses();
  void read_rigid_bodies();
  void read_constraints();
  void read_motions();
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
  /// A number of `what` ("part set") that does not exist. Nothing is said where the deck has an error in what
  /// may define it; where an include file is missing, one line stands for all of an id.
  void missing(const char* id, std::string_view what, std::string text, Place place) const;
  /// Whether an error reported already is why things of this kind are missing.
  bool lost(std::string_view what) const;
  /// Whether keywords that define things of this kind were not read, reported as errors or, as
  /// --allow-unsupported asks, as warnings.
  bool not_read(std::string_view what) const;
  /// Whether an include file that is missing, as was reported, may define anything.
  bool lost_file() const { return deck.lost_file() && deck.has_errors(); }
  void report_missing() const;  ///< what `missing` kept back
  /// Physics that is not supported.
  void unsupported(std::string text, Place place) const;

  /// Index of what number `id` names, kNone and an error if there is none: "*X: part 7 does not exist".
  LocalId find(const IdTable& table, GlobalId id, const char* error_id, std::string_view what,
               std::string_view by, const Place& place) const;
  LocalId find_node(GlobalId id, std::string_view by, const Place& place) const;
  LocalId find_part(GlobalId id, std::string_view by, const Place& place) const;
  LocalId find_curve(GlobalId id, std::string_view by, const Place& place) const;
  /// A frame; 0 is the global one: kNone without an error.
  /// A frame that moves with its nodes (FLAG = 1) is an error but where the start is all that counts.
  enum class Use { throughout, at_start };
  LocalId find_system(GlobalId id, std::string_view by, const Place& place, Use use = Use::throughout) const;
  const Box* find_box(GlobalId id, std::string_view by, const Place& place) const;
  /// Body that a part number names, kNone and an error if that is not rigid; after read_rigid_bodies.
  LocalId find_rigid_body(GlobalId id, std::string_view by, const Place& place) const;
  /// Why elements of a kind cannot be computed in a part, empty if they can: its section or material was
  /// refused. With --allow-unsupported such elements are not read, and the part is in `left_out`.
  std::string why_left_out(LocalId part, ElementKind kind) const;
  /// Whether a side of a contact names nothing but parts that are left out, or their shells.
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
  /// Whether a node is on an element that has mass, or carries a lumped mass; after read_masses.
  bool has_mass(LocalId node);
  /// Sort by user id and drop repeats.
  void sort_nodes(std::vector<LocalId>& list) const;
  /// Rigid body that a node belongs to, kNone without; known after read_rigid_bodies.
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
  mutable std::map<std::string, Missing> missing_;  ///< by id of the message; kept back
  std::vector<PartNodes> part_nodes_;
  std::vector<bool> has_mass_;  ///< by node; empty until asked for
  std::vector<PartInput> part_inputs_;
};

}  // namespace crumple::model
