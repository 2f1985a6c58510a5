"""Runs that go on from dumps of the solver."""
