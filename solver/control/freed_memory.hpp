// What becomes of memory that is freed: back to the system at once, or kept for the next array.
#pragma once

namespace crumple::control {

/// Arrays above a quarter of a megabyte return to the system as soon as they are freed. For the start of a
/// run, when many arrays are used only once.
void return_freed_memory();

/// Freed memory is used again. Otherwise what allocates the same sizes again and again, such as cycles, sorts
/// of contacts and a check, waits for the system to clear pages.
void keep_freed_memory();

}  // namespace crumple::control
