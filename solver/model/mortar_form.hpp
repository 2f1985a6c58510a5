// Which contacts are of segments with segments in explicit cycles.
#pragma once

#include "model/contact.hpp"

namespace crumple::model {

/// Contact::soft of contacts with _MORTAR, for which SOFT has no meaning; not in runs that are implicit
/// throughout, whose contacts are all mortar contacts.
inline constexpr int kMortarForm = 3;

inline bool is_mortar(const Contact& contact) { return contact.soft == kMortarForm; }

}  // namespace crumple::model
