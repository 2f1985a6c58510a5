// The lists: every member of the model that an implicit run does not use is here or in docs/implicit.md.
#include "implicit/refused.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "implicit/inertia.hpp"
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

}  // namespace

std::vector<std::string> refused(const model::Model& m) {
  List list("are not supported in implicit analysis");
  list.add(!m.contacts.empty() || !m.interiors.empty(), "contacts and ties");
  list.add(!m.rigid_bodies.empty(), "rigid bodies");
  list.add(!m.welds.empty(), "spot welds between nodes (*CONSTRAINED_SPOTWELD)");
  list.add(!m.node_ties.empty(), "nodes with a common motion (*CONSTRAINED_NODE_SET)");
  list.add(!m.interpolations.empty(), "interpolated nodes (*CONSTRAINED_INTERPOLATION)");
  for (const model::Feature* const feature : model::features())
    list.add(feature->any(m.features) && !feature->not_implicit().empty(), feature->not_implicit());
  list.add(any_solid_of(m, kNodalPressure), "tetrahedra with nodal pressure (ELFORM 13)");
  list.add(m.control.relaxation.active, "steps of dynamic relaxation before the run");
  list.add(!m.cross_sections.empty(), "forces in cross sections (*DATABASE_CROSS_SECTION)");
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
  if (dynamics.active && !from_start && !m.initial_velocities.empty())
    lines.emplace_back("initial velocities have no effect: the first step is static (TDYBIR, IMASS)");
  return lines;
}

}  // namespace crumple::implicit
