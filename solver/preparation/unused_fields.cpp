// Compares the elements of each contact's surfaces with the contact fields of their parts.
#include "preparation/unused_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace crumple::preparation {

namespace {

using model::ElementKind;
using model::kNone;

using PartIds = std::set<GlobalId>;

std::string listed(const PartIds& ids) {
  constexpr std::size_t most = 10;
  std::string text;
  std::size_t n = 0;
  for (const GlobalId id : ids) {
    if (n++ == most) return text + ", ...";
    text += fmt::format("{}{}", text.empty() ? "" : ", ", id);
  }
  return text;
}

bool thickness_given(const model::Part& part) {
  return part.contact_thickness_given || part.contact_thickness_scale != 1.0;
}
bool stiffness_given(const model::Part& part) { return part.contact_stiffness_scale != 1.0; }

/// The fields that one contact does not use, by part.
class Unused {
 public:
  Unused(const model::Model& whole, const model::Contact& contact, std::vector<Finding>& warnings)
      : whole_(whole), contact_(contact), warnings_(warnings) {}

  void find(PartIds& in_contact) {
    look(contact_.a, contact_.sta, in_contact);
    look(contact_.b, contact_.stb, in_contact);
    report(solids_, "OPTT and SFT of parts {} have no effect: solids have no contact thickness");
    report(thin_, "OPTT and SFT of parts {} have no effect: SHLTHK = 0 leaves thickness out");
    report(tools_, "OPTT and SFT of parts {} have no effect: the mesh of a tool is its surface, give SBST");
    report(soft_,
           contact_.soft == 2
               ? "SSF of parts {} has no effect: with SOFT = 2 masses and the step give the stiffness"
               : "SSF of parts {} has no effect: tied contacts do not use the penalty stiffness of parts");
    report(own_, "SAST or SBST has no effect on parts {}: solids have no contact thickness");
  }

 private:
  void look(const model::Surface& surface, double thickness, PartIds& in_contact) {
    const bool tool = contact_.forming && &surface == &contact_.b;
    const bool fronts = contact_.type == model::ContactType::surface_to_surface ||
                        contact_.type == model::ContactType::nodes_to_surface;
    const auto visit = [&](LocalId p, ElementKind kind) {
      if (p == kNone) return;
      const model::Part& part = whole_.parts[p];
      in_contact.insert(part.id);
      if (kind == ElementKind::solid) {
        if (thickness_given(part)) solids_.insert(part.id);
        if (thickness > 0.0) own_.insert(part.id);
      } else if (tool && thickness_given(part)) {
        tools_.insert(part.id);
      } else if (fronts && !contact_.forming && contact_.shlthk == 0 && thickness_given(part)) {
        thin_.insert(part.id);
      }
      if (stiffness_given(part) && (contact_.soft == 2 || model::is_tied(contact_.type)))
        soft_.insert(part.id);
    };
    for (const model::Segment& segment : surface.segments) visit(segment.part, segment.kind);
    for (const model::ContactLine& line : surface.lines) visit(line.part, line.kind);
  }

  void report(const PartIds& parts, fmt::string_view what) {
    if (parts.empty()) return;
    const std::string list = listed(parts);
    warnings_.push_back({"CR-C018",
                         fmt::format("contact {}: {}", contact_.id, fmt::format(fmt::runtime(what), list)),
                         contact_.place});
  }

  const model::Model& whole_;
  const model::Contact& contact_;
  std::vector<Finding>& warnings_;
  PartIds solids_, thin_, tools_, soft_, own_;
};

/// Nodes of a set have the thickness of their shells.
void add_parts_of_nodes(const model::Model& whole, const model::Surface& surface, PartIds& parts) {
  if (!surface.segments.empty()) return;
  std::vector<char> is_of(whole.nodes.size(), 0);
  for (const LocalId n : surface.nodes) is_of[n] = 1;
  const auto visit = [&](const auto& elements, std::size_t corners) {
    for (std::size_t e = 0; e < elements.size(); ++e) {
      bool any = false;
      model::each_node(elements, e, corners, [&](LocalId n) { any = any || is_of[n] != 0; });
      if (any) parts.insert(whole.parts[elements.part[e]].id);
    }
  };
  visit(whole.shells, 4);
  visit(whole.solids, 8);
  visit(whole.beams, 2);
  visit(whole.particles, 1);
}

void add_parts(const model::Model& whole, const model::Contact& contact, PartIds& parts) {
  for (const model::Surface* side : {&contact.a, &contact.b}) {
    for (const model::Segment& segment : side->segments)
      if (segment.part != kNone) parts.insert(whole.parts[segment.part].id);
    for (const model::ContactLine& line : side->lines)
      if (line.part != kNone) parts.insert(whole.parts[line.part].id);
    add_parts_of_nodes(whole, *side, parts);
  }
}

/// Friction of parts that no contact uses.
void report_friction(const model::Model& whole, const PartIds& used, std::vector<Finding>& warnings) {
  PartIds without;
  for (const model::Part& part : whole.parts)
    if (!(part.friction == model::Friction{}) && !used.contains(part.id)) without.insert(part.id);
  if (without.empty()) return;
  warnings.push_back({"CR-C018",
                      fmt::format("*PART_CONTACT: FS, FD, DC and VC of parts {} have no effect: no contact "
                                  "with FS = -1 has them",
                                  listed(without)),
                      {}});
}

}  // namespace

std::vector<Finding> unused_fields(const model::Model& whole) {
  std::vector<Finding> warnings;
  const bool given = std::any_of(whole.parts.begin(), whole.parts.end(), [](const model::Part& part) {
    return thickness_given(part) || stiffness_given(part);
  });
  PartIds in_contact, rubbing;
  for (const model::Contact& contact : whole.contacts) {
    if (contact.type == model::ContactType::force_transducer) continue;
    Unused(whole, contact, warnings).find(in_contact);
    if (contact.friction_of_parts) add_parts(whole, contact, rubbing);
    if (given)
      for (const model::Surface* side : {&contact.a, &contact.b})
        add_parts_of_nodes(whole, *side, in_contact);
  }
  report_friction(whole, rubbing, warnings);
  PartIds without;
  for (const model::Part& part : whole.parts)
    if ((thickness_given(part) || stiffness_given(part)) && !in_contact.contains(part.id))
      without.insert(part.id);
  if (!without.empty())
    warnings.push_back(
        {"CR-C018",
         fmt::format("*PART_CONTACT: OPTT, SFT and SSF of parts {} have no effect: they are in no contact",
                     listed(without)),
         {}});
  return warnings;
}

}  // namespace crumple::preparation
