// The lists: every member of the model that an implicit run does not use is here or in docs/implicit.md.
#include "implicit/refused.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "model/feature.hpp"

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

bool any_solid_of(const model::Model& model, int elform) {
  return std::ranges::any_of(model.parts, [&](const model::Part& part) {
    return part.kind == model::ElementKind::solid && part.section != model::kNone &&
           model.sections[at(part.section)].elform == elform;
  });
}

bool any_contact(const model::Model& model, const std::function<bool(const model::Contact&)>& is) {
  return std::ranges::any_of(model.contacts, is);
}

/// Tied contacts are constraints, unless springs hold the nodes.
void add_contacts(const model::Model& m, List& list) {
  const auto tied = [](const model::Contact& c) { return model::is_tied(c.type); };
  list.add(!m.interiors.empty() || any_contact(m, [&](const auto& c) { return !tied(c); }),
           "contacts other than tied ones");
  list.add(any_contact(m, [&](const auto& c) { return tied(c) && c.offset == model::TiedOffset::penalty; }),
           "tied contacts by springs (_OFFSET, TIED_SHELL_EDGE_TO_SOLID)");
  list.add(any_contact(m, [&](const auto& c) { return tied(c) && c.death < model::kNever; }),
           "tied contacts that end (DEATH)");
}

/// Masses of dependent nodes couple their masters: they are not a diagonal.
void add_free_vibration(const model::Model& m, List& list) {
  if (m.control.implicit.eigenvalues.count <= 0) return;
  list.add(!m.rigid_bodies.empty(), "free vibrations (NEIG) with rigid bodies");
  list.add(!m.node_ties.empty() || !m.interpolations.empty() || !m.welds.empty() || !m.contacts.empty(),
           "free vibrations (NEIG) with ties, welds, interpolations and node sets with a common motion");
}

}  // namespace

std::vector<std::string> refused(const model::Model& m) {
  List list("are not supported in implicit analysis");
  add_contacts(m, list);
  add_free_vibration(m, list);
  list.add(std::ranges::any_of(m.welds, [](const model::Weld& w) { return w.can_break(); }),
           "spot welds between nodes that can break (*CONSTRAINED_SPOTWELD with SN, SS or TF)");
  list.add(std::ranges::any_of(m.node_ties, [](const auto& t) { return t.failure_time < model::kNever; }),
           "nodes with a common motion for a time (TF of *CONSTRAINED_NODE_SET)");
  for (const model::Feature* const feature : model::features())
    list.add(feature->any(m.features) && !feature->not_implicit().empty(), feature->not_implicit());
  list.add(any_solid_of(m, kNodalPressure), "tetrahedra with nodal pressure (ELFORM 13)");
  list.add(m.control.relaxation.active, "steps of dynamic relaxation before the run");
  list.add(!m.cross_sections.empty(), "forces in cross sections (*DATABASE_CROSS_SECTION)");
  list.add(m.output.dumps.d3dump > 0 || m.output.dumps.runrsf > 0, "dumps for a restart");
  return list.take();
}

std::vector<std::string> without_effect(const model::Model& m) {
  List list("no effect: implicit analysis is static");
  list.add(!m.initial_velocities.empty(), "initial velocities have");
  list.add(m.control.mass_damping || !m.part_damping.empty(), "damping by mass has");
  list.add(std::ranges::any_of(m.parts, [](const model::Part& p) { return p.stiffness_damping != 0.0; }),
           "damping by stiffness has");
  list.add(m.control.dt2ms != 0.0, "mass scaling (DT2MS) has");
  return list.take();
}

}  // namespace crumple::implicit
