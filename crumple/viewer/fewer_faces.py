"""A model with fewer faces: drawn while it turns, and in pages that must stay small.

Nodes in a cube of the undeformed model are replaced by the one that is next to their middle, each part for
itself (Rossignac and Borrel, 1993). The nodes that are left are nodes of the model, so its states fit.
"""

import numpy as np

from crumple.viewer.model_faces import NOBODY, ModelFaces
from crumple.watch.model_surface import clusters


def fewer_faces(faces: ModelFaces, x: np.ndarray, limit: int) -> ModelFaces:
    """At most `limit` triangles for the outer faces of a model, each with an owner that it stands for.

    Args:
        x: (nodes, 3) initial coordinates
    """
    chosen = np.flatnonzero(faces.owners[:, 1] == NOBODY)
    quads, part = faces.nodes[chosen], faces.parts[chosen]
    if not len(quads):
        return ModelFaces(quads, faces.owners[chosen], part)
    used, first = np.unique(quads.ravel(), return_index=True)
    of_node = part[first // 4]  # a node that parts share goes with the first of them
    places = x[used].astype(float)
    edge = np.linalg.norm(x[quads[:, 0]] - x[quads[:, 1]], axis=1)
    now = 2 * len(quads) - int((quads[:, 2] == quads[:, 3]).sum())
    size = (float(np.median(edge)) or 1.0) * max(1.0, np.sqrt(now / limit))
    moved = np.arange(len(x))
    while True:
        moved[used] = used[clusters(places, of_node, size)]
        kept, triangles = distinct_triangles(moved[quads])
        if len(triangles) <= limit:
            nodes = triangles[:, [0, 1, 2, 2]]
            return ModelFaces(nodes, faces.owners[chosen[kept]], part[kept])
        size *= 1.25


def distinct_triangles(quads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The triangles of quadrilaterals that have an area, each once: quadrilateral of each, nodes (n, 3)."""
    triangles = np.concatenate((quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]))
    of = np.tile(np.arange(len(quads)), 2)
    a, b, c = triangles.T
    good = np.flatnonzero((a != b) & (b != c) & (c != a))
    ordered = np.sort(triangles[good], axis=1)
    order = np.lexsort(ordered.T)
    ordered = ordered[order]
    new = np.append(True, np.any(ordered[1:] != ordered[:-1], axis=1))[: len(order)]
    kept = np.sort(good[order[new]])
    return of[kept], triangles[kept]
