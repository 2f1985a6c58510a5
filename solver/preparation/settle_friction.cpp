// Parts of a contact's segments, lines and nodes, and their friction.
#include "preparation/settle_friction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

namespace crumple::preparation {

namespace {

using model::kNone;

void take_lower(LocalId& part, LocalId other) {
  if (other != kNone && (part == kNone || other < part)) part = other;
}

/// The part of each node of a surface: of its segments there, else of its lines, else of the elements. Of
/// several the first in the deck.
std::vector<LocalId> first_parts(const model::Model& whole, const model::Surface& surface) {
  std::vector<LocalId> own(whole.nodes.size(), kNone), of_elements = own;
  for (const model::Segment& segment : surface.segments)
    for (const LocalId n : segment.nodes) take_lower(own[static_cast<std::size_t>(n)], segment.part);
  for (const model::ContactLine& line : surface.lines)
    for (const LocalId n : line.nodes) take_lower(own[static_cast<std::size_t>(n)], line.part);
  const auto visit = [&](const auto& elements, std::size_t corners) {
    for (std::size_t e = 0; e < elements.size(); ++e)
      model::each_node(elements, e, corners, [&](LocalId n) {
        take_lower(of_elements[static_cast<std::size_t>(n)], elements.part[e]);
      });
  };
  visit(whole.shells, 4);
  visit(whole.solids, 8);
  visit(whole.beams, 2);
  visit(whole.particles, 1);
  std::vector<LocalId> parts;
  for (const LocalId n : surface.nodes) {
    const auto at = static_cast<std::size_t>(n);
    parts.push_back(own[at] != kNone ? own[at] : of_elements[at]);
  }
  return parts;
}

std::set<LocalId> parts_of(const model::Model& whole, const model::Contact& contact) {
  std::set<LocalId> parts;
  for (const model::Surface* surface : {&contact.a, &contact.b}) {
    for (const model::Segment& segment : surface->segments) parts.insert(segment.part);
    for (const model::ContactLine& line : surface->lines) parts.insert(line.part);
    for (const LocalId part : first_parts(whole, *surface)) parts.insert(part);
  }
  parts.erase(kNone);
  return parts;
}

void take_from_parts(const model::Model& whole, model::Contact& contact) {
  const std::set<LocalId> parts = parts_of(whole, contact);
  if (parts.empty()) return;
  const auto part = [&](LocalId p) -> const model::Part& { return whole.parts[static_cast<std::size_t>(p)]; };
  const model::Part& first = part(*parts.begin());
  for (const LocalId p : parts)
    if (const model::Part& other = part(p); !(other.friction == first.friction))
      throw Error("CR-C005",
                  fmt::format("contact {}: FS = -1, but *PART_CONTACT gives its parts {} and {} different "
                              "friction, and what they have together is not known: give pairs of parts in "
                              "*DEFINE_FRICTION and FS = -2",
                              contact.id, first.id, other.id),
                  contact.place);
  contact.fs = first.friction.fs;
  contact.fd = first.friction.fd;
  contact.dc = first.friction.dc;
  contact.vc = first.friction.vc;
}

/// Forces by curves have no bound of stability, so only rigid bodies take them.
void check_rigid(const model::Model& whole, const model::Contact& contact) {
  std::vector<bool> rigid(whole.nodes.size(), false);
  for (const model::RigidBody& body : whole.rigid_bodies)
    for (const LocalId n : body.nodes) rigid[static_cast<std::size_t>(n)] = true;
  for (const model::Surface* surface : {&contact.a, &contact.b})
    for (const LocalId n : surface->nodes)
      if (!rigid[static_cast<std::size_t>(n)])
        throw Error("CR-C006",
                    fmt::format("contact {}: node {} belongs to no rigid body, and its contact by a curve is "
                                "for rigid bodies",
                                contact.id, whole.nodes.id[static_cast<std::size_t>(n)]),
                    contact.place);
}

}  // namespace

void settle_friction(model::Model& whole) {
  for (model::Contact& contact : whole.contacts) {
    if (contact.by_curve.curve != kNone) check_rigid(whole, contact);
    if (contact.friction_of_parts) take_from_parts(whole, contact);
    if (!contact.pairs.given) continue;
    for (model::Surface* surface : {&contact.a, &contact.b})
      surface->node_part = first_parts(whole, *surface);
  }
}

}  // namespace crumple::preparation
