"""The sled's driver airbag: two discs of fabric, sewn at the rim and folded from both sides to the middle.

Along the folds (v) the discs lie flat. Across them (u) a line in the middle of both goes out to `MIDDLE`,
turns up by half a circle, comes back by `LEAF`, turns up again, and so on; the discs lie `GAP` apart on
either side of that line, and meet on it at the rim. Lengths along the line are those of the flat disc.
"""

from dataclasses import dataclass

import numpy as np

from crumple.models.sled_mesh import Points, SledMesh, quads_of

MIDDLE, LEAF, LEAVES = 85.0, 58.0, 3  #: mm flat on each side, mm of a leaf, leaves of each side
RISE, GAP = 16.0, 5.0  #: mm from leaf to leaf, and between the two discs of a leaf
TURN = np.pi * RISE / 2.0  #: mm of a fold
RADIUS = MIDDLE + LEAVES * (TURN + LEAF)
BLUNT = 1.04  #: of the ellipse that ends the columns: the last column is a short edge
TURNS = 2  #: cells of a fold
HELD = 62.0  #: mm; the back disc is held by the hub inside of this radius


@dataclass(frozen=True)
class Bag:
    """Numbers of nodes: those that the hub holds."""

    held: np.ndarray


def columns(cell: float) -> np.ndarray:
    """Lengths along one half of the line at which nodes are, from the middle to the rim."""
    found = [np.linspace(0.0, MIDDLE, max(2, round(MIDDLE / cell)) + 1)]
    at = MIDDLE
    for _ in range(LEAVES):
        found.append(np.linspace(at, at + TURN, TURNS + 1)[1:])
        at += TURN
        found.append(np.linspace(at, at + LEAF, max(2, round(LEAF / cell)) + 1)[1:])
        at += LEAF
    return np.concatenate(found)


def split(numbers: np.ndarray) -> np.ndarray:
    """Triangles of a grid, the last node twice: quadrilaterals would fold along their diagonals."""
    a, b, c, d = quads_of(numbers).T
    i, j = np.divmod(np.arange(len(a)), numbers.shape[1] - 1)
    even = ((i + j) % 2 == 0)[:, None]
    first = np.where(even, np.stack([a, b, c, c], axis=1), np.stack([a, b, d, d], axis=1))
    second = np.where(even, np.stack([a, c, d, d], axis=1), np.stack([b, c, d, d], axis=1))
    return np.stack([first, second], axis=1).reshape(-1, 4)


def folded(length: float) -> tuple[Points, Points]:
    """A point of the line of one side and its normal, in (across, up)."""
    if length <= MIDDLE:
        return np.array([length, 0.0]), np.array([0.0, 1.0])
    leaf, rest = divmod(length - MIDDLE - 1e-9, TURN + LEAF)
    rest += 1e-9
    out = leaf % 2 == 0  # the turn is at the outer end
    end = MIDDLE if out else MIDDLE - LEAF
    sign = 1.0 if out else -1.0
    if rest < TURN:
        angle = rest / (RISE / 2.0) - np.pi / 2.0
        direction = np.array([sign * np.cos(angle), np.sin(angle)])
        centre = np.array([end, RISE * (leaf + 0.5)])
        # The normal points to the side of the front disc: to the centre of turns at the outer end.
        return centre + RISE / 2.0 * direction, -sign * direction
    return np.array([end - sign * (rest - TURN), RISE * (leaf + 1)]), np.array([0.0, -sign])


def mesh_bag(mesh: SledMesh, parts: tuple[int, int], origin: Points, frame: Points, cell: float) -> Bag:
    """The discs of a folded bag.

    Args:
        mesh: to add to
        parts: of the back disc and the front disc
        origin: middle of the back disc
        frame: rows: across the folds, along them, to the driver
        cell: size of elements
    """
    half = columns(cell)
    line = [(-s, *folded(s)) for s in half[:0:-1]] + [(s, *folded(s)) for s in half]
    rows = 2 * max(6, round(RADIUS / cell))
    t = np.linspace(-1.0, 1.0, rows + 1)
    points = np.empty((2, len(line), rows + 1, 3))
    flat = np.empty((len(line), rows + 1, 2))
    for k, (s, place, normal) in enumerate(line):
        mirror = np.array([np.sign(s) if s else 1.0, 1.0])
        along = t * RADIUS * np.sqrt(1.0 - (s / (BLUNT * RADIUS)) ** 2)
        inside = np.abs(t) < 1.0 if abs(s) < RADIUS - 1e-6 else np.zeros(rows + 1, dtype=bool)
        flat[k] = np.column_stack([np.full(rows + 1, s), along])
        for side, sign in enumerate((-1.0, 1.0)):
            two = (place + sign * GAP / 2.0 * inside[:, None] * normal) * mirror
            points[side, k] = np.column_stack([two[:, 0], along, two[:, 1] + GAP / 2.0])
    rim = np.zeros(flat.shape[:2], dtype=bool)
    rim[[0, -1]] = rim[:, [0, -1]] = True
    world = origin + points @ frame
    back = mesh.add(world[0])
    front = back.copy()
    front[~rim] = mesh.add(world[1][~rim])
    # Outwards: the back disc faces the hub, the front disc the driver, where they lie flat.
    turned = np.linalg.det(frame) > 0
    for part, numbers, outwards in ((parts[0], back, not turned), (parts[1], front, turned)):
        triangles = split(numbers)
        mesh.shell(part, triangles if outwards else triangles[:, [1, 0, 2, 3]])
    return Bag(back[np.hypot(*np.moveaxis(flat, -1, 0)) < HELD])
