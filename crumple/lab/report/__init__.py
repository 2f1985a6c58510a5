"""Reports of studies: one HTML page and PNGs."""
