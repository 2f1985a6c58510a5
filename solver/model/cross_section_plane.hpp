// The plane of a cross section, for what acts along its normal.
#pragma once

#include "model/builder.hpp"

namespace crumple::model {

/// The unit normal of *DATABASE_CROSS_SECTION_PLANE with this number; zero for sections by sets.
Vec3 normal_of_cross_section(Builder& build, GlobalId id);

}  // namespace crumple::model
