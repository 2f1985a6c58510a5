"""Measures a machine for the simulator and the energy model: network, memory, files, the solver's kernels."""
