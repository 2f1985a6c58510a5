"""Histories of a running job, read from its growing text files: energies, forces, motion of nodes."""

import math
from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import numpy as np

from crumple.results.forces import CONTACT, SECTION, WALL
from crumple.results.glstat import GlstatReader
from crumple.results.legend import ENTRY
from crumple.results.nodout import HEAD, NUMBER, values_of
from crumple.results.printed_number import printed_number
from crumple.watch.growing_text import GrowingText

NODES = 8  #: nodes of nodout that are read, the first ones, as in the report
ACCELERATION = slice(6, 9)  #: columns of a row of nodout


@dataclass
class Curves:
    """Values over time of several entities, each with times of its own."""

    times: dict[str, array] = field(default_factory=dict)
    values: dict[str, array] = field(default_factory=dict)  #: (n, width) row by row
    titles: dict[int, str] = field(default_factory=dict)

    def add(self, key: str, time: float, *values: float) -> None:
        """Add the values of one time."""
        if key not in self.times:
            self.times[key], self.values[key] = array("d"), array("d")
        self.times[key].append(time)
        self.values[key].extend(values)


class EnergyFile:
    """glstat: numbers by column, and what set the time step of the last rows."""

    def __init__(self) -> None:
        self.columns: dict[str, array] = {}
        self.count = 0
        self.held: dict[tuple[str, int, int], list[float]] = {}  #: kind, element, part: rows, smallest step
        self.last: dict[str, float | str] = {}
        self.reader_ = GlstatReader()

    def feed(self, line: str) -> None:
        """Read the next line; a row counts when the next one begins."""
        self.reader_.feed(line)
        for row in self.reader_.rows[:-1]:
            self.add(row)
        del self.reader_.rows[:-1]

    def close(self) -> None:
        """Nothing more will come soon: the last row counts, too, if it has its last number."""
        rows = self.reader_.rows
        if rows and "time per zone cycle.(nanosec)" in rows[-1]:
            self.add(rows.pop())

    def add(self, row: dict[str, float | str]) -> None:
        """Add a row to all columns."""
        self.last = row
        for name, value in row.items():
            if isinstance(value, float | int) and not name.startswith("controlling"):
                if name not in self.columns:
                    self.columns[name] = array("d", [np.nan] * self.count)
                self.columns[name].append(value)
        self.count += 1
        for column in self.columns.values():
            if len(column) < self.count:
                column.append(np.nan)
        if "controlling element" in row:
            key = (str(row["controlled by"]), int(row["controlling element"]), int(row["controlling part"]))
            held = self.held.setdefault(key, [0, np.inf])
            held[0] += 1
            held[1] = min(held[1], float(row.get("time step", np.inf)))


class LegendLines:
    """Titles by number, between {BEGIN LEGEND} and {END LEGEND}."""

    def __init__(self, titles: dict[int, str]) -> None:
        self.titles_, self.inside_ = titles, False

    def takes(self, line: str) -> bool:
        """Whether a line is of the legend."""
        if line.startswith("{"):
            self.inside_ = line.startswith("{BEGIN LEGEND}")
            return True
        if self.inside_ and (match := ENTRY.match(line)):
            self.titles_[int(match[1])] = match[2] or ""
        return self.inside_


class ForceFile:
    """rwforc, rcforc or secforc: the magnitude of each entity's force, of contacts by side."""

    def __init__(self, kind: str) -> None:
        self.curves = Curves()
        self.legend_ = LegendLines(self.curves.titles)
        self.read_: Callable[[str], tuple[str, float, tuple[str, ...]] | None] = READERS[kind]

    def feed(self, line: str) -> None:
        """Read the next line."""
        if self.legend_.takes(line):
            return
        if found := self.read_(line):
            key, time, force = found
            self.curves.add(key, time, math.hypot(*map(float, force)))

    def close(self) -> None:
        """Lines are complete in themselves."""


def wall(line: str) -> tuple[str, float, tuple[str, ...]] | None:
    """A line of rwforc."""
    match = WALL.match(line)
    return (match[2], float(match[1]), match.group(4, 5, 6)) if match else None


def contact(line: str) -> tuple[str, float, tuple[str, ...]] | None:
    """A line of rcforc."""
    match = CONTACT.match(line)
    return (f"{match[2]}:{match[1].lower()}", float(match[3]), match.group(4, 5, 6)) if match else None


def section(line: str) -> tuple[str, float, tuple[str, ...]] | None:
    """A line of secforc."""
    match = SECTION.match(line)
    return (match[1], float(match[2]), match.group(3, 4, 5)) if match else None


READERS = {"rwforc": wall, "rcforc": contact, "secforc": section}


class NodeFile:
    """nodout: the accelerations of the first nodes."""

    def __init__(self) -> None:
        self.curves = Curves()
        self.legend_ = LegendLines(self.curves.titles)
        self.time_ = 0.0
        self.left_ = 0  #: rows of the block that are still wanted

    def feed(self, line: str) -> None:
        """Read the next line."""
        if self.legend_.takes(line):
            return
        if match := HEAD.search(line):
            self.time_, self.left_ = printed_number(match[1]), 0
        elif line.startswith(" nodal point"):
            self.left_ = 0 if "x-rot" in line else NODES
        elif self.left_ and line.strip():
            self.left_ -= 1
            self.curves.add(line[:NUMBER].strip(), self.time_, *values_of(line)[ACCELERATION])

    def close(self) -> None:
        """Lines are complete in themselves."""


class LineReader(Protocol):
    """What reads the lines of a file."""

    def feed(self, line: str) -> None:
        """Read the next line."""

    def close(self) -> None:
        """Nothing more will come soon."""


Found = TypeVar("Found", bound=LineReader)


class TextHistory(Generic[Found]):
    """A growing text file, with what has been read from it."""

    def __init__(self, path: Path, make: Callable[[], Found]) -> None:
        self.file_ = GrowingText(path)
        self.make_ = make
        self.found: Found = make()
        self.version = 0  #: grows with what is read
        self.damage = ""  #: why some lines could not be read

    @property
    def behind(self) -> int:
        """Bytes that have not been read yet."""
        return self.file_.behind

    def look(self, may_go_on: Callable[[], bool]) -> None:
        """Read what is new, a piece at least, and as long as there is time."""
        if self.file_.begins_anew():
            self.found, self.damage = self.make_(), ""
            self.version += 1
        while lines := self.file_.next_lines():
            for line in lines:
                self.feed(line)
            self.version += 1
            if not may_go_on():
                return
        self.found.close()

    def feed(self, line: str) -> None:
        """Read a line; one that is damaged is left out, and said."""
        try:
            self.found.feed(line)
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            self.damage = f"{self.file_.path.name}: a line cannot be read: {str(error)[:120]}"
