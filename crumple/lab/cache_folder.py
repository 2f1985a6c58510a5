"""Where what was worked out once is kept."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """CRUMPLE_CACHE, or crumple in the user's cache."""
    if named := os.environ.get("CRUMPLE_CACHE"):
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "crumple"
