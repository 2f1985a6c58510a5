"""Node sets of a deck as numbers, and the rectangle through the nodes of a cross section."""

from dataclasses import dataclass

import numpy as np

from crumple.deck.deck_block import DeckBlock
from crumple.deck.transformation import FilePlacement

COLUMNS = [str(k) for k in range(1, 9)]
FLAT = 1e-6  #: of the length of a section: below it its nodes are on a line


@dataclass(frozen=True)
class NodeSet:
    """Numbers of nodes: first, last and step of each range, (n, 3)."""

    ranges: np.ndarray

    def chosen(self, ids: np.ndarray) -> np.ndarray:
        """(n,) whether each of some nodes is in the set."""
        single = self.ranges[:, 0] == self.ranges[:, 1]
        found = np.isin(ids, self.ranges[single, 0])
        for first, last, step in self.ranges[~single]:
            found |= (ids >= first) & (ids <= last) & ((ids - first) % step == 0)
        return found


def node_set_of(block: DeckBlock, placement: FilePlacement) -> NodeSet | None:
    """The set of a block of *SET_NODE; None if it is made of other sets, boxes or parts."""
    known = block.resolved
    what = known.layout.name if known else ""
    if what not in READERS:
        return None
    (record, *_) = block.records()
    names = ["ID"] if what == "SET_NODE_COLUMN" else COLUMNS
    columns = [[int(n) if isinstance(n, int | float) else 0 for n in record.rows(name)] for name in names]
    rows = np.array(columns, dtype=np.int64).T.reshape(-1, len(names))
    rows = READERS[what](rows)
    rows = rows[rows[:, 0] > 0]
    shift = placement.number(1, "node") - 1
    return NodeSet(rows + [shift, shift, 0])


def of_list(rows: np.ndarray) -> np.ndarray:
    """Numbers one by one."""
    single = rows.reshape(-1, 1)
    return np.hstack((single, single, np.ones_like(single)))


def of_pairs(rows: np.ndarray) -> np.ndarray:
    """First and last, four times a line."""
    pairs = rows.reshape(-1, 2)
    return np.hstack((pairs, np.ones_like(pairs[:, :1])))


def of_steps(rows: np.ndarray) -> np.ndarray:
    """First, last and step, once a line."""
    return np.hstack((rows[:, :2], np.maximum(rows[:, 2:3], 1)))


READERS = {
    "SET_NODE_LIST": of_list,
    "SET_NODE_COLUMN": of_list,
    "SET_NODE_LIST_GENERATE": of_pairs,
    "SET_NODE_LIST_GENERATE_INCREMENT": of_steps,
}


def rectangle_of(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray] | None:
    """Corner, both sides and unit normal of the rectangle around nodes in the plane that fits them best.

    Args:
        x: (n, 3)

    Returns:
        None if they are on a line.
    """
    if len(x) < 3:
        return None
    middle = x.mean(axis=0)
    _, sizes, axes = np.linalg.svd(np.asarray(x - middle, dtype=float), full_matrices=False)
    if len(sizes) < 2 or not sizes[1] > FLAT * sizes[0]:
        return None
    along, across = axes[0], axes[1]
    places = (x - middle) @ axes[:2].T
    low, high = places.min(axis=0), places.max(axis=0)
    corner = middle + low[0] * along + low[1] * across
    return corner, (high[0] - low[0]) * along, (high[1] - low[1]) * across, np.cross(along, across)
