"""Crumple: run, view and study crash models."""

__version__ = "0.1.0"
