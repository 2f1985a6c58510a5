// The lists: every member of the model that an implicit run does not use is here or in docs/implicit.md.
#include "implicit/refused.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "implicit/inertia.hpp"
#include "loads/rigid_wall/rigid_wall.hpp"
#include "model/feature.hpp"
#include "springback/request.hpp"

namespace crumple::implicit {

namespace {

constexpr int kNodalPressure = 13;  ///< ELFORM of tetrahedra whose stiffness would need neighbours

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

bool any_solid_of(const model::Model& model, int elform) {
  return std::ranges::any_of(model.parts, [&](const model::Part& part) {
    return part.kind == model::ElementKind::solid && part.section != model::kNone &&
           model.sections[at(part.section)].elform == elform;
  });
}

/// What a contact is called that has no mortar form; empty if it has.
std::string refused_contact(const model::Contact& contact) {
  using enum model::ContactType;
  if (contact.eroding) return "eroding contacts (*CONTACT_ERODING_...)";
  if (contact.ignore < 0 || contact.ignore > 3) return "contacts with IGNORE other than 0, 1, 2 and 3";
  if (contact.edges_only) return "contacts of edges (*CONTACT_AUTOMATIC_GENERAL_EDGEONLY)";
  if (contact.type == automatic_general && has_beams(contact.a)) return "contacts of beams";
  switch (contact.type) {
    case automatic_nodes_to_surface:
    case nodes_to_surface:
      return "contacts of nodes with a surface (..._NODES_TO_SURFACE, ..._ONE_WAY_SURFACE_TO_SURFACE)";
    case surface_to_surface:
      return "contacts that are not automatic (*CONTACT_SURFACE_TO_SURFACE)";
    case force_transducer:
      return "force transducers (*CONTACT_FORCE_TRANSDUCER_...)";
    default:
      return "";
  }
}

std::vector<std::string> refused_contacts(const model::Model& m) {
  std::vector<std::string> kinds;
  for (const model::Contact& contact : m.contacts)
    if (std::string kind = refused_contact(contact);
        !kind.empty() && std::ranges::find(kinds, kind) == kinds.end())
      kinds.push_back(std::move(kind));
  return kinds;
}

bool has_dependents(const model::Model& m) {
  return !m.rigid_bodies.empty() || !m.node_ties.empty() || !m.interpolations.empty() || !m.welds.empty() ||
         std::ranges::any_of(m.contacts, [](const auto& c) { return model::is_tied(c.type); });
}

/// Masses of dependent nodes couple their masters: they are not a diagonal.
void add_free_vibration(const model::Model& m, List& list) {
  if (m.control.implicit.eigenvalues.count <= 0) return;
  const auto tied = [](const model::Contact& c) { return model::is_tied(c.type); };
  list.add(!m.rigid_bodies.empty(), "free vibrations (NEIG) with rigid bodies");
  list.add(!m.node_ties.empty() || !m.interpolations.empty() || !m.welds.empty() ||
               std::ranges::any_of(m.contacts, tied),
           "free vibrations (NEIG) with ties, welds, interpolations and node sets with a common motion");
  list.add(!std::ranges::all_of(m.contacts, tied), "free vibrations (NEIG) with contacts");
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

}  // namespace

std::vector<std::string> refused(const model::Model& m) {
  List list("are not supported in implicit analysis");
  for (const std::string& kind : refused_contacts(m)) list.add(true, kind);
  list.add(!m.interiors.empty(), "interior contacts (*CONTACT_INTERIOR)");
  add_free_vibration(m, list);
  list.add(std::ranges::any_of(m.welds, [](const model::Weld& w) { return w.can_break(); }),
           "spot welds between nodes that can break (*CONSTRAINED_SPOTWELD with SN, SS or TF)");
  for (const model::Feature* const feature : model::features())
    list.add(feature->any(m.features) && !feature->not_implicit().empty(), feature->not_implicit());
  add_walls(m, list);
  list.add(any_solid_of(m, kNodalPressure), "tetrahedra with nodal pressure (ELFORM 13)");
  list.add(m.control.implicit.arc.active && m.control.implicit.dynamics.active, "dynamics with arc lengths");
  list.add(m.control.implicit.dynamics.active && has_dependents(m),
           "dynamics with rigid bodies, ties, welds, interpolations and node sets with a common motion");
  list.add(m.control.implicit.arc.active && !m.motions.empty(),
           "prescribed motions along a path of equilibrium (arc lengths)");
  list.add(m.control.relaxation.active, "steps of dynamic relaxation before the run");
  list.add(m.control.implicit.eigenvalues.count > 0 && !m.features.of<springback::Request>().empty(),
           "free vibrations with a file of the final state (*INTERFACE_SPRINGBACK_LSDYNA)");
  list.add(m.output.dumps.d3dump > 0 || m.output.dumps.runrsf > 0, "dumps for a restart");
  return list.take();
}

std::vector<std::string> without_effect(const model::Model& m) {
  const model::Dynamics& dynamics = m.control.implicit.dynamics;
  const bool from_start = share_of_inertia(m, 0.5 * m.control.implicit.steps.first) > 0.0;
  List list(dynamics.active ? "no effect in implicit analysis" : "no effect: implicit analysis is static");
  list.add(!dynamics.active && (m.control.mass_damping || !m.part_damping.empty()), "damping by mass has");
  list.add(std::ranges::any_of(m.parts, [](const model::Part& p) { return p.stiffness_damping != 0.0; }),
           "damping by stiffness has");
  list.add(m.control.dt2ms != 0.0, "mass scaling (DT2MS) has");
  list.add(!dynamics.active && !m.initial_velocities.empty(), "initial velocities have");
  std::vector<std::string> lines = list.take();
  for (const model::Contact& contact : m.contacts) {
    if (contact.soft != 0 || contact.vc != 0.0 || contact.vdc != 0.0)
      lines.push_back(fmt::format(
          "contact {}: SOFT, VC and VDC have no effect: contacts of implicit runs are mortar contacts",
          contact.id));
    if (contact.type == model::ContactType::automatic_general)
      lines.push_back(fmt::format("contact {}: edges of shells do not touch each other in implicit analysis",
                                  contact.id));
  }
  if (dynamics.active && !from_start && !m.initial_velocities.empty())
    lines.emplace_back("initial velocities have no effect: the first step is static (TDYBIR, IMASS)");
  return lines;
}

}  // namespace crumple::implicit
