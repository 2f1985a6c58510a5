"""Reads matsum, the energies of each part, in LS-DYNA's text layout."""

import math
import re
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from crumple.results.damage import DamagedFile, names_its_file
from crumple.results.legend import read_legend
from crumple.results.printed_number import NUMBER, number_or_none, printed_number

TIME = re.compile(r"^\s*time\s*=\s*(\S+)\s*$")
PART = re.compile(r"^\s*mat\.#=\s*(\d+)")
VALUE = re.compile(rf"([a-z+][a-z_-]*)=\s*({NUMBER})", re.IGNORECASE)


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
            time = printed_number(match[1])
            continue
        if match := PART.match(line):
            rows.append({"time": time, "part": int(match[1])})
            line = line[match.end() :]
        if rows:
            values = {name: number_or_none(word) for name, word in VALUE.findall(line)}
            rows[-1].update({name: math.nan if v is None else v for name, v in values.items()})
    if not rows:
        raise DamagedFile(f"{path} has no matsum block")
    return PartEnergies(pd.DataFrame(rows), read_legend(lines))
