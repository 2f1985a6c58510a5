"""What the parts of the sled are made of: nodes and elements that grow, ellipsoids, patches, skins."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

Points = np.ndarray


@dataclass
class Elements:
    """Elements of one kind: blocks of (part, node numbers)."""

    blocks: list[tuple[int, np.ndarray]] = field(default_factory=list)

    def count(self) -> int:
        """Number of elements."""
        return sum(len(nodes) for _, nodes in self.blocks)

    def parts(self) -> np.ndarray:
        """The part of each element."""
        return np.concatenate([np.full(len(nodes), part) for part, nodes in self.blocks])

    def nodes(self) -> np.ndarray:
        """The nodes of each element."""
        return np.concatenate([nodes for _, nodes in self.blocks])


@dataclass
class SledMesh:
    """Nodes, numbered from 1 in the order in which they come, and elements."""

    positions: list[Points] = field(default_factory=list)
    nodes: int = 0
    shells: Elements = field(default_factory=Elements)
    solids: Elements = field(default_factory=Elements)

    def add(self, x: Points) -> np.ndarray:
        """Add nodes (..., 3); their numbers have the shape of x without its last axis."""
        x = np.asarray(x, dtype=float)
        flat = x.reshape(-1, 3)
        numbers = self.nodes + 1 + np.arange(len(flat))
        self.positions.append(flat)
        self.nodes += len(flat)
        return numbers.reshape(x.shape[:-1])

    def x(self) -> Points:
        """Positions of all nodes."""
        return np.concatenate(self.positions)

    def at(self, numbers: np.ndarray) -> Points:
        """Positions of some nodes."""
        return self.x()[np.asarray(numbers) - 1]

    def shell(self, part: int, quads: np.ndarray) -> None:
        """Add shells by the numbers of their nodes."""
        self.shells.blocks.append((part, np.asarray(quads).reshape(-1, 4)))

    def patch(self, part: int, numbers: np.ndarray) -> None:
        """Shells on a grid of node numbers (m, n)."""
        self.shell(part, quads_of(numbers))

    def bricks(self, part: int, numbers: np.ndarray) -> None:
        """Solids on a grid of node numbers (l, m, n), right-handed."""
        a, b = numbers[:-1], numbers[1:]
        low = [g[:, i : i + g.shape[1] - 1, :] for g in (a, b) for i in (0, 1)]
        near = [low[0], low[2], low[3], low[1]]
        below = [g[..., :-1] for g in near]
        above = [g[..., 1:] for g in near]
        self.solids.blocks.append((part, np.stack([*below, *above], axis=-1).reshape(-1, 8)))

    def skin(self, part: int, quads: np.ndarray, normals: Points, thickness: float) -> np.ndarray:
        """One layer of solids on quads that face outwards; the normals are those of all nodes.

        Returns:
            numbers of the outer nodes
        """
        inner, place = np.unique(quads, return_inverse=True)
        outer = self.add(self.at(inner) + thickness * normals[inner - 1])
        self.solids.blocks.append((part, np.hstack([quads, outer[place.reshape(quads.shape)]])))
        return outer


def quads_of(numbers: np.ndarray) -> np.ndarray:
    """Quads of a grid (m, n), (n, 4)."""
    a, b, c, d = numbers[:-1, :-1], numbers[1:, :-1], numbers[1:, 1:], numbers[:-1, 1:]
    return np.stack([a, b, c, d], axis=-1).reshape(-1, 4)


def grid(corner: Points, along: Points, across: Points, counts: tuple[int, int]) -> Points:
    """Points (m + 1, n + 1, 3) on a parallelogram."""
    s, t = (np.linspace(0.0, 1.0, n + 1) for n in counts)
    return (
        np.asarray(corner, float)
        + s[:, None, None] * np.asarray(along, float)
        + t[None, :, None] * np.asarray(across, float)
    )


def cube_sphere(n: int) -> tuple[Points, np.ndarray]:
    """The unit sphere as a cube of n x n quads a face that is blown up; indices from 0, facing outwards."""
    cells = np.stack(np.meshgrid(*[np.arange(n + 1)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    cells = cells[((cells == 0) | (cells == n)).any(axis=1)]
    index = np.full((n + 1,) * 3, -1)
    index[tuple(cells.T)] = np.arange(len(cells))
    points = np.tan(np.pi / 4 * (2.0 * cells / n - 1.0))
    points /= np.linalg.norm(points, axis=1)[:, None]
    quads = []
    for axis in range(3):
        for side in (0, n):
            face = np.take(index, side, axis=axis)
            of = quads_of(face)
            middle = points[of].mean(axis=1)
            normal = np.cross(points[of[:, 2]] - points[of[:, 0]], points[of[:, 3]] - points[of[:, 1]])
            inwards = (middle * normal).sum(axis=1) < 0
            of[inwards] = of[inwards][:, ::-1]
            quads.append(of)
    return points, np.concatenate(quads)


@dataclass(frozen=True)
class Ellipsoid:
    """An ellipsoid: centre, half axes, and its frame, whose rows are the directions of the half axes."""

    centre: Points
    half: Points
    frame: Points

    def local(self, x: Points) -> Points:
        """Points in units of the half axes: inside where the length is below 1."""
        return (x - self.centre) @ self.frame.T / self.half

    def world(self, local: Points) -> Points:
        """Points of the unit sphere on the ellipsoid."""
        return self.centre + (local * self.half) @ self.frame

    def normals(self, local: Points) -> Points:
        """Outer normals at points of the unit sphere."""
        normal = (local / self.half) @ self.frame
        return normal / np.linalg.norm(normal, axis=-1)[..., None]

    def grown(self, by: float) -> "Ellipsoid":
        """With longer half axes."""
        return Ellipsoid(self.centre, self.half + by, self.frame)

    def reach(self, from_: Points, along: Points) -> np.ndarray:
        """Distances from points along a direction to where lines leave the ellipsoid; nan if they miss it."""
        p = self.local(from_)
        d = self.frame @ along / self.half
        a, b, c = d @ d, p @ d, (p * p).sum(axis=-1) - 1.0
        root = b * b - a * c
        return np.where(root >= 0.0, (-b + np.sqrt(np.maximum(root, 0.0))) / a, np.nan)

    def divisions(self, cell: float) -> int:
        """Quads along a quarter of the middle circumference."""
        return max(3, round(np.pi / 2 * float(np.cbrt(np.prod(self.half))) / cell))


def furthest(bodies: list[Ellipsoid], from_: Points, along: Points) -> np.ndarray:
    """The largest distance at which lines leave any of the bodies; -inf if they meet none."""
    found = np.stack([body.reach(from_, along) for body in bodies])
    return np.where(np.isnan(found), -np.inf, found).max(axis=0)


Choice = Callable[[Points], np.ndarray]  #: of points of the unit sphere in local axes: true where skin is
