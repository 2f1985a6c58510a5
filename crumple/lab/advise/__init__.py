"""Advice: which way of running a deck on a cluster gives most, and what would give more."""
