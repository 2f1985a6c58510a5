"""The faces of a model that are seen in any state, found once for all states.

A face between two solids is kept if one of them is deleted in some state, or if they are of different parts:
it is seen when one of the two is there and the other is not. So no state needs a surface of its own.
"""

from dataclasses import dataclass

import numpy as np

from crumple.results.d3plot_file import PlotFamily
from crumple.watch.plot_family import SOLID_FACES

NOBODY = 0xFFFFFFFF  #: instead of a second element
KINDS = ("solid", "shell", "beam", "particle", "thick_shell")  #: the order in which elements are counted


@dataclass(frozen=True)
class ModelFaces:
    """Faces of four nodes, of triangles the last two equal.

    Attributes:
        nodes: (faces, 4) places of nodes, from 0
        owners: (faces, 2) elements of which it is a face, counted over all kinds; NOBODY: outside
        parts: (faces,) places of the parts of the first owners
    """

    nodes: np.ndarray
    owners: np.ndarray
    parts: np.ndarray

    def __len__(self) -> int:
        return len(self.nodes)


def first_of(family: PlotFamily, kind: str) -> int:
    """The count of elements of the kinds before this one."""
    return sum(len(family.elements[k].ids) for k in KINDS[: KINDS.index(kind)])


def lines_of(family: PlotFamily) -> tuple[np.ndarray, np.ndarray]:
    """Beams, and particles as lines without a length: nodes (n, 2), and the element of each (n,)."""
    beams, particles = (family.elements[kind].nodes for kind in ("beam", "particle"))
    nodes = np.concatenate((beams[:, :2], np.repeat(particles, 2, axis=1)))
    return nodes, first_of(family, "beam") + np.arange(len(nodes))


def ever_deleted(family: PlotFamily, kind: str) -> np.ndarray:
    """(n,) whether an element is deleted in some state."""
    alive, found = family.alive(kind), np.zeros(len(family.elements[kind].ids), dtype=bool)
    if f"{kind}_flags" in family.places and len(found):
        for state in range(len(family.states)):
            found |= ~alive.read(state)
    return found


def triangles_last(faces: np.ndarray) -> np.ndarray:
    """Faces with a repeated node as (a, b, c, c); those with fewer than three nodes are as they were."""
    a, b, c, d = faces.T
    found = faces.copy()
    for same, order in ((a == b, (1, 2, 3, 3)), (b == c, (0, 1, 3, 3)), (a == d, (0, 1, 2, 2))):
        found[same] = faces[same][:, order]
    return found


def has_area(faces: np.ndarray) -> np.ndarray:
    """(n,) whether a face has three different nodes or more."""
    a, b, c = faces[:, :3].T
    return (a != b) & (b != c) & (c != a)


def pairs_of(faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places of faces with the same nodes (pairs, 2), and of the faces that occur once."""
    ordered = np.sort(faces, axis=1)  # a triangle has its largest node twice, or another one
    doubled = ordered[:, 1] == ordered[:, 2]
    first = ordered[:, 0] == ordered[:, 1]
    ordered[doubled, 2] = ordered[doubled, 3]
    ordered[first, 1:3] = ordered[first, 2:4]
    most = int(faces.max()) + 1
    low, high = ordered[:, 0] * most + ordered[:, 1], ordered[:, 2] * most + ordered[:, 3]
    order = np.lexsort((high, low))
    same = (np.diff(low[order]) == 0) & (np.diff(high[order]) == 0)
    at = np.flatnonzero(same)
    alone = ~(np.append(False, same) | np.append(same, False))
    return np.column_stack((order[at], order[at + 1])), np.sort(order[alone])


def solid_faces(family: PlotFamily, kind: str) -> list[ModelFaces]:
    """The faces of solids or thick shells: those outside, and those inside that are seen in some state."""
    solids = family.elements.get(kind)
    if solids is None or not len(solids.ids):
        return []
    first = first_of(family, kind)
    faces = triangles_last(solids.nodes.astype(np.int64)[:, SOLID_FACES].reshape(-1, 4))
    of = np.repeat(np.arange(len(solids.ids)), 6)
    good = has_area(faces)
    faces, of = faces[good], of[good]
    pairs, alone = pairs_of(faces)
    outside = np.column_stack((first + of[alone], np.full(len(alone), NOBODY)))
    found = [ModelFaces(faces[alone], outside, solids.parts[of[alone]])]
    gone = ever_deleted(family, kind)
    both = of[pairs]
    seen = gone[both].any(axis=1) | (solids.parts[both[:, 0]] != solids.parts[both[:, 1]])
    inner = pairs[seen, 0]
    return [*found, ModelFaces(faces[inner], first + both[seen], solids.parts[of[inner]])]


def faces_of_model(family: PlotFamily) -> ModelFaces:
    """All faces that can be seen: of shells, solids and thick shells."""
    shells, first = family.elements["shell"], first_of(family, "shell")
    owners = np.full((len(shells.ids), 2), NOBODY)
    owners[:, 0] = first + np.arange(len(shells.ids))
    faces = triangles_last(shells.nodes.astype(np.int64))
    good = has_area(faces)
    of_shells = ModelFaces(faces[good], owners[good], shells.parts[good])
    found = [*solid_faces(family, "solid"), of_shells, *solid_faces(family, "thick_shell")]
    return ModelFaces(
        np.concatenate([one.nodes for one in found]),
        np.concatenate([one.owners for one in found]),
        np.concatenate([one.parts for one in found]),
    )
