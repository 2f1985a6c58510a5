"""What an MPI program does on the wire and to files, by the library in profiler/."""
