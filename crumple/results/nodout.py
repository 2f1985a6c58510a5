"""Reads nodout, the motion of nodes, in LS-DYNA's text layout."""

import re
from pathlib import Path

import numpy as np

from crumple.results.damage import DamagedFile, names_its_file
from crumple.results.history_table import HistoryTable
from crumple.results.legend import read_legend

HEAD = re.compile(r"\(\s*at time\s*(\S+)\s*\)")
WIDTH, NUMBER = 12, 10  #: characters of a value, and of a node with the blank behind it
MOTION = ("displacement", "velocity", "acceleration", "coordinate")


@names_its_file
def read_nodout(path: Path) -> HistoryTable:
    """The rows of all nodes, with the names of binout; numbers that did not fit their field are missing.

    Raises:
        DamagedFile: it has no block, or one that cannot be read.
    """
    lines = path.read_text(errors="replace").splitlines()
    blocks: dict[bool, list[tuple[float, list[int], list[list[float]]]]] = {False: [], True: []}
    time, rows, nodes = 0.0, None, None
    for line in lines:
        if match := HEAD.search(line):
            time, rows = float(match[1]), None
        elif line.startswith(" nodal point"):
            nodes, rows = [], []
            blocks["x-rot" in line].append((time, nodes, rows))
        elif rows is not None and line.strip():
            nodes.append(int(line[:NUMBER]))
            rows.append(values_of(line))
    if not blocks[False]:
        raise DamagedFile(f"{path} has no nodout block")
    keys = blocks[False][0][1]
    times = np.array([time for time, _, _ in blocks[False]])
    columns: dict[str, np.ndarray] = {}
    for turning, names in ((False, MOTION), (True, MOTION[:3])):
        whole = [rows for _, found, rows in blocks[turning] if found == keys]
        if not whole and turning:
            continue
        if len(whole) < len(times):  # the last block of a killed run is cut off
            times = times[: len(whole)]
        values = np.array(whole, dtype=float).reshape(len(whole), len(keys), 3 * len(names))
        for k, name in enumerate(f"{'r' * turning}{axis}_{name}" for name in names for axis in "xyz"):
            columns[name] = values[:, :, k]
    columns = {name: values[: len(times)] for name, values in columns.items()}
    return HistoryTable(times, [str(key) for key in keys], read_legend(lines), columns)


def values_of(line: str) -> list[float]:
    """The numbers of a row; NaN for asterisks."""
    words = [line[k : k + WIDTH] for k in range(NUMBER, len(line.rstrip()), WIDTH)]
    return [float("nan") if "*" in word else float(word) for word in words]
