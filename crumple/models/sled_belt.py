"""The path of a belt: a string that is pulled taut outside of bodies, in a plane through its ends."""

import numpy as np

from crumple.models.sled_mesh import Ellipsoid, Points

CLEAR = 3.0  #: mm between the string and the bodies
AROUND = 720  #: points of an ellipse


def section(body: Ellipsoid, origin: Points, axes: Points) -> Points:
    """Points of the ellipse in which a plane cuts a body, (n, 2); none if the plane misses it."""
    scaled = body.frame / body.half[:, None]
    p, a = scaled @ (origin - body.centre), scaled @ axes.T
    q = a.T @ a
    middle = -np.linalg.solve(q, a.T @ p)
    rest = 1.0 - np.sum((p + a @ middle) ** 2)
    if rest <= 1e-6:
        return np.empty((0, 2))
    turn = 2.0 * np.pi * np.arange(AROUND) / AROUND
    circle = np.column_stack([np.cos(turn), np.sin(turn)])
    # q = L L^T maps the ellipse to a circle: p = middle + sqrt(rest) L^-T circle.
    return middle + np.sqrt(rest) * np.linalg.solve(np.linalg.cholesky(q).T, circle.T).T


def hull(points: Points) -> Points:
    """The convex hull, from the lowest point of the smallest first coordinate, against the clock."""
    order = points[np.lexsort((points[:, 1], points[:, 0]))]

    def chain(of: Points) -> list[Points]:
        found: list[Points] = []
        for point in of:
            while len(found) > 1:
                (ax, ay), (bx, by) = found[-1] - found[-2], point - found[-1]
                if ax * by - ay * bx > 0:
                    break
                found.pop()
            found.append(point)
        return found[:-1]

    return np.array(chain(order) + chain(order[::-1]))


def taut_string(ends: tuple[Points, Points], through: Points, bodies: list[Ellipsoid]) -> Points:
    """The shortest line between two points in their plane with a third, outside of bodies, on its side.

    In a plane that is the convex hull of the ends and of what the plane cuts from the bodies on that side.
    """
    first, last = ends
    length = np.linalg.norm(last - first)
    along = (last - first) / length
    side = (through - first) - ((through - first) @ along) * along
    axes = np.array([along, side / np.linalg.norm(side)])
    cuts = np.concatenate([np.empty((0, 2)), *(section(b.grown(CLEAR), first, axes) for b in bodies)])
    points = np.concatenate([[[0.0, 0.0], [length, 0.0]], cuts[cuts[:, 1] > 1e-6]])
    ring = hull(points)
    start = int(np.argmin(np.abs(ring).sum(axis=1)))
    ring = np.roll(ring, -start, axis=0)  # from the first end against the clock: the last end is next
    line = np.concatenate([ring[1:], ring[:1]])[::-1]
    return first + line @ axes


def divided(line: Points, cell: float) -> Points:
    """Points at even distances along a line."""
    lengths = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    count = max(2, round(lengths[-1] / cell))
    at = np.linspace(0.0, lengths[-1], count + 1)
    return np.column_stack([np.interp(at, lengths, line[:, k]) for k in range(3)])
