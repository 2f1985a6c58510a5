"""A deformable barrier of aluminium honeycomb, of the size and crush strength of that of offset tests.

Dimensions and strengths: UN Regulation 94, annex 9 (core 450 x 1000 x 650 mm of 0.342 MPa, bumper
90 x 1000 x 330 mm of 1.711 MPa, 200 mm above the ground, behind aluminium sheets of 0.81 mm). Units: mm, ms,
kg, kN, GPa.
"""

from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from crumple.models.deck_text import write_elements, write_nodes, write_set

DEPTH, WIDTH, HEIGHT = 450.0, 1000.0, 650.0  #: of the core
BUMPER_DEPTH, BUMPER_HEIGHT = 90.0, 330.0
CLEARANCE = 200.0  #: above the ground
VOLUME = WIDTH * (DEPTH * HEIGHT + BUMPER_DEPTH * BUMPER_HEIGHT)
CORE, BUMPER, SHEETS = 11, 12, 13  #: parts, sections and materials
PARTS = (CORE, BUMPER, SHEETS)
SHEET = 0.81  #: mm
STRENGTH = {CORE: 0.342e-3, BUMPER: 1.711e-3}  #: along x
DENSITY = {CORE: 83e-9, BUMPER: 130e-9}
TITLE = {CORE: "honeycomb core", BUMPER: "honeycomb bumper"}
#: Of the strength along x: across it, in shear with x, in shear across x. Test reports give a tenth or less.
ACROSS, SHEAR, CROSS_SHEAR = 0.1, 0.5, 0.1
#: The compacted honeycomb is softer than aluminium (70), so that it does not set the step of the car.
COMPACTED = "       1.0       0.3     0.020       0.2"
MODULI = "      0.20      0.02      0.02      0.05      0.01      0.05"


@dataclass(frozen=True)
class Barrier:
    """Bricks and sheets; the bumper's front is at x = 0, and looks to +x, its side at y = 0."""

    cells: tuple[int, int, int, int, int]  #: depth, width, height of the core; depth, height of the bumper

    def solids(self) -> int:
        """Number of bricks."""
        depth, width, height, bumper_depth, bumper_height = self.cells
        return width * (depth * height + bumper_depth * bumper_height)

    def elements(self) -> int:
        """Number of bricks and of shells."""
        _, width, height, _, bumper_height = self.cells
        return self.solids() + width * (height + bumper_height)


def barrier_of(elements: int) -> Barrier:
    """A barrier of about so many bricks."""
    edge = (VOLUME / max(elements, 1)) ** (1.0 / 3.0)
    lengths = (DEPTH, WIDTH, HEIGHT, BUMPER_DEPTH, BUMPER_HEIGHT)
    depth, width, height, bumper_depth, bumper_height = (max(1, round(length / edge)) for length in lengths)
    return Barrier((depth, width, max(height, bumper_height + 1), bumper_depth, bumper_height))


def lattice(b: Barrier) -> tuple[np.ndarray, np.ndarray]:
    """Positions of all nodes (depth, width, height, 3) from the back on, and which of them are used."""
    depth, width, height, bumper_depth, bumper_height = b.cells
    x = np.concatenate(
        [
            np.linspace(-DEPTH - BUMPER_DEPTH, -BUMPER_DEPTH, depth + 1),
            np.linspace(-BUMPER_DEPTH, 0.0, bumper_depth + 1)[1:],
        ]
    )
    y = np.linspace(-WIDTH, 0.0, width + 1)
    z = np.concatenate(
        [
            np.linspace(0.0, BUMPER_HEIGHT, bumper_height + 1),
            np.linspace(BUMPER_HEIGHT, HEIGHT, height - bumper_height + 1)[1:],
        ]
    )
    at = np.stack(np.meshgrid(x, y, CLEARANCE + z, indexing="ij"), axis=-1)
    used = np.ones(at.shape[:3], dtype=bool)
    used[depth + 1 :, :, bumper_height + 1 :] = False
    return at, used


def bricks(numbers: np.ndarray, first: int, end: int, height: int) -> np.ndarray:
    """Corners (n, 8) of the cells from depth `first` to `end`."""
    n = numbers[first : end + 1, :, : height + 1]
    faces = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    of = [
        n[i : n.shape[0] - 1 + i, j : n.shape[1] - 1 + j, k : n.shape[2] - 1 + k].ravel() for i, j, k in faces
    ]
    return np.stack(of, axis=1)


def sheet(numbers: np.ndarray, at: int, height: int) -> np.ndarray:
    """Corners (n, 4) of the faces at a depth, looking along x."""
    n = numbers[at, :, : height + 1]
    return np.stack([n[:-1, :-1].ravel(), n[1:, :-1].ravel(), n[1:, 1:].ravel(), n[:-1, 1:].ravel()], axis=1)


def write_honeycomb(out: BinaryIO, part: int) -> None:
    """Part, section, material and curves: the strength is constant up to a strain of 1, then it grows."""
    strength = STRENGTH[part]
    first = 10 * part
    curves = "".join(f"{first + k:10d}" for k in (0, 1, 1, 2, 2, 3, 2))
    out.write(
        f"*PART\n{TITLE[part]}\n{part:10d}{part:10d}{part:10d}\n*SECTION_SOLID\n{part:10d}{1:10d}\n"
        f"*MAT_MODIFIED_HONEYCOMB_TITLE\n{TITLE[part]}\n{part:10d}{DENSITY[part]:10.3e}{COMPACTED}\n"
        f"{curves}\n{MODULI}       2.0\n       0.0       0.0       0.0       1.0       0.0       0.0\n"
        "       0.0       1.0       0.0\n".encode()
    )
    for k, share in enumerate((1.0, ACROSS, SHEAR, CROSS_SHEAR)):
        points = ((0.0, 1.0), (1.0, 1.0), (1.6, 6.0))
        out.write(f"*DEFINE_CURVE\n{first + k:10d}\n".encode())
        out.write("".join(f"{e:20.3f}{strength * share * grown:20.6e}\n" for e, grown in points).encode())


def write_sheets(out: BinaryIO) -> None:
    """Part, section and material of the aluminium sheets."""
    thickness = 4 * f"{SHEET:10.3f}"
    out.write(
        f"*PART\nbarrier sheets\n{SHEETS:10d}{SHEETS:10d}{SHEETS:10d}\n"
        f"*SECTION_SHELL\n{SHEETS:10d}{2:10d}    0.8333{3:10d}\n{thickness}\n"
        f"*MAT_PIECEWISE_LINEAR_PLASTICITY_TITLE\nbarrier sheets\n{SHEETS:10d} 2.700E-06      70.0       0.3"
        "     0.100     0.500\n\n\n\n".encode()
    )


def write_barrier(out: BinaryIO, b: Barrier, first_node: int, first_element: int) -> tuple[int, int]:
    """Everything of the barrier, held at its back; returns the next free numbers of nodes and elements."""
    depth, _, height, bumper_depth, bumper_height = b.cells
    at, used = lattice(b)
    numbers = np.full(used.shape, -1)
    numbers[used] = first_node + np.arange(int(used.sum()))
    for part in STRENGTH:
        write_honeycomb(out, part)
    write_sheets(out)
    write_nodes(out, first_node, at[used])
    element = first_element
    front = depth + bumper_depth
    core, bumper = bricks(numbers, 0, depth, height), bricks(numbers, depth, front, bumper_height)
    sheets = np.concatenate([sheet(numbers, depth, height), sheet(numbers, front, bumper_height)])
    for keyword, part, corners in (
        ("ELEMENT_SOLID", CORE, core),
        ("ELEMENT_SOLID", BUMPER, bumper),
        ("ELEMENT_SHELL", SHEETS, sheets),
    ):
        write_elements(out, keyword, element, np.full(len(corners), part), corners)
        element += len(corners)
    write_set(out, "SET_NODE_LIST", CORE, numbers[0].ravel())
    out.write(f"*BOUNDARY_SPC_SET\n{CORE:10d}         0         1         1         1\n".encode())
    write_set(out, "SET_PART_LIST", CORE, [CORE, BUMPER])
    out.write(f"*CONTACT_INTERIOR\n{CORE:10d}\n".encode())
    return first_node + int(used.sum()), element
