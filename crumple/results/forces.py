"""Reads the histories of forces: rwforc (rigid walls), rcforc (contacts), secforc (cross sections)."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from crumple.results.damage import names_its_file
from crumple.results.legend import read_legend

NUMBER = r"([-+]?\d*\.\d*(?:[eE][-+]?\d+)?)"
WALL = re.compile(rf"^\s*{NUMBER}\s+(\d+)" + rf"\s+{NUMBER}" * 4)
CONTACT = re.compile(rf"^\s*(\w+)\s+(\d+)\s+time\s*{NUMBER}\s+x\s+{NUMBER}\s+y\s+{NUMBER}\s+z\s+{NUMBER}")
SECTION = re.compile(rf"^\s*(\d+)\s+{NUMBER}" + rf"\s+{NUMBER}" * 4 + r"\s*$")


@dataclass(frozen=True)
class Forces:
    """Rows of (id, side, time, x, y, z, resultant), and titles by id; only contacts have a `side`."""

    rows: pd.DataFrame
    titles: dict[int, str]

    @property
    def empty(self) -> bool:
        """Whether there are no rows."""
        return self.rows.empty


def forces(rows: list[tuple[int, str, float, float, float, float]], lines: list[str]) -> Forces:
    """Rows with their resultants added."""
    frame = pd.DataFrame(rows, columns=["id", "side", "time", "x", "y", "z"])
    return Forces(with_resultants(frame), read_legend(lines))


def with_resultants(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows with the magnitude of their forces."""
    return rows.assign(resultant=np.sqrt(rows["x"] ** 2 + rows["y"] ** 2 + rows["z"] ** 2))


@names_its_file
def read_rwforc(path: Path) -> Forces:
    """Forces on rigid walls; the column "normal" is the file's own."""
    lines = path.read_text(errors="replace").splitlines()
    found = [match for line in lines if (match := WALL.match(line))]
    result = forces([(int(m[2]), "", float(m[1]), *(float(m[k]) for k in (4, 5, 6))) for m in found], lines)
    result.rows["normal"] = [float(m[3]) for m in found]
    return result


@names_its_file
def read_rcforc(path: Path) -> Forces:
    """Forces of contacts; each side has its own "side"."""
    lines = path.read_text(errors="replace").splitlines()
    found = [match for line in lines if (match := CONTACT.match(line))]
    return forces(
        [(int(m[2]), m[1].lower(), float(m[3]), *(float(m[k]) for k in (4, 5, 6))) for m in found], lines
    )


@names_its_file
def read_secforc(path: Path) -> Forces:
    """Resultant forces of cross sections; moments and centroids are in lines without an id."""
    lines = path.read_text(errors="replace").splitlines()
    found = [match for line in lines if (match := SECTION.match(line))]
    return forces([(int(m[1]), "", float(m[2]), *(float(m[k]) for k in (3, 4, 5))) for m in found], lines)
