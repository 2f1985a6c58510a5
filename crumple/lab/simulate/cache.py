"""Store of simulation results by the SHA-256 of everything they depend on, with a SHA-256 of their own."""

import hashlib
import json
import os
from pathlib import Path

from crumple.cache_folder import cache_folder


def simulations() -> Path:
    """The folder of the store."""
    return cache_folder() / "simulate"


def cached(key: str) -> dict | None:
    """A stored result; None if there is none, or if it has changed since it was written."""
    try:
        digest, _, text = (simulations() / f"{key}.json").read_text().partition("\n")
    except (OSError, UnicodeDecodeError):
        return None
    return json.loads(text) if digest == hashlib.sha256(text.encode()).hexdigest() else None


def keep(key: str, result: dict) -> None:
    """Store a result; if the folder cannot be written, it is not stored."""
    folder, text = simulations(), json.dumps(result)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        temporary = folder / f"{key}.{os.getpid()}"
        temporary.write_text(f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}")
        temporary.replace(folder / f"{key}.json")
    except OSError:
        return
