"""Generators of benchmark models: a size in, a keyword deck out."""
