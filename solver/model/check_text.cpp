// The report of `crumple check` as text, 100 columns wide at most.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "materials/row.hpp"
#include "model/check.hpp"
#include "model/units.hpp"

namespace crumple::model {
namespace {

std::string grouped(std::size_t n) {
  std::string digits = fmt::format("{}", n), out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

// The first `width` bytes, without splitting a UTF-8 character.
std::string cut(std::string text, std::size_t width) {
  if (text.size() <= width) return text;
  while (width > 0 && (static_cast<unsigned char>(text[width]) & 0xc0U) == 0x80U) --width;
  return text.substr(0, width);
}

std::string number_or_blank(double value) {
  return value == 0.0 ? std::string{} : fmt::format("{:.4g}", value);
}

void counts(const ModelCheck& c, std::string& out) {
  auto to = std::back_inserter(out);
  const auto line = [&](const char* what, std::size_t n, const std::string& more = {}) {
    if (n > 0) fmt::format_to(to, "  {:<16}{:>12}{}\n", what, grouped(n), more);
  };
  out += "Model\n";
  line("nodes", c.nodes);
  line("shells", c.quadrilaterals + c.triangles,
       c.triangles ? fmt::format("  {} of them triangles", grouped(c.triangles)) : "");
  line("solids", c.bricks + c.other_solids,
       c.other_solids ? fmt::format("  {} of them wedges or tetrahedra", grouped(c.other_solids)) : "");
  line("beams", c.beams);
  line("springs, dampers", c.discretes);
  if (c.particles > 0) line("SPH particles", c.particles);
  line("lumped masses", c.lumped_masses, fmt::format("  {:.6g} in all", c.lumped_mass));
  line("parts", c.parts.size(),
       c.unreferenced.parts.empty()
           ? ""
           : fmt::format("  {} of them without elements", c.unreferenced.parts.size()));
  line("rigid bodies", c.rigid_bodies);
  line("contacts", c.contacts);
  for (const auto& [name, count] : c.features) line(name.c_str(), count);
}

// MAT_024, MAT_S01; with a remark if *DEFORMABLE_TO_RIGID made the part rigid.
std::string law_name(const PartCheck& p) {
  if (p.law == 0) return "-";
  const std::string name =
      p.law > 1000 ? fmt::format("MAT_S{:02}", p.law - 1000) : fmt::format("MAT_{:03}", p.law);
  return p.rigid && !materials::is_rigid(p.law) ? name + " rigid" : name;
}

void part_table(const ModelCheck& c, const std::string& units, std::string& out) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\n{:>9}  {:<20} {:<8} {:>4} {:>9} {:>9}  {:<13} {:>9} {:>9}\n", "part", "title", "kind",
                 "form", "elements", "material", "law", "thickness", "mass");
  for (const PartCheck& p : c.parts) {
    if (p.elements == 0) continue;
    fmt::format_to(to, "{:>9}  {:<20} {:<8} {:>4} {:>9} {:>9}  {:<13} {:>9} {:>9}\n", p.id, cut(p.title, 20),
                   p.thick_shell ? "tshell" : kind_name(p.kind), p.elform, grouped(p.elements),
                   p.material ? fmt::format("{}", p.material) : "-", law_name(p),
                   p.kind == ElementKind::shell ? number_or_blank(p.thickness) : "", number_or_blank(p.mass));
  }
  fmt::format_to(to, "\n  total mass         {:.6g}{}\n  centre of gravity  {:.6g}  {:.6g}  {:.6g}{}\n",
                 c.mass, behind(units, &Units::mass), c.centre.x, c.centre.y, c.centre.z,
                 behind(units, &Units::length));
  if (const auto known = find_units(units))
    fmt::format_to(to, "  units {}: {}\n", known->name, labels(*known));
}

void step_table(const FirstStep& first, const std::string& units, std::string& out) {
  if (!(first.dt > 0.0)) return;
  auto to = std::back_inserter(out);
  fmt::format_to(to, "\nTime step {:.5g}{} at the start ({})\n", first.dt, behind(units, &Units::time),
                 first.what);
  if (first.steps.empty()) return;
  fmt::format_to(to, "{:>9} {:>12} {:>10}  {}\n", "kind", "element", "part", "step");
  for (const StepEstimate& s : first.steps)
    fmt::format_to(to, "{:>9} {:>12} {:>10}  {:.5g}\n", kind_name(s.kind), s.element, s.part, s.dt);
}

void id_line(const char* what, const std::vector<GlobalId>& ids, std::string& out) {
  if (ids.empty()) return;
  std::string line = fmt::format("  {:<10}{:>9}:", what, grouped(ids.size()));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const std::string next = fmt::format(" {}", ids[i]);
    if (line.size() + next.size() > 95) {
      line += " ...";
      break;
    }
    line += next;
  }
  out += line + "\n";
}

void unreferenced(const Unreferenced& u, std::string& out) {
  std::string lines;
  id_line("nodes", u.nodes, lines);
  id_line("parts", u.parts, lines);
  id_line("sections", u.sections, lines);
  id_line("materials", u.materials, lines);
  id_line("curves", u.curves, lines);
  if (!lines.empty()) out += "\nDefined, but nothing refers to them\n" + lines;
}

}  // namespace

std::string to_text(const ModelCheck& check, const FirstStep& first, const std::string& units) {
  std::string out;
  counts(check, out);
  part_table(check, units, out);
  step_table(first, units, out);
  unreferenced(check.unreferenced, out);
  return out;
}

}  // namespace crumple::model
