"""MacNeal and Harder's Scordelis-Lo roof and hemisphere with a hole, of shells and of one layer of solids.

The known value of the roof is that of shallow shell theory; fine meshes give 0.3006 to 0.3012. The one of the
hemisphere is the upper of those quoted, 0.0930 to 0.0940.
"""

from collections.abc import Callable

import numpy as np

from verification.deck import Deck, Point
from verification.implicit import SHELLS, SMALL, SOLIDS, Form, Table, sections, static
from verification.pieces import Held, Piece
from verification.problem import Figure, Problem
from verification.problems import hemisphere, scordelis_lo
from verification.results import Results

FORMS = [*SHELLS, *SOLIDS]
ROOF_DENSITY = 1.0
WHY = {
    "shell 2": "one point: coarse",
    "shell 10": "one point: coarse",
    "solid -2": "one layer has half of the bending stiffness; trapezoids through a curved thickness lock",
    "solid -1": "one layer has half of the bending stiffness; trapezoids through a curved thickness lock",
    "solid 2": "trilinear: locks in bending",
    "solid 1": "trapezoids through a curved thickness lock",
}


def roof(u: float, v: float, w: float) -> Point:
    """u from the diaphragm to the middle, v from the crown to the free edge."""
    a, r = scordelis_lo.ANGLE * v, scordelis_lo.RADIUS + scordelis_lo.THICKNESS * w
    return (scordelis_lo.HALF_LENGTH * u, float(r * np.sin(a)), float(r * np.cos(a)))


def sphere(u: float, v: float, w: float) -> Point:
    """u a quarter around from the pulled to the pushed point, v from the equator to the hole."""
    around, up, r = np.pi / 2 * u, hemisphere.TOP * v, hemisphere.RADIUS + 0.04 * w
    x, y = np.cos(up) * np.cos(around), np.cos(up) * np.sin(around)
    return (float(r * x), float(r * y), float(r * np.sin(up)))


class Shell:
    """One of the two: a quarter of it; `known` is the displacement along `axis` at the corner `at`."""

    def __init__(self, name, place, held, young, poisson, thickness, cells, at, axis, known, load, table):
        self.name, self.place, self.thickness, self.cells = name, place, thickness, cells
        self.held: Held = held
        self.young, self.poisson = young, poisson
        self.at, self.axis, self.known = at, axis, known
        self.load: Callable[[Deck, list[Piece]], None] = load
        self.table: Table = table

    def cases(self) -> list[tuple[Piece, Form]]:
        """Each form in each mesh."""
        chosen = [(form, cells) for form in FORMS for cells in self.cells]
        return [(Piece(p, form, (n, n), self.place), form) for p, (form, n) in enumerate(chosen, 1)]

    def decks(self) -> dict[str, Deck]:
        """All side by side."""
        deck = static(self.name)
        deck.elastic(1, ROOF_DENSITY, self.young, self.poisson)
        sections(deck, FORMS, self.thickness)
        watched: list[int] = []
        for piece, form in self.cases():
            piece.write(deck, FORMS.index(form) + 1, 1, form.name)
            piece.hold(deck, self.held)
            watched += piece.nodes(*self.at)
        self.load(deck, [piece for piece, _ in self.cases()])
        deck.node_history(watched)
        return {self.name: deck}

    def measure(self, results: dict[str, Results]) -> list[Figure]:
        """Displacement over the known one."""
        r, quantity = results[self.name], f"{'xyz'[self.axis - 1]}_displacement"
        figures = []
        for piece, form in self.cases():
            value = np.mean([r.node(n, quantity)[-1] for n in piece.nodes(*self.at)]) / SMALL
            figures.append(
                self.table.figure(form.name, piece.mesh, "displacement", float(value / self.known))
            )
        return figures


def weight(deck: Deck, pieces: list[Piece]) -> None:
    """90 on each unit of the middle surface."""
    pull = SMALL * scordelis_lo.WEIGHT / (ROOF_DENSITY * scordelis_lo.THICKNESS)
    deck.add("LOAD_BODY_Z", [1, pull])


def pull_and_push(deck: Deck, pieces: list[Piece]) -> None:
    """Forces of 2 on the whole: 1 on a quarter."""
    for piece in pieces:
        piece.push(deck, piece.nodes(0.0, 0.0), 1, SMALL)
        piece.push(deck, piece.nodes(1.0, 0.0), 2, -SMALL)


ROOF = Shell(
    "roof",
    roof,
    scordelis_lo.held,
    4.32e8,
    0.0,
    scordelis_lo.THICKNESS,
    (8, 16),
    (1.0, 1.0),
    3,
    -0.3024,
    weight,
    Table("roof", 0.015, WHY),
)
HEMISPHERE = Shell(
    "hemisphere",
    sphere,
    hemisphere.held,
    6.825e7,
    0.3,
    0.04,
    (8, 16),
    (0.0, 0.0),
    1,
    0.0940,
    pull_and_push,
    Table("hemisphere", 0.02, WHY),
)

PROBLEMS = [
    Problem(
        "implicit Scordelis-Lo roof",
        "Scordelis-Lo roof, elements along and around a quarter: displacement over the known one",
        "MacNeal and Harder (1985), Finite Elem. Anal. Des. 1, 3-20: 0.3024",
        ROOF.decks,
        ROOF.measure,
        ranks=(1,),
    ),
    Problem(
        "implicit hemisphere",
        "Hemisphere with a hole, elements around and up a quarter: displacement over the known one",
        "MacNeal and Harder (1985), Finite Elem. Anal. Des. 1, 3-20: 0.0940",
        HEMISPHERE.decks,
        HEMISPHERE.measure,
        ranks=(1,),
    ),
]
