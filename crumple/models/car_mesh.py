"""Meshes of a car as arrays: panels on the lattice that share nodes, and grids of their own."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from crumple.models.car_lattice import Lattice, Shape
from crumple.models.car_parts import CarPart


@dataclass
class Panels:
    """Parts painted on lattice planes; where planes meet, their shells share nodes."""

    lattice: Lattice
    planes: dict[tuple[int, int], np.ndarray] = field(default_factory=dict)

    def plane(self, axis: int, at: int) -> np.ndarray:
        """The part of each cell of a plane, 0 for none; indices run along the other axes in cyclic order."""
        n = self.lattice
        sizes = (n.nx, n.ny, n.levels[3])
        key = (axis, at)
        if key not in self.planes:
            self.planes[key] = np.zeros((sizes[(axis + 1) % 3], sizes[(axis + 2) % 3]), dtype=np.uint8)
        return self.planes[key]

    def side(self, part: int, j: int, x: tuple[int, int], z: tuple[int, int]) -> None:
        """Paint a rectangle of a plane across y; part 0 cuts it out."""
        self.plane(1, j)[z[0] : z[1], x[0] : x[1]] = part

    def level(self, part: int, k: int, x: tuple[int, int], y: tuple[int, int]) -> None:
        """Paint a rectangle of a level plane."""
        self.plane(2, k)[x[0] : x[1], y[0] : y[1]] = part

    def cross(self, part: int, i: int, y: tuple[int, int], z: tuple[int, int]) -> None:
        """Paint a rectangle of a plane across x."""
        self.plane(0, i)[y[0] : y[1], z[0] : z[1]] = part

    def count(self) -> int:
        """Shells."""
        return int(sum(np.count_nonzero(p) for p in self.planes.values()))


@dataclass
class Grid:
    """A structured sheet of one part; `points` gives its nodes (nu + 1, nv + 1, 3).

    `closed` joins the last row along v with the first: the points then have nv columns.
    """

    part: CarPart
    nu: int
    nv: int
    points: Callable[[], np.ndarray]
    closed: bool = False
    name: str = ""  #: by which ties and welds find it
    rows: dict[int, tuple[int, int]] = field(default_factory=dict)  #: parts of rows other than `part`

    def count(self) -> int:
        """Shells."""
        return self.nu * self.nv

    def corners(self) -> np.ndarray:
        """Node indices within the grid of each shell (nu * nv, 4)."""
        columns = self.nv if self.closed else self.nv + 1
        u, v = np.meshgrid(np.arange(self.nu), np.arange(self.nv), indexing="ij")
        w = (v + 1) % columns
        around = [u * columns + v, (u + 1) * columns + v, (u + 1) * columns + w, u * columns + w]
        return np.stack(around, axis=-1).reshape(-1, 4)

    def part_of(self) -> np.ndarray:
        """The part of each shell."""
        parts = np.full((self.nu, self.nv), int(self.part))
        for part, (first, last) in self.rows.items():
            parts[first:last] = part
        return parts.reshape(-1)


@dataclass
class Block:
    """Bricks in a structured block; `points` gives its nodes (a + 1, b + 1, c + 1, 3)."""

    part: CarPart
    shape: tuple[int, int, int]
    points: Callable[[], np.ndarray]
    name: str = ""

    def count(self) -> int:
        """Bricks."""
        a, b, c = self.shape
        return a * b * c

    def corners(self) -> np.ndarray:
        """Node indices within the block of each brick (count, 8)."""
        return brick_corners(self.shape)


def brick_corners(shape: tuple[int, int, int]) -> np.ndarray:
    """Node indices of the bricks of a structured block (count, 8)."""
    number = np.arange(np.prod([s + 1 for s in shape])).reshape([s + 1 for s in shape])
    lower = [number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]]
    around = [f[..., :-1] for f in lower] + [f[..., 1:] for f in lower]
    return np.stack(around, axis=-1).reshape(-1, 8)


def panel_shells(panels: Panels) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions of the panels' nodes, shells as node indices, and their parts; and lattice keys of nodes."""
    n = panels.lattice
    ny, nz = n.ny + 1, n.levels[3] + 1
    keys, parts = [], []
    for (axis, at), plane in sorted(panels.planes.items()):
        u, v = np.nonzero(plane)
        around = []
        for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
            index = [np.full(len(u), at)] * 3
            index[(axis + 1) % 3], index[(axis + 2) % 3] = u + du, v + dv
            around.append((index[0] * ny + index[1]) * nz + index[2])
        keys.append(np.stack(around, axis=-1))
        parts.append(plane[u, v].astype(np.int64))
    corners = np.concatenate(keys)
    used, numbers = np.unique(corners, return_inverse=True)
    return used, numbers.reshape(corners.shape), np.concatenate(parts)


def positions_of(lattice: Lattice, keys: np.ndarray) -> np.ndarray:
    """Positions (n, 3) of lattice keys."""
    ny, nz = lattice.ny + 1, lattice.levels[3] + 1
    rest, k = np.divmod(keys, nz)
    i, j = np.divmod(rest, ny)
    return Shape(lattice)(i, j, k)
