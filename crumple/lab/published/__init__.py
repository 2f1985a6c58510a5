"""Predictions of published measurements: cases with clusters of the catalogue, beside the findings."""
