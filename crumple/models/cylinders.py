"""Six nested cylinders under internal pressure: the situation of the implicit benchmark CYL1E6.

One static step. At the published size the counts are those of the published model, 921,600 solids and
1,014,751 nodes; how its cylinders were meshed is not published, so this is one of the ways that give them.
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
# Cells through the wall, round, along; from the inside out. Sums: 921,600 solids, 1,014,751 nodes.
CELLS = [(12, 261, 30), *((15, around, 33) for around in (290, 312, 334, 357, 379))]
BORE, PITCH, LENGTH = 98.0, 11.5, 165.0  #: mm: innermost radius, from wall to wall, length
CLEARANCE = 0.05  #: mm at least between two cylinders
PRESSURE = 0.05  #: GPa
LEAST = 1000

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
$   NSOLVR
        12
*DATABASE_BINARY_D3PLOT
{end_time:10.3f}
*DATABASE_GLSTAT
{end_time:10.3f}
*MAT_PLASTIC_KINEMATIC_TITLE
steel
         1   7.85e-6     210.0       0.3      0.40       1.0

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


def scaled(cells: tuple[int, int, int], factor: float) -> tuple[int, int, int]:
    """Cells at another size."""
    wall, around, along = cells
    return max(1, round(wall * factor)), max(12, round(around * factor)), max(2, round(along * factor))


def make_cylinders(elements: int) -> list[Cylinder]:
    """The cylinders with the number of elements nearest to that wanted; the published mesh at its size."""
    factors = (
        [1.0] if elements == PUBLISHED else (elements / PUBLISHED) ** (1 / 3) * np.linspace(0.7, 1.3, 241)
    )
    meshes = [[scaled(cells, float(f)) for cells in CELLS] for f in factors]
    sizes = [sum(a * b * c for a, b, c in mesh) for mesh in meshes]
    mesh = meshes[int(np.argmin(np.abs(np.array(sizes) - elements)))]
    found = []
    for k, cells in enumerate(mesh):
        inner = BORE + k * PITCH
        # Chords of the outer neighbour's bore come nearer than its radius.
        reach = inner + PITCH
        sag = reach * (1.0 - np.cos(np.pi / mesh[min(k + 1, 5)][1]))
        found.append(Cylinder(cells, inner, reach - CLEARANCE - 1.2 * sag))
    return found


@model("cylinders", "six nested cylinders, one static step", PUBLISHED, LEAST)
def write_cylinders(path: Path, wishes: Wishes) -> int:
    """Write the deck."""
    if wishes.speed is not None:
        raise ValueError("nothing moves in cylinders: leave out the speed")
    if wishes.plots is not None:
        raise ValueError("cylinders is one step: leave out the number of plot states")
    cylinders = make_cylinders(wishes.elements)
    count = sum(c.count()[0] for c in cylinders)
    end_time = 1.0 if wishes.end_time is None else wishes.end_time
    with path.open("wb") as out:
        out.write(HEADER.format(elements=count, end_time=end_time, pressure=PRESSURE).encode())
        node, element, clamped = 1, 1, []
        for number, cylinder in enumerate(cylinders, 1):
            write_cylinder(out, cylinder, number, node, element)
            along = cylinder.cells[2]
            clamped.append(node + (along + 1) * np.arange(cylinder.count()[1] // (along + 1)))
            if number == 1:
                write_pressure(out, cylinder, node)
            element, node = element + cylinder.count()[0], node + cylinder.count()[1]
        write_set(out, "SET_NODE_LIST", 1, np.concatenate(clamped))
        out.write(b"*BOUNDARY_SPC_SET\n         1         0         1         1         1\n")
        out.write(b"*END\n")
    return count


def write_cylinder(out: BinaryIO, cylinder: Cylinder, number: int, node: int, element: int) -> None:
    """One cylinder and its contact with the one inside it."""
    out.write(f"*PART\ncylinder {number}\n{number:10d}{1:10d}{1:10d}\n".encode())
    write_nodes(out, node, cylinder.nodes())
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
