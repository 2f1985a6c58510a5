// *ELEMENT_SEATBELT with four nodes: the rows along the belt, which carry its force, and the fabric between
// them.
//
// LS-DYNA makes rows of elements with two nodes along the belt, with a slip ring and a retractor for each,
// and shells of fabric that hold them together (Yeh 2009, LS-DYNA 2D Seat Belt Modeling Guideline; manual of
// Oasys PRIMER, "More details about meshing 2D seatbelt elements"). Moduli of the fabric, from Young's
// modulus E that the curve LLCID means: EB across is 0.1 E, EA along 0.01 E, GAB is EA / (2 + 2 PRBA)
// (*MAT_SEATBELT_2D in PyDYNA). Here E is the steepest slope of LLCID over width and thickness, and EA is 0:
// the rows carry all of LLCID, and nothing resists the material that passes through rings.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>

#include "loads/belts/reader.hpp"
#include "loads/belts/webbing.hpp"
#include "materials/fabric/belt_fabric.hpp"

namespace crumple::loads {

using model::Builder;
using model::Keyword;
using model::kNone;
using model::Record;

void BeltReader::read_shells() {
  std::vector<ShellRows::Corners> corners;
  if (!read_quads(corners) || quads_.empty()) return;
  rows_ = ShellRows(std::move(corners));
  if (!follow_rows()) return;
  add_rows();
  make_fabrics();
}

/// Elements with four nodes. False if some are not as they should be.
bool BeltReader::read_quads(std::vector<ShellRows::Corners>& corners) {
  bool whole = true;
  each("ELEMENT_SEATBELT", [&](const Keyword& k, const Record& r) {
    if (r.integer("N3") == 0 && r.integer("N4") == 0) return;
    Quad quad{r.integer("EID"), r.integer("PID"), r.integer("SBRID"), r.real("SLEN"), kNone, r.place()};
    const std::string by = label(k, quad.id);
    ShellRows::Corners n{};
    for (std::size_t a = 0; a < 4; ++a) n[a] = build_.nodes.find(r.integer(fmt::format("N{}", a + 1)));
    if (quad.slack < 0.0)
      build_.error("CR-D310", fmt::format("{}: SLEN = {} is negative", by, quad.slack), r.place("SLEN"));
    if (!shell_part_.contains(quad.part)) {
      build_.error("CR-D337",
                   fmt::format("{}: its part {} has no *SECTION_SHELL and *MAT_SEATBELT", by, quad.part),
                   r.place("PID"));
      whole = false;
      return;
    }
    const bool complete = std::ranges::none_of(n, [](LocalId a) { return a == kNone; });
    if (quad.retractor != 0 && !complete)
      build_.error("CR-D303", fmt::format("{}: one of its nodes does not exist", by), r.place("N1"));
    if (quad.retractor == 0) quad.shell = build_.shells.find(quad.id);
    if (!complete || (quad.retractor == 0 && quad.shell == kNone)) {
      whole = false;  // reported where shells are read
      return;
    }
    if (quad.shell != kNone) quad_of_[quad.shell] = static_cast<std::int32_t>(quads_.size());
    quads_.push_back(quad);
    corners.push_back(n);
  });
  return whole;
}

/// From the edges EDGSET of the sections.
bool BeltReader::follow_rows() {
  bool found = true;
  each("SECTION_SHELL", [&](const Keyword& k, const Record& r) {
    const GlobalId section = r.integer("SECID"), edge = r.integer("EDGSET");
    if (!build_.shell_belts.sections.contains(section) || edge == 0) return;
    const std::string by = label(k, section);
    const model::NodeSet* const set = build_.find_node_set(edge, by, r.place("EDGSET"));
    const std::string wrong = set == nullptr ? std::string{} : rows_.follow(set->nodes, build_.model.nodes.x);
    if (!wrong.empty())
      build_.error("CR-D337", fmt::format("{}: node set {} is no edge across a belt: {}", by, edge, wrong),
                   r.place("EDGSET"));
    found &= set != nullptr && wrong.empty();
  });
  if (!found) return false;
  std::set<GlobalId> reported;
  for (std::size_t q = 0; q < quads_.size(); ++q)
    if (rows_.quads()[q].belt < 0 && reported.insert(quads_[q].part).second)
      build_.error(
          "CR-D337",
          fmt::format("*ELEMENT_SEATBELT {}: its part {} does not hang together with an edge of a belt, "
                      "which EDGSET of its *SECTION_SHELL gives",
                      quads_[q].id, quads_[q].part),
          quads_[q].place);
  return reported.empty();
}

/// Elements of the sides along the belt, after those with two nodes. Shells get their sides 1-2 along the
/// belt.
void BeltReader::add_rows() {
  for (const ShellRows::Side& side : rows_.sides()) {
    BeltElement e;
    const auto by_number = [&](std::int32_t q) -> const Quad& { return quads_[static_cast<std::size_t>(q)]; };
    const Quad& one = by_number(side.quads.front());
    const std::string by = fmt::format("*ELEMENT_SEATBELT {}", one.id);
    const auto id = [&](LocalId n) { return build_.model.nodes.id[static_cast<std::size_t>(n)]; };
    e.id = -one.id;
    e.first = node(id(side.first), by, one.place);
    e.second = node(id(side.second), by, one.place);
    e.material = shell_part_.at(one.part);
    e.share = rows_.belts()[static_cast<std::size_t>(side.belt)].share[static_cast<std::size_t>(side.row)];
    for (const std::int32_t q : side.quads) {
      e.slack += by_number(q).slack / static_cast<double>(side.quads.size());
      e.weightless |= by_number(q).shell != kNone;
    }
    const auto index = static_cast<std::int32_t>(out_.elements.size());
    if (!e.weightless) row_in_retractor_[index] = one.retractor;
    if (e.weightless && !(norm(position(e.second) - position(e.first)) > 0.0))
      build_.error(
          "CR-D337",
          fmt::format("{}: its sides along the belt have no length; elements inside a retractor name it "
                      "as SBRID",
                      by),
          one.place);
    element_of_.push_back(index);
    out_.elements.push_back(e);
  }
  for (std::size_t q = 0; q < quads_.size(); ++q) {
    const ShellRows::Quad& of = rows_.quads()[q];
    if (quads_[q].shell == kNone) continue;
    auto& n = build_.model.shells.nodes[static_cast<std::size_t>(quads_[q].shell)];
    if (of.across) n = {n[1], n[2], n[3], n[0]};
    BeltShell& shell = out_.shells.emplace_back();
    shell.id = quads_[q].id;
    shell.first = element_of_[static_cast<std::size_t>(of.sides[0])];
    shell.second = element_of_[static_cast<std::size_t>(of.sides[1])];
    shell.share = rows_.belts()[static_cast<std::size_t>(of.belt)].gap[static_cast<std::size_t>(of.gap)];
    std::ranges::transform(n, shell.nodes.begin(), [&](LocalId corner) { return node_.at(corner); });
  }
  std::ranges::sort(out_.shells, {}, &BeltShell::id);
}

void BeltReader::make_fabrics() {
  std::map<LocalId, double> areas;
  std::set<GlobalId> done;
  for (std::size_t q = 0; q < quads_.size(); ++q)
    if (done.insert(quads_[q].part).second)
      make_fabric(quads_[q].part, rows_.belts()[static_cast<std::size_t>(rows_.quads()[q].belt)], areas);
  for (const Quad& quad : quads_)
    if (quad.shell != kNone) tell_fabric(quad);
}

/// What the stable step of rows needs to know of a shell.
void BeltReader::tell_fabric(const Quad& quad) {
  const model::Part& part = build_.model.parts[static_cast<std::size_t>(build_.parts.find(quad.part))];
  if (part.section == kNone || part.material == kNone) return;
  const double thickness = build_.model.sections[static_cast<std::size_t>(part.section)].thickness[0];
  const model::Material& m = build_.model.materials[static_cast<std::size_t>(part.material)];
  const double modulus = std::max(m.field("EB"), 2 * m.field("GAB"));
  if (!(m.density > 0.0)) return;  // reported
  const auto shell = std::ranges::lower_bound(out_.shells, quad.id, {}, &BeltShell::id);
  const auto x = [&](std::size_t k) { return position(shell->nodes[k]); };
  shell->mass = 0.5 * m.density * thickness * norm(cross(x(2) - x(0), x(3) - x(1)));
  shell->rigidity = modulus * thickness;
  shell->sound_speed = std::sqrt(modulus / m.density);
  const double given = part.stiffness_damping, fraction = given != 0.0 ? given : m.field("DAMP");
  // Viscous hourglass forces act on other motions than the fabric's damping: the larger one counts.
  shell->damping = {std::max(0.0, -fraction), std::max(fraction, part.hourglass.qm)};
}

/// Density and moduli from the belt's mass and curve over its cross-section.
void BeltReader::make_fabric(GlobalId number, const ShellRows::Belt& belt, std::map<LocalId, double>& areas) {
  const model::Part& part = build_.model.parts[static_cast<std::size_t>(build_.parts.find(number))];
  if (part.section == kNone || part.material == kNone) return;
  const model::Section& section = build_.model.sections[static_cast<std::size_t>(part.section)];
  const BeltMaterial& law = out_.materials[static_cast<std::size_t>(shell_part_.at(number))];
  model::Material& m = build_.model.materials[static_cast<std::size_t>(part.material)];
  const double area = belt.width * section.thickness[0];
  const auto [before, fresh] = areas.emplace(part.material, area);
  if (!fresh && std::abs(before->second - area) > 1e-3 * area)
    build_.error(
        "CR-D337",
        fmt::format("*{} {}: part {} has another cross-section than other belts of this material: it "
                    "needs a material of its own",
                    m.name, m.id, number),
        m.place);
  if (!fresh || !(area > 0.0) || law.loading == kNone) return;
  const double young = steepest(build_.model.curves[static_cast<std::size_t>(law.loading)]) / area;
  const double across = m.field("EB") == 0.0 ? -0.1 : m.field("EB"), shear = m.field("GAB");
  const bool solver_decides = m.field("FORM") == 0.0;  // about compression
  m.density = m.fields["RO"] = law.mass / area;
  m.fields[materials::kBeltFabric] = 1;
  m.fields["EB"] = across < 0.0 ? -across * young : across;
  m.fields["GAB"] = shear > 0.0 ? shear : 0.01 * young / (2 * (1 + m.field("PRBA", 0.3)));
  m.fields["EA"] = m.fields["EB"];  // for estimates of stiffness only
  m.fields["CSE"] = solver_decides || m.field("CSE") == 1.0 ? 1 : 0;
  if (m.field("DAMP") == 0.0) m.fields["DAMP"] = 0.1;
}

/// Devices of the rows: the nodes of a set, each with the elements of sets of shells that end there.
std::vector<BeltReader::RowEnd> BeltReader::row_ends(const Record& r, const std::string& by,
                                                     std::span<const char* const> fields) {
  const auto lost = [&](const std::string& what, const char* field) {
    if (!what.empty()) build_.error("CR-D337", fmt::format("{}: {}", by, what), r.place(field));
    lost_ = true;
    return std::vector<RowEnd>{};
  };
  const model::NodeSet* const set = build_.find_node_set(-r.integer("SBRNID"), by, r.place("SBRNID"));
  if (set == nullptr) return lost({}, "SBRNID");
  std::vector<RowEnd> ends(set->nodes.size());
  for (std::size_t k = 0; k < ends.size(); ++k)
    ends[k].node =
        node(build_.model.nodes.id[static_cast<std::size_t>(set->nodes[k])], by, r.place("SBRNID"));
  for (const BeltElement& e : out_.elements)
    for (const RowEnd& end : ends)
      if (end.node == e.first || end.node == e.second)
        return lost("a node of set SBRNID is a node of the belt: it must be another one at the same place",
                    "SBRNID");
  for (const char* const field : fields) {
    const LocalId at = build_.find(build_.shell_sets, std::abs(r.integer(field)), "CR-D305", "shell set", by,
                                   r.place(field));
    if (at == kNone) return lost({}, field);
    std::set<std::int32_t> elements;
    for (const LocalId shell : build_.model.sets.shells[static_cast<std::size_t>(at)].shells) {
      const auto quad = quad_of_.find(shell);
      if (element_of_.empty()) return lost({}, field);  // reported before
      if (quad == quad_of_.end()) return lost("its set of shells has one that is no belt", field);
      for (const std::int32_t side : rows_.quads()[static_cast<std::size_t>(quad->second)].sides)
        elements.insert(element_of_[static_cast<std::size_t>(side)]);
    }
    for (const std::int32_t e : elements) check_device_element(e, by, r.place(field));
    if (!put_at_ends({elements.begin(), elements.end()}, ends))
      return lost(fmt::format("{} rows of elements do not end at the {} nodes of set SBRNID, each at one",
                              elements.size(), ends.size()),
                  field);
  }
  return ends;
}

/// Each element to the node that is next to one of its ends.
bool BeltReader::put_at_ends(const std::vector<std::int32_t>& elements, std::vector<RowEnd>& ends) const {
  const std::size_t had = ends.empty() ? 0 : ends.front().elements.size();
  for (const std::int32_t number : elements) {
    const BeltElement& e = out_.elements[static_cast<std::size_t>(number)];
    double least = std::numeric_limits<double>::infinity();
    RowEnd* next = nullptr;
    for (RowEnd& end : ends) {
      const Vec3 at = position(end.node);
      const double away = std::min(norm(position(e.first) - at), norm(position(e.second) - at));
      if (away < least) least = away, next = &end;
    }
    if (next == nullptr || next->elements.size() != had) return false;
    next->elements.push_back(number);
  }
  return elements.size() == ends.size();
}

}  // namespace crumple::loads
