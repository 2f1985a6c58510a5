// Functions behind the profiler's own: another tool's that is loaded after it, else the MPI library's.
#pragma once

/// The next function of this name after the profiler's.
void* next_of(const char* name);

/// Declares `next`, which points to it; looked up once.
#define NEXT(name)               \
  static __typeof__(&name) next; \
  if (!next) *(void**)&next = next_of(#name)
