"""Moves the nodes of a model like those of the same model with another number of elements.

Elements of a part lie on the same sheet at any size: a node moves like the point on the other mesh's sheet
that is nearest to it at the start.
"""

import numpy as np
import pyvista as pv

from crumple.lab.traces.displacements import Displacements
from crumple.models.deck_mesh import DeckMesh


def moved_as(fine: DeckMesh, coarse: DeckMesh, several: list[Displacements]) -> list[Displacements]:
    """Displacements of the nodes of a mesh, from several displacements of another mesh.

    Nodes without a shell or solid do not move, nor do those of parts that the other mesh does not have.

    Args:
        several: displacements of the other mesh's nodes
    """
    part = part_of_nodes(fine)
    nodes: list[np.ndarray] = []
    corners: list[np.ndarray] = []
    weights: list[np.ndarray] = []
    for number in np.unique(coarse.part):
        mine = np.flatnonzero(part == number)
        if len(mine):
            of, by = nearest_points(triangles(coarse.corners[coarse.part == number]), coarse.x, fine.x[mine])
            nodes.append(mine), corners.append(of), weights.append(by)
    if not nodes:
        return [Displacements(fine.node[:0], fine.x[:0]) for _ in several]
    at, of, by = np.concatenate(nodes), np.concatenate(corners), np.concatenate(weights)
    order = np.argsort(at)
    found = []
    for one in several:
        moved = np.zeros_like(coarse.x)
        moved[np.searchsorted(coarse.node, one.node)] = one.moved
        found.append(
            Displacements(fine.node[at[order]], np.einsum("nc,nck->nk", by[order], moved[of[order]]))
        )
    return found


def part_of_nodes(mesh: DeckMesh) -> np.ndarray:
    """For each node a part that contains it; -1: none."""
    part = np.full(len(mesh.node), -1)
    for k in range(4):
        part[mesh.corners[:, k]] = mesh.part
    return part


def triangles(corners: np.ndarray) -> np.ndarray:
    """Two triangles for each quadrilateral."""
    return np.concatenate([corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]])


def nearest_points(of: np.ndarray, x: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The nearest triangle of each point, as its nodes, and their weights at the nearest place."""
    of = of[triangle_areas(of, x) > 0.0]
    surface = pv.PolyData.from_regular_faces(x, of)
    cells, places = surface.find_closest_cell(points, return_closest_point=True)
    corners = of[np.atleast_1d(cells)]
    return corners, weights_of(x[corners], np.atleast_2d(places))


def triangle_areas(of: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Twice their areas."""
    a, b, c = (x[of[:, k]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1)


def weights_of(corners: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Barycentric coordinates of places in triangles (n, 3, 3)."""
    a, u, v = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    w = places - a
    uu, uv, vv = (u * u).sum(1), (u * v).sum(1), (v * v).sum(1)
    wu, wv = (w * u).sum(1), (w * v).sum(1)
    whole = uu * vv - uv * uv
    second, third = (vv * wu - uv * wv) / whole, (uu * wv - uv * wu) / whole
    return np.clip(np.stack([1.0 - second - third, second, third], axis=1), 0.0, 1.0)
