"""Results of simulations, kept by the SHA-256 of all that they depend on."""

import json
import os
from pathlib import Path

from crumple.lab.cache_folder import cache_folder


def simulations() -> Path:
    """Where results are kept."""
    return cache_folder() / "simulate"


def cached(key: str) -> dict | None:
    """A result; None where there is none that can be read."""
    try:
        return json.loads((simulations() / f"{key}.json").read_text())
    except (OSError, ValueError):
        return None


def keep(key: str, result: dict) -> None:
    """Enter a result; where the folder cannot be written to it is not kept."""
    folder = simulations()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        temporary = folder / f"{key}.{os.getpid()}"
        temporary.write_text(json.dumps(result))
        temporary.replace(folder / f"{key}.json")
    except OSError:
        return
