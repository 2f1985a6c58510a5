"""Traces of the solver at any rank count: recorded or made from a decomposition; docs/traces.md."""
