// Fields of optional cards of *CONTACT that refine a contact, and their defaults.
#pragma once

#include <string>

#include "model/builder.hpp"

namespace crumple::model {

struct RefinementDefaults {
  int reference_planes = 0;  ///< CNTCO of *CONTROL_SHELL
  bool symmetric = false;    ///< ISYM of *CONTROL_CONTACT
};

RefinementDefaults read_refinement_defaults(const Builder& build);

/// THKOPT: whether a contact that is not automatic uses thickness.
void read_thickness_option(Builder& build, const Record& record, const std::string& label, Contact& contact);

/// All others, when type, SOFT, DEPTH and thickness of the contact are known.
///
/// @param name of the keyword
void read_refinements(Builder& build, const std::string& name, const Record& record, const std::string& label,
                      const RefinementDefaults& defaults, Contact& contact);

}  // namespace crumple::model
