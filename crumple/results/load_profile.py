"""Reads load_profile: the seconds that each rank spent in each phase.

A plain text table: `#` comments, a line `rank elements contact ...` with the names of the phases, a line
of numbers per rank. Seconds may have a unit, as in the solver's screen output.
"""

from pathlib import Path

import pandas as pd

from crumple.results.damage import DamagedFile, names_its_file
from crumple.results.printed_number import printed_number


@names_its_file
def read_load_profile(path: Path) -> pd.DataFrame:
    """Seconds by rank (index) and phase (columns).

    Raises:
        DamagedFile: the text is not such a table.
    """
    rows = [line.split() for line in path.read_text(errors="replace").splitlines()]
    rows = [[word for word in row if word != "s"] for row in rows if row and not row[0].startswith("#")]
    if len(rows) < 2 or rows[0][0] != "rank" or any(len(row) != len(rows[0]) for row in rows):
        raise DamagedFile(f"{path} is no table of ranks and phases")
    table = pd.DataFrame([[printed_number(word) for word in row] for row in rows[1:]], columns=rows[0])
    return table.astype({"rank": int}).set_index("rank")
