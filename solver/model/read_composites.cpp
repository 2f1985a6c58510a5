// *PART_COMPOSITE and _TSHELL: parts that have their section and a list of layers in one keyword.
#include <cmath>
#include <string>
#include <vector>

#include "elements/of_deck.hpp"
#include "materials/row.hpp"
#include "model/builder.hpp"
#include "model/given_plies.hpp"

namespace crumple::model {

/// Two layers to a line, one with _LONG; a layer without thickness and material is not there.
std::vector<GivenPly> given_plies(const Record& r, bool one_to_a_line) {
  std::vector<GivenPly> plies;
  for (std::size_t row = 0; row < r.rows(); ++row)
    for (std::size_t first = 0; first < (one_to_a_line ? 1U : 8U); first += 4) {
      const GivenPly ply{r.integer(row, first), r.real(row, first + 1), r.real(row, first + 2),
                         r.row_place(row)};
      if (ply.material != 0 || ply.thickness != 0) plies.push_back(ply);
    }
  return plies;
}

/// The number of a layer (PLYID) in the fifth column of _LONG is for results; the sixth is its shear factor.
bool any_shear_factor(const Record& r) {
  bool any = false;
  for (std::size_t row = 0; row < r.rows(); ++row) {
    r.integer(row, 4);
    const double factor = r.real(row, 5);
    any |= factor != 0.0 && factor != 1.0;
  }
  return any;
}

void Builder::check_layer(LocalId material, const std::string& label, const Place& place) const {
  if (material == kNone) return;
  const Material& m = model.materials[at(material)];
  if (materials::is_rigid(m.law))
    unsupported(fmt::format("{}: rigid layers are not supported", label), place);
  else if (m.law != 0 && !materials::supports(m.law, &materials::Supports::shell))
    unsupported(fmt::format("{}: *{} {} is not supported in shells", label, m.name, m.id), place);
}

void Builder::read_composite_section(const Record& r, bool one_to_a_line, const std::string& label,
                                     Section& s) {
  s.kind = ElementKind::shell;
  s.elform = static_cast<int>(or_default(r.integer("ELFORM"), 2));
  s.shear_factor = or_default(r.real("SHRF"), 1.0);
  s.nloc = r.real("NLOC");
  s.marea = r.real("MAREA");
  if (!elements::has_formulation(ElementKind::shell, s.elform) ||
      elements::fixed_layers(ElementKind::shell, s.elform) != 0) {
    unsupported_sections.emplace(s.id, fmt::format("ELFORM {}", s.elform));
    unsupported(fmt::format("{}: layered shells of ELFORM = {} are not supported", label, s.elform),
                r.place("ELFORM"));
  }
  read_plies(r, one_to_a_line, label, s);
}

/// Layers of thick shells: those in plane stress, whose laws are those of shells. Their thicknesses are
/// shares of that of the elements.
void Builder::read_composite_thick_shell(const Record& r, bool one_to_a_line, const std::string& label,
                                         Section& s) {
  const int elform = static_cast<int>(or_default(r.integer("ELFORM"), 1));
  s.kind = ElementKind::solid;
  s.elform = kThickShells + elform;
  s.shear_factor = or_default(r.real("SHRF"), 1.0);
  if (!has_plane_layers(s)) {
    unsupported_sections.emplace(s.id, fmt::format("ELFORM {}", elform));
    unsupported(fmt::format("{}: layers of different materials in thick shells of ELFORM = {} are not "
                            "supported; ELFORM 1 and 2 have them",
                            label, elform),
                r.place("ELFORM"));
  }
  read_plies(r, one_to_a_line, label, s);
  const auto law = [&](const Ply& ply) {
    return ply.material == kNone ? 0 : model.materials[at(ply.material)].law;
  };
  for (const Ply& ply : s.plies)
    if (law(ply) != law(s.plies.front()))
      return unsupported(
          fmt::format("{}: layers of different material laws in thick shells are not supported", label),
          r.place());
}

void Builder::read_plies(const Record& r, bool one_to_a_line, const std::string& label, Section& s) {
  if (one_to_a_line && any_shear_factor(r))
    unsupported(fmt::format("{}: shear factors of layers are not supported", label), r.place());
  double total = 0;
  for (const GivenPly& given : given_plies(r, one_to_a_line)) {
    if (!(given.thickness > 0.0))
      error("CR-D310",
            fmt::format("{}: the thickness {} of a layer must be positive", label, given.thickness),
            given.place);
    const LocalId material = find(materials, given.material, "CR-D302", "material", label, given.place);
    check_layer(material, label, given.place);
    s.plies.push_back({.material = material,
                       .thickness = given.thickness,
                       .angle = given.angle * M_PI / 180,
                       .number = static_cast<int>(s.plies.size()) + 1});
    total += given.thickness;
  }
  if (s.plies.empty()) error("CR-D310", fmt::format("{} has no layers", label), r.place());
  s.nip = static_cast<int>(s.plies.size());
  s.thickness.fill(total);
}

void Builder::read_composite_part(const Keyword& k, const Record& r, bool thick) {
  Part p;
  p.id = r.integer("PID");
  p.title = r.title();
  const std::string label = fmt::format("*{} {}", k.name(), p.id);
  Section s;
  s.id = p.id;
  thick ? read_composite_thick_shell(r, k.suffix("LONG"), label, s)
        : read_composite_section(r, k.suffix("LONG"), label, s);
  if (s.plies.empty()) return;
  p.section = static_cast<LocalId>(model.sections.size());
  for (const Ply& ply : s.plies)
    if (p.material == kNone) p.material = ply.material;
  p.hourglass = hourglass_of(r, label);
  if (k.suffix("CONTACT")) read_part_contact(r, label, p);
  model.sections.push_back(std::move(s));
  const GlobalId id = p.id;
  add_part(std::move(p), {r.place("PID"), r.place("PID"), id, 0, 0}, label, r.place());
}

void Builder::read_composite_parts() {
  for (const Keyword& k : deck.all("PART_COMPOSITE"))
    for (const Record& r : k.records()) read_composite_part(k, r, false);
  for (const Keyword& k : deck.all("PART_COMPOSITE_TSHELL"))
    for (const Record& r : k.records()) read_composite_part(k, r, true);
}

}  // namespace crumple::model
