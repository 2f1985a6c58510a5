// The clock of the calling thread's work.
#pragma once

namespace crumple {

/// Processor time of the calling thread [s].
double processor_time();

}  // namespace crumple
