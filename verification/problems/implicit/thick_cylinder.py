"""MacNeal and Harder's thick cylinder in plane strain, nearly incompressible: a sector of 10 degrees."""

import numpy as np

from verification.deck import Deck, Point
from verification.implicit import SMALL, SOLIDS, Form, Table, sections, static
from verification.pieces import Piece
from verification.problem import Figure, Problem
from verification.results import Results

RADII = (3.0, 3.5, 4.2, 5.2, 6.75, 9.0)
SECTOR = np.radians(10.0)
#: by Poisson's ratio; MacNeal and Harder 1985, table 3
EXPECTED = {0.49: 5.0399e-3, 0.499: 5.0602e-3, 0.4999: 5.0623e-3}
YOUNG = 1000.0
TABLE = Table("thick cylinder", 0.015)


def place(u: float, v: float, w: float) -> Point:
    """u along the radius, v around; half of the sector on each side of x."""
    r, a = RADII[round(5 * u)], SECTOR * (v - 0.5)
    return (float(r * np.cos(a)), float(r * np.sin(a)), w)


def cases() -> list[tuple[Piece, Form, float]]:
    """Each form with each Poisson's ratio."""
    chosen = [(form, nu) for form in SOLIDS for nu in EXPECTED]
    return [(Piece(p, form, (5, 1), place), form, nu) for p, (form, nu) in enumerate(chosen, 1)]


def decks(size: float = 1.0) -> dict[str, Deck]:
    """All side by side; sides of the sector are held across, in axes along them."""
    deck = static("thick cylinders", size=size)
    for number, nu in enumerate(EXPECTED, 1):
        deck.elastic(number, 1.0, YOUNG, nu)
    for number, side in ((1, -1), (2, 1)):
        a = side * SECTOR / 2
        x, y = float(np.cos(a)), float(np.sin(a))
        deck.add("DEFINE_COORDINATE_VECTOR", [number, x, y, 0.0, -y, x, 0.0])
    sections(deck, SOLIDS)
    watched: list[int] = []
    for piece, form, nu in cases():
        piece.write(deck, SOLIDS.index(form) + 1, list(EXPECTED).index(nu) + 1, f"{form.name}, {nu}")
        for v, frame in ((0.0, 1), (1.0, 2)):
            deck.add("BOUNDARY_SPC_NODE", *([n, frame, 0, 1, 1, 0, 0, 0] for n in piece.nodes(v=v)))
        a, b, c, d = (piece.nodes(u=0.0, v=v, w=w)[0] for v, w in ((0, -0.5), (0, 0.5), (1, 0.5), (1, -0.5)))
        deck.add("LOAD_SEGMENT", [1, SMALL, 0.0, a, b, c, d])
        watched += piece.nodes(u=0.0)
    deck.node_history(watched)
    return {"cylinders": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Radial displacement inside over the known one."""
    r = results["cylinders"]
    figures = []
    for piece, form, nu in cases():
        node = piece.nodes(u=0.0)[0]
        value = float(np.hypot(r.node(node, "x_displacement")[-1], r.node(node, "y_displacement")[-1]))
        figures.append(TABLE.figure(form.name, f"nu = {nu}", "displacement", value / (SMALL * EXPECTED[nu])))
    return figures


PROBLEM = Problem(
    "implicit thick cylinder",
    "Thick cylinder, nearly incompressible, 5 solids along the radius: displacement over the known one",
    "MacNeal and Harder (1985), Finite Elem. Anal. Des. 1, 3-20, table 3",
    decks,
    measure,
    ranks=(1,),
)
