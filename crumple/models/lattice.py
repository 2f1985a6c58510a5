"""Shell panels and solid blocks on one lattice, so that neighbours share their nodes."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

Index = tuple[int, int, int]


@dataclass
class Mesh:
    """Nodes and elements of one structure; nodes are made where panels first need them.

    `place` maps lattice coordinates (i, j, k) to a position.
    """

    place: Callable[[Index], np.ndarray]
    nodes: dict[Index, int] = field(default_factory=dict)
    positions: list[np.ndarray] = field(default_factory=list)
    shells: dict[int, list[tuple[int, int, int, int]]] = field(default_factory=dict)
    solids: dict[int, list[tuple[int, ...]]] = field(default_factory=dict)
    taken: set[frozenset[int]] = field(default_factory=set)

    def node(self, index: Index) -> int:
        """Number (from 0) of the node at a lattice point."""
        if index not in self.nodes:
            self.nodes[index] = len(self.positions)
            self.positions.append(self.place(index))
        return self.nodes[index]

    def free_node(self, position: np.ndarray) -> int:
        """Number of a new node off the lattice."""
        self.positions.append(position)
        return len(self.positions) - 1

    def panel(self, part: int, axis: int, at: int, first: Iterable[int], second: Iterable[int]) -> None:
        """Quadrilaterals on the lattice plane `axis` = `at`.

        `first` and `second` are the cells along the two other axes in cyclic order; a cell that a panel
        has taken already stays with its first part.
        """
        u, v = (axis + 1) % 3, (axis + 2) % 3
        cells = list(second)
        for a in first:
            for b in cells:
                corners = []
                for da, db in ((0, 0), (1, 0), (1, 1), (0, 1)):
                    index = [0, 0, 0]
                    index[axis], index[u], index[v] = at, a + da, b + db
                    corners.append(self.node((index[0], index[1], index[2])))
                self.shell(part, (corners[0], corners[1], corners[2], corners[3]))

    def shell(self, part: int, corners: tuple[int, int, int, int]) -> None:
        """One quadrilateral, unless these nodes carry one already."""
        key = frozenset(corners)
        if key in self.taken:
            return
        self.taken.add(key)
        self.shells.setdefault(part, []).append(corners)

    def tube(
        self, part: int, axis: int, cells: Iterable[int], u: tuple[int, int], v: tuple[int, int]
    ) -> None:
        """A rectangular tube along `axis`; `u` and `v` are its sides' planes on the other two axes."""
        cells = list(cells)
        b, c = (axis + 1) % 3, (axis + 2) % 3
        for at in u:
            self.panel(part, b, at, range(*v), cells)
        for at in v:
            self.panel(part, c, at, cells, range(*u))

    def block(self, part: int, x: range, y: range, z: range) -> None:
        """Bricks that fill the cells."""
        for i in x:
            for j in y:
                for k in z:
                    lower = [self.node((i + a, j + b, k)) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
                    upper = [self.node((i + a, j + b, k + 1)) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
                    self.solids.setdefault(part, []).append(tuple(lower + upper))

    def elements(self) -> int:
        """Number of elements so far."""
        return sum(map(len, self.shells.values())) + sum(map(len, self.solids.values()))
