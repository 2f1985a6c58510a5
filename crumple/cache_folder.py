"""The cache folder."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """CRUMPLE_CACHE, or the folder crumple in the user's cache."""
    if named := os.environ.get("CRUMPLE_CACHE"):
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "crumple"
