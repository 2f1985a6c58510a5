"""Time-independent traces for SimGrid's replay, from what the profiler recorded of each call."""
