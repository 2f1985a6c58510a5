"""Hardware as data: TOML files in which every number has its source."""
