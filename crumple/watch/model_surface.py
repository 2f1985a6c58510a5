"""The surface of a model as triangles, with fewer of them where a model has very many."""

from dataclasses import dataclass

import numpy as np

from crumple.watch.plot_family import SOLID_FACES, Geometry, PlotShape

LIMIT = 150_000  #: triangles that are sent to the browser
DELETED = 65535  #: instead of the value of a triangle
FULL = 65534.0  #: the value that stands for the highest one


@dataclass(frozen=True)
class Surface:
    """Triangles between nodes, each of one face of an element."""

    nodes: np.ndarray  #: (points,) nodes of the model, from 0
    triangles: np.ndarray  #: (triangles, 3) points
    parts: np.ndarray  #: (triangles,) from 0
    edges: np.ndarray  #: (triangles,) bits: 1, 2, 4 where the side after corner 0, 1, 2 is an edge of a face
    faces: np.ndarray  #: faces by triangle, all of one behind each other
    first: np.ndarray  #: (triangles,) where the faces of each begin
    whole: int  #: triangles of the whole surface
    key: int  #: which solids are deleted in it


@dataclass(frozen=True)
class Faces:
    """Faces of four nodes, of triangles the last two equal; `element` counts solids, then shells."""

    nodes: np.ndarray
    part: np.ndarray
    element: np.ndarray


def faces_of(geometry: Geometry, alive: np.ndarray) -> Faces:
    """Faces of all shells, and those of solids that no other solid shares.

    Args:
        alive: (solids,) whether each is left
    """
    nodes = [geometry.shell_nodes[:, :4] - 1]
    part = [geometry.shell_nodes[:, 4] - 1]
    element = [geometry.solids + np.arange(geometry.shells)]
    solids = np.flatnonzero(alive)
    if len(solids):
        all_faces = (geometry.solid_nodes[solids][:, SOLID_FACES] - 1).reshape(-1, 4)
        of = np.repeat(solids, 6)
        single = outer(all_faces)
        nodes.append(all_faces[single])
        part.append(geometry.solid_nodes[of[single], 8] - 1)
        element.append(of[single])
    return Faces(*(np.concatenate(lists).astype(np.int64) for lists in (nodes, part, element)))


def outer(faces: np.ndarray) -> np.ndarray:
    """Places of the faces that occur once."""
    ordered = np.sort(faces, axis=1)
    most = int(faces.max()) + 1
    low, high = ordered[:, 0] * most + ordered[:, 1], ordered[:, 2] * most + ordered[:, 3]
    order = np.lexsort((high, low))
    same = (np.diff(low[order]) == 0) & (np.diff(high[order]) == 0)
    alone = ~(np.append(False, same) | np.append(same, False))
    return np.sort(order[alone])


def triangles_of(faces: Faces) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Triangles (n, 3) that have an area, the face of each, and which sides are edges of it."""
    quads = faces.nodes
    triangles = np.concatenate((quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]))
    face = np.tile(np.arange(len(quads)), 2)
    whole = quads[:, 2] == quads[:, 3]
    edges = np.concatenate((np.where(whole, 7, 3), np.full(len(quads), 6)))
    a, b, c = triangles.T
    good = (a != b) & (b != c) & (c != a)
    return triangles[good], face[good], edges[good]


def clusters(x: np.ndarray, part: np.ndarray, size: float) -> np.ndarray:
    """Nodes by the cube of this size in which they are, each part for itself: the first node of each."""
    cell = np.floor((x - x.min(axis=0)) / size).astype(np.int64)
    counts = cell.max(axis=0) + 1
    key = ((part * counts[0] + cell[:, 0]) * counts[1] + cell[:, 1]) * counts[2] + cell[:, 2]
    _, first, cluster = np.unique(key, return_index=True, return_inverse=True)
    return first[cluster]


def surface_of(geometry: Geometry, shape: PlotShape, limit: int = LIMIT) -> Surface:
    """The surface of a state, for all states in which the same solids are left."""
    alive = ~np.isnan(shape.solids)
    faces = faces_of(geometry, alive)
    triangles, face, edges = triangles_of(faces)
    whole, part = len(triangles), faces.part[face]
    if whole > limit:
        triangles, part, face, starts = coarse(geometry, triangles, part, face, limit)
        edges = np.full(len(triangles), 7)
    else:
        starts = np.arange(whole)
    nodes, points = np.unique(triangles, return_inverse=True)
    return Surface(
        nodes=nodes,
        triangles=points.reshape(-1, 3),
        parts=part,
        edges=edges,
        faces=faces.element[face],
        first=starts,
        whole=whole,
        key=key_of(shape),
    )


def key_of(shape: PlotShape) -> int:
    """A number that is the same for states in which the same solids are left."""
    return hash(np.packbits(np.isnan(shape.solids)).tobytes())


def coarse(
    geometry: Geometry, triangles: np.ndarray, part: np.ndarray, face: np.ndarray, limit: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Triangles between one node of each cube (Rossignac and Borrel, 1993), on the undeformed model.

    Cubes are enlarged until there are few enough triangles. Those with the same three nodes become one.
    """
    x = geometry.start.astype(float)
    of_node = np.zeros(geometry.nodes, dtype=np.int64)
    of_node[triangles.ravel()] = np.repeat(part, 3)
    used = np.unique(triangles)
    edge = np.linalg.norm(x[triangles[:, 0]] - x[triangles[:, 1]], axis=1)
    size = float(np.median(edge)) * np.sqrt(len(triangles) / limit)
    size = size if size > 0 else 1.0
    while True:
        moved = np.arange(geometry.nodes)
        moved[used] = used[clusters(x[used], of_node[used], size)]
        corners = np.sort(moved[triangles], axis=1)
        good = np.flatnonzero((corners[:, 0] != corners[:, 1]) & (corners[:, 1] != corners[:, 2]))
        order = good[np.lexsort(corners[good].T)]
        new = np.append(True, np.any(np.diff(corners[order], axis=0) != 0, axis=1))[: len(order)]
        if new.sum() <= limit:
            kept = order[new]
            return corners[kept], part[kept], face[order], np.flatnonzero(new)
        size *= 1.2


def values_of(surface: Surface, shape: PlotShape) -> np.ndarray:
    """The plastic strain of each triangle, the largest of its faces; NaN where all of them are deleted."""
    values = np.concatenate((shape.solids, shape.shells))[surface.faces]
    if not len(values):
        return values
    return np.fmax.reduceat(values, surface.first)


def scaled_positions(surface: Surface, shape: PlotShape) -> tuple[np.ndarray, list[float], list[float]]:
    """Positions as 16-bit numbers within their box: these, its lowest corner, its size."""
    x = shape.positions[surface.nodes].astype(float)
    if not len(x):
        return np.zeros((0, 3), dtype="<u2"), [0.0] * 3, [1.0] * 3
    good = np.isfinite(x).all(axis=1)
    low = x[good].min(axis=0) if good.any() else np.zeros(3)
    size = np.maximum(x[good].max(axis=0) - low, 1e-30) if good.any() else np.ones(3)
    scaled = np.round(65535.0 * (np.where(good[:, None], x, low) - low) / size)
    return scaled.astype("<u2"), low.tolist(), size.tolist()


def scaled_values(values: np.ndarray) -> tuple[np.ndarray, float]:
    """Values as 16-bit numbers, and the highest one."""
    highest = float(np.nanmax(values, initial=0.0)) if len(values) else 0.0
    scaled = np.round(FULL * np.clip(np.nan_to_num(values), 0.0, None) / max(highest, 1e-30))
    return np.where(np.isnan(values), DELETED, scaled).astype("<u2"), highest
