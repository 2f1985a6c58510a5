// The thermal expansion of a material: how long a free piece of it becomes.
#pragma once

#include <vector>

namespace crumple::materials {

/// The instantaneous coefficient alpha = d(strain) / dT over the temperature: linear between points, constant
/// beyond the ends. The strain is logarithmic, as the sum of the strain increments of elements is.
struct Expansion {
  std::vector<double> temperature;  ///< increasing; one point: a constant
  std::vector<double> coefficient;

  /// The integral of alpha from one temperature to another.
  double strain(double from, double to) const;

 private:
  double from_first(double temperature) const;
};

}  // namespace crumple::materials
