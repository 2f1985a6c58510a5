// Tells a profiler, if one is loaded, which phase of its work a program is in. Without one: a test of a
// pointer.
//
//     crumple_phase("elements", cycle);   ...   crumple_phase("contact", cycle);   ...   crumple_phase(0,
//     cycle);
//
// Phases do not nest: one ends where the next begins, and a null name ends the last. Each thread has its own.
// `step` is the step of the computation, for windows of traces; -1 where there are none. Names must stay
// valid as long as the program runs. C11 and C++11, needs libdl before glibc 2.34.
#ifndef CRUMPLE_PHASE_H
#define CRUMPLE_PHASE_H

#include <dlfcn.h>

static inline void crumple_phase(const char* name, long long step) {
  typedef void (*Marker)(const char*, long long);
  static Marker marker = 0;
  static int looked = 0;
  if (!looked) {
    union {
      void* object;
      Marker function;
    } found;  // ISO C has no cast from object to function pointers
    found.object = dlsym((void*)0, "crumple_profiler_phase");  // RTLD_DEFAULT
    marker = found.function;
    looked = 1;
  }
  if (marker) marker(name, step);
}

#endif
