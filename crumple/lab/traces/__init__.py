"""Traces of the solver at any number of ranks: recorded, or made from a decomposition; docs/traces.md."""
