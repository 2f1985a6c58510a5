"""Sheets with a mesh of their own: doors, hood and lid with their inner sheets, bows and cross members.

An inner sheet follows its outer one at the distance of the welds along its flanges and stands off inside.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from crumple.models.car_body import doors
from crumple.models.car_lattice import Lattice, Shape
from crumple.models.car_mesh import Grid
from crumple.models.car_parts import CarPart

WELD_LENGTH = 6.0  #: mm between the middles of welded sheets
SHUT_LINE = 5.0  #: gap around doors and lids


@dataclass(frozen=True)
class Patch:
    """A rectangle of a lattice plane: axis, plane, ranges along the two other axes in cyclic order."""

    axis: int
    at: int
    u: tuple[int, int]
    v: tuple[int, int]

    def cells(self) -> tuple[int, int]:
        """Cells along both directions."""
        return self.u[1] - self.u[0], self.v[1] - self.v[0]

    def points(self, lattice: Lattice) -> np.ndarray:
        """Positions (nu + 1, nv + 1, 3)."""
        u, v = np.meshgrid(
            np.arange(self.u[0], self.u[1] + 1), np.arange(self.v[0], self.v[1] + 1), indexing="ij"
        )
        index = [np.full(u.shape, self.at)] * 3
        index[(self.axis + 1) % 3], index[(self.axis + 2) % 3] = u, v
        return Shape(lattice)(index[0], index[1], index[2])


@dataclass(frozen=True)
class Lid:
    """A closure: its patch, parts, and which way and how far its inner sheet stands off."""

    name: str
    patch: Patch
    outer: CarPart
    inner: CarPart
    inward: tuple[float, float, float]
    depth: float
    hinges: tuple[tuple[int, int], ...]  #: corners (0 or -1 along u and v) that are held


def lids(n: Lattice) -> list[Lid]:
    """Doors, hood, and trunk's lid or tailgate."""
    floor, arch, belt, _ = n.levels
    at = n.at
    corners = ((0, 0), (0, -1), (-1, 0), (-1, -1))
    found = []
    for name, x in doors(n).items():
        for j, inward in ((0, 1.0), (n.ny, -1.0)):
            side = "left" if j == 0 else "right"
            patch = Patch(1, j, (floor, belt), x)
            found.append(
                Lid(f"{side} {name}", patch, CarPart.DOOR, CarPart.DOOR_INNER, (0, inward, 0), 45.0, corners)
            )
    across = (at["left hood"], at["hood"])
    hood = Patch(2, belt, (0, at["firewall"]), across)
    found.append(Lid("hood", hood, CarPart.HOOD, CarPart.HOOD_INNER, (0, 0, -1), 28.0, corners))
    if n.car.deck:
        trunk = Patch(2, belt, (at["deck"], n.nx), across)
        found.append(Lid("trunk", trunk, CarPart.TRUNK, CarPart.TRUNK_INNER, (0, 0, -1), 28.0, corners))
    else:
        gate = Patch(0, n.nx, (at["left wheelhouse"], at["wheelhouse"]), (arch, belt))
        found.append(Lid("tailgate", gate, CarPart.TRUNK, CarPart.TRUNK_INNER, (-1, 0, 0), 40.0, corners))
    return found


def shrunk(points: np.ndarray) -> np.ndarray:
    """A sheet with its shut line: drawn together evenly along both of its directions."""
    found = points.copy()
    for axis in (0, 1):
        q = np.moveaxis(found, axis, 0)
        length = np.linalg.norm(q[-1] - q[0], axis=-1).mean()
        along = np.linspace(-1.0, 1.0, len(q)).reshape(-1, 1, 1)
        # By shares of the chord: a curved sheet stays on its surface within little.
        q -= 0.5 * (q[-1] - q[0]) * along * (2.0 * SHUT_LINE / length)
    return found


def rings(nu: int, nv: int, flanges: Literal["all", "u"]) -> np.ndarray:
    """How many cells each node (nu + 1, nv + 1) is away from the flanged edges."""
    u = np.minimum(np.arange(nu + 1), np.arange(nu, -1, -1))[:, None]
    v = np.minimum(np.arange(nv + 1), np.arange(nv, -1, -1))[None, :]
    return np.broadcast_to(u, (nu + 1, nv + 1)) if flanges == "u" else np.minimum(u, v)


def standing_off(
    outer: np.ndarray, inward: tuple[float, float, float], depth: float, flanges: Literal["all", "u"]
) -> np.ndarray:
    """The inner sheet of an outer one."""
    ring = rings(outer.shape[0] - 1, outer.shape[1] - 1, flanges)
    share = np.clip((ring - 1) / 2.0, 0.0, 1.0)
    return outer + (WELD_LENGTH + (depth - WELD_LENGTH) * share)[..., None] * np.array(inward)


def middles(points: np.ndarray) -> np.ndarray:
    """Centres of a grid's cells (nu, nv, 3)."""
    return 0.25 * (points[:-1, :-1] + points[1:, :-1] + points[1:, 1:] + points[:-1, 1:])


def flange_cells(nu: int, nv: int, flanges: Literal["all", "u"]) -> np.ndarray:
    """Which cells (nu, nv) lie along the flanged edges."""
    mask = np.zeros((nu, nv), dtype=bool)
    mask[0], mask[-1] = True, True
    if flanges == "all":
        mask[:, 0], mask[:, -1] = True, True
    return mask


@dataclass(frozen=True)
class Double:
    """Two sheets welded along flanges: the outer one of a lid or of the body, and the inner one."""

    patch: Patch
    inward: tuple[float, float, float]
    depth: float
    flanges: Literal["all", "u"]
    lid: bool  #: the outer sheet has a shut line

    def outer(self, n: Lattice) -> np.ndarray:
        """Nodes of the outer sheet."""
        points = self.patch.points(n)
        return shrunk(points) if self.lid else points

    def inner(self, n: Lattice) -> np.ndarray:
        """Nodes of the inner sheet."""
        return standing_off(self.outer(n), self.inward, self.depth, self.flanges)

    def sites(self) -> int:
        """Cells in which a weld can be."""
        return int(flange_cells(*self.patch.cells(), self.flanges).sum())

    def welds(self, n: Lattice) -> np.ndarray:
        """Both ends (sites, 2, 3) of a weld in every cell of the flanges."""
        where = flange_cells(*self.patch.cells(), self.flanges)
        return np.stack([middles(self.outer(n))[where], middles(self.inner(n))[where]], axis=1)


def strips(n: Lattice) -> list[tuple[CarPart, Double]]:
    """Bows under the roof, cross members on the floor."""
    floor, _, _, roof = n.levels
    at = n.at
    wide = max(1, round(110.0 / (1.1 * n.cell)))
    found = []
    for share in (0.12, 0.5, 0.88):
        i = round(at["firewall"] + share * (at["deck"] - at["firewall"])) - wide // 2
        i = min(max(i, at["firewall"] + 1), at["deck"] - 1 - wide)
        y = (at["left hood"], at["hood"])
        found.append(
            (CarPart.ROOF_BOW, Double(Patch(2, roof, (i, i + wide), y), (0, 0, -1), 35.0, "u", False))
        )
    for x in (n.car.pillar - 320.0, n.car.pillar + 330.0):
        i = n.plane_at(x)
        for y in ((at["left hood"], at["left tunnel"]), (at["tunnel"], at["hood"])):
            inner = (y[0] + 1, y[1] - 1) if y[1] - y[0] > 3 else y
            patch = Patch(2, floor, (i, i + wide), inner)
            found.append((CarPart.CROSS_MEMBER, Double(patch, (0, 0, 1), 60.0, "u", False)))
    return found


def sheet_grids(n: Lattice) -> tuple[list[Grid], list[Double]]:
    """Grids of all lids and strips, and where they are welded."""
    grids, doubles = [], []
    for lid in lids(n):
        double = Double(lid.patch, lid.inward, lid.depth, "all", True)
        nu, nv = lid.patch.cells()
        grids.append(Grid(lid.outer, nu, nv, lambda d=double: d.outer(n), name=lid.name))
        grids.append(Grid(lid.inner, nu, nv, lambda d=double: d.inner(n)))
        doubles.append(double)
    for part, double in strips(n):
        nu, nv = double.patch.cells()
        grids.append(Grid(part, nu, nv, lambda d=double: d.inner(n)))
        doubles.append(double)
    return grids, doubles
