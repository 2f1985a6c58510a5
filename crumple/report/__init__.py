"""The report of a run: one page with the results, their quality, and the speed."""
