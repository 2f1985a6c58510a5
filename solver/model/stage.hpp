// Stages of a run, in each of which time starts at 0.
#pragma once

#include <cstdint>

namespace crumple::model {

/// Curves say by SIDR in which stage they act; deaths and failure times are times of the transient stage.
enum class Stage : std::int8_t {
  relaxation,  ///< *CONTROL_DYNAMIC_RELAXATION, before the run
  transient    ///< the run itself
};

}  // namespace crumple::model
