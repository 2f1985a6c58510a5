"""Studies: one file with axes, many runs, one database with results."""
