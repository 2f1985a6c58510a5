"""Measures the cost of elements on this machine, so that ranks get equal work."""
