"""Studies: one file of axes, many runs, one database of results."""
