// State of belts and their devices at t_n, the same on every rank.
#pragma once

#include <cstdint>

#include "base/members.hpp"
#include "base/types.hpp"

namespace crumple::loads {

struct BeltElementState {
  /// Its ends: places in Belts::nodes. At a ring or a retractor, the node of the device.
  std::int64_t first = 0, second = 0;
  double length = 0;  ///< unstretched
  double stretched = 0;
  double mass = 0;
  double peak = 0;  ///< largest strain
  double force = 0;
  std::int64_t place = -1;   ///< in a retractor: counted from its depth; -1 outside
  std::int64_t within = -1;  ///< the retractor in which it is
};
CRUMPLE_MEMBERS(BeltElementState, first, second, length, stretched, mass, peak, force, place, within)

struct BeltSensorState {
  std::int64_t triggered = 0;
  double time = 0;    ///< of the trigger
  double since = -1;  ///< when its limit was exceeded first without a break; negative: it is not
};
CRUMPLE_MEMBERS(BeltSensorState, triggered, time, since)

struct RetractorState {
  std::int64_t mouth = 0;   ///< element
  std::int64_t held = 0;    ///< node of the belt at the mouth
  std::int64_t inside = 0;  ///< elements in it
  std::int64_t locked = 0;
  std::int64_t counting = 0;  ///< the delay is over: belt is counted until PULL
  double counted = 0;
  double pull_out = 0;  ///< in all
  double out = 0;       ///< since the beginning of the loading curve
  double most = 0;      ///< the largest `out`
  double fed = 0;       ///< into the element at the mouth
  double rate = 0;      ///< of pull-out
};
CRUMPLE_MEMBERS(RetractorState, mouth, held, inside, locked, counting, counted, pull_out, out, most, fed,
                rate)

struct PretensionerState {
  std::int64_t ended = 0, fired = 0;
  double time = 0;    ///< when it fired
  double pulled = 0;  ///< in
};
CRUMPLE_MEMBERS(PretensionerState, ended, fired, time, pulled)

struct SlipRingState {
  std::int64_t first = 0, second = 0;  ///< elements
  std::int64_t held = 0;               ///< node of the belt at the ring
  double slip = 0;                     ///< from the first side to the second
};
CRUMPLE_MEMBERS(SlipRingState, first, second, held, slip)

}  // namespace crumple::loads
