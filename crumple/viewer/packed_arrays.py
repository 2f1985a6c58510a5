"""Arrays as bytes for a page: a text (JSON) that describes them, then each array, filled up to 4 bytes."""

import json
from typing import Any

import numpy as np

TYPES = {"u1": "u1", "u2": "<u2", "u4": "<u4", "f4": "<f4"}


def packed_arrays(about: dict[str, Any], **arrays: tuple[np.ndarray, str]) -> bytes:
    """Pack arrays by name, each with its type in the page: u1, u2, u4 or f4."""
    rows, pieces = [], []
    for name, (numbers, kind) in arrays.items():
        content = np.ascontiguousarray(numbers, dtype=TYPES[kind]).tobytes()
        rows.append([name, kind, int(numbers.size)])
        pieces.append(content + b"\0" * (-len(content) % 4))
    text = json.dumps(about | {"arrays": rows}, allow_nan=False).encode()
    text += b" " * (-len(text) % 4)
    return b"".join((len(text).to_bytes(4, "little"), text, *pieces))
