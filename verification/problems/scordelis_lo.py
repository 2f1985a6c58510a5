"""Scordelis-Lo roof under its weight, by damped motion.

Without drilling stiffness the rotations about a shell's normal undo its twist. The one-point shell then is
half as soft again on any mesh (1.53, 1.49, 1.48 of the known value with 8, 16, 32 elements a side); the fully
integrated one is tied by the fold between its elements, weaker the finer the mesh: 1.009, 1.017, 1.07, 1.20
with 8, 16, 32, 64. With it both converge: 1.007, 0.998, 0.997, 0.997 with form 16. The known value is that of
shallow shell theory; a fine mesh of any good shell gives 0.3006 to 0.3012.
"""

import numpy as np

from verification.deck import Deck, Point
from verification.problem import Figure, Problem
from verification.results import Results
from verification.statics import Case, Shell

RADIUS, HALF_LENGTH, ANGLE, THICKNESS = 25.0, 25.0, np.radians(40.0), 0.25
RHO, WEIGHT = 1e-4, 90.0
SHARE = 1e-4  #: of the weight, to stay linear
CASES = (Case(2, (12, 12)), Case(2, (24, 24)), Case(16, (8, 8)), Case(16, (16, 16)), Case(16, (8, 8), False))
TOLERANCES = (0.04, 0.01, 0.01, 0.01, 0.02)


def place(p: Point) -> Point:
    """u from the diaphragm to the middle, v from the crown to the free edge."""
    a = ANGLE * p[1]
    return (HALF_LENGTH * p[0], float(RADIUS * np.sin(a)), float(RADIUS * np.cos(a)))


def held(u: float, v: float) -> list[bool]:
    """Diaphragm and symmetry."""
    diaphragm, middle, crown = u == 0, u == 1, v == 0
    return [middle, diaphragm or crown, diaphragm, crown, middle, middle or crown]


ROOF = Shell(
    title="Scordelis-Lo roof",
    place=place,
    held=held,
    thickness=THICKNESS,
    young=4.32e8,
    poisson=0.0,
    density=RHO,
    damping=7e3,
    end=2.7e-3,
    corner=(1.0, 1.0),
    component="z_displacement",
    expected=-0.3024,
    cases=CASES,
)


def decks() -> dict[str, Deck]:
    """A quarter for each case."""
    deck = ROOF.deck(lambda deck, part: None)
    deck.add("LOAD_BODY_Z", [1, SHARE * WEIGHT / (RHO * THICKNESS)])
    return {"roofs": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Deflection of the middle of the free edge."""
    return ROOF.figures(results["roofs"], SHARE, TOLERANCES)


PROBLEM = Problem(
    "scordelis_lo",
    "Scordelis-Lo roof by damped motion, elements along and around a quarter",
    "MacNeal and Harder (1985): 0.3024 by shallow shell theory",
    decks,
    measure,
)
