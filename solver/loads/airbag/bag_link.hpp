// A hole between two airbags (*AIRBAG_INTERACTION).
#pragma once

#include "loads/airbag/orifice.hpp"

namespace crumple::loads {

/// From the bag that has it, AB1, to another. Gas flows to where the pressure is lower.
struct BagLink {
  enum class Way : std::int8_t { both, forward, backward };
  LocalId to = model::kNone;  ///< AB2: index among the model's airbags
  Way way = Way::both;
  Orifice hole;                               ///< AREA, SF; curves of the time and of the higher pressure
  LocalId flow_by_difference = model::kNone;  ///< LCID: mass per time over the difference, instead of it
};

}  // namespace crumple::loads
