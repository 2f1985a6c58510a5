"""Rigid walls, sections and airbags of a run's deck, as shapes that the viewer draws.

Walls and sections are where the deck puts them, and walls that move also where they are in each state. Of
airbags the parts are named, or the segments drawn.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from crumple.deck.deck_block import DeckBlock, DeckRecord
from crumple.deck.keyword_deck import Deck
from crumple.deck.schema_data import DeckEditError
from crumple.viewer.wall_motion import Curve, DrivenWall, FreeWall, Motion

MOST_FILES = 50  #: included files that are read
PLANES = ("RIGIDWALL_PLANAR", "RIGIDWALL_GEOMETRIC_FLAT")
NO_BAGS = ("AIRBAG_INTERACTION", "AIRBAG_REFERENCE", "AIRBAG_SHELL_REFERENCE", "AIRBAG_ADVANCED")
CURVES = ("DEFINE_CURVE", "DEFINE_CURVE_TITLE")
SECTION = "DATABASE_CROSS_SECTION_PLANE"


@dataclass(frozen=True)
class Plane:
    """A plane, or a rectangle of it.

    Attributes:
        point: a point of it; of a rectangle the corner from which its sides go
        normal: unit vector
        sides: (2, 3) sides of the rectangle; None: it goes on for ever
        motion: of a wall; None: it stands
    """

    kind: str  #: wall or section
    name: str
    point: np.ndarray
    normal: np.ndarray
    sides: np.ndarray | None
    motion: Motion | None = None


@dataclass
class DeckShapes:
    """What was found, and what of it cannot be drawn."""

    planes: list[Plane] = field(default_factory=list)
    airbags: list[tuple[str, DeckRecord]] = field(default_factory=list)  #: names and first cards
    sets: dict[tuple[str, int], DeckBlock] = field(
        default_factory=dict
    )  #: of parts ("PART") and segments ("SEGM")
    left_out: list[str] = field(default_factory=list)
    walls: int = 0  #: read so far: a wall without a number of its own has this one
    driven: dict[int, int] = field(default_factory=dict)  #: curves of planes, by their places in `planes`
    curves: dict[int, Curve] = field(default_factory=dict)

    def bags(self, parts_with: Callable[[set[int]], list[int]]) -> list[dict[str, Any]]:
        """Names of airbags, and their parts by number.

        Args:
            parts_with: finds the parts that have elements whose nodes are all among some
        """
        found = []
        for name, record in self.airbags:
            kind = "PART" if value(record, "SIDTYP") != 0.0 else "SEGM"
            block = self.sets.get((kind, int(value(record, "SID"))))
            numbers = numbers_of(block) if block else []
            parts = numbers if kind == "PART" else parts_with(set(numbers))
            found.append({"name": name, "parts": sorted(set(parts))})
        return found

    def described(
        self,
        parts_with: Callable[[set[int]], list[int]],
        times: np.ndarray,
        wall_forces: Callable[[], Mapping[int, Curve]],
    ) -> dict[str, Any]:
        """For the page.

        Args:
            parts_with: finds the parts that have elements whose nodes are all among some
            times: of the states
            wall_forces: reads the forces of walls along their normals
        """
        forces = wall_forces() if any(isinstance(plane.motion, FreeWall) for plane in self.planes) else {}
        planes, left_out = [], list(self.left_out)
        for plane in self.planes:
            moves = plane.motion.displacements(times, forces) if plane.motion else None
            if plane.motion and moves is None:
                what = "forces in rwforc" if isinstance(plane.motion, FreeWall) else "curve"
                left_out.append(f"{plane.name} is drawn where it begins: its {what} is not there")
            planes.append(
                {
                    "kind": plane.kind,
                    "name": plane.name,
                    "point": plane.point.tolist(),
                    "normal": plane.normal.tolist(),
                    "sides": None if plane.sides is None else plane.sides.tolist(),
                    "moves": None if moves is None else moves.tolist(),
                }
            )
        return {"planes": planes, "bags": self.bags(parts_with), "left_out": left_out}


def shapes_of_run(d3plot: Path, deck: Path | None) -> DeckShapes:
    """The shapes of the deck of a run: of a given file, or of the one that run.json names, if it is there."""
    path = deck or deck_beside(d3plot)
    found = DeckShapes()
    if path is None:
        return found
    try:
        for block in blocks_of(path):
            add_block(found, block)
    except (OSError, DeckEditError, ValueError) as error:
        found.left_out.append(f"{path.name}: {error}")
    for place, curve in found.driven.items():
        plane = found.planes[place]
        assert isinstance(plane.motion, DrivenWall)
        found.planes[place] = replace(plane, motion=replace(plane.motion, curve=found.curves.get(curve)))
    return found


def deck_beside(d3plot: Path) -> Path | None:
    """The deck that run.json names, looked for where the run was started and beside the results."""
    try:
        named = Path(json.loads(d3plot.with_name("run.json").read_text())["deck"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    folder = d3plot.parent
    places = (named, folder / named, folder.parent / named, folder / named.name, folder.parent / named.name)
    return next((place for place in places if place.is_file()), None)


def blocks_of(path: Path) -> Iterator[DeckBlock]:
    """The blocks of a deck and of the files that it includes."""
    waiting, read = [path], set()
    while waiting and len(read) < MOST_FILES:
        one = waiting.pop()
        if one.resolve() in read or not one.is_file():
            continue
        read.add(one.resolve())
        for block in Deck(one):
            if block.name == "INCLUDE":
                waiting += [one.parent / block.lines[k].strip() for k in block.data_lines]
            yield block


def add_block(found: DeckShapes, block: DeckBlock) -> None:
    """Add the shapes of a block."""
    name = block.name
    if name.startswith("RIGIDWALL"):
        add_walls(found, block)
    elif name in CURVES:
        for record in block.records():
            found.curves[int(value(record, "LCID"))] = curve_of(record)
    elif name.startswith(SECTION):
        for k, record in enumerate(block.records()):
            found.planes.append(plane_of("section", name_of(block, record, k), record))
    elif name.startswith("AIRBAG") and not name.startswith(NO_BAGS):
        found.airbags += [(name_of(block, record, k), record) for k, record in enumerate(block.records())]
    elif name.startswith(("SET_PART_LIST", "SET_SEGMENT")) and "GENERAL" not in name:
        found.sets[name[4:8], int(value(block.records()[0], "SID"))] = block
    elif name.startswith("DATABASE_CROSS_SECTION"):
        found.left_out.append(f"*{name}: only sections by planes are drawn")


def add_walls(found: DeckShapes, block: DeckBlock) -> None:
    """Add the flat walls of a block, and how they move; others are counted: they have numbers, too."""
    flat = block.name.startswith(PLANES)
    if not flat:
        found.left_out.append(f"*{block.name}: only flat walls are drawn")
    for k, record in enumerate(block.records()):
        found.walls += 1
        if not flat:
            continue
        plane = plane_of("wall", name_of(block, record, k), record)
        if value(record, "MASS") > 0.0:
            number = int(value(record, "_ID")) or found.walls
            motion = FreeWall(number, value(record, "MASS"), value(record, "V0"), plane.normal)
            plane = replace(plane, motion=motion)
        elif (curve := int(value(record, "LCID"))) > 0:
            along = np.array([value(record, f"V{axis}") for axis in "XYZ"])
            motion = DrivenWall(None, value(record, "OPT") == 1.0, along / max(np.linalg.norm(along), 1e-30))
            plane = replace(plane, motion=motion)
            found.driven[len(found.planes)] = curve
        found.planes.append(plane)


def curve_of(record: DeckRecord) -> Curve:
    """The points of *DEFINE_CURVE, with its offsets and scales."""
    found = []
    for axis in "AO":
        points = np.array([float(v) for v in record.rows(axis) if isinstance(v, int | float)])
        found.append((points + value(record, f"OFF{axis}")) * (value(record, f"SF{axis}") or 1.0))
    count = min(map(len, found))
    return found[0][:count], found[1][:count]


def numbers_of(block: DeckBlock) -> list[int]:
    """The numbers that the first record of a set lists: parts, or nodes of segments."""
    (record, *_) = block.records()
    found: list[int] = []
    for name, _ in record.items():
        if name.isdigit() or name in ("N1", "N2", "N3", "N4"):
            found += [int(n) for n in record.rows(name) if isinstance(n, int | float) and n > 0]
    return found


def value(record: DeckRecord, name: str) -> float:
    """A number of a record; zero where it has no such field, or a parameter there."""
    try:
        found = record[name]
    except (KeyError, DeckEditError):
        return 0.0
    return float(found) if isinstance(found, int | float) else 0.0


def name_of(block: DeckBlock, record: DeckRecord, place: int) -> str:
    """A title, or the keyword."""
    try:
        text = str(record["_HEADING"]).strip()
    except (KeyError, DeckEditError):
        text = ""
    return text or f"*{block.name} {place + 1}"


def plane_of(kind: str, name: str, record: DeckRecord) -> Plane:
    """A plane by tail and head of its normal, and an edge; of a section the fields have a C more.

    Raises:
        ValueError: the normal has no length.
    """
    more = "C" if kind == "section" else ""
    tail = np.array([value(record, f"{axis}{more}T") for axis in "XYZ"])
    head = np.array([value(record, f"{axis}{more}H") for axis in "XYZ"])
    normal = head - tail
    size = float(np.linalg.norm(normal))
    if size == 0.0:
        raise ValueError(f"the normal of {name} has no length")
    normal = normal / size
    lengths = value(record, "LENL"), value(record, "LENM")
    edge = np.array([value(record, f"{axis}HEV") for axis in "XYZ"]) - tail
    along = edge - (edge @ normal) * normal
    if min(lengths) <= 0.0 or not np.linalg.norm(along) > 0.0:
        return Plane(kind, name, tail, normal, None)
    along /= np.linalg.norm(along)
    sides = np.array([along * lengths[0], np.cross(normal, along) * lengths[1]])
    return Plane(kind, name, tail, normal, sides)
