// Parts that a run leaves out, and the reports about them.
#include <algorithm>

#include "materials/discrete_beam/law.hpp"
#include "materials/eos/state_fields.hpp"
#include "materials/muscle/muscle.hpp"
#include "materials/row.hpp"
#include "model/builder.hpp"

namespace crumple::model {

const IdTable& Builder::elements_of(ElementKind kind) const {
  switch (kind) {
    case ElementKind::shell:
      return shells;
    case ElementKind::solid:
      return solids;
    case ElementKind::beam:
      return beams;
    case ElementKind::sph:
      return particles;
    default:
      return discretes;
  }
}

std::string Builder::why_left_out(LocalId part, ElementKind kind) const {
  if (!options_.allow_unsupported) return {};
  const Part& p = model.parts[static_cast<std::size_t>(part)];
  const PartInput& input = part_inputs_[static_cast<std::size_t>(part)];
  const auto undefined = [](const char* what, GlobalId id) {
    return fmt::format("its {} {} is not defined by a keyword that is supported", what, id);
  };
  if (p.section == kNone) return not_read("section") ? undefined("section", input.section) : std::string{};
  if (p.material == kNone)
    return not_read("material") ? undefined("material", input.material) : std::string{};
  if (const auto it = unsupported_sections.find(input.section); it != unsupported_sections.end())
    return fmt::format("of its section {} {} is not supported", input.section, it->second);
  const Material& m = model.materials[static_cast<std::size_t>(p.material)];
  if (input.equation_of_state != 0 && !m.fields.contains("EOS.FORM"))
    return fmt::format("its equation of state {} is not supported", input.equation_of_state);
  const Section& s = model.sections[static_cast<std::size_t>(p.section)];
  if ((s.kind == ElementKind::solid || s.kind == ElementKind::sph) && materials::is_hydrodynamic(m.law) &&
      input.equation_of_state == 0)
    return fmt::format("*{} {} needs an equation of state in {}s", m.name, m.id, kind_name(s.kind));
  if (m.law == 0) return fmt::format("the law of its material *{} {} is not supported", m.name, m.id);
  const materials::Row* const law = materials::find_law(m.law);
  if (law && s.kind == kind && kind == ElementKind::solid && is_cohesive(s) != law->supports.cohesive)
    return fmt::format("*{} {} is not supported for solids of ELFORM {}", m.name, m.id, s.elform);
  if (!law || s.kind != kind || kind != ElementKind::beam || law->supports.discrete) return {};
  const bool discrete_beam = materials::is_discrete_beam(*law);
  const bool muscle = materials::is_muscle(*law) && s.elform == 3;
  if ((!law->supports.beam && !discrete_beam && !muscle) || (s.elform == 9) != law->spot_weld ||
      (s.elform == 6) != discrete_beam)
    return fmt::format("*{} {} is not supported for beams of ELFORM {}", m.name, m.id, s.elform);
  return {};
}

bool Builder::is_left_out(const SurfaceInput& side) const {
  if (left_out.empty() || side.id == 0) return false;
  if (side.type == 3) return left_out.contains(parts.find(side.id));
  if (side.type == 1) {
    const LocalId set = shell_sets.find(side.id);
    return set != kNone && model.sets.shells[static_cast<std::size_t>(set)].shells.empty();
  }
  const LocalId set = side.type == 2 ? part_sets.find(side.id) : kNone;
  if (set == kNone) return false;
  const std::vector<LocalId>& members = model.sets.parts[static_cast<std::size_t>(set)].parts;
  return std::any_of(members.begin(), members.end(), [&](LocalId p) { return left_out.contains(p); }) &&
         std::all_of(members.begin(), members.end(), [&](LocalId p) {
           return model.parts[static_cast<std::size_t>(p)].kind == ElementKind::none;
         });
}

void Builder::report_left_out_parts() const {
  for (const auto& [part, reason] : left_out.parts()) {
    const Part& p = model.parts[static_cast<std::size_t>(part)];
    const std::string title = p.title.empty() ? std::string{} : fmt::format(" ({})", p.title);
    warn("CR-D321",
         fmt::format("*PART {}{} is left out, as if its {} element{} deleted: {}", p.id, title,
                     reason.elements, reason.elements == 1 ? " were" : "s were", reason.why),
         part_inputs_[static_cast<std::size_t>(part)].material_place);
  }
}

}  // namespace crumple::model
