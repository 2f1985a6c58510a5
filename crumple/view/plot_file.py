"""Finds a d3plot family, and checks that its files are large enough for the counts in its control block."""

import struct
from pathlib import Path

#: Words of the control block, from 0: counts of nodes, elements of each kind, words of a state for each
DIMENSION, FILE_TYPE, NODES = 15, 11, 16
SOLIDS, THICK_SHELLS, BEAMS, SHELLS, NUMBERS = 23, 40, 28, 31, 39
GEOMETRY = {NODES: 3, SOLIDS: 9, THICK_SHELLS: 9, BEAMS: 6, SHELLS: 5, NUMBERS: 1}  #: words of each
COUNTS = (18, 24, 27, 29, 30, 32, 33, 34, 35, 37, 38, 41, 42, 51)  #: other counts of as many words, or fewer
CONTROL = 64
TYPES = (1, 3, 4, 5, 11)  #: d3plot, d3part and the like
LAYOUTS = ("<64i", "<64q", ">64i", ">64q")


class ResultError(Exception):
    """A result file that cannot be shown."""


def find_d3plot(result: Path) -> Path:
    """The d3plot file that `result` names or contains.

    Raises:
        ResultError: there is none.
    """
    path = result / "d3plot" if result.is_dir() else result
    if not path.exists():
        raise ResultError(f"{path} does not exist")
    return path


def family_bytes(path: Path) -> int:
    """Bytes of a d3plot and its d3plot01, d3plot02, ..."""
    others = (p for p in path.parent.glob(f"{path.name}*") if p.name[len(path.name) :].isdigit())
    return path.stat().st_size + sum(p.stat().st_size for p in others)


def control_words(path: Path) -> tuple[tuple[int, ...], int] | None:
    """The control words as integers, and the bytes of one; None if the file is not a d3plot."""
    with path.open("rb") as file:
        head = file.read(8 * CONTROL)
    for layout in LAYOUTS:
        size = struct.calcsize(layout)
        if len(head) >= size:
            words = struct.unpack(layout, head[:size])
            if words[FILE_TYPE] % 1000 in TYPES and 2 <= words[DIMENSION] <= 9:
                return words, size // CONTROL
    return None


def check_family(path: Path) -> None:
    """Check that a family is long enough for its counts; VTK allocates memory for them before it reads.

    Raises:
        ResultError: it is not, or it is not a d3plot.
    """
    try:
        found, whole = control_words(path), family_bytes(path)
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror}") from None
    if found is None:
        raise ResultError(f"{path} is not a d3plot file")
    words, size = found
    there = whole // size
    needed = CONTROL + sum(abs(words[k]) * width for k, width in GEOMETRY.items())
    if needed > there or any(abs(words[k]) > there for k in COUNTS):
        raise ResultError(f"{path} is damaged or cut off: it announces more than its files hold")
