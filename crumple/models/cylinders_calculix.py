"""Writes a CalculiX deck of any size: six nested cylinders of solids, pressed apart from the inside."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TextIO

import numpy as np

Joint = Literal["tied", "contact"]

CYLINDERS = 6
INNER = 50.0  #: mm, radius
WALL = 10.0  #: mm, of each cylinder
OUTER = INNER + CYLINDERS * WALL
LENGTH = 120.0  #: mm
PRESSURE = 100.0  #: MPa, inside the innermost
YOUNG = 210e3  #: MPa
POISSON = 0.3
STIFFNESS = 1e8  #: MPa/mm, of contact: gives 1e-6 mm at 100 MPa

#: face of a brick towards the axis and away from it, in CalculiX's numbering
INWARDS, OUTWARDS = 6, 4


@dataclass(frozen=True)
class CylinderDivisions:
    """Elements of one cylinder along its wall, circumference and length."""

    wall: int
    around: int
    along: int

    @property
    def elements(self) -> int:
        """Of all cylinders."""
        return CYLINDERS * self.wall * self.around * self.along

    @property
    def nodes(self) -> int:
        """Of all cylinders; each has its own."""
        return CYLINDERS * (self.wall + 1) * self.around * (self.along + 1)


def divisions(elements: int) -> CylinderDivisions:
    """Divisions that give about as many elements as are asked for, about as long as wide."""
    circumference = np.pi * (INNER + OUTER)
    middle = (CYLINDERS * WALL * circumference * LENGTH / elements) ** (1 / 3)

    def of_size(size: float, wall: int) -> CylinderDivisions:
        return CylinderDivisions(
            wall, 4 * max(2, round(circumference / 4 / size)), max(1, round(LENGTH / size))
        )

    def miss(choice: tuple[float, int]) -> float:
        size, wall = choice
        # 2 % of the number weigh as much as an element that is 2.7 times as thick as wide.
        return abs(of_size(size, wall).elements / elements - 1) + 0.02 * abs(np.log(WALL / wall / size))

    few = max(1, int(WALL / middle))
    tried = [(middle * (0.5 + 0.002 * k), wall) for k in range(751) for wall in (few, few + 1)]
    return of_size(*min(tried, key=miss))


def lame(radius: float) -> float:
    """Radial displacement (mm) of a thick cylinder under inner pressure, its ends held (Lame 1852)."""
    a, b = INNER, OUTER
    factor = (1 + POISSON) / YOUNG * PRESSURE * a * a / (b * b - a * a)
    return factor * ((1 - 2 * POISSON) * radius + b * b / radius)


def node_ids(d: CylinderDivisions) -> np.ndarray:
    """Node ids by cylinder, place in the wall, around and along."""
    shape = (CYLINDERS, d.wall + 1, d.around, d.along + 1)
    return np.arange(1, d.nodes + 1).reshape(shape)


def coordinates(d: CylinderDivisions) -> np.ndarray:
    """Coordinates (mm) of all nodes in the order of their ids."""
    radius = INNER + WALL * (np.arange(CYLINDERS)[:, None] + np.linspace(0.0, 1.0, d.wall + 1)[None, :])
    angle = 2 * np.pi * np.arange(d.around) / d.around
    z = np.linspace(0.0, LENGTH, d.along + 1)
    r, a, h = np.broadcast_arrays(radius[:, :, None, None], angle[:, None], z)
    return np.stack([r * np.cos(a), r * np.sin(a), h], axis=-1).reshape(-1, 3)


def elements(d: CylinderDivisions) -> np.ndarray:
    """Nodes of all bricks, by cylinder, place in the wall, around and along, then their eight nodes."""
    ids = node_ids(d)
    after = np.roll(ids, -1, axis=2)
    low = [ids[:, :-1], ids[:, 1:], after[:, 1:], after[:, :-1]]
    return np.stack([n[..., :-1] for n in low] + [n[..., 1:] for n in low], axis=-1)


def write_rows(file: TextIO, rows: np.ndarray, form: str) -> None:
    """Write one line a row."""
    file.writelines(form % tuple(row) for row in rows.tolist())


def write_set(file: TextIO, name: str, ids: np.ndarray) -> None:
    """Write a set of nodes."""
    file.write(f"*NSET, NSET={name}\n")
    write_rows(file, ids.reshape(-1, 1), "%d,\n")


def write_surfaces(file: TextIO, numbers: np.ndarray) -> None:
    """Write both surfaces of each gap between cylinders; numbers are those of the elements."""
    for c in range(CYLINDERS - 1):
        for name, layer, face in (
            ("OUTSIDE", numbers[c, -1], OUTWARDS),
            ("INSIDE", numbers[c + 1, 0], INWARDS),
        ):
            file.write(f"*SURFACE, NAME={name}{c + 1}\n")
            write_rows(file, layer.reshape(-1, 1), f"%d, S{face}\n")


def joints(joint: Joint) -> str:
    """How the cylinders hold on to each other."""
    gaps = range(1, CYLINDERS)
    if joint == "tied":
        return "".join(f"*TIE, NAME=TIE{c}, POSITION TOLERANCE=0.01\nINSIDE{c}, OUTSIDE{c}\n" for c in gaps)
    pairs = "".join(
        f"*CONTACT PAIR, INTERACTION=TOUCH, TYPE=SURFACE TO SURFACE\nINSIDE{c}, OUTSIDE{c}\n" for c in gaps
    )
    return (
        "*SURFACE INTERACTION, NAME=TOUCH\n*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR\n"
        f"{STIFFNESS:g}, 0., 0.1\n{pairs}"
    )


def write_cylinders(
    path: Path, wanted: int, joint: Joint = "tied", solver: str = "SPOOLES"
) -> CylinderDivisions:
    """Write the deck: mm, MPa; both ends are held along the axis, so that Lame's solution holds.

    Args:
        path: the file, NAME.inp
        wanted: elements asked for
        joint: what is between the cylinders; "contact" takes Newton iterations
        solver: of the linear equations, a word of *STATIC
    """
    d = divisions(wanted)
    ids, bricks = node_ids(d), elements(d)
    numbers = np.arange(1, d.elements + 1).reshape(bricks.shape[:-1])
    quarter = d.around // 4
    with path.open("w") as file:
        file.write("*NODE, NSET=ALL\n")
        write_rows(file, np.column_stack([ids.ravel(), coordinates(d)]), "%d, %.9g, %.9g, %.9g\n")
        file.write("*ELEMENT, TYPE=C3D8, ELSET=SOLIDS\n")
        rows = np.column_stack([numbers.ravel(), bricks.reshape(-1, 8)])
        write_rows(file, rows, ", ".join(["%d"] * 9) + "\n")
        # Inner faces that are tied move with what they are tied to, and are not held themselves.
        held = ids if joint == "contact" else np.concatenate([ids[:1, :1].ravel(), ids[:, 1:].ravel()])
        write_set(file, "ENDS", np.intersect1d(ids[..., [0, -1]], held))
        write_set(file, "ONX", np.intersect1d(ids[:, :, [0, 2 * quarter]], held))  # they stay on the x axis
        write_set(file, "ONY", np.intersect1d(ids[:, :, [quarter, 3 * quarter]], held))
        write_set(file, "BORE", ids[0, 0])
        write_set(file, "RIM", ids[-1, -1])
        file.write("*ELSET, ELSET=PRESSED\n")
        write_rows(file, numbers[0, 0].reshape(-1, 1), "%d,\n")
        file.write(f"*MATERIAL, NAME=STEEL\n*ELASTIC\n{YOUNG:g}, {POISSON:g}\n")
        file.write("*SOLID SECTION, ELSET=SOLIDS, MATERIAL=STEEL\n")
        write_surfaces(file, numbers)
        file.write(joints(joint))
        file.write("*BOUNDARY\nENDS, 3, 3\nONX, 2, 2\nONY, 1, 1\n")
        file.write(f"*STEP\n*STATIC, SOLVER={solver}\n1., 1.\n*DLOAD\nPRESSED, P{INWARDS}, {PRESSURE:g}\n")
        file.write("*NODE PRINT, NSET=BORE\nU\n*NODE PRINT, NSET=RIM\nU\n*END STEP\n")
    return d
