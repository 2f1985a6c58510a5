// A curve of traction over separation that begins at the origin, has the peak 1 and ends at (1, 0).
#pragma once

#include <string>

#include "model/curve.hpp"

namespace crumple::model {
struct Material;
struct Model;
}  // namespace crumple::model

namespace crumple::materials {

struct NormalisedCurve {
  model::Curve curve;
  double area = 0;         ///< below it
  double first_slope = 0;  ///< of the first segment
  double steepest = 0;     ///< largest slope
};

/// The curve that a field names. Throws CR-M106 if there is none, CR-M107 for another shape.
NormalisedCurve normalised_curve(const model::Model& model, const model::Material& material,
                                 const std::string& field);

}  // namespace crumple::materials
