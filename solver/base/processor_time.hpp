// The processor time of the calling thread.
#pragma once

namespace crumple {

/// Processor time of the calling thread [s].
double processor_time();

}  // namespace crumple
