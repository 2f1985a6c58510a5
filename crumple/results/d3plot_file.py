"""Reads a d3plot family with NumPy, ours or LS-DYNA's: geometry at once, states when they are asked for."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from crumple.results.d3plot_layout import (
    END_MARK,
    NARBS,
    NEIPH,
    NEIPS,
    NEL2,
    NEL4,
    NEL8,
    NELT,
    NGLBV,
    NMMAT,
    NMSPH,
    NODE_IDS_HEAD,
    NUMNP,
    NV1D,
    NV3D,
    NV3DT,
    PART_TITLES,
    SHORT_HEAD,
    TITLE,
    PlotLayout,
    read_layout,
)
from crumple.results.damage import DamagedFile
from crumple.results.state_array import StateArray

HEAD = 1 << 20  #: bytes in which the control block and the types of parts are
RIGID = 20  #: type of rigid parts
#: words of an element's connectivity, the last of which is its part
WIDTHS = {"solid": 9, "thick_shell": 9, "beam": 6, "shell": 5}
COUNTS = {"solid": NEL8, "thick_shell": NELT, "beam": NEL2, "shell": NEL4}
#: of a beam the third is its orientation, the others are not used
CORNERS = {"solid": 8, "thick_shell": 8, "beam": 5, "shell": 4}
BEAM_RESULTANTS = 6
#: of smooth particles, in the order of ISPHFG; what is behind them is not read
PARTICLE_ITEMS = (
    "radius",
    "pressure",
    "stress",
    "plastic_strain",
    "density",
    "internal_energy",
    "neighbours",
)
GLOBAL_WORDS = 6  #: of a state, before the sums over parts
#: where they begin there, and their shapes
GLOBAL_SUMS = {
    "global_kinetic_energy": (0, ()),
    "global_internal_energy": (1, ()),
    "global_total_energy": (2, ()),
    "global_velocity": (3, (3,)),
}
#: sums over each part in their order, and words of each
PART_SUMS = (
    ("part_internal_energy", 1),
    ("part_kinetic_energy", 1),
    ("part_velocity", 3),
    ("part_mass", 1),
    ("part_hourglass_energy", 1),
)


@dataclass(frozen=True)
class PlotElements:
    """The elements of one kind.

    Attributes:
        kind: solid, thick_shell, beam, shell or particle
        ids: (n,), the user's numbers
        nodes: (n, corners), places in the arrays of nodes, from 0; -1 where there is none
        parts: (n,), places in the list of parts, from 0
    """

    kind: str
    ids: np.ndarray
    nodes: np.ndarray
    parts: np.ndarray


@dataclass(frozen=True)
class StatePlace:
    """Where a state is."""

    file: int
    word: int
    time: float


class PlotFamily:
    """A d3plot family."""

    def __init__(self, path: Path) -> None:
        """Read control block and geometry, and find the states.

        Raises:
            DamagedFile: it is no d3plot, or it is damaged.
            OSError: it cannot be read.
        """
        self.path = path
        self.files = family(path)
        with path.open("rb") as file:
            self.layout: PlotLayout = read_layout(path, file.read(HEAD))
        self.places = self.layout.places()
        self.maps_: dict[int, np.memmap] = {}
        self.at_ = self.layout.header
        self.read_geometry()
        self.states: list[StatePlace] = self.find_states()

    # ---- geometry -----------------------------------------------------------------------------------

    def words(self, file: int) -> np.ndarray:
        """A file of the family as numbers."""
        if file not in self.maps_:
            count = self.files[file].stat().st_size // self.layout.size
            if count == 0:
                return np.empty(0, self.layout.word)
            self.maps_[file] = np.memmap(self.files[file], self.layout.word, "r", shape=(count,))
        return self.maps_[file]

    def take(self, count: int, integer: bool = True) -> np.ndarray:
        """The next words of the first file.

        Raises:
            DamagedFile: it ends before.
        """
        found = self.words(0)[self.at_ : self.at_ + count]
        if len(found) < count:
            raise DamagedFile(f"{self.path} is cut off: it announces more than it holds")
        self.at_ += count
        return np.array(found.view(self.layout.integer) if integer else found)

    def read_geometry(self) -> None:
        """Nodes, elements, ids and titles of parts."""
        layout = self.layout
        nodes = layout[NUMNP]
        self.coordinates = self.take(3 * nodes, integer=False).reshape(nodes, 3)  #: (nodes, 3)
        rows = {}
        for kind, width in WIDTHS.items():
            count = layout[COUNTS[kind]]
            rows[kind] = self.take(count * width).reshape(count, width) - 1
        ids = self.read_ids(rows)
        self.node_ids = ids["node"]  #: (nodes,)
        self.elements = {
            kind: PlotElements(kind, ids[kind], rows[kind][:, :corners], rows[kind][:, -1])
            for kind, corners in CORNERS.items()
        }
        for found in self.elements.values():
            check_range(self.path, found.nodes[:, :2] if found.kind == "beam" else found.nodes, nodes)
            check_range(self.path, found.parts, max(len(ids["part"]), 1))
        self.part_ids = ids["part"]  #: (parts,)
        self.particles = self.read_particles()  #: nodes and parts of smooth particles
        self.part_titles = self.read_titles()  #: by number

    def read_particles(self) -> np.ndarray:
        """Nodes and parts of smooth particles, (n, 2); they have the numbers of their nodes."""
        found = self.take(2 * self.layout[NMSPH]).reshape(-1, 2) - 1
        nodes, parts = found.T
        check_range(self.path, nodes, len(self.node_ids))
        check_range(self.path, parts, max(len(self.part_ids), 1))
        self.elements["particle"] = PlotElements("particle", self.node_ids[nodes], nodes[:, None], parts)
        return found

    def read_ids(self, rows: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        """The user's numbers, from 1 where the file has none."""
        layout, counts = self.layout, {"node": self.layout[NUMNP]}
        counts |= {kind: len(rows[kind]) for kind in ("solid", "beam", "shell", "thick_shell")}
        parts = layout[NMMAT] or max((int(r[:, -1].max()) + 1 for r in rows.values() if len(r)), default=0)
        if not layout[NARBS]:
            counts["part"] = parts
            return {what: np.arange(1, count + 1) for what, count in counts.items()}
        end = self.at_ + layout[NARBS]
        head = self.take(SHORT_HEAD)
        has_parts = head[0] < 0
        if has_parts:
            self.take(NODE_IDS_HEAD - SHORT_HEAD)
        found = {what: self.take(count) for what, count in counts.items()}
        found["part"] = self.take(parts) if has_parts else np.arange(1, parts + 1)
        if has_parts:
            found["part"] = self.take(parts)  # the second list is in the order of the file
        self.at_ = end
        return found

    def read_titles(self) -> dict[int, str]:
        """Titles of parts, which are behind the geometry's end mark; none where they are missing."""
        words, at = self.words(0), self.at_
        integers = words.view(self.layout.integer)
        if at + 3 > len(words) or words[at] != END_MARK or integers[at + 1] != PART_TITLES:
            return {}
        count, width = int(integers[at + 2]), 1 + TITLE // self.layout.size
        rows = words[at + 3 : at + 3 + max(count, 0) * width]
        if len(rows) < count * width:
            return {}
        found = {}
        for row in np.array(rows).reshape(-1, width):
            title = row[1:].tobytes().decode("latin-1").strip(" \0")
            found[int(row[:1].view(self.layout.integer)[0])] = title
        return found

    # ---- states -------------------------------------------------------------------------------------

    def find_states(self) -> list[StatePlace]:
        """All complete states, in the order of the files."""
        size = self.places["end"][0]
        found = []
        for k in range(1, len(self.files)):
            words = self.words(k)
            for word in range(0, len(words) - size + 1, size):
                if words[word] == END_MARK:
                    break
                found.append(StatePlace(k, word, float(words[word])))
        return found

    @cached_property
    def times(self) -> np.ndarray:
        """(states,)"""
        return np.array([state.time for state in self.states])

    def block(self, name: str, state: int) -> np.ndarray:
        """A block of a state, in its shape; nothing is read before it is used."""
        first, shape = self.places[name]
        place = self.states[state]
        start = place.word + first
        return self.words(place.file)[start : start + int(np.prod(shape))].reshape(shape)

    def array(self, name: str, shape: tuple[int, ...], read: Callable[[int], np.ndarray]) -> StateArray:
        """An array over all states; without states its first axis is 0."""
        return StateArray(
            name, (len(self.states), *shape), np.dtype(self.layout.word).newbyteorder("="), read
        )

    def nodal(self, name: str) -> StateArray:
        """A vector of nodes: position, displacement, velocity or acceleration, (states, nodes, 3).

        Raises:
            KeyError: there is none of this name, or the file has it not.
        """
        block = {"position": "x", "displacement": "x", "velocity": "v", "acceleration": "a"}[name]
        if block not in self.places:
            raise KeyError(f"{self.path} has no {name} of nodes")

        def read(state: int) -> np.ndarray:
            values = self.block(block, state)
            return values - self.coordinates if name == "displacement" else values

        return self.array(name, self.coordinates.shape, read)

    def sums(self) -> "dict[str, StateArray]":
        """Sums over the model and over each part, by lasso's and DPF's names; (states, ...)."""
        parts, at = len(self.part_ids), GLOBAL_WORDS
        places: dict[str, tuple[int, tuple[int, ...]]] = dict(GLOBAL_SUMS)
        for name, width in PART_SUMS:
            places[name] = (at, (parts, width) if width > 1 else (parts,))
            at += parts * width
        known = self.layout[NGLBV]

        def array(name: str, first: int, shape: tuple[int, ...]) -> StateArray:
            count = int(np.prod(shape))
            return self.array(
                name, shape, lambda state: self.block("globals", state)[first : first + count].reshape(shape)
            )

        fitting = {n: p for n, p in places.items() if p[0] + int(np.prod(p[1])) <= known}
        return {name: array(name, first, shape) for name, (first, shape) in fitting.items()}

    def alive(self, kind: str) -> StateArray:
        """Whether elements are there, or deleted: (states, elements), True or False."""
        shape = (len(self.elements[kind].ids),)
        name = f"{kind}_flags"

        def read(state: int) -> np.ndarray:
            if kind == "particle" and shape[0]:
                return self.block("particle", state)[:, 0] > 0.0
            if name in self.places:
                return self.block(name, state) != 0.0
            return np.ones(shape, dtype=bool)

        return StateArray(f"{kind} alive", (len(self.states), *shape), np.dtype(bool), read)

    def element(self, kind: str, name: str) -> StateArray:
        """A quantity of elements, (states, elements, ...); rigid shells without rows have zeros.

        Raises:
            KeyError: the file does not have it.
        """
        if name == "alive":
            return self.alive(kind)
        columns = self.columns(kind)
        if name not in columns:
            raise KeyError(
                f"{self.path} has no {name} of {kind}s; there is {', '.join(columns) or 'nothing'}"
            )
        cut, inner = columns[name]
        count = len(self.elements[kind].ids)
        rows = self.shell_rows if kind == "shell" and self.layout.rigid_shells else None

        def read(state: int) -> np.ndarray:
            values = cut(self.block(kind, state))
            if rows is None:
                return values
            whole = np.zeros((count, *inner), values.dtype)
            whole[rows] = values
            return whole

        return self.array(f"{kind} {name}", (count, *inner), read)

    @cached_property
    def shell_rows(self) -> np.ndarray:
        """Places of the shells that have rows."""
        types = np.array(self.layout.rigid_types)
        found = np.flatnonzero(types[self.elements["shell"].parts] != RIGID)
        if len(found) != self.layout.shell_rows:
            raise DamagedFile(f"{self.path} is damaged: the count of its rigid shells is wrong")
        return found

    def columns(self, kind: str) -> "dict[str, Column]":
        """The quantities of a kind of elements."""
        of_kind = {
            "shell": self.shell_columns,
            "solid": self.solid_columns,
            "thick_shell": self.thick_shell_columns,
            "beam": self.beam_columns,
            "particle": self.particle_columns,
        }
        return of_kind[kind]()

    def shell_columns(self) -> "dict[str, Column]":
        """Of shells: of each layer, then of the element."""
        layout = self.layout
        if not layout[NEL4]:
            return {}
        found = point_columns(
            0, layout.layers, layout.shell_point, layout.flag(1), layout.flag(2), layout[NEIPS]
        )
        at = layout.layers * layout.shell_point
        if layout.flag(3):
            found["moment"], found["shear"], found["force"] = (
                of_row(at, 3),
                of_row(at + 3, 2),
                of_row(at + 5, 3),
            )
            at += 8
        if layout.flag(4):
            found["thickness"] = of_row(at)
            at += 3
        if layout.strains:
            found["strain"] = of_row(at, 2, 6)  # at the inner and the outer surface
            at += 12
        if layout.flag(4):
            found["internal_energy_density"] = of_row(at)
        return found

    def solid_columns(self) -> "dict[str, Column]":
        """Of solids: of each integration point."""
        layout = self.layout
        if not layout[NEL8] or not layout.solid_point:
            return {}
        points = layout[NV3D] // layout.solid_point
        stress, plastic = layout.flag(1, True), layout.flag(2, True)
        strains = 6 if layout.strains and layout[NEIPH] >= 6 else 0
        found = point_columns(0, points, layout.solid_point, stress, plastic, layout[NEIPH] - strains)
        if strains:
            found["strain"] = of_points(0, points, layout.solid_point, layout.solid_point - 6, 6)
        return found

    def thick_shell_columns(self) -> "dict[str, Column]":
        """Of thick shells: of each layer as of shells, then strains of the element."""
        layout = self.layout
        points = layout.layers * layout.shell_point
        if not layout[NELT] or layout[NV3DT] < points:
            return {}
        found = point_columns(
            0, layout.layers, layout.shell_point, layout.flag(1), layout.flag(2), layout[NEIPS]
        )
        if layout.strains and layout[NV3DT] >= points + 12:
            found["strain"] = of_row(points, 2, 6)  # at the inner and the outer surface
        return found

    def beam_columns(self) -> "dict[str, Column]":
        """Of beams: forces and moments, and what each integration point has."""
        layout = self.layout
        if not layout[NEL2] or layout[NV1D] < BEAM_RESULTANTS:
            return {}
        found = {
            "axial_force": of_row(0),
            "shear_force": of_row(1, 2),
            "bending_moment": of_row(3, 2),
            "torsion": of_row(5),
        }
        if points := (layout[NV1D] - BEAM_RESULTANTS) // 5:
            found["point"] = of_points(BEAM_RESULTANTS, points, 5, 0, 5)
        return found

    def particle_columns(self) -> "dict[str, Column]":
        """Of smooth particles; stress and plastic strain as those of one integration point."""
        found: dict[str, Column] = {}
        at = 1
        for name, width in zip(PARTICLE_ITEMS, self.layout.particle_items, strict=False):
            if width == 6 and name == "stress":
                found[name] = of_points(at, 1, 6, 0, 6)
            elif width == 1:
                found[name] = of_points(at, 1, 1, 0, 1) if name == "plastic_strain" else of_row(at)
            at += width
        return found


Column = tuple[Callable[[np.ndarray], np.ndarray], tuple[int, ...]]  #: of rows, and the shape of one


def of_row(at: int, *shape: int) -> Column:
    """Words of a row from a place on."""
    count = int(np.prod(shape)) if shape else 1

    def cut(rows: np.ndarray) -> np.ndarray:
        found = rows[:, at : at + count]
        return found.reshape(len(rows), *shape) if shape else found[:, 0]

    return cut, shape


def of_points(first: int, points: int, width: int, at: int, count: int) -> Column:
    """Words of each integration point; one word has no axis of its own."""

    def cut(rows: np.ndarray) -> np.ndarray:
        each = rows[:, first : first + points * width].reshape(len(rows), points, width)
        return each[:, :, at] if count == 1 else each[:, :, at : at + count]

    return cut, (points,) if count == 1 else (points, count)


def point_columns(
    first: int, points: int, width: int, stress: bool, plastic: bool, history: int
) -> dict[str, Column]:
    """The quantities of integration points: (points, 6), (points,), (points, variables)."""
    found: dict[str, Column] = {}
    at = 0
    if points and stress:
        found["stress"] = of_points(first, points, width, at, 6)
        at += 6
    if points and plastic:
        found["plastic_strain"] = of_points(first, points, width, at, 1)
        at += 1
    if points and history > 0:
        cut, _ = of_points(first, points, width, at, history)
        found["history"] = (lambda rows: cut(rows).reshape(len(rows), points, history), (points, history))
    return found


def family(path: Path) -> list[Path]:
    """The files of a family: d3plot, d3plot01, d3plot02, ..."""
    numbered = [
        (int(other.name[len(path.name) :]), other)
        for other in path.parent.glob(f"{path.name}*")
        if other.name[len(path.name) :].isdigit()
    ]
    return [path, *(other for _, other in sorted(numbered))]


def check_range(path: Path, places: np.ndarray, count: int) -> None:
    """Refuse places that are out of the list they are of."""
    if len(places) and (places.min() < 0 or places.max() >= count):
        raise DamagedFile(f"{path} is damaged: an element is of a node or part that is not there")
