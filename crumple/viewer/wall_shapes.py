"""Faces of rigid walls that are not flat: prisms, cylinders and spheres as quadrilaterals.

The sizes are those of solver/loads/rigid_wall: a length of zero goes on for ever, and is drawn as far as the
model reaches.
"""

from dataclasses import dataclass

import numpy as np

ROUND = 32  #: faces around a cylinder or a sphere
UP = 16  #: faces of a sphere from pole to pole


@dataclass(frozen=True)
class WallShape:
    """A prism, cylinder or sphere.

    Attributes:
        kind: PRISM, CYLINDER or SPHERE
        axes: (3, 3) unit vectors: both edges of a prism, or any across a cylinder; the normal or axis
        sizes: of a prism LENL, LENM, LENP; of a cylinder radius and length; of a sphere the radius
    """

    kind: str
    axes: np.ndarray
    sizes: tuple[float, ...]

    def faces(self, reach: float) -> np.ndarray:
        """Quadrilaterals (n, 4, 3) relative to the wall's point.

        Args:
            reach: how far a wall without an end is drawn
        """
        local = {"PRISM": prism, "CYLINDER": cylinder, "SPHERE": sphere}[self.kind](self.sizes, reach)
        return local @ self.axes


def axes_of(normal: np.ndarray, edge: np.ndarray | None = None) -> np.ndarray:
    """Right-handed unit vectors (3, 3): an edge without its part along the normal, across, the normal."""
    if edge is None or not np.linalg.norm(np.cross(edge, normal)) > 0.0:
        edge = np.eye(3)[int(np.abs(normal).argmin())]
    first = edge - (edge @ normal) * normal
    first = first / np.linalg.norm(first)
    return np.array([first, np.cross(normal, first), normal])


def between(length: float, reach: float) -> tuple[float, float]:
    """Where an edge begins and ends."""
    return (0.0, length) if length > 0.0 else (-reach, reach)


def prism(sizes: tuple[float, ...], reach: float) -> np.ndarray:
    """Six faces; the normal points out of the front, behind which the wall has its depth."""
    along, across, depth = sizes
    ends = (between(along, reach), between(across, reach), (-(depth if depth > 0.0 else reach), 0.0))
    corners = np.array([[[(x, y, z) for z in ends[2]] for y in ends[1]] for x in ends[0]])
    found = []
    for axis in range(3):
        for side in np.moveaxis(corners, axis, 0):
            found.append([side[0, 0], side[1, 0], side[1, 1], side[0, 1]])
    return np.array(found)


def cylinder(sizes: tuple[float, ...], reach: float) -> np.ndarray:
    """The faces around, and triangles that close both ends of a cylinder of some length."""
    radius, length = sizes
    low, high = between(length, reach)
    angle = np.linspace(0.0, 2.0 * np.pi, ROUND + 1)
    rim = radius * np.column_stack((np.cos(angle), np.sin(angle)))

    def ring(height: float) -> np.ndarray:
        return np.column_stack((rim, np.full(ROUND + 1, height)))

    found = [strips(ring(low), ring(high))]
    if length > 0.0:
        for height in (low, high):
            middle = np.tile((0.0, 0.0, height), (ROUND + 1, 1))
            found.append(strips(ring(height), middle))
    return np.concatenate(found)


def sphere(sizes: tuple[float, ...], reach: float) -> np.ndarray:
    """Rows of faces from pole to pole."""
    del reach
    (radius,) = sizes
    angle = np.linspace(0.0, 2.0 * np.pi, ROUND + 1)
    height = np.linspace(-0.5 * np.pi, 0.5 * np.pi, UP + 1)
    around = np.column_stack((np.cos(angle), np.sin(angle), np.zeros(ROUND + 1)))
    rows = [radius * (np.cos(h) * around + (0.0, 0.0, np.sin(h))) for h in height]
    return np.concatenate([strips(a, b) for a, b in zip(rows, rows[1:], strict=False)])


def strips(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Quadrilaterals between two lines of points, (points - 1, 4, 3)."""
    return np.stack((first[:-1], first[1:], second[1:], second[:-1]), axis=1)
