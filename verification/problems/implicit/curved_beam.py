"""MacNeal and Harder's curved and twisted cantilevers.

The values of the curved beam are those of MacNeal and Harder; a fine mesh of solids gives 0.08852 in the
plane, and the force in the plane acts along the radius.
"""

import numpy as np

from verification.deck import Deck, Point
from verification.implicit import SHELLS, SMALL, SOLIDS, Table, sections, static
from verification.pieces import Piece
from verification.problem import Figure, Problem
from verification.results import Results

FORMS = [*SHELLS, *SOLIDS]
WHY = {
    "shell 16": "coarse: QUAD4 of the source gives 0.83 and 0.95",
    "shell -16": "coarse: QUAD4 of the source gives 0.83 and 0.95",
    "shell 2": "one point: too few rows",
    "shell 10": "one point: too few rows",
    "solid -2": "one element through the thickness or depth has half of its bending stiffness",
    "solid -1": "one element through the thickness or depth has half of its bending stiffness",
    "solid 2": "trilinear: locks in bending",
    "solid 1": "coarse, and its elements are trapezoids",
}


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

    def cases(self) -> list[tuple[Piece, str]]:
        """Each form in each mesh under each load."""
        chosen = [
            (form, cells, layers, load)
            for form in FORMS
            for cells, layers in self.cells
            for load in self.loads
            if layers == 1 or form.kind == "solid"
        ]
        return [
            (Piece(part, form, cells, self.place, layers), load)
            for part, (form, cells, layers, load) in enumerate(chosen, 1)
        ]

    def decks(self, size: float = 1.0) -> dict[str, Deck]:
        """All side by side; loads of `size` times the small share."""
        deck = static(self.name, size=size)
        deck.elastic(1, 1.0, self.young, self.poisson)
        sections(deck, FORMS, self.thickness)
        watched: list[int] = []
        for piece, load in self.cases():
            form = piece.form
            piece.write(deck, FORMS.index(form) + 1, 1, f"{form.name}, {load}")
            piece.hold(deck, lambda u, v: [u == 0] * 6)
            piece.push_edge(deck, self.loads[load][0], SMALL)
            watched += piece.nodes(u=1.0)
        deck.node_history(watched)
        return {self.name: deck}

    def measure(self, results: dict[str, Results]) -> list[Figure]:
        """Displacement of the tip over the known one."""
        figures = []
        for piece, load in self.cases():
            axis, expected = self.loads[load]
            r = results[self.name]
            value = np.mean([r.node(n, f"{'xyz'[axis - 1]}_displacement")[-1] for n in piece.nodes(u=1.0)])
            figures.append(
                self.table.figure(piece.form.name, piece.mesh, load, float(value / (SMALL * expected)))
            )
        return figures


CURVED = Cantilever(
    "curved",
    curved,
    1e7,
    0.25,
    0.1,
    [((6, 1), 1), ((24, 4), 1), ((24, 4), 4)],
    {"in plane": (2, 0.08734), "out of plane": (3, 0.5022)},
    Table("curved beam", 0.035, WHY),
)
TWISTED = Cantilever(
    "twisted",
    twisted,
    29e6,
    0.22,
    0.32,
    [((12, 2), 1), ((24, 4), 1), ((24, 4), 4)],
    {"in plane": (3, 5.424e-3), "out of plane": (2, 1.754e-3)},
    Table("twisted beam", 0.02, WHY),
)

PROBLEMS = [
    Problem(
        "implicit curved beam",
        "Curved cantilever, elements along, over the depth, through solids: tip displacement over the known",
        "MacNeal and Harder (1985), Finite Elem. Anal. Des. 1, 3-20, table 3",
        CURVED.decks,
        CURVED.measure,
        ranks=(1,),
    ),
    Problem(
        "implicit twisted beam",
        "Twisted cantilever, elements along, across, through solids: tip displacement over the known",
        "MacNeal and Harder (1985), Finite Elem. Anal. Des. 1, 3-20, table 3",
        TWISTED.decks,
        TWISTED.measure,
        ranks=(1,),
    ),
]
