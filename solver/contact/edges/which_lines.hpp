// Which contacts have lines: edges of shells and beams.
#pragma once

#include "model/mortar_form.hpp"

namespace crumple::contact {

/// Whether ends of beams are nodes of a contact's surface: for single surfaces, but not with SOFT = 2 or
/// _MORTAR, and for side a of beams against a surface.
inline bool has_beams(const model::Contact& contact) {
  if (contact.beams_on_surface) return true;
  return is_single(contact.type) && !contact.without_beams && contact.soft != 2 && !is_mortar(contact);
}

/// Whether lines of a contact touch each other: *CONTACT_AUTOMATIC_GENERAL, *CONTACT_SINGLE_EDGE, beams
/// against a surface, and SOFT = 2 with DEPTH = 5.
inline bool lines_touch(const model::Contact& contact) {
  return contact.beams_on_surface || contact.type == model::ContactType::automatic_general ||
         (contact.soft == 2 && contact.depth == 5);
}

/// Whether a contact has lines. Lines of beams that do not touch others determine how long the ends of the
/// beams are tracked.
inline bool has_lines(const model::Contact& contact) { return has_beams(contact) || lines_touch(contact); }

}  // namespace crumple::contact
