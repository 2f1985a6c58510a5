// Parts, and masses and damping of whole parts.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/types.hpp"
#include "model/friction.hpp"
#include "model/index.hpp"
#include "model/section.hpp"

namespace crumple::model {

/// *ELEMENT_MASS_PART: mass to be distributed over parts; it becomes `Masses` before the model is cut.
struct PartMass {
  std::vector<LocalId> parts;
  double added = 0;       ///< ADDMASS
  double final_mass = 0;  ///< FINMASS: total mass of the parts, 0 if `added` is given
  bool by_mass = false;   ///< MWD: distributed by mass, otherwise by area or volume
  GlobalId id = 0;        ///< of the part or set
  Place place;
};

struct Part {
  GlobalId id = 0;
  std::string title;
  LocalId section = kNone;   ///< into Model::sections
  LocalId material = kNone;  ///< into Model::materials
  Hourglass hourglass;
  double drilling = 0;           ///< shells: DRCPRM of *CONTROL_SHELL if in DRCPSID
  double stiffness_damping = 0;  ///< COEF of *DAMPING_PART_STIFFNESS
  bool own_offsets = false;      ///< shells: some elements have their own offset
  ElementKind kind = ElementKind::none;
  LocalId rigid_body = kNone;  ///< into Model::rigid_bodies when its material is rigid
  double element_cost = 1;     ///< relative time of an element in a cycle (decomposition/costs.hpp)
  bool contact_thickness_given = false;
  double contact_thickness = 0.0;                                       ///< OPTT of _CONTACT
  double contact_thickness_scale = 1.0, contact_stiffness_scale = 1.0;  ///< SFT, SSF of _CONTACT
  Friction friction;                                                    ///< FS, FD, DC, VC of _CONTACT
};

/// *DAMPING_PART_MASS: a force -D m v at the nodes of parts, D the curve's value times `scale`.
struct PartDamping {
  std::vector<LocalId> parts;
  LocalId curve = kNone;
  double scale = 1;
  Vec3 translation{1, 1, 1}, rotation{1, 1, 1};  ///< factors along and about the global axes
};

}  // namespace crumple::model
