"""Rigid walls, sections and airbags of a run's deck, as shapes that the viewer draws.

Walls and sections are where the deck puts them, and walls that move also where they are in each state; a
section by sets is a rectangle through its nodes. Of airbags the parts are named.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from crumple.deck.deck_block import DeckBlock, DeckRecord
from crumple.deck.field_text import Value
from crumple.deck.schema_data import DeckEditError
from crumple.deck.transformation import FilePlacement
from crumple.viewer.node_sets import NodeSet, node_set_of, rectangle_of
from crumple.viewer.placed_deck import PlacedDeck, deck_beside
from crumple.viewer.wall_motion import Curve, DrivenWall, FreeWall, Motion
from crumple.viewer.wall_shapes import WallShape, axes_of

FLAT = ("RIGIDWALL_PLANAR", "RIGIDWALL_GEOMETRIC_FLAT")
GEOMETRIC = "RIGIDWALL_GEOMETRIC_"
SIZES = {"PRISM": ("LENL", "LENM", "LENP"), "CYLINDER": ("RADCYL", "LENCYL"), "SPHERE": ("RADSPH",)}
NO_BAGS = ("AIRBAG_INTERACTION", "AIRBAG_REFERENCE", "AIRBAG_SHELL_REFERENCE", "AIRBAG_ADVANCED")
CURVES = ("DEFINE_CURVE", "DEFINE_CURVE_TITLE")
SECTION, SECTION_BY_SETS = "DATABASE_CROSS_SECTION_PLANE", "DATABASE_CROSS_SECTION_SET"
Nodes = tuple[np.ndarray, np.ndarray]  #: numbers (n,) and places (n, 3)


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
    airbags: list[tuple[str, str, int]] = field(default_factory=list)  #: names, kinds and numbers of sets
    #: of parts ("PART") and segments ("SEGM"), and where they are
    sets: dict[tuple[str, int], tuple[DeckBlock, FilePlacement]] = field(default_factory=dict)
    sections: list[tuple[str, int]] = field(default_factory=list)  #: by sets: names, numbers of node sets
    node_sets: dict[int, NodeSet] = field(default_factory=dict)
    placement: FilePlacement = field(default_factory=FilePlacement)  #: of the block that is being read
    left_out: list[str] = field(default_factory=list)
    walls: int = 0  #: read so far: a wall without a number of its own has this one
    driven: dict[int, int] = field(default_factory=dict)  #: curves of planes, by their places in `planes`
    curves: dict[int, Curve] = field(default_factory=dict)
    deck: PlacedDeck = field(default_factory=PlacedDeck)

    def number(self, found: Value) -> float:
        """A number, or that of a parameter; zero where there is none."""
        return self.deck.number(found)

    def own(self, record: DeckRecord, name: str, kind: str) -> int:
        """A number of a kind (set, part, curve, ...), as it is in the whole model."""
        return self.placement.number(int(self.value(record, name)), kind)

    def point(self, record: DeckRecord, names: str) -> np.ndarray:
        """A point where the model has it: "*T" are XT, YT, ZT."""
        return self.placement.point(self.vector(record, names))

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
        for name, kind, number in self.airbags:
            numbers = numbers_of(*self.sets[kind, number], kind) if (kind, number) in self.sets else []
            parts = numbers if kind == "PART" else parts_with(set(numbers))
            found.append({"name": name, "parts": sorted(set(parts))})
        return found

    def planes_by_sets(self, nodes: Nodes) -> tuple[list[Plane], list[str]]:
        """The rectangles of sections by sets, and why some are not drawn."""
        found, left_out = [], []
        for name, number in self.sections:
            if number not in self.node_sets:
                left_out.append(f"{name} is not drawn: its node set {number} is no list of numbers")
                continue
            chosen = self.node_sets[number].chosen(nodes[0])
            sides = rectangle_of(nodes[1][chosen])
            if sides is None:
                left_out.append(f"{name} is not drawn: its nodes are on a line")
                continue
            corner, along, across, normal = sides
            found.append(Plane("section", name, corner, normal, np.array([along, across])))
        return found, left_out

    def described(
        self,
        parts_with: Callable[[set[int]], list[int]],
        times: np.ndarray,
        wall_forces: Callable[[], Mapping[int, Curve]],
        nodes: Nodes,
    ) -> dict[str, Any]:
        """For the page.

        Args:
            parts_with: finds the parts that have elements whose nodes are all among some
            times: of the states
            wall_forces: reads the forces of walls along their normals
            nodes: of the model, at the start
        """
        bounds = np.array([nodes[1].min(axis=0), nodes[1].max(axis=0)])
        forces = wall_forces() if any(isinstance(plane.motion, FreeWall) for plane in self.planes) else {}
        by_sets, not_drawn = self.planes_by_sets(nodes)
        planes, left_out = [], [*self.left_out, *not_drawn]
        for plane in [*self.planes, *by_sets]:
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
        for block, placement in found.deck.blocks(path, found.left_out):
            found.placement = placement
            add_block(found, block)
    except (OSError, DeckEditError, ValueError) as error:
        found.left_out.append(f"{path.name}: {error}")
    for place, curve in found.driven.items():
        plane = found.planes[place]
        assert isinstance(plane.motion, DrivenWall)
        found.planes[place] = replace(plane, motion=replace(plane.motion, curve=found.curves.get(curve)))
    return found


def add_block(found: DeckShapes, block: DeckBlock) -> None:
    """Add the shapes of a block."""
    name = block.name
    if name.startswith("RIGIDWALL"):
        add_walls(found, block)
    elif name in CURVES:
        for record in block.records():
            found.curves[found.own(record, "LCID", "curve")] = curve_of(found, record)
    elif name.startswith(SECTION):
        for k, record in enumerate(block.records()):
            add_section(found, name_of(block, record, k), record)
    elif name.startswith(SECTION_BY_SETS):
        for k, record in enumerate(block.records()):
            found.sections.append((name_of(block, record, k), found.own(record, "NSID", "set")))
    elif name.startswith("AIRBAG") and not name.startswith(NO_BAGS):
        for k, record in enumerate(block.records()):
            kind = "PART" if found.value(record, "SIDTYP") != 0.0 else "SEGM"
            found.airbags.append((name_of(block, record, k), kind, found.own(record, "SID", "set")))
    elif name.startswith(("SET_PART_LIST", "SET_SEGMENT")) and "GENERAL" not in name:
        number = found.own(block.records()[0], "SID", "set")
        found.sets[name[4:8], number] = (block, found.placement)
    elif name.startswith("SET_NODE") and (nodes := node_set_of(block, found.placement)):
        found.node_sets[found.own(block.records()[0], "SID", "set")] = nodes


def add_section(found: DeckShapes, name: str, record: DeckRecord) -> None:
    """Add a section by a plane, if its places are points."""
    if found.value(record, "RADIUS") < 0.0:
        found.left_out.append(f"{name} is not drawn: its plane is given by nodes")
        return
    found.planes.append(plane_of(found, "section", name, record))


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
            number = found.own(record, "_ID", "other") or found.walls
            mass, v0 = found.value(record, "MASS"), found.value(record, "V0")
            plane = replace(plane, motion=FreeWall(number, mass, v0, plane.normal))
        elif (curve := found.own(record, "LCID", "curve")) > 0:
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


def numbers_of(block: DeckBlock, placement: FilePlacement, kind: str) -> list[int]:
    """The numbers that the first record of a set lists: parts, or nodes of segments."""
    of = "part" if kind == "PART" else "node"
    (record, *_) = block.records()
    found: list[int] = []
    for name, _ in record.items():
        if name.isdigit() or name in ("N1", "N2", "N3", "N4"):
            rows = record.rows(name)
            found += [placement.number(int(n), of) for n in rows if isinstance(n, int | float) and n > 0]
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
    normal = found.point(record, f"*{more}H") - found.point(record, f"*{more}T")
    if not (size := float(np.linalg.norm(normal))) > 0.0:
        raise ValueError(f"the normal of {name} has no length")
    return normal / size


def plane_of(found: DeckShapes, kind: str, name: str, record: DeckRecord) -> Plane:
    """A plane by tail and head of its normal, and an edge.

    Raises:
        ValueError: the normal has no length.
    """
    more = "C" if kind == "section" else ""
    tail, normal = found.point(record, f"*{more}T"), normal_of(found, name, record, more)
    lengths = found.value(record, "LENL"), found.value(record, "LENM")
    edge = found.point(record, "*HEV") - tail
    if min(lengths) <= 0.0 or not np.linalg.norm(np.cross(edge, normal)) > 0.0:
        return Plane(kind, name, tail, normal, None)
    axes = axes_of(normal, edge)
    return Plane(kind, name, tail, normal, np.array([axes[0] * lengths[0], axes[1] * lengths[1]]))


def shape_of(found: DeckShapes, name: str, record: DeckRecord, kind: str) -> Plane:
    """A prism, cylinder or sphere.

    Raises:
        ValueError: its normal or axis has no length.
    """
    tail = found.point(record, "*T")
    normal = np.array([0.0, 0.0, 1.0]) if kind == "SPHERE" else normal_of(found, name, record)
    edge = found.point(record, "*HEV") - tail if kind == "PRISM" else None
    sizes = tuple(found.value(record, size) for size in SIZES[kind])
    return Plane("wall", name, tail, normal, None, shape=WallShape(kind, axes_of(normal, edge), sizes))
