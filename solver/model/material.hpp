// The fields of a material's cards.
#pragma once

#include <map>
#include <string>

#include "base/error.hpp"
#include "base/types.hpp"

namespace crumple::model {

/// A material: law number and the fields of its cards by the manual's names.
///
/// Each law's file in materials/ converts this to its own parameter struct.
struct Material {
  GlobalId id = 0;
  int law = 0;       ///< LS-DYNA's number; S01 is 1001, S02 1002
  std::string name;  ///< keyword, for messages
  double density = 0.0;
  std::map<std::string, double> fields;
  /// Curve tables given inside the material's own cards (EPS1..8 and ES1..8).
  double field(const std::string& name, double otherwise = 0.0) const {
    const auto it = fields.find(name);
    return it == fields.end() ? otherwise : it->second;
  }
  Place place;
};

}  // namespace crumple::model
