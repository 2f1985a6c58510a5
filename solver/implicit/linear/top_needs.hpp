// What a rank's panels of top fronts take.
#pragma once

#include <vector>

#include "implicit/linear/top_fronts.hpp"

namespace crumple::implicit::linear {

/// Values in memory on one rank for its panels of top fronts, and in its file.
struct TopNeeds {
  std::int64_t most = 0;              ///< while fronts are made, with the factor in memory
  std::int64_t most_out_of_core = 0;  ///< and out of core
  std::int64_t factor = 0;            ///< panels of pivots
  std::int64_t read = 0;              ///< while the factor is read from the file
};
TopNeeds top_needs(const std::vector<TopFront>& tops, std::int32_t rank);

}  // namespace crumple::implicit::linear
