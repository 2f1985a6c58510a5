"""Reads positions, plastic strains and deletions of single states of a d3plot family while it is written.

No map of the files into memory is kept: a run that goes on from a dump cuts them back. The layout is that
of solver/output/d3plot; control words are counted from 0 as there.
"""

import os
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from crumple.view.plot_file import CONTROL, LAYOUTS, ResultError, check_family, control_words

END_MARK = -999999.0
ITEMS = 11  #: most words of the list of what smooth particles have
ROWS = 1 << 16  #: rows of elements read at a time
SOLID_FACES = np.array([[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]])


@dataclass(frozen=True)
class StateWords:
    """Where the numbers of a state are, in words from its time."""

    x: int
    solids: int
    shells: int
    flags: int  #: of solids, then thick shells, shells and beams; 0: none
    end: int


@dataclass(frozen=True)
class PlotShape:
    """One state: positions, and of each solid and shell the plastic strain, NaN where it was deleted."""

    time: float
    positions: np.ndarray  #: (nodes, 3)
    solids: np.ndarray
    shells: np.ndarray


class Geometry:
    """The first file of a family: counts, elements, parts."""

    def __init__(self, path: Path) -> None:
        """Read it.

        Raises:
            ResultError: it is not a d3plot, cut off, or of a kind that is not shown here.
        """
        check_family(path)
        found = control_words(path)
        if found is None:
            raise ResultError(f"{path} is not a d3plot file")
        self.words, self.size = found
        order = order_of(path, self.words)
        self.real, self.integer = np.dtype(f"{order}f{self.size}"), np.dtype(f"{order}i{self.size}")
        self.refuse_what_is_not_read(path)
        (self.nodes, self.solids, self.thick, self.beams, self.shells) = (
            abs(self.words[k]) for k in (16, 23, 40, 28, 31)
        )
        self.parts = self.words[51] or sum(self.words[k] for k in (24, 41, 29, 32))
        with path.open("rb") as file:
            self.read(file)
        self.state = self.places()

    def refuse_what_is_not_read(self, path: Path) -> None:
        """Fluids, packed numbers and the like have other layouts."""
        w = self.words
        if w[15] not in (4, 5, 7) or w[23] < 0 or w[31] < 0 or any(w[k] for k in (47, 48, 57)) or w[19] % 10:
            raise ResultError(f"{path} has contents that are not shown here; crumple view may show them")

    def read(self, file) -> None:  # noqa: ANN001 - an open file
        """Types of materials, positions, elements, and the numbers of the parts."""
        file.seek(CONTROL * self.size)
        rigid = np.zeros(self.parts, dtype=bool)
        if self.words[15] in (5, 7):
            count = int(self.take(file, self.integer, 2)[1])
            types = self.take(file, self.integer, count)
            rigid[: min(count, self.parts)] = types[: self.parts] == 20
        self.particle_words = self.read_particle_words(file)
        self.start = self.take(file, self.real, 3 * self.nodes).reshape(-1, 3)
        self.solid_nodes = self.take(file, self.integer, 9 * self.solids).reshape(-1, 9)
        self.take(file, self.integer, 9 * self.thick)
        self.take(file, self.integer, 6 * self.beams)
        self.shell_nodes = self.take(file, self.integer, 5 * self.shells).reshape(-1, 5)
        for elements in (self.solid_nodes, self.shell_nodes):
            nodes, parts = elements[:, :-1], elements[:, -1]
            if len(elements) and not (
                1 <= nodes.min()
                and nodes.max() <= self.nodes
                and 1 <= parts.min()
                and parts.max() <= self.parts
            ):
                raise ResultError("the d3plot is damaged: an element has a node or part that is not there")
        dropped = rigid[self.shell_nodes[:, -1] - 1] if self.words[15] in (5, 7) else None
        self.has_row = None if dropped is None else ~dropped
        self.part_ids = self.read_part_ids(file)

    def read_particle_words(self, file) -> int:  # noqa: ANN001 - an open file
        """How many words all smooth particles have in a state: they are its end, and are not shown."""
        if not self.words[37]:
            return 0
        count = int(self.take(file, self.integer, 1)[0])
        if not 1 <= count <= ITEMS:
            raise ResultError("the d3plot is damaged: its list of what particles have is not there")
        items = self.take(file, self.integer, count - 1).astype(np.int64)
        return self.words[37] * (1 + int(np.abs(items).sum()))

    def read_part_ids(self, file) -> np.ndarray:  # noqa: ANN001 - an open file
        """The user's numbers of the parts; those of the file if it has none."""
        own = np.arange(1, self.parts + 1)
        if self.words[39] <= 0:
            return own
        head = self.take(file, self.integer, 10)
        if head[0] > 0:
            return own
        materials = int(self.take(file, self.integer, 6)[5])
        self.take(file, self.integer, int(self.nodes + self.solids + self.beams + self.shells + self.thick))
        self.take(file, self.integer, materials)
        ids = self.take(file, self.integer, materials)
        return ids if len(ids) == self.parts else own

    def take(self, file, dtype: np.dtype, count: int) -> np.ndarray:  # noqa: ANN001 - an open file
        """The next numbers.

        Raises:
            ResultError: the file ends before.
        """
        found = file.read(count * dtype.itemsize)
        if len(found) < count * dtype.itemsize:
            raise ResultError("the d3plot is cut off")
        return np.frombuffer(found, dtype=dtype)

    def places(self) -> StateWords:
        """Where the numbers of a state are."""
        w = self.words
        x = 1 + w[18]
        nodal = self.nodes * (3 * (w[20] + w[21] + w[22]) + (w[19] // 10 == 1))
        solids = x + nodal
        shells = solids + self.solids * w[27] + self.thick * w[42] + self.beams * w[30]
        rows = self.shells if self.has_row is None else int(self.has_row.sum())
        flags = shells + rows * w[33]
        last = self.particle_words
        elements = self.solids + self.thick + self.shells + self.beams
        if w[36] < -10000:
            return StateWords(x, solids, shells, flags, flags + elements + last)
        return StateWords(x, solids, shells, 0, flags + (self.nodes if w[36] < 0 else 0) + last)

    @property
    def plastic_of_shells(self) -> np.ndarray:
        """Columns of a shell's row that are plastic strains of its layers."""
        w = self.words
        layers = -w[36] - 10000 if w[36] < -10000 else abs(w[36])
        stress = 6 if w[43] == 1000 else 0
        if w[44] != 1000:
            return np.zeros(0, dtype=int)
        return stress + (stress + 1 + w[35]) * np.arange(layers)

    @property
    def plastic_of_solids(self) -> np.ndarray:
        """Columns of a solid's row that are plastic strains of its points."""
        w = self.words
        stress = 6 if w[43] in (999, 1000) else 0
        if w[44] not in (999, 1000):
            return np.zeros(0, dtype=int)
        width = stress + 1 + w[34]
        return stress + width * np.arange(max(1, w[27] // width))


def order_of(path: Path, words: tuple[int, ...]) -> str:
    """The order of bytes: that in which the control words are as they were read."""
    with path.open("rb") as file:
        head = file.read(8 * CONTROL)
    for layout in LAYOUTS:
        size = struct.calcsize(layout)
        if len(head) >= size and struct.unpack(layout, head[:size]) == words:
            return layout[0]
    return "<"


class GrowingPlotFamily:
    """The whole states of a family that a run writes: its files grow, and a restart cuts them back."""

    def __init__(self, path: Path) -> None:
        """Open a family.

        Raises:
            ResultError: it cannot be shown.
        """
        self.path = path
        self.identity = identity_of(path)
        self.geometry = Geometry(path)
        self.states: list[tuple[Path, int, float]] = []  #: file, offset, time of each

    def look(self) -> None:
        """Find the states that are whole now."""
        while self.states and self.time_at(*self.states[-1][:2]) != self.states[-1][2]:
            self.states.pop()  # cut back, or written again
        place = self.next_place()
        while place is not None:
            time = self.time_at(*place)
            if time is None:
                return
            self.states.append((*place, time))
            place = self.next_place()

    def next_place(self) -> tuple[Path, int] | None:
        """Where the next state may be: behind the last one, or at the beginning of the next file."""
        size = self.geometry.state.end * self.geometry.size
        if self.states:
            path, offset, _ = self.states[-1]
            if self.time_at(path, offset + size) is not None:
                return path, offset + size
            number = int(path.name[len(self.path.name) :] or 0)
        else:
            number = 0
        following = self.path.with_name(f"{self.path.name}{number + 1:02d}")
        return (following, 0) if following.exists() else None

    def time_at(self, path: Path, offset: int) -> float | None:
        """The time of the state at a place; None if it is not whole: its time is written last."""
        geometry = self.geometry
        try:
            if os.stat(path).st_size < offset + geometry.state.end * geometry.size:
                return None
            with path.open("rb") as file:
                file.seek(offset)
                found = file.read(geometry.size)
        except OSError:
            return None
        if len(found) < geometry.size:
            return None
        time = float(np.frombuffer(found, dtype=geometry.real)[0])
        return None if time == END_MARK else time

    def shape(self, number: int) -> PlotShape:
        """Read a state.

        Raises:
            ResultError: it is not there, or not any more.
        """
        if not 0 <= number < len(self.states):
            raise ResultError(f"there is no state {number}")
        path, offset, time = self.states[number]
        g = self.geometry
        try:
            with path.open("rb") as file:
                read = StateReader(file, offset, g)
                shape = PlotShape(time, read.positions(), read.of_solids(), read.of_shells())
        except OSError as error:
            raise ResultError(f"{path}: {error.strerror}") from None
        if self.time_at(path, offset) != time:
            raise ResultError("the state was replaced while it was read")
        return shape


def identity_of(path: Path) -> tuple[int, int]:
    """What tells a first file from one that has replaced it."""
    found = os.stat(path)
    return found.st_ino, found.st_mtime_ns


class StateReader:
    """Reads the rows of one state."""

    def __init__(self, file, offset: int, geometry: Geometry) -> None:  # noqa: ANN001 - an open file
        self.file_, self.offset_, self.g_ = file, offset, geometry

    def numbers(self, place: int, count: int) -> np.ndarray:
        """Numbers at a place of the state."""
        self.file_.seek(self.offset_ + place * self.g_.size)
        return self.g_.take(self.file_, self.g_.real, count)

    def positions(self) -> np.ndarray:
        """(nodes, 3)."""
        if not self.g_.words[20]:
            return self.g_.start
        return self.numbers(self.g_.state.x, 3 * self.g_.nodes).reshape(-1, 3)

    def largest(self, place: int, rows: int, width: int, columns: np.ndarray) -> np.ndarray:
        """The largest of some columns of each row; zeros if there is none."""
        found = np.zeros(rows, dtype=np.float32)
        if not len(columns) or not width or columns.max() >= width:
            return found
        for first in range(0, rows, ROWS):
            count = min(ROWS, rows - first)
            part = self.numbers(place + first * width, count * width).reshape(count, width)
            found[first : first + count] = part[:, columns].max(axis=1)
        return found

    def of_solids(self) -> np.ndarray:
        """Plastic strain of each solid; NaN where it was deleted."""
        g = self.g_
        found = self.largest(g.state.solids, g.solids, g.words[27], g.plastic_of_solids)
        if g.state.flags:
            found[self.numbers(g.state.flags, g.solids) == 0.0] = np.nan
        return found

    def of_shells(self) -> np.ndarray:
        """Plastic strain of each shell; NaN where it was deleted."""
        g = self.g_
        rows = g.shells if g.has_row is None else int(g.has_row.sum())
        found = self.largest(g.state.shells, rows, g.words[33], g.plastic_of_shells)
        if g.has_row is not None:
            all_shells = np.zeros(g.shells, dtype=np.float32)
            all_shells[g.has_row] = found
            found = all_shells
        if g.state.flags:
            found[self.numbers(g.state.flags + g.solids + g.thick, g.shells) == 0.0] = np.nan
        return found
