// Smoothing lengths of particles at the start.
#pragma once

#include "model/model.hpp"

namespace crumple::preparation {

/// SPHINI, or CSLH times the largest distance in the part between a particle and its nearest neighbour.
/// Throws CR-E207 where a part has one particle only, CR-E208 for two particles at one place.
void set_smoothing_lengths(model::Model& model);

}  // namespace crumple::preparation
