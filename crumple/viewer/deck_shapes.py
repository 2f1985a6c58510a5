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
from crumple.deck.field_text import Value
from crumple.deck.keyword_deck import Deck
from crumple.deck.schema_data import DeckEditError
from crumple.viewer.wall_motion import Curve, DrivenWall, FreeWall, Motion
from crumple.viewer.wall_shapes import WallShape, axes_of

MOST_FILES = 50  #: included files that are read
FLAT = ("RIGIDWALL_PLANAR", "RIGIDWALL_GEOMETRIC_FLAT")
GEOMETRIC = "RIGIDWALL_GEOMETRIC_"
SIZES = {"PRISM": ("LENL", "LENM", "LENP"), "CYLINDER": ("RADCYL", "LENCYL"), "SPHERE": ("RADSPH",)}
NO_BAGS = ("AIRBAG_INTERACTION", "AIRBAG_REFERENCE", "AIRBAG_SHELL_REFERENCE", "AIRBAG_ADVANCED")
CURVES = ("DEFINE_CURVE", "DEFINE_CURVE_TITLE")
SECTION = "DATABASE_CROSS_SECTION_PLANE"


@dataclass(frozen=True)
class Plane:
    """A plane, or a rectangle of it; or a wall of another shape.

    Attributes:
        point: a point of it; of a rectangle the corner from which its sides go; of other shapes see `shape`
        normal: unit vector; of a cylinder its axis
        sides: (2, 3) sides of the rectangle; None: it goes on for ever
        motion: of a wall; None: it stands
        shape: of a wall that is not flat, about its point
    """

    kind: str  #: wall or section
    name: str
    point: np.ndarray
    normal: np.ndarray
    sides: np.ndarray | None
    motion: Motion | None = None
    shape: WallShape | None = None

    def faces(self, bounds: np.ndarray) -> list[list[float]] | None:
        """The faces of a wall that is not flat, twelve numbers each; None of a plane.

        Args:
            bounds: (2, 3) of the model
        """
        if self.shape is None:
            return None
        reach = float(np.linalg.norm(np.abs(bounds - self.point).max(axis=0)))
        return (self.shape.faces(reach) + self.point).reshape(-1, 12).tolist()


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
    parameters: dict[str, Value] = field(default_factory=dict)  #: of *PARAMETER, by names in capitals

    def number(self, found: Value) -> float:
        """A number, or that of a parameter; zero where there is none."""
        if isinstance(found, str):
            sign = -1.0 if found.strip().startswith("-") else 1.0
            known = self.parameters.get(found.strip(" -&").upper(), 0.0)
            return sign * float(known) if isinstance(known, int | float) else 0.0
        return float(found) if isinstance(found, int | float) else 0.0

    def value(self, record: DeckRecord, name: str) -> float:
        """A number of a record; zero where it has no such field."""
        try:
            return self.number(record[name])
        except (KeyError, DeckEditError):
            return 0.0

    def vector(self, record: DeckRecord, names: str) -> np.ndarray:
        """Three numbers of a record: "*T" are XT, YT, ZT."""
        return np.array([self.value(record, names.replace("*", axis)) for axis in "XYZ"])

    def bags(self, parts_with: Callable[[set[int]], list[int]]) -> list[dict[str, Any]]:
        """Names of airbags, and their parts by number.

        Args:
            parts_with: finds the parts that have elements whose nodes are all among some
        """
        found = []
        for name, record in self.airbags:
            kind = "PART" if self.value(record, "SIDTYP") != 0.0 else "SEGM"
            block = self.sets.get((kind, int(self.value(record, "SID"))))
            numbers = numbers_of(block) if block else []
            parts = numbers if kind == "PART" else parts_with(set(numbers))
            found.append({"name": name, "parts": sorted(set(parts))})
        return found

    def described(
        self,
        parts_with: Callable[[set[int]], list[int]],
        times: np.ndarray,
        wall_forces: Callable[[], Mapping[int, Curve]],
        bounds: np.ndarray,
    ) -> dict[str, Any]:
        """For the page.

        Args:
            parts_with: finds the parts that have elements whose nodes are all among some
            times: of the states
            bounds: (2, 3) of the model
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
                    "faces": plane.faces(bounds),
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
        for block in blocks_of(path, found.parameters):
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


def blocks_of(path: Path, parameters: dict[str, Value]) -> Iterator[DeckBlock]:
    """The blocks of a deck and of the files that it includes; their parameters are added."""
    waiting, read = [path], set()
    while waiting and len(read) < MOST_FILES:
        one = waiting.pop()
        if one.resolve() in read or not one.is_file():
            continue
        read.add(one.resolve())
        deck = Deck(one)
        for name in deck.parameters:
            parameters.setdefault(name, deck.parameters[name])
        for block in deck:
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
            found.curves[int(found.value(record, "LCID"))] = curve_of(found, record)
    elif name.startswith(SECTION):
        for k, record in enumerate(block.records()):
            found.planes.append(plane_of(found, "section", name_of(block, record, k), record))
    elif name.startswith("AIRBAG") and not name.startswith(NO_BAGS):
        found.airbags += [(name_of(block, record, k), record) for k, record in enumerate(block.records())]
    elif name.startswith(("SET_PART_LIST", "SET_SEGMENT")) and "GENERAL" not in name:
        found.sets[name[4:8], int(found.value(block.records()[0], "SID"))] = block
    elif name.startswith("DATABASE_CROSS_SECTION"):
        found.left_out.append(f"*{name}: only sections by planes are drawn")


def add_walls(found: DeckShapes, block: DeckBlock) -> None:
    """Add the walls of a block, and how they move; others are counted: they have numbers, too."""
    shape = block.name.removeprefix(GEOMETRIC).split("_")[0]
    flat = block.name.startswith(FLAT)
    if not flat and shape not in SIZES:
        found.left_out.append(f"*{block.name} is not drawn")
    for k, record in enumerate(block.records()):
        found.walls += 1
        if not flat and shape not in SIZES:
            continue
        name = name_of(block, record, k)
        plane = plane_of(found, "wall", name, record) if flat else shape_of(found, name, record, shape)
        if found.value(record, "MASS") > 0.0:
            number = int(found.value(record, "_ID")) or found.walls
            mass, v0 = found.value(record, "MASS"), found.value(record, "V0")
            plane = replace(plane, motion=FreeWall(number, mass, v0, plane.normal))
        elif (curve := int(found.value(record, "LCID"))) > 0:
            along = np.array([found.value(record, f"V{axis}") for axis in "XYZ"])
            along = along / max(np.linalg.norm(along), 1e-30)
            plane = replace(plane, motion=DrivenWall(None, found.value(record, "OPT") == 1.0, along))
            found.driven[len(found.planes)] = curve
        found.planes.append(plane)


def curve_of(found: DeckShapes, record: DeckRecord) -> Curve:
    """The points of *DEFINE_CURVE, with its offsets and scales."""
    read = []
    for axis in "AO":
        points = np.array([found.number(v) for v in record.rows(axis)])
        scale = found.value(record, f"SF{axis}") or 1.0
        read.append((points + found.value(record, f"OFF{axis}")) * scale)
    count = min(map(len, read))
    return read[0][:count], read[1][:count]


def numbers_of(block: DeckBlock) -> list[int]:
    """The numbers that the first record of a set lists: parts, or nodes of segments."""
    (record, *_) = block.records()
    found: list[int] = []
    for name, _ in record.items():
        if name.isdigit() or name in ("N1", "N2", "N3", "N4"):
            found += [int(n) for n in record.rows(name) if isinstance(n, int | float) and n > 0]
    return found


def name_of(block: DeckBlock, record: DeckRecord, place: int) -> str:
    """A title, or the keyword."""
    try:
        text = str(record["_HEADING"]).strip()
    except (KeyError, DeckEditError):
        text = ""
    return text or f"*{block.name} {place + 1}"


def normal_of(found: DeckShapes, name: str, record: DeckRecord, more: str = "") -> np.ndarray:
    """The unit vector from tail to head; of a section these fields have a C more.

    Raises:
        ValueError: it has no length.
    """
    normal = found.vector(record, f"*{more}H") - found.vector(record, f"*{more}T")
    if not (size := float(np.linalg.norm(normal))) > 0.0:
        raise ValueError(f"the normal of {name} has no length")
    return normal / size


def plane_of(found: DeckShapes, kind: str, name: str, record: DeckRecord) -> Plane:
    """A plane by tail and head of its normal, and an edge.

    Raises:
        ValueError: the normal has no length.
    """
    more = "C" if kind == "section" else ""
    tail, normal = found.vector(record, f"*{more}T"), normal_of(found, name, record, more)
    lengths = found.value(record, "LENL"), found.value(record, "LENM")
    edge = found.vector(record, "*HEV") - tail
    if min(lengths) <= 0.0 or not np.linalg.norm(np.cross(edge, normal)) > 0.0:
        return Plane(kind, name, tail, normal, None)
    axes = axes_of(normal, edge)
    return Plane(kind, name, tail, normal, np.array([axes[0] * lengths[0], axes[1] * lengths[1]]))


def shape_of(found: DeckShapes, name: str, record: DeckRecord, kind: str) -> Plane:
    """A prism, cylinder or sphere.

    Raises:
        ValueError: its normal or axis has no length.
    """
    tail = found.vector(record, "*T")
    normal = np.array([0.0, 0.0, 1.0]) if kind == "SPHERE" else normal_of(found, name, record)
    edge = found.vector(record, "*HEV") - tail if kind == "PRISM" else None
    sizes = tuple(found.value(record, size) for size in SIZES[kind])
    return Plane("wall", name, tail, normal, None, shape=WallShape(kind, axes_of(normal, edge), sizes))
