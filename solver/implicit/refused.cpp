// The lists: every member of the model that an implicit run does not use is here or in
// docs/implicit-reference.md.
#include "implicit/refused.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "constraints/joint_stiffness/joint_stiffness.hpp"
#include "constraints/joints/joint.hpp"
#include "constraints/linear/linear_constraint.hpp"
#include "implicit/consistent_mass.hpp"
#include "implicit/inertia.hpp"
#include "loads/rigid_wall/rigid_wall.hpp"
#include "loads/temperature/temperature.hpp"
#include "materials/row.hpp"
#include "model/element_rows.hpp"
#include "model/feature.hpp"
#include "model/functions_tables.hpp"
#include "model/implicit_matrices.hpp"
#include "model/mortar_form.hpp"
#include "phases/schedule.hpp"
#include "springback/request.hpp"

namespace crumple::implicit {

namespace {

class List {
 public:
  explicit List(std::string_view end) : end_(end) {}
  void add(bool there, std::string_view what) {
    if (there) lines_.push_back(fmt::format("{} {}", what, end_));
  }
  std::vector<std::string> take() { return std::move(lines_); }

 private:
  std::string_view end_;
  std::vector<std::string> lines_;
};

bool has_beams(const model::Surface& surface) {
  return std::ranges::any_of(
      surface.lines, [](const model::ContactLine& line) { return line.kind == model::ElementKind::beam; });
}

/// Those with layers of solids' points, which are one step behind where they yield.
bool any_solid_layers(const model::Model& model) {
  return std::ranges::any_of(model.parts, [&](const model::Part& part) {
    return part.kind == model::ElementKind::solid && part.section != model::kNone &&
           part.rigid_body == model::kNone && model::is_thick_shell(model.sections[at(part.section)]) &&
           !model::has_plane_layers(model.sections[at(part.section)]);
  });
}

/// What a contact is called that has no mortar form; empty if it has.
std::string refused_contact(const model::Contact& contact) {
  using enum model::ContactType;
  if (contact.tiebreak.failure != model::TieFailure::none)
    return "contacts that are tied until they fail (*CONTACT_..._TIEBREAK)";
  if (contact.eroding) return "eroding contacts (*CONTACT_ERODING_...)";
  if (contact.ignore < 0 || contact.ignore > 3) return "contacts with IGNORE other than 0, 1, 2 and 3";
  if (contact.edges_only)
    return "contacts of edges (*CONTACT_AUTOMATIC_GENERAL_EDGEONLY, *CONTACT_SINGLE_EDGE)";
  if (contact.type == automatic_general && has_beams(contact.a)) return "contacts of beams";
  if (contact.forming) return "contacts of forming (*CONTACT_FORMING_...)";
  switch (contact.type) {
    case automatic_nodes_to_surface:
    case nodes_to_surface:
      return "contacts of nodes with a surface (..._NODES_TO_SURFACE; ..._ONE_WAY_SURFACE_TO_SURFACE of a "
             "node set, not automatic, or with explicit cycles in the run), where nodes have no area over "
             "which a pressure could be integrated,";
    case surface_to_surface:
      return "contacts that are not automatic (*CONTACT_SURFACE_TO_SURFACE), where the order of its nodes "
             "says which side of a segment may touch,";
    case force_transducer:
      return "force transducers (*CONTACT_FORCE_TRANSDUCER_...)";
    default:
      return "";
  }
}

/// In springback contacts end, whatever they are, and ties stay.
std::vector<std::string> refused_contacts(const model::Model& m) {
  std::vector<std::string> kinds;
  const bool ends = m.control.implicit.springback.active && !m.control.relaxation.implicit;
  for (const model::Contact& contact : m.contacts)
    if (std::string kind = refused_contact(contact); !kind.empty() &&
                                                     !(ends && !model::is_tied(contact.type)) &&
                                                     std::ranges::find(kinds, kind) == kinds.end())
      kinds.push_back(std::move(kind));
  return kinds;
}

/// Modes, and loads that are balanced by inertia, are of static runs; one kind of modes a run.
void add_modes(const model::Model& m, List& list) {
  const model::Implicit& c = m.control.implicit;
  const bool buckling = c.buckling.count > 0, relief = c.relief.active, vibration = c.eigenvalues.count > 0;
  list.add(buckling && vibration, "buckling modes (NMODE) and free vibrations (NEIG) in one run");
  list.add(buckling && c.dynamics.active, "buckling modes (NMODE) in dynamics");
  list.add(buckling && relief, "buckling modes (NMODE) with inertia relief");
  list.add(relief && c.dynamics.active, "inertia relief in dynamics");
  list.add(relief && c.arc.active, "inertia relief with arc lengths");
}

/// Whether a joint has a body of which no part counts in springback, or in a relaxation of some parts.
bool joint_of_left_out_body(const model::Model& m) {
  const model::Springback& springback = m.control.implicit.springback;
  std::vector<const std::vector<LocalId>*> counted;
  if (springback.active) counted.push_back(&springback.parts);
  if (m.control.relaxation.implicit && !m.control.relaxation.parts.empty())
    counted.push_back(&m.control.relaxation.parts);
  const auto left_out = [&](LocalId b) {
    const std::vector<LocalId>& parts = m.rigid_bodies[at(b)].parts;
    return !parts.empty() && std::ranges::any_of(counted, [&](const std::vector<LocalId>* only) {
      return std::ranges::none_of(parts,
                                  [&](LocalId p) { return std::ranges::find(*only, p) != only->end(); });
    });
  };
  const auto any = [&](const auto& joints) {
    return std::ranges::any_of(joints,
                               [&](const auto& j) { return std::ranges::any_of(j.bodies, left_out); });
  };
  return any(m.features.of<constraints::Joint>()) || any(m.features.of<constraints::JointStiffness>());
}

/// Elements with mass of which there is no consistent mass matrix; elements of a rigid part need none.
void add_consistent_mass(const model::Model& m, List& list) {
  if (!has_consistent_masses(m)) return;
  model::for_each_kind(m, [&](const model::ElementKindInfo& of, const model::ElementRows& rows) {
    bool any = false, of_solids = false;
    for (const LocalId p : rows.part) {
      if (!of.has_mass || has_consistent_mass(m, m.parts[at(p)])) continue;
      any = true;
      of_solids = of.kind == model::ElementKind::solid;
    }
    const std::string_view name =
        of_solids ? "thick shells and cohesive elements" : std::string_view(of.name);
    list.add(any, fmt::format("{}{} with consistent masses (IFLAG of *CONTROL_IMPLICIT_CONSISTENT_MASS)",
                              name, of_solids ? "" : " elements"));
  });
}

/// Where a run changes between implicit and explicit, or begins with a relaxation.
void add_phases(const model::Model& m, List& list) {
  const model::Control& control = m.control;
  const phases::Phase first = phases::schedule(m).front();
  list.add(control.relaxation.active && first.implicit,
           "explicit cycles of dynamic relaxation before a run that begins implicitly (IDRFLG = 1)");
  if (!control.has_phases()) return;
  list.add(control.implicit.eigenvalues.count > 0,
           "free vibrations (NEIG) in runs that are not implicit throughout");
  list.add(control.implicit.eigenvalues.by_curve != model::kNone &&
               (control.implicit.switching.where_it_fails || phases::schedule(m).size() > 1),
           "modes at times (NEIG < 0) in runs that change between implicit and explicit");
  list.add(control.implicit.arc.active, "arc lengths in runs that are not implicit throughout");
  list.add(control.implicit.buckling.count > 0, "buckling in runs that are not implicit throughout");
  list.add(joint_of_left_out_body(m), "joints of rigid bodies that do not count in springback or relaxation");
}

/// The elements' stiffness has no derivatives of the deformation gradient.
bool is_of_fabric(const model::Model& m, const model::Part& part) {
  if (part.material == model::kNone) return false;
  const materials::Row* const law = materials::find_law(m.materials[std::size_t(part.material)].law);
  return law && law->needs.deformation_gradient;
}

/// Walls that need inertia, or that nodes do not leave.
void add_walls(const model::Model& m, List& list) {
  const auto& walls = m.features.of<loads::RigidWall>();
  const auto any = [&](auto test) { return std::ranges::any_of(walls, test); };
  list.add(any([](const auto& w) { return w.moving; }), "rigid walls that move freely (_MOVING)");
  list.add(!walls.empty() && m.control.implicit.eigenvalues.count > 0,
           "free vibrations (NEIG) with rigid walls");
  list.add(any([](const auto& w) { return w.friction > 1.0; }), "rigid walls that weld nodes (FRIC 2 and 3)");
}

/// Joints of which implicit runs have no links, and motions that they have not.
void add_joints(const model::Model& m, List& list) {
  const auto& joints = m.features.of<constraints::Joint>();
  const auto any = [&](auto test) { return std::ranges::any_of(joints, test); };
  list.add(any([](const auto& j) { return constraints::relates_velocities(j.type); }),
           "joints that relate or prescribe velocities (screws, gears, pulleys, racks, motors)");
  list.add(any([](const auto& j) { return j.type == constraints::JointType::planar; }), "planar joints");
  list.add(any([](const auto& j) { return j.failure_time < model::kNever; }), "joints that fail (TFAIL)");
  list.add(any([](const auto& j) { return j.fails_by_force(); }), "joints that fail by forces (NXX to MZZ)");
  const auto stiffness = [&](constraints::StiffnessKind kind) {
    return std::ranges::any_of(m.features.of<constraints::JointStiffness>(),
                               [&](const auto& s) { return s.kind == kind; });
  };
  list.add(stiffness(constraints::StiffnessKind::flexion_torsion),
           "*CONSTRAINED_JOINT_STIFFNESS_FLEXION-TORSION");
  list.add(stiffness(constraints::StiffnessKind::translational),
           "*CONSTRAINED_JOINT_STIFFNESS_TRANSLATIONAL");
  list.add(std::ranges::any_of(m.motions, [](const auto& motion) { return motion.kind == 3; }),
           "velocities over displacement (VAD 3)");
  list.add(std::ranges::any_of(m.motions, [](const auto& motion) { return std::abs(motion.dof) >= 9; }),
           "nodes that turn about an axis (DOF 9 to 11 of *BOUNDARY_PRESCRIBED_MOTION)");
  list.add(std::ranges::any_of(m.motions, [](const auto& motion) { return motion.local; }),
           "motions along axes of rigid bodies (*BOUNDARY_PRESCRIBED_MOTION_RIGID_LOCAL)");
}

}  // namespace

std::vector<std::string> refused(const model::Model& m) {
  List list("are not supported in implicit analysis");
  for (const std::string& kind : refused_contacts(m)) list.add(true, kind);
  list.add(std::ranges::any_of(m.masses.inertia, [](double j) { return j > 0; }) ||
               std::ranges::any_of(m.rigid_bodies, [](const auto& body) { return !body.lumps.empty(); }),
           "lumped inertias (*ELEMENT_INERTIA)");
  list.add(std::ranges::any_of(m.welds, [](const model::Weld& weld) { return weld.filter > 1; }),
           "welds with filtered forces (NF of *CONSTRAINED_SPOTWELD_FILTERED_FORCE, FILTER)");
  list.add(!m.interiors.empty(), "interior contacts (*CONTACT_INTERIOR)");
  add_modes(m, list);
  for (const model::Feature* const feature : model::features())
    list.add(feature->any(m.features) && !feature->not_implicit().empty(), feature->not_implicit());
  list.add(!m.features.of<model::PlaceFunction>().empty(),
           "loads that are functions of the place (*DEFINE_FUNCTION)");
  list.add(std::ranges::any_of(m.features.of<constraints::LinearGroup>(),
                               [](const auto& group) {
                                 return std::ranges::any_of(group.terms,
                                                            [](const auto& term) { return term.turns != 0; });
                               }),
           "linear constraints of rotations (*CONSTRAINED_LINEAR_GLOBAL, DOF 4 to 6)");
  add_joints(m, list);
  add_walls(m, list);
  add_consistent_mass(m, list);
  list.add(std::ranges::any_of(m.parts, [&](const model::Part& p) { return is_of_fabric(m, p); }),
           "fabrics (*MAT_FABRIC)");
  list.add(m.particles.size() > 0, "SPH particles");
  list.add(any_solid_layers(m), "thick shells of ELFORM 3, 5 and 7 (*SECTION_TSHELL)");
  list.add(m.control.implicit.arc.active && m.control.implicit.dynamics.active, "dynamics with arc lengths");
  list.add(m.control.implicit.arc.active && !m.motions.empty(),
           "prescribed motions along a path of equilibrium (arc lengths)");
  list.add(m.control.implicit.arc.active && !m.features.of<loads::Temperature>().empty(),
           "temperatures along a path of equilibrium (arc lengths)");
  add_phases(m, list);
  list.add(m.control.implicit.eigenvalues.count > 0 && !m.features.of<springback::Request>().empty(),
           "free vibrations with a file of the final state (*INTERFACE_SPRINGBACK_LSDYNA)");
  return list.take();
}

std::vector<std::string> without_effect(const model::Model& m) {
  const model::Dynamics& dynamics = m.control.implicit.dynamics;
  const bool from_start = share_of_inertia(m, 0.5 * m.control.implicit.steps.first) > 0.0;
  const bool phased = m.control.has_phases();
  const bool explicit_first = std::ranges::any_of(
      phases::schedule(m), [](const phases::Phase& p) { return p.begin == 0.0 && !p.implicit; });
  List list(phased            ? "no effect in implicit steps"
            : dynamics.active ? "no effect in implicit analysis"
                              : "no effect: implicit analysis is static");
  list.add(!dynamics.active && (m.control.mass_damping || !m.part_damping.empty()), "damping by mass has");
  list.add(std::ranges::any_of(m.parts, [](const model::Part& p) { return p.stiffness_damping != 0.0; }),
           "damping by stiffness has");
  list.add(m.control.dt2ms != 0.0, "mass scaling (DT2MS) has");
  list.add(model::implicit_matrices(m).consistent_mass && !has_consistent_masses(m),
           "*CONTROL_IMPLICIT_CONSISTENT_MASS has");
  list.add(!dynamics.active && !explicit_first && !m.initial_velocities.empty(), "initial velocities have");
  std::vector<std::string> lines = list.take();
  if (m.control.implicit.springback.active) return lines;
  for (const model::Contact& contact : m.contacts) {
    if ((contact.soft != 0 && !is_mortar(contact)) || contact.vc != 0.0 || contact.vdc != 0.0)
      lines.push_back(fmt::format(
          "contact {}: SOFT, VC and VDC have no effect: contacts of implicit runs are mortar contacts",
          contact.id));
    if (contact.type == model::ContactType::automatic_general)
      lines.push_back(fmt::format("contact {}: edges of shells do not touch each other in implicit analysis",
                                  contact.id));
  }
  if (dynamics.active && !from_start && !explicit_first && !m.initial_velocities.empty())
    lines.emplace_back("initial velocities have no effect: the first step is static (TDYBIR, IMASS)");
  return lines;
}

}  // namespace crumple::implicit
