"""Readers of result files."""
