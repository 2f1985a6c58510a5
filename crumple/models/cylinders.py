"""Six nested cylinders under internal pressure: the situation of the implicit benchmark CYL1E6.

One static step. At the published size the counts are those of the published model, 921,600 solids and
1,014,751 nodes; how its cylinders were meshed is not published, so this is one of the ways that give them. Of
the nodes 31 are left over, which are on the axis and have no element.

The published step took two factors, two solutions and four computations of forces: it was nearly linear, so
its cylinders must have touched from the start. Here they overlap by what the contact needs to pass on the
pressure, and they have the same cells round, so that the faces of neighbours lie in the same planes.
Units: mm, ms, kg, kN, GPa.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np

from crumple.models.car_mesh import brick_corners
from crumple.models.deck_text import write_elements, write_lines, write_nodes, write_set
from crumple.models.model import Wishes, model

PUBLISHED = 921_600
AROUND = 320
# Cells through the wall and along; from the inside out. Sums: 921,600 solids, 1,014,720 nodes.
CELLS = [(15, 36), (14, 30), (15, 36), (14, 30), (15, 36), (14, 30)]
ON_AXIS = 31  #: nodes
BORE, WALL, LENGTH = 98.0, 11.5, 165.0  #: mm: innermost radius, thickness of each, length
OUTSIDE = BORE + len(CELLS) * WALL  #: mm
PRESSURE = 0.05  #: GPa
YOUNG, POISSON = 210.0, 0.3  #: GPa
BULK = YOUNG / 3.0 / (1.0 - 2.0 * POISSON)  #: GPa
LEAST = 1000
DECIMALS = 8  #: of positions: overlaps are below a thousandth of a mm

HEADER = """*KEYWORD
*TITLE
six nested cylinders, {elements} elements
$ units: mm, ms, kg, kN, GPa
*CONTROL_TERMINATION
{end_time:10.3f}
*CONTROL_IMPLICIT_GENERAL
$   IMFLAG       DT0
         1{end_time:10.3f}
*CONTROL_IMPLICIT_SOLUTION
$   NSOLVR    ILIMIT
        12         1
*DATABASE_BINARY_D3PLOT
{end_time:10.3f}
*DATABASE_GLSTAT
{end_time:10.3f}
*MAT_PLASTIC_KINEMATIC_TITLE
steel
         1   7.85e-6{young:10.1f}{poisson:10.1f}      0.40       1.0

*SECTION_SOLID
         1         1
*DEFINE_CURVE_TITLE
pressure
         1
                 0.0                 0.0
{end_time:20.3f}{pressure:20.4f}
"""


@dataclass(frozen=True)
class Cylinder:
    """One cylinder: cells through the wall, round, along; radii."""

    cells: tuple[int, int, int]
    inner: float
    outer: float

    def nodes(self) -> np.ndarray:
        """Positions ((wall + 1) * round * (along + 1), 3)."""
        wall, around, along = self.cells
        r, t, z = np.meshgrid(
            np.linspace(self.inner, self.outer, wall + 1),
            2.0 * np.pi * np.arange(around) / around,
            np.linspace(0.0, LENGTH, along + 1),
            indexing="ij",
        )
        return np.stack([r * np.cos(t), r * np.sin(t), z], axis=-1).reshape(-1, 3)

    def solids(self) -> np.ndarray:
        """Node indices (n, 8); the last cell round joins the first."""
        wall, around, along = self.cells
        corners = brick_corners((wall, around, along))
        i, rest = np.divmod(corners, (around + 1) * (along + 1))
        j, k = np.divmod(rest, along + 1)
        return (i * around + j % around) * (along + 1) + k

    def bore(self) -> np.ndarray:
        """Segments of the inner face (n, 4) that look inwards."""
        _, around, along = self.cells
        j, k = np.meshgrid(np.arange(around), np.arange(along), indexing="ij")
        n = along + 1
        other = (j + 1) % around
        return np.stack([j * n + k, j * n + k + 1, other * n + k + 1, other * n + k], axis=-1).reshape(-1, 4)

    def count(self) -> tuple[int, int]:
        """Numbers of solids and nodes."""
        wall, around, along = self.cells
        return wall * around * along, (wall + 1) * around * (along + 1)


def pressure_at(radius: float) -> float:
    """Pressure (GPa) in the wall of one thick cylinder (Lame 1852); frictionless layers have the same."""
    return PRESSURE * ((OUTSIDE / radius) ** 2 - 1.0) / ((OUTSIDE / BORE) ** 2 - 1.0)


def overlap(pressure: float, depth: float) -> float:
    """Penetration (mm) at which the contact has this pressure: p = k e (d / e)^2 / 4, k and e of
    docs/implicit-reference.md (e = 0.01 L, k = 100 SLSFAC K / L, SLSFAC = 0.1), L the depth of the thinner
    solid.
    """
    return depth * float(np.sqrt(pressure / (250.0 * BULK)))


def make_cylinders(elements: int, gap: float | None = None) -> list[Cylinder]:
    """The cylinders with the number of elements nearest to that wanted; the published mesh at its size.

    Args:
        elements: number wanted
        gap: mm between neighbours, instead of the overlap under which they are in balance
    """
    factors = np.array([1.0])
    if elements != PUBLISHED:
        factors = (elements / PUBLISHED) ** (1 / 3) * np.linspace(0.7, 1.3, 241)

    def scaled(factor: float) -> list[tuple[int, int, int]]:
        around = max(12, 4 * round(AROUND * factor / 4))  # supports are at quarters of a turn
        return [(max(1, round(w * factor)), around, max(2, round(n * factor))) for w, n in CELLS]

    meshes = [scaled(float(f)) for f in factors]
    sizes = [sum(a * b * c for a, b, c in mesh) for mesh in meshes]
    mesh = meshes[int(np.argmin(np.abs(np.array(sizes) - elements)))]
    between = [0.0]
    for k in range(1, len(mesh)):
        depth = WALL / max(mesh[k - 1][0], mesh[k][0])
        touching = -overlap(pressure_at(BORE + k * WALL), depth)
        between.append(touching if gap is None else gap)
    between.append(0.0)
    return [
        Cylinder(cells, BORE + k * WALL + between[k] / 2, BORE + (k + 1) * WALL - between[k + 1] / 2)
        for k, cells in enumerate(mesh)
    ]


@model("cylinders", "six nested cylinders, one static step", PUBLISHED, LEAST)
def write_cylinders(path: Path, wishes: Wishes) -> int:
    """Write the deck."""
    if wishes.speed is not None:
        raise ValueError("nothing moves in cylinders: leave out the speed")
    if wishes.plots is not None:
        raise ValueError("cylinders is one step: leave out the number of plot states")
    cylinders = make_cylinders(wishes.elements)
    end_time = 1.0 if wishes.end_time is None else wishes.end_time
    write_deck(path, cylinders, end_time)
    return sum(c.count()[0] for c in cylinders)


def write_deck(path: Path, cylinders: list[Cylinder], end_time: float) -> None:
    """Write the deck of cylinders."""
    count = sum(c.count()[0] for c in cylinders)
    with path.open("wb") as out:
        header = HEADER.format(
            elements=count, end_time=end_time, pressure=PRESSURE, young=YOUNG, poisson=POISSON
        )
        out.write(header.encode())
        node, element, first = 1, 1, []
        for number, cylinder in enumerate(cylinders, 1):
            write_cylinder(out, cylinder, number, node, element)
            first.append(node)
            if number == 1:
                write_pressure(out, cylinder, node)
            element, node = element + cylinder.count()[0], node + cylinder.count()[1]
        axis = np.zeros((ON_AXIS, 3))
        axis[:, 2] = np.linspace(0.0, LENGTH, ON_AXIS)
        write_nodes(out, node, axis)
        write_supports(out, cylinders, first)
        out.write(b"*END\n")


def write_supports(out: BinaryIO, cylinders: list[Cylinder], first: list[int]) -> None:
    """One end of all cylinders held along the axis, and no more than rigid motions in the plane.

    Args:
        out: the deck
        cylinders: all of them
        first: number of the first node of each
    """
    ends = [n + np.arange(0, c.count()[1], c.cells[2] + 1) for n, c in zip(first, cylinders, strict=True)]
    # At angle 0 each is held along the tangent. Contact holds the others to the outermost, which is held so
    # at all quarters of a turn.
    places = ends[-1][:: cylinders[-1].cells[1] // 4][:4]
    along_y = [*(end[0] for end in ends), places[2]]
    for number, nodes, held in (
        (1, np.concatenate(ends), (0, 0, 1)),
        (2, np.array(along_y), (0, 1, 0)),
        (3, places[1::2], (1, 0, 0)),
    ):
        write_set(out, "SET_NODE_LIST", number, nodes)
        card = f"{number:10d}{0:10d}" + "".join(f"{k:10d}" for k in held)
        out.write(f"*BOUNDARY_SPC_SET\n{card}\n".encode())


def write_cylinder(out: BinaryIO, cylinder: Cylinder, number: int, node: int, element: int) -> None:
    """One cylinder and its contact with the one inside it."""
    out.write(f"*PART\ncylinder {number}\n{number:10d}{1:10d}{1:10d}\n".encode())
    write_nodes(out, node, cylinder.nodes(), DECIMALS)
    solids = cylinder.solids()
    write_elements(out, "ELEMENT_SOLID", element, np.full(len(solids), number), node + solids)
    if number > 1:
        out.write(
            f"*CONTACT_AUTOMATIC_SURFACE_TO_SURFACE_ID\n{number - 1:10d}cylinders {number - 1} and {number}\n"
            f"{number - 1:10d}{number:10d}{3:10d}{3:10d}\n      0.10\n\n".encode()
        )


def write_pressure(out: BinaryIO, cylinder: Cylinder, node: int) -> None:
    """Pressure on the innermost bore."""
    segments = node + cylinder.bore()
    out.write(b"*SET_SEGMENT\n         1\n")
    write_lines(out, [(segments[:, k], 10, 0) for k in range(4)])
    out.write(b"*LOAD_SEGMENT_SET\n         1         1       1.0\n")
