"""The report of a run: one page that says what was computed, how well, and how fast."""
