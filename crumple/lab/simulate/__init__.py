"""Simulation: traces replayed by SimGrid on clusters of the catalogue; docs/simulate.md."""
