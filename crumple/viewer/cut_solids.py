"""Where a plane cuts solids: triangles in the plane, so that a model that is cut open is not hollow.

A solid is split into six tetrahedra around a diagonal; a plane cuts a tetrahedron in a triangle or
in a quadrilateral.
"""

import numpy as np

#: six tetrahedra around the diagonal from corner 0 to corner 6
TETRAHEDRA = np.array([[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]])


def cut_solids(
    nodes: np.ndarray, there: np.ndarray, x: np.ndarray, normal: np.ndarray, far: float
) -> tuple[np.ndarray, np.ndarray]:
    """Triangles (n, 3, 3) in the plane normal * x = far, and the solid of each (n,).

    Args:
        nodes: (solids, 8) places of nodes
        there: (solids,) whether each is not deleted
        x: (nodes, 3)
    """
    side = x @ normal - far
    corners = side[nodes]
    cut = np.flatnonzero(there & (corners.min(axis=1) < 0.0) & (corners.max(axis=1) >= 0.0))
    tets = nodes[cut][:, TETRAHEDRA].reshape(-1, 4)
    of = np.repeat(cut, len(TETRAHEDRA))
    below = side[tets] < 0.0
    count = below.sum(axis=1)
    points, solids = [np.zeros((0, 3, 3), dtype=np.float32)], [np.zeros(0, dtype=np.int64)]
    for wanted in (1, 2, 3):
        chosen = np.flatnonzero(count == wanted)
        # The corners below the plane first.
        order = np.argsort(~below[chosen], axis=1, kind="stable")
        a, b, c, d = np.take_along_axis(tets[chosen], order, axis=1).T
        edges = {
            1: [(a, b), (a, c), (a, d)],
            2: [(a, c), (a, d), (b, d), (b, c)],
            3: [(a, d), (b, d), (c, d)],
        }
        at = [crossing(x, side, p, q) for p, q in edges[wanted]]
        for k in range(len(at) - 2):
            points.append(np.stack((at[0], at[k + 1], at[k + 2]), axis=1))
            solids.append(of[chosen])
    return np.concatenate(points).astype(np.float32), np.concatenate(solids)


def crossing(x: np.ndarray, side: np.ndarray, p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Where edges from nodes p to nodes q cross the plane, (n, 3)."""
    part = side[p] / (side[p] - side[q])
    return x[p] + part[:, None] * (x[q] - x[p])
