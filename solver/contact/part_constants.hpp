// Elastic constants of parts, for penalty stiffness.
#pragma once

#include <vector>

#include "model/model.hpp"

namespace crumple::contact {

struct PartConstants {
  double bulk = 0.0, young = 0.0, density = 0.0;
};

/// Of every part with elements that can touch, by part; zeros for others.
std::vector<PartConstants> part_constants(const model::Model& model);

}  // namespace crumple::contact
