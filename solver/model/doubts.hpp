// Input that is allowed but probably a mistake: for `crumple check`.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/check.hpp"

namespace crumple::model {

/// A warning with its place: `place`, or else the first keyword whose name begins with `keyword`.
struct Doubt {
  std::string id, message;
  Place place;
  std::string keyword;
};

/// The first few of some numbers, for messages.
std::string listed(const std::vector<GlobalId>& ids);

/// All doubts of a model whose contacts have their surfaces:
///
/// * CR-D341: materials whose speed of sound is outside of 0.5 to 20 km/s, or that do not look like a solid
/// * CR-D342: no mass, or an implausible mass
/// * those of features (CR-D343: all moving nodes move away from a rigid wall)
/// * CR-C019: contacts whose thickness exceeds the length of their segments' edges
///
/// If Control::units is empty, the systems of units are used in which most materials look like solids.
std::vector<Doubt> doubts(const Model& model, const ModelCheck& check);

}  // namespace crumple::model
