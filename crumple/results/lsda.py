"""Reads LSDA files, the containers of binout: names in directories, each with a row of numbers or a text."""

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from crumple.results.damage import DamagedFile

CHANGE_DIRECTORY, VARIABLE, END_OF_TABLE, TABLE_OFFSET = 2, 4, 6, 7  #: commands
#: of numbers in a file, by its code
TYPES = {1: "i1", 2: "i2", 3: "i4", 4: "i8", 5: "u1", 6: "u2", 7: "u4", 8: "u8", 9: "f4", 10: "f8"}


@dataclass(frozen=True)
class VariablePlace:
    """Where a variable's numbers are."""

    path: Path
    offset: int
    count: int
    type: str  #: as numpy names it, with the byte order


class LsdaFile:
    """One file: its variables by directory and name. Nothing but the tables of names is read at first."""

    def __init__(self, path: Path) -> None:
        """Read the tables.

        Raises:
            DamagedFile: it is no LSDA file, or its tables lead out of it.
        """
        self.path_ = path
        self.size_ = path.stat().st_size
        self.places: dict[str, dict[str, VariablePlace]] = {}
        with path.open("rb") as file:
            head = file.read(8)
            if len(head) < 8 or head[0] < 8 or not set(head[1:3]) <= {4, 8} or head[3] != 1 or head[4] != 1:
                raise DamagedFile(f"{path} is no binout file")
            self.order_ = "<" if head[5] == 1 else ">"
            self.words_ = {size: self.order_ + ("i" if size == 4 else "q") for size in (4, 8)}
            self.length_, self.offset_ = int(head[1]), int(head[2])
            self.read_tables(file, head[0])

    def read_tables(self, file, start: int) -> None:  # noqa: ANN001 - an open file
        """All tables, which follow each other as a chain."""
        seen: set[int] = set()
        at = self.next_table(self.bytes_at(file, start, self.length_ + 1 + self.offset_))
        while at > 0:
            if at in seen or at >= self.size_:
                raise self.damaged()
            seen.add(at)
            length = self.word(self.bytes_at(file, at, self.length_))
            at = self.read_table(self.bytes_at(file, at, length))

    def read_table(self, table: bytes) -> int:
        """Names of one table; returns where the next one is, 0 after the last."""
        at, directory = self.length_ + 1, "/"
        while at < len(table):
            length = self.word(table[at : at + self.length_])
            code, body = table[at + self.length_], table[at + self.length_ + 1 : at + length]
            if length < self.length_ + 1 or at + length > len(table):
                raise self.damaged()
            if code == CHANGE_DIRECTORY:
                directory = joined(directory, body.decode("latin-1"))
            elif code == VARIABLE:
                self.add(directory, body)
            elif code == END_OF_TABLE:
                return self.word(body[: self.offset_], self.offset_)
            at += length
        raise self.damaged()

    def add(self, directory: str, entry: bytes) -> None:
        """A name, its type, where its data begin and how many they are."""
        tail = 1 + self.offset_ + self.length_
        name, kind = entry[:-tail], TYPES.get(entry[-tail])
        if not name or kind is None:
            raise self.damaged()
        offset = self.word(entry[-tail + 1 : -self.length_], self.offset_)
        count = self.word(entry[-self.length_ :])
        first = offset + self.length_ + 3 + len(name)  # after length, command, type, length of the name, name
        if offset < 0 or count < 0 or first + count * int(kind[1]) > self.size_:
            raise self.damaged()
        place = VariablePlace(self.path_, first, count, self.order_ + kind)
        self.places.setdefault(directory, {})[name.decode("latin-1")] = place

    def next_table(self, command: bytes) -> int:
        """Where the first table is."""
        if command[self.length_] != TABLE_OFFSET:
            raise self.damaged()
        return self.word(command[self.length_ + 1 :], self.offset_)

    def bytes_at(self, file, offset: int, count: int) -> bytes:  # noqa: ANN001 - an open file
        """So many bytes of the file."""
        if offset < 0 or count < 0 or offset + count > self.size_:
            raise self.damaged()
        file.seek(offset)
        found = file.read(count)
        if len(found) < count:
            raise self.damaged()
        return found

    def word(self, found: bytes, size: int | None = None) -> int:
        """An integer of the file."""
        size = size or self.length_
        if len(found) < size:
            raise self.damaged()
        return struct.unpack(self.words_[size], found[:size])[0]

    def damaged(self) -> DamagedFile:
        """The error of this file."""
        return DamagedFile(f"{self.path_} is damaged or cut off")


def joined(directory: str, step: str) -> str:
    """A directory seen from another; a step that begins with / is from the root."""
    parts = [] if step.startswith("/") else directory.strip("/").split("/")
    for part in step.strip("/").split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part and part != ".":
            parts.append(part)
    return "/" + "/".join(p for p in parts if p)


class LsdaContents:
    """Reads variables; each file is mapped into memory once."""

    def __init__(self) -> None:
        self.files_: dict[Path, np.memmap] = {}

    def numbers(self, place: VariablePlace) -> np.ndarray:
        """A variable's numbers.

        Raises:
            DamagedFile: the file ends before.
        """
        if place.path not in self.files_:
            self.files_[place.path] = np.memmap(place.path, dtype="u1", mode="r")
        found = self.files_[place.path][place.offset :][: place.count * int(place.type[2:])]
        if len(found) < place.count * int(place.type[2:]):
            raise DamagedFile(f"{place.path} is cut off")
        return np.frombuffer(found.tobytes(), dtype=place.type)

    def text(self, place: VariablePlace) -> str:
        """A variable's text."""
        return self.numbers(place).tobytes().decode("latin-1")
