// Motion of a node in the axes of its accelerometer.
#pragma once

#include <array>

#include "base/types.hpp"
#include "model/model.hpp"
#include "output/accelerometer/accelerometer.hpp"
#include "output/results.hpp"

namespace crumple::output {

/// Unit vectors: x from the first to the second node, z normal to the plane of the three, y = z cross x.
std::array<Vec3, 3> triad(const Vec3& first, const Vec3& second, const Vec3& third);

/// The components of all vectors of a row along `axes`, except of its position.
NodoutRow in_axes(const NodoutRow& row, const std::array<Vec3, 3>& axes);

/// The acceleration that body loads give the accelerometer at `time`, of its components without gravity.
Vec3 removed_gravity(const model::Model& model, const Accelerometer& accelerometer, double time);

}  // namespace crumple::output
