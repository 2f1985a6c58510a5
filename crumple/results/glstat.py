"""Reads glstat, the history of energies, in LS-DYNA's text layout."""

import re
from pathlib import Path

import pandas as pd

FIELD = re.compile(r"^\s*([a-z].*?)\.{2,}\s*([-+0-9.eE]+)\s*$", re.IGNORECASE)


def read_glstat(path: Path) -> pd.DataFrame:
    """One row a block, one column a quantity, named as in the file ("kinetic energy").

    Raises:
        ValueError: the file has no block.
    """
    rows: list[dict[str, float]] = []
    for line in path.read_text().splitlines():
        match = FIELD.match(line)
        if not match:
            continue
        name = match.group(1).strip().lower()
        if name == "time":
            rows.append({})
        if rows:
            rows[-1][name] = float(match.group(2))
    if not rows:
        raise ValueError(f"{path} has no glstat block")
    return pd.DataFrame(rows)
