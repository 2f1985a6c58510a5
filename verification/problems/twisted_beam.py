"""Cantilever twisted by 90 degrees, a force at its tip in its plane there or across it; by damped motion.

The elements are warped, which is what the warping terms are for (BWC = 1 of form 2, hourglass type 8 of form
16; Belytschko, Wong and Chiang 1992). Forms 10 and -16 have them of themselves.
"""

import numpy as np

from verification.deck import Deck, Point
from verification.problem import Figure, Problem
from verification.results import Results
from verification.statics import Case, Shell

LENGTH, WIDTH, THICKNESS = 12.0, 1.1, 0.32
#: elements over the width: n of one point have 1 - 1 / n^2 of its stiffness in their plane; 2 are too few
ROWS = {2: 4, 16: 2, 10: 4, -16: 2}
CASES = tuple(Case(form, (6 * rows, rows)) for form, rows in ROWS.items())
TOLERANCES = {"in plane": (0.01, 0.02, 0.01, 0.02), "out of plane": (0.02, 0.03, 0.02, 0.03)}
EXPECTED = {"in plane": 5.424e-3, "out of plane": 1.754e-3}
DIRECTION = {"in plane": 3, "out of plane": 2}  #: at the tip the width points along z


def place(p: Point) -> Point:
    """u along the beam, v across."""
    a, s = np.pi / 2 * p[0], WIDTH * (p[1] - 0.5)
    return (LENGTH * p[0], float(s * np.cos(a)), float(s * np.sin(a)))


def beam(name: str) -> Shell:
    """With the known deflection of a load."""
    return Shell(
        title=f"Twisted beam, load {name}",
        place=place,
        held=lambda u, v: [u == 0] * 6,
        thickness=THICKNESS,
        young=29e6,
        poisson=0.22,
        density=1e-4,
        damping=2200.0,
        end=8e-3,
        corner=(1.0, 0.5),
        component=f"{'xyz'[DIRECTION[name] - 1]}_displacement",
        expected=EXPECTED[name],
        cases=CASES,
    )


def decks() -> dict[str, Deck]:
    """One for each load: a unit force, shared by the nodes at the tip."""

    def deck(name: str) -> Deck:
        shell = beam(name)

        def load(deck: Deck, part: int) -> None:
            corners = shell.nodes(part, 1.0, 0.0) + shell.nodes(part, 1.0, 1.0)
            for n in shell.nodes(part, u=1.0):
                share = (0.5 if n in corners else 1.0) / CASES[part - 1].cells[1]
                deck.add("LOAD_NODE_POINT", [n, DIRECTION[name], 1, share])

        return shell.deck(load)

    return {name: deck(name) for name in EXPECTED}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Deflection of the middle of the tip, for each load."""
    return [
        figure for name in EXPECTED for figure in beam(name).figures(results[name], 1.0, TOLERANCES[name])
    ]


PROBLEM = Problem(
    "twisted_beam",
    "Twisted beam by damped motion, elements along and across",
    "MacNeal and Harder (1985): 5.424e-3 in plane, 1.754e-3 out of plane under a unit force",
    decks,
    measure,
)
