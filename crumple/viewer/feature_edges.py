"""Edges that show the shape of a model: free ones, those between parts, and those where the surface bends."""

import numpy as np

from crumple.viewer.model_faces import NOBODY, ModelFaces

BEND = 30.0  #: degrees between two faces from which their edge is shown


def normals_of(faces: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Unit normals of faces, (n, 3); of a warped one that of its diagonals."""
    a, b, c, d = (x[faces[:, k]].astype(np.float32) for k in range(4))
    found = np.cross(c - a, d - b)
    return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-30)


def feature_edges(faces: ModelFaces, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Edges (n, 2) between nodes, and a face of each (n,).

    Args:
        x: (nodes, 3) initial coordinates
    """
    outside = np.flatnonzero(faces.owners[:, 1] == NOBODY)
    if not len(outside):
        return np.zeros((0, 2), dtype=np.int64), np.zeros(0, dtype=np.int64)
    quads = faces.nodes[outside]
    a, b = quads.ravel(), np.roll(quads, -1, axis=1).ravel()
    face = np.repeat(np.arange(len(quads)), 4)
    real = a != b
    low, high, face = np.minimum(a, b)[real], np.maximum(a, b)[real], face[real]
    most = int(quads.max()) + 1
    key = low * most + high
    order = np.argsort(key, kind="stable")
    key, face = key[order], face[order]
    starts = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
    counts = np.diff(np.append(starts, len(key)))
    shown = counts != 2
    two = starts[counts == 2]
    first, second = face[two], face[two + 1]
    normals = normals_of(quads, x)
    bent = np.abs(np.einsum("ij,ij->i", normals[first], normals[second])) < np.cos(np.radians(BEND))
    parts = faces.parts[outside]
    shown[counts == 2] = bent | (parts[first] != parts[second])
    found = key[starts[shown]]
    return np.column_stack((found // most, found % most)), outside[face[starts[shown]]]
