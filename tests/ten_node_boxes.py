"""Boxes of tetrahedra with ten nodes, six to a cell."""

from collections.abc import Callable
from itertools import pairwise, product

from small_decks import Deck, Point

EDGES = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
ORDERS = ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2))


class TenNodeBox:
    """Cells of a box cut along their diagonals; `nodes` are numbers by place in half cells."""

    def __init__(
        self,
        deck: Deck,
        part: int,
        cells: tuple[int, int, int],
        size: Point,
        low: Point = (0.0, 0.0, 0.0),
        place: Callable[[Point], Point] = lambda p: p,
    ) -> None:
        self.deck, self.part, self.cells, self.size, self.low = deck, part, cells, size, low
        self.place = place
        self.nodes: dict[tuple[int, int, int], int] = {}
        self.elements: list[int] = []
        for cell in product(*map(range, cells)):
            for k, order in enumerate(ORDERS):
                corners = [tuple(2 * c for c in cell)]
                for axis in order:
                    corners.append(tuple(c + 2 * (a == axis) for a, c in enumerate(corners[-1])))
                if k >= 3:
                    corners[1], corners[2] = corners[2], corners[1]
                self._element(corners)

    def _element(self, corners: list[tuple[int, ...]]) -> None:
        middles = [tuple((a + b) // 2 for a, b in zip(corners[i], corners[j], strict=True)) for i, j in EDGES]
        numbers = [self._node(p) for p in [*corners, *middles]]
        self.deck.elements += 1
        self.elements.append(self.deck.elements)
        self.deck.lines += [
            "*ELEMENT_SOLID",
            f"{self.deck.elements},{self.part}",
            ",".join(map(str, numbers)),
        ]

    def _node(self, at: tuple[int, ...]) -> int:
        key = (at[0], at[1], at[2])
        if key not in self.nodes:
            self.nodes[key] = self.deck.node(self.place(self.point(key)))
        return self.nodes[key]

    def point(self, at: tuple[int, int, int]) -> Point:
        """Where a place in half cells is."""
        x = [
            low + size * k / (2 * n)
            for low, size, k, n in zip(self.low, self.size, at, self.cells, strict=True)
        ]
        return (x[0], x[1], x[2])

    def where(self, chosen: Callable[[Point], bool]) -> list[int]:
        """Numbers of nodes at points that are chosen."""
        return [n for at, n in self.nodes.items() if chosen(self.point(at))]

    def shares_of_end(self) -> dict[int, float]:
        """Shares of a uniform load on the face at the largest x: those of the quadratic shape functions, a
        third of each triangle at each of its middles and nothing at its corners."""
        _, ny, nz = self.cells
        shares: dict[int, float] = {}
        for j, k in product(range(ny), range(nz)):
            square = [(0, 0), (2, 0), (2, 2), (0, 2)]
            for triangle in ([square[0], square[1], square[2]], [square[0], square[2], square[3]]):
                for a, b in pairwise([*triangle, triangle[0]]):
                    at = (2 * self.cells[0], 2 * j + (a[0] + b[0]) // 2, 2 * k + (a[1] + b[1]) // 2)
                    shares[self.nodes[at]] = shares.get(self.nodes[at], 0.0) + 1 / (6 * ny * nz)
        return shares
