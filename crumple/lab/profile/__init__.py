"""MPI calls, messages and file accesses of an MPI program, recorded by the library in profiler/."""
