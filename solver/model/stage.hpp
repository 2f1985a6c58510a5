// Stages of a run; in each, time starts at 0.
#pragma once

#include <cstdint>

namespace crumple::model {

/// SIDR of a curve is the stage in which it acts; deaths and failure times are times of the transient stage.
enum class Stage : std::int8_t {
  relaxation,  ///< *CONTROL_DYNAMIC_RELAXATION, before the run
  transient    ///< the run itself
};

}  // namespace crumple::model
