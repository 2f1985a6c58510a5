"""Reads matsum, the energies of each part, in LS-DYNA's text layout."""

import re
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from crumple.results.damage import DamagedFile, names_its_file
from crumple.results.legend import read_legend

TIME = re.compile(r"^\s*time\s*=\s*(\S+)\s*$")
PART = re.compile(r"^\s*mat\.#=\s*(\d+)")
VALUE = re.compile(r"([a-z+][a-z_-]*)=\s*([-+]?\d[-+0-9.eE]*)", re.IGNORECASE)


@dataclass(frozen=True)
class PartEnergies:
    """Rows of (time, part) with the columns of the file ("inten", "kinen", "hgeng"), and titles of parts."""

    rows: pd.DataFrame
    titles: dict[int, str]


@names_its_file
def read_matsum(path: Path) -> PartEnergies:
    """Read the file.

    Raises:
        DamagedFile: it has no block, or one that cannot be read.
    """
    lines = path.read_text(errors="replace").splitlines()
    rows: list[dict[str, float]] = []
    time = 0.0
    for line in lines:
        if match := TIME.match(line):
            time = float(match[1])
            continue
        if match := PART.match(line):
            rows.append({"time": time, "part": int(match[1])})
            line = line[match.end() :]
        if rows:
            rows[-1].update({name: float(value) for name, value in VALUE.findall(line)})
    if not rows:
        raise DamagedFile(f"{path} has no matsum block")
    return PartEnergies(pd.DataFrame(rows), read_legend(lines))
