"""Cylinder with rigid diaphragms at its ends, pinched by two forces at its middle; by damped motion.

An eighth of it. Coarse meshes are too stiff, as those of all bilinear shells are here: 0.79 (form 2) and 0.75
(form 16) of the known value with 8 elements a side.
"""

import numpy as np

from verification.deck import Deck, Point
from verification.problem import Figure, Problem
from verification.results import Results
from verification.statics import Case, Shell

RADIUS, HALF_LENGTH = 300.0, 300.0
CASES = (
    Case(2, (16, 16)),
    Case(2, (24, 24)),
    Case(16, (16, 16)),
    Case(16, (24, 24)),
    Case(10, (16, 16)),
    Case(-16, (16, 16)),
)
TOLERANCES = (0.05, 0.02, 0.08, 0.04, 0.05, 0.08)


def place(p: Point) -> Point:
    """u from the diaphragm to the middle, v from the force a quarter around."""
    a = np.pi / 2 * p[1]
    return (HALF_LENGTH * p[0], float(RADIUS * np.sin(a)), float(RADIUS * np.cos(a)))


def held(u: float, v: float) -> list[bool]:
    """Diaphragm and symmetry."""
    diaphragm, middle, top, side = u == 0, u == 1, v == 0, v == 1
    return [middle, diaphragm or top, diaphragm or side, top or side, middle or side, middle or top]


CYLINDER = Shell(
    title="Pinched cylinder",
    place=place,
    held=held,
    thickness=3.0,
    young=3e6,
    poisson=0.3,
    density=1e-4,
    damping=130.0,
    end=0.11,
    corner=(1.0, 0.0),
    component="z_displacement",
    expected=-1.8248e-5,
    cases=CASES,
)


def load(deck: Deck, part: int) -> None:
    """A quarter of a unit force."""
    (node,) = CYLINDER.nodes(part, 1.0, 0.0)
    deck.add("LOAD_NODE_POINT", [node, 3, 1, -0.25])


def decks() -> dict[str, Deck]:
    """An eighth for each case."""
    return {"cylinders": CYLINDER.deck(load)}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Deflection under the force."""
    return CYLINDER.figures(results["cylinders"], 1.0, TOLERANCES)


PROBLEM = Problem(
    "pinched_cylinder",
    "Pinched cylinder with diaphragms by damped motion, elements along and around an eighth",
    "Belytschko et al. (1985): 1.8248e-5 under a unit force",
    decks,
    measure,
)
