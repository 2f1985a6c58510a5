"""MacNeal and Harder's curved and twisted cantilevers.

The values of the curved beam are those of MacNeal and Harder; a fine mesh of solids gives 0.08852 in the
plane, and the force in the plane acts along the radius.
"""

import numpy as np

from verification.deck import Deck, Point
from verification.implicit import SHELLS, SMALL, SOLIDS, Form, Table, sections, static
from verification.pieces import Piece
from verification.problem import Figure, Problem
from verification.results import Results

FORMS = [*SHELLS, *SOLIDS]


def curved(u: float, v: float, w: float) -> Point:
    """A quarter of a circle, u along, v from outside to inside."""
    r, a = 4.32 - 0.2 * v, np.pi / 2 * u
    return (float(r * np.cos(a)), float(r * np.sin(a)), 0.1 * w)


def twisted(u: float, v: float, w: float) -> Point:
    """A quarter of a turn over the length; at the tip the width points along z."""
    a, s, t = np.pi / 2 * u, 1.1 * (v - 0.5), 0.32 * w
    y, z = s * np.cos(a) - t * np.sin(a), s * np.sin(a) + t * np.cos(a)
    return (12.0 * u, float(y), float(z))


class Cantilever:
    """One of the two: place, law and cells, and by load its direction and the known displacement along it."""

    def __init__(self, name, place, young, poisson, thickness, cells, loads, table: Table) -> None:
        self.name, self.place, self.thickness, self.cells = name, place, thickness, cells
        self.young, self.poisson = young, poisson
        self.loads: dict[str, tuple[int, float]] = loads
        self.table = table

    def cases(self) -> list[tuple[Piece, Form, tuple[int, int], str]]:
        """Each form in each mesh under each load."""
        chosen = [(form, cells, load) for form in FORMS for cells in self.cells for load in self.loads]
        return [
            (Piece(part, form, cells, self.place), form, cells, load)
            for part, (form, cells, load) in enumerate(chosen, 1)
        ]

    def decks(self) -> dict[str, Deck]:
        """All side by side."""
        deck = static(self.name)
        deck.elastic(1, 1.0, self.young, self.poisson)
        sections(deck, FORMS, self.thickness)
        watched: list[int] = []
        for piece, form, _, load in self.cases():
            piece.write(deck, FORMS.index(form) + 1, 1, f"{form.name}, {load}")
            piece.hold(deck, lambda u, v: [u == 0] * 6)
            piece.push_edge(deck, self.loads[load][0], SMALL)
            watched += piece.nodes(u=1.0)
        deck.node_history(watched)
        return {self.name: deck}

    def measure(self, results: dict[str, Results]) -> list[Figure]:
        """Displacement of the tip over the known one."""
        figures = []
        for piece, form, cells, load in self.cases():
            axis, expected = self.loads[load]
            r = results[self.name]
            value = np.mean([r.node(n, f"{'xyz'[axis - 1]}_displacement")[-1] for n in piece.nodes(u=1.0)])
            case = f"{cells[0]} x {cells[1]}"
            figures.append(self.table.figure(form.name, case, load, float(value / (SMALL * expected))))
        return figures


CURVED = Cantilever(
    "curved",
    curved,
    1e7,
    0.25,
    0.1,
    [(6, 1), (24, 4)],
    {"in plane": (2, 0.08734), "out of plane": (3, 0.5022)},
    Table(0.03, {}, {}),
)
TWISTED = Cantilever(
    "twisted",
    twisted,
    29e6,
    0.22,
    0.32,
    [(12, 2), (24, 4)],
    {"in plane": (3, 5.424e-3), "out of plane": (2, 1.754e-3)},
    Table(0.02, {}, {}),
)

PROBLEMS = [
    Problem(
        "implicit curved beam",
        "Curved cantilever, elements along and over the depth: tip displacement over the known one",
        "MacNeal and Harder (1985), Finite Elem. Anal. Des. 1, 3-20, table 3",
        CURVED.decks,
        CURVED.measure,
        ranks=(1,),
    ),
    Problem(
        "implicit twisted beam",
        "Cantilever twisted by 90 degrees, elements along and across: tip displacement over the known one",
        "MacNeal and Harder (1985), Finite Elem. Anal. Des. 1, 3-20, table 3",
        TWISTED.decks,
        TWISTED.measure,
        ranks=(1,),
    ),
]
