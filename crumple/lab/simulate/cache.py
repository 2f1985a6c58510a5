"""Results of simulations, kept by the SHA-256 of all that they depend on."""

import json
import os
from pathlib import Path


def cache_folder() -> Path:
    """CRUMPLE_CACHE, or the user's cache."""
    named = os.environ.get("CRUMPLE_CACHE")
    usual = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "crumple"
    return (Path(named) if named else usual) / "simulate"


def cached(key: str) -> dict | None:
    """A result; None where there is none that can be read."""
    try:
        return json.loads((cache_folder() / f"{key}.json").read_text())
    except (OSError, ValueError):
        return None


def keep(key: str, result: dict) -> None:
    """Enter a result; where the folder cannot be written to it is not kept."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        temporary = folder / f"{key}.{os.getpid()}"
        temporary.write_text(json.dumps(result))
        temporary.replace(folder / f"{key}.json")
    except OSError:
        return
