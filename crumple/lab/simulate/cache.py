"""Results of simulations, kept by the SHA-256 of all that they depend on, and with that of themselves."""

import hashlib
import json
import os
from pathlib import Path

from crumple.lab.cache_folder import cache_folder


def simulations() -> Path:
    """Where results are kept."""
    return cache_folder() / "simulate"


def cached(key: str) -> dict | None:
    """A result; None where there is none, or where it is not as it was written."""
    try:
        digest, _, text = (simulations() / f"{key}.json").read_text().partition("\n")
    except (OSError, UnicodeDecodeError):
        return None
    return json.loads(text) if digest == hashlib.sha256(text.encode()).hexdigest() else None


def keep(key: str, result: dict) -> None:
    """Enter a result; where the folder cannot be written to it is not kept."""
    folder, text = simulations(), json.dumps(result)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        temporary = folder / f"{key}.{os.getpid()}"
        temporary.write_text(f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}")
        temporary.replace(folder / f"{key}.json")
    except OSError:
        return
