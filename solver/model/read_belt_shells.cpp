// *ELEMENT_SEATBELT with four nodes: shells of parts with *SECTION_SHELL and *MAT_SEATBELT. Their rows along
// the belt, which carry its force, are read with the devices of belts (loads/belts/).
#include "model/builder.hpp"
#include "model/shell_corners.hpp"

namespace crumple::model {

void Builder::find_shell_belts() {
  std::set<GlobalId> sections, materials_of_belts, sections_of_others;
  for (const Keyword& k : deck.all("SECTION_SHELL"))
    for (const Record& r : k.records()) sections.insert(r.integer("SECID"));
  for (const char* const name : {"MAT_SEATBELT", "MAT_SEATBELT_2D"})
    for (const Keyword& k : deck.all(name))
      for (const Record& r : k.records()) materials_of_belts.insert(r.integer("MID"));
  if (materials_of_belts.empty()) return;
  for (const Keyword& k : deck.all("PART"))
    for (const Record& r : k.records()) {
      const GlobalId section = r.integer("SECID"), material = r.integer("MID");
      if (!sections.contains(section)) continue;
      if (!materials_of_belts.contains(material)) {
        sections_of_others.insert(section);
        continue;
      }
      shell_belts.parts.insert(r.integer("PID"));
      shell_belts.sections.insert(section);
      shell_belts.materials.insert(material);
    }
  for (const GlobalId section : sections_of_others) shell_belts.sections.erase(section);
}

namespace {

/// One shell of a belt outside retractors, whose part is one of a belt of shells.
void read_belt_shell(Builder& build, const Keyword& k, const Record& r) {
  const GlobalId id = r.integer("EID");
  const std::string label = fmt::format("{} {}", Builder::star(k), id);
  std::array<GlobalId, 4> n{};
  std::array<LocalId, 4> local{};
  bool whole = true;
  for (std::size_t a = 0; a < 4; ++a) {
    const std::string field = fmt::format("N{}", a + 1);
    n[a] = r.integer(field);
    whole &= n[a] != 0 && (local[a] = build.find_node(n[a], label, r.place(field))) != kNone;
  }
  if (!whole) {
    build.elements_lost = true;
    return;
  }
  if (!order_corners(n) || n[2] == n[3])
    return build.error("CR-D337", label + ": a belt of shells has quadrilaterals only", r.place("N1"));
  const LocalId part = build.find_part(r.integer("PID"), label, r.place("PID"));
  if (part == kNone) return;
  if (const std::string why = build.why_left_out(part, ElementKind::shell); !why.empty())
    return build.left_out.add(part, why, build.shells, id);
  Part& of = build.model.parts[static_cast<std::size_t>(part)];
  if (of.kind == ElementKind::none) of.kind = ElementKind::shell;
  Shells& out = build.model.shells;
  if (!build.shells.insert(id, static_cast<LocalId>(out.size())))
    return build.error("CR-D301", label + ": a shell has this number", r.place("EID"));
  out.id.push_back(id);
  out.order.push_back(static_cast<GlobalId>(out.order.size()));
  out.part.push_back(part);
  out.nodes.push_back(local);
  if (!out.thickness.empty()) out.thickness.resize(out.size());
}

}  // namespace

void Builder::read_belt_shells() {
  for (const Keyword& k : deck.all("ELEMENT_SEATBELT"))
    for (const Record& r : k.records())
      if ((r.integer("N3") != 0 || r.integer("N4") != 0) && r.integer("SBRID") == 0 &&
          shell_belts.parts.contains(r.integer("PID")))
        read_belt_shell(*this, k, r);
}

}  // namespace crumple::model
