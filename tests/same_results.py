"""Compares all result files of two runs, but for what tells when, how fast and by how many they ran.

| file | compared |
|---|---|
| d3plot family | bytes, but for the date in the header |
| binout | bytes, but for the date and the time per zone cycle |
| text histories | bytes, but for the date and the time per zone cycle |
| d3hsp | lines in any order, as some wait until the run looks at its clock; without what is on a part |
| all others | bytes |

Not results, and not compared: dumps, load_profile, run.json, convergence.jsonl (d3hsp has its numbers).
"""

import re
import struct
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from crumple.results.lsda import LsdaFile

#: names of what is not compared: it is of one part of a run, or measured
OF_A_PART = re.compile(
    r"(d3dump|runrsf)\d*(\..*)?|load_profile|run\.json|(.*\.)?convergence\.jsonl"
    r"|load_profile\.\d+|\.run\.json\..*"  # first names, of processes killed while they wrote them
)
D3PLOT_DATE, D3PLOT_VERSION = 10, 14  #: the header's words with seconds since 1970, and 960 or the like
MEASURED = ("date", "nzc")  #: of binout
#: sections of d3hsp on a part of a run: ranks, seconds, memory
SECTIONS_OF_A_PART = ("run", "restart", "start-up", "exchange", "parts of the run")
LINES_OF_A_PART = re.compile(
    r"date \d|^ end cycle \d|^ \d+ cycles in |^ peak memory: |^ \d+ (steps|modes).* in [\d.]+ s$"
)
EVENT = re.compile(r" *\d+ t \S+ dt \S+ ")  #: may follow any section


def different_files(one: Path, two: Path) -> list[str]:
    """Names of files that differ, or are in one folder only."""
    names = {path.name for folder in (one, two) for path in folder.iterdir() if path.is_file()}
    return sorted(
        name for name in names if not OF_A_PART.fullmatch(name) and not same(one / name, two / name)
    )


def same(one: Path, two: Path) -> bool:
    """Whether both files are there, and the same."""
    if not (one.exists() and two.exists()):
        return False
    if one.read_bytes() == two.read_bytes():
        return True
    content = next((read for name, read in CONTENTS.items() if re.fullmatch(name, one.name)), None)
    return content is not None and content(one) == content(two)


def d3plot(path: Path) -> bytes:
    """The bytes of the first file of a family without its date. Its words have 4 or 8 bytes."""
    content = bytearray(path.read_bytes())
    (version,) = struct.unpack_from("<f", content, 4 * D3PLOT_VERSION)
    word = 4 if 900.0 < version < 1000.0 else 8
    content[word * D3PLOT_DATE : word * (D3PLOT_DATE + 1)] = bytes(word)
    return bytes(content)


def binout(path: Path) -> bytes:
    """The bytes of a file without dates and measured times."""
    content = bytearray(path.read_bytes())
    for variables in LsdaFile(path).places.values():
        for name in MEASURED:
            if place := variables.get(name):
                size = place.count * int(place.type[2:])
                content[place.offset : place.offset + size] = bytes(size)
    return bytes(content)


def history(path: Path) -> list[str]:
    """The lines of a text file of histories without dates and measured times."""
    lines = path.read_text().splitlines()
    return [line for line in lines if "date" not in line and "zone cycle" not in line]


def sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """Titles and lines of d3hsp's sections. A title is spaced: ` r u n`."""
    title, lines = "", []
    for line in text.splitlines():
        if re.fullmatch(r" \S( {1,3}\S)+", line):
            yield title, lines
            title, lines = re.sub(r"(\S) ", r"\1", line.strip()).replace("  ", " "), []
        elif line:
            lines.append(line)
    yield title, lines


def d3hsp(path: Path) -> Counter:
    """Titles, and lines with how often they come, without those of one part of a run."""
    found: Counter = Counter()
    for title, lines in sections(path.read_text()):
        of_a_part = title in SECTIONS_OF_A_PART
        found[title] = 0 if of_a_part else 1  # one block of deleted elements, or several
        found.update(
            line for line in lines if EVENT.match(line) or not (of_a_part or LINES_OF_A_PART.search(line))
        )
    return found


HISTORIES = (
    *("glstat", "matsum", "rcforc", "rwforc", "secforc", "spcforc", "bndout", "ncforc", "nodout", "elout"),
    *("jntforc", "rbdout", "abstat", "swforc", "sleout", "deforc"),
)
#: by the names of files: what must be the same if not all bytes are
CONTENTS: dict[str, Callable[[Path], object]] = {
    r"(.*\.)?(d3plot|d3eigv)": d3plot,
    r"(.*\.)?binout\d+(%\d+)?": binout,
    rf"(.*\.)?({'|'.join(HISTORIES)})": history,
    r"(.*\.)?d3hsp": d3hsp,
}
