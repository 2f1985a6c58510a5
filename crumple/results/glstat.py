"""Reads glstat, the history of energies, in LS-DYNA's text layout."""

import re
from pathlib import Path

import pandas as pd

from crumple.results.damage import DamagedFile, names_its_file
from crumple.results.printed_number import NUMBER, number_or_none

FIELD = re.compile(rf"^\s*([a-z].*?)\.+\s*({NUMBER})(?:\s+wall#\s*(\d+))?\s*$", re.IGNORECASE)
CONTROL = re.compile(
    r"^\s*dt of cycle\s*(\d+) is controlled by (.+?)(?:\s+(\d+) of (?:part|mat#)\s*(\d+))?\s*$", re.IGNORECASE
)


class GlstatReader:
    """Reads the lines of a glstat as they come: `rows` has a dictionary for each block."""

    def __init__(self) -> None:
        self.rows: list[dict[str, float | str]] = []
        self.control_: dict[str, float | str] = {}

    def feed(self, line: str) -> None:
        """Read the next line.

        Raises:
            NoNumber: a number in it is not valid.
        """
        if match := CONTROL.match(line):
            self.control_ = controlled(match)
        elif match := FIELD.match(line):
            name = match[1].strip().lower()
            if match[3]:
                name += f" {int(match[3])}"
            if name == "time":
                self.rows.append(self.control_)
                self.control_ = {}
            if self.rows:
                value = number_or_none(match[2])
                if value is not None:
                    self.rows[-1][name] = value


@names_its_file
def read_glstat(path: Path) -> pd.DataFrame:
    """One row per block, one column per quantity, with the name in the file ("kinetic energy").

    What set the step is in the columns "cycle", "controlled by" ("shell"), "controlling element" and
    "controlling part"; walls have a column each, "stonewall energy 1".

    Numbers that did not fit their field ("*****") are missing.

    Raises:
        DamagedFile: it has no block, or one that cannot be read.
    """
    reader = GlstatReader()
    for line in path.read_text(errors="replace").splitlines():
        reader.feed(line)
    if not reader.rows:
        raise DamagedFile(f"{path} has no glstat block")
    return pd.DataFrame(reader.rows)


def controlled(match: re.Match[str]) -> dict[str, float | str]:
    """Columns of a line "dt of cycle 21 is controlled by shell 1539 of part 205"."""
    columns: dict[str, float | str] = {"cycle": int(match[1]), "controlled by": match[2].strip()}
    if match[3]:
        columns |= {"controlling element": int(match[3]), "controlling part": int(match[4])}
    return columns
