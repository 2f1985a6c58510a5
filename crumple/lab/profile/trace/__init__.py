"""Time-independent traces for SimGrid's replay, from the profiler's records of calls."""
