// Curves and tables.
#pragma once

#include <vector>

#include "base/types.hpp"
#include "model/stage.hpp"

namespace crumple::model {

/// *DEFINE_CURVE with scales and offsets applied: abscissa (a + offa) * sfa, ordinate (o + offo) * sfo.
struct Curve {
  GlobalId id = 0;
  std::vector<double> x, y;
  bool goes_on = false;  ///< of loads: straight beyond both ends, which arc lengths ask for
  int sidr = 0;          ///< when its loads and motions act: 0 in the run, 1 in dynamic relaxation, 2 in both
  double formula_until = 0;  ///< > 0: points of a formula of the time, known up to this time
  bool acts(Stage stage) const { return stage == Stage::relaxation ? sidr != 0 : sidr != 1; }
  /// Value at `t`: linear between points, constant beyond the ends.
  double operator()(double t) const;
};

/// *DEFINE_TABLE: curves at increasing values.
struct Table {
  GlobalId id = 0;
  std::vector<double> value;
  std::vector<LocalId> curve;
};

}  // namespace crumple::model
