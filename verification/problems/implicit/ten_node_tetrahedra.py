"""NAFEMS LE10 with tetrahedra of ten nodes (ELFORM 16), whose edges follow the ellipses."""

from itertools import pairwise, product

import numpy as np

from verification.deck import Deck, Point
from verification.implicit import SMALL, Form, static
from verification.problem import Figure, Problem
from verification.problems.implicit.nafems_stress import POISSON, SOURCE, YOUNG, ellipses
from verification.results import Results
from verification.stresses import parabola

#: cells across, around and through, of six tetrahedra each, and the tolerance
TOLERANCE = {(6, 9, 3): 0.04, (8, 12, 4): 0.02}
FORM = Form("solid", 16)
EDGES = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
ORDERS = ((0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2))
Place = tuple[int, int, int]


class Cut:
    """A piece whose cells are cut along their diagonals; nodes are numbered by place in half cells."""

    def __init__(self, part: int, cells: Place) -> None:
        self.part, self.cells = part, cells
        self.first = 100000 * part + 1
        self.nodes: dict[Place, int] = {}
        self.elements: dict[int, list[int]] = {}
        self.of_cell: dict[Place, list[int]] = {}
        for cell in product(*map(range, cells)):
            for order in ORDERS:
                self._add(cell, order)

    def _add(self, cell: Place, order: Place) -> None:
        corners = [np.array(cell) * 2]
        for axis in order:
            corners.append(corners[-1] + 2 * np.eye(3, dtype=int)[axis])
        if ORDERS.index(order) >= 3:
            corners[1], corners[2] = corners[2], corners[1]
        places = [*corners, *((corners[a] + corners[b]) // 2 for a, b in EDGES)]
        number = self.first + len(self.elements)
        self.elements[number] = [self._node(p) for p in places]
        self.of_cell.setdefault(cell, []).append(number)

    def _node(self, at: np.ndarray) -> int:
        key = (int(at[0]), int(at[1]), int(at[2]))
        return self.nodes.setdefault(key, self.first + len(self.nodes))

    def parameters(self, at: Place) -> Point:
        """u, v, w of a place."""
        u, v, w = (k / (2 * n) for k, n in zip(at, self.cells, strict=True))
        return (u, v, w - 0.5)

    def point(self, at: Place) -> Point:
        """Of the thick plate."""
        return ellipses(0.6)(*self.parameters(at))


def cases() -> list[Cut]:
    """Two meshes."""
    return [Cut(part, cells) for part, cells in enumerate(TOLERANCE, 1)]


def pressed(cut: Cut) -> dict[int, float]:
    """Forces of a unit pressure on the upper face: integrals of the quadratic shape functions."""
    rule = [(p, 1 / 6) for p in ((1 / 6, 1 / 6), (2 / 3, 1 / 6), (1 / 6, 2 / 3))]
    top = 2 * cut.cells[2]
    forces: dict[int, float] = {}
    for i, j in product(range(cut.cells[0]), range(cut.cells[1])):
        square = [(2 * i, 2 * j), (2 * i + 2, 2 * j), (2 * i + 2, 2 * j + 2), (2 * i, 2 * j + 2)]
        for triangle in ([square[0], square[1], square[2]], [square[0], square[2], square[3]]):
            middles = [
                ((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) for a, b in pairwise([*triangle, triangle[0]])
            ]
            places = [(*p, top) for p in [*triangle, *middles]]
            x = np.array([cut.point(p)[:2] for p in places])
            for (r, s), weight in rule:
                t = 1 - r - s
                shape = [t * (2 * t - 1), r * (2 * r - 1), s * (2 * s - 1), 4 * t * r, 4 * r * s, 4 * s * t]
                slope = np.array(
                    [
                        [1 - 4 * t, 4 * r - 1, 0, 4 * (t - r), 4 * s, -4 * s],
                        [1 - 4 * t, 0, 4 * s - 1, -4 * r, 4 * r, 4 * (t - s)],
                    ]
                )
                area = weight * abs(np.linalg.det(slope @ x))
                for place, n in zip(places, shape, strict=True):
                    forces[cut.nodes[place]] = forces.get(cut.nodes[place], 0.0) + float(area * n)
    return forces


def decks() -> dict[str, Deck]:
    """A quarter of the thick plate under 1 MPa; its outer face is held along z on the middle plane only."""
    deck = static("LE10")
    deck.elastic(1, 8000.0, YOUNG, POISSON)
    deck.solid_section(1, 16)
    for cut in cases():
        deck.part(cut.part, 1, 1, str(cut.cells))
        deck.nodes({n: cut.point(at) for at, n in cut.nodes.items()})
        deck.solids(cut.part, cut.elements)
        for at, n in cut.nodes.items():
            u, v, w = cut.parameters(at)
            outer = u == 1
            held = [v == 1 or outer, v == 0 or outer, outer and w == 0]
            if any(held):
                deck.add("BOUNDARY_SPC_NODE", [n, 0, *map(int, held), 0, 0, 0])
        deck.add("LOAD_NODE_POINT", *([n, 3, 1, -SMALL * 1e6 * f] for n, f in pressed(cut).items()))
    return {"LE10": deck}


def stress_at_point(r: Results, cut: Cut) -> float:
    """Along y on the upper face, at the inner ellipse on the x axis: by parabolas through cells' means."""
    rules = [parabola(n, at * n) for n, at in zip(cut.cells, (0.0, 0.0, 1.0), strict=True)]
    total = 0.0
    for index in product(range(3), repeat=3):
        weight = float(np.prod([rule[1][k] for rule, k in zip(rules, index, strict=True)]))
        i, j, k = (rule[0][m] for rule, m in zip(rules, index, strict=True))
        of_cell = [r.stress("solid", e).reshape(-1, 6)[0][1] for e in cut.of_cell[i, j, k]]
        total += weight * float(np.mean(of_cell))
    return total


def measure(results: dict[str, Results]) -> list[Figure]:
    """Stress over the known one."""
    figures = []
    for cut in cases():
        value = stress_at_point(results["LE10"], cut) / (SMALL * -5.38e6)
        mesh = " x ".join(map(str, cut.cells))
        figures.append(Figure(f"{FORM.name}, {mesh}", "stress", 1.0, value, TOLERANCE[cut.cells]))
    return figures


PROBLEM = Problem(
    "implicit NAFEMS LE10 tetrahedra",
    "Thick plate under pressure, cells of six tetrahedra of ten nodes: stress over the known one",
    f"{SOURCE}, test LE10: -5.38 MPa",
    decks,
    measure,
    ranks=(1,),
)
