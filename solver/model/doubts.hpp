// What in a model is allowed and probably a mistake: for `crumple check`.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "model/check.hpp"

namespace crumple::model {

/// A warning, and where: at `place`, or else at the first keyword whose name begins with `keyword`.
struct Doubt {
  std::string id, message;
  Place place;
  std::string keyword;
};

/// The first of some numbers, for messages.
std::string listed(const std::vector<GlobalId>& ids);

/// All of a model whose contacts have their surfaces:
///
/// * CR-D341: materials whose speed of sound is outside of 0.5 to 20 km/s, or that are like no solid
/// * CR-D342: no mass, or one that is out of all reason
/// * those of features (CR-D343: rigid walls that what has a velocity moves away from)
/// * CR-C019: contacts thicker than their segments' edges are long
///
/// Where Control::units is empty, in the systems of units in which most materials look like solids.
std::vector<Doubt> doubts(const Model& model, const ModelCheck& check);

}  // namespace crumple::model
