"""The dumps in a folder: their moments and sizes, from their indices (solver/restart/index.hpp)."""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MARK = b"CRUMPLE dump\n"
FORMAT = 2  #: version that this module reads
NAME = re.compile(r"(?P<prefix>.*?)(?:d3dump|runrsf)\d*")


@dataclass(frozen=True, order=True)
class Moment:
    """When a dump was written; moments of dynamic relaxation come before those of the run."""

    in_run: bool
    cycle: int


@dataclass(frozen=True)
class Dump:
    """A dump, as its index describes it."""

    path: Path
    moment: Moment
    time: float  #: of the model at that moment
    deck: Path
    prefix: str  #: of the names of results: the jobid and a period, or nothing
    ranks: int  #: that wrote it
    precision: str
    written: int  #: when its index was written [ns]
    files: dict[str, int]  #: names of the other files, and the size that each needs to have at least

    @property
    def cycle(self) -> int:
        """The cycle at which it was written."""
        return self.moment.cycle

    @property
    def size(self) -> int:
        """Bytes of its files without the index."""
        return sum(self.files.values())

    def is_whole(self) -> bool:
        """Whether all its files are there and long enough. Checksums are left to the solver."""
        try:
            return all((self.path.parent / file).stat().st_size >= n for file, n in self.files.items())
        except (OSError, ValueError):  # missing, or a name that none can have
            return False


class Words:
    """Takes values out of packed bytes (solver/base/packing.hpp)."""

    def __init__(self, content: bytes) -> None:
        self.content, self.at = content, 0

    def take(self, form: str) -> tuple:
        """Values of a struct format. Raises struct.error where the bytes end too early."""
        values = struct.unpack_from("=" + form, self.content, self.at)
        self.at += struct.calcsize("=" + form)
        return values

    def text(self) -> str:
        """A text behind its length."""
        (size,) = self.take("Q")
        return self.take(f"{size}s")[0].decode()


def read_dump(path: Path) -> Dump | None:
    """The dump of an index; None if the file is not one, is damaged, or is of another version."""
    try:
        content, written = path.read_bytes(), path.stat().st_mtime_ns
        if not content.startswith(MARK):
            return None
        words = Words(content[len(MARK) :])
        if words.take("I") != (FORMAT,):
            return None
        words.take("Q")  # the size of the rest
        _program, _revision, deck = words.text(), words.text(), words.text()
        words.take("Q")  # the deck's checksum
        prefix = words.text()
        single, *_ = words.take("4?")
        _isa, _units = words.text(), words.text()
        ranks, time, cycle, relaxing = words.take("idq?")
        files: dict[str, int] = {}
        for _ in range(words.take("Q")[0]):
            name = words.text()
            offset, size, _contents, _checksum = words.take("qqqQ")
            files[name] = max(files.get(name, 0), offset + size)
    except (OSError, struct.error, ValueError, MemoryError, OverflowError):
        return None
    precision = "single" if single else "double"
    moment = Moment(not relaxing, cycle)
    return Dump(path, moment, time, Path(deck), prefix, ranks, precision, written, files)


def dumps_in(folder: Path, prefix: str = "") -> Iterator[Dump]:
    """The whole dumps of a folder, in no order."""
    try:
        paths = list(folder.iterdir())
    except OSError:
        return
    for path in paths:
        named = NAME.fullmatch(path.name)
        if named and named["prefix"] == prefix and (dump := read_dump(path)) and dump.is_whole():
            yield dump
