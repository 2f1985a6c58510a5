// Cross-sections of beams by a user's rule (*INTEGRATION_BEAM): given points, or a standard section.
#pragma once

#include <array>

#include "elements/beam/cross_section.hpp"
#include "model/section.hpp"

namespace crumple::elements::beam {

/// Whether a standard section (ICST) is supported.
bool has_shape(int shape);

/// Sizes of a standard section along s and t, 0 if a dimension is missing or makes no section.
std::array<double, 2> shape_size(const model::BeamRule& rule);

/// Points of the rule of `section`, without sums. Throws CR-E303 for dimensions that make no section, CR-E304
/// for a shape that is not supported or more than kMaxSectionPoints points.
void add_rule_points(const model::Section& section, CrossSection& points);

}  // namespace crumple::elements::beam
