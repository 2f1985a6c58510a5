"""Hemisphere with a hole of 18 degrees about its pole, pulled and pushed at its equator; by damped motion.

A quarter of it. The shell bends almost without stretching, and most of it turns as a rigid body: an element
that ties rotations too hard, or strains under rotations of a curved mesh, locks. The known value is the upper
one of those quoted (0.0930 to 0.0940).
"""

import numpy as np

from verification.deck import Deck, Point
from verification.problem import Figure, Problem
from verification.results import Results
from verification.statics import Case, Shell

RADIUS, TOP = 10.0, np.radians(72.0)
CASES = (Case(2, (12, 12)), Case(16, (8, 8)))
TOLERANCES = (0.02, 0.02)
SHARE = 1e-3  #: of the load, to stay linear
FORCE = 1.0  #: on the quarter's symmetry planes: half of 2


def place(p: Point) -> Point:
    """u a quarter around from the pulled to the pushed point, v from the equator to the hole."""
    around, up = np.pi / 2 * p[0], TOP * p[1]
    x, y = np.cos(up) * np.cos(around), np.cos(up) * np.sin(around)
    return (float(RADIUS * x), float(RADIUS * y), float(RADIUS * np.sin(up)))


def held(u: float, v: float) -> list[bool]:
    """Symmetry; one node is held in z."""
    pulled, pushed = u == 0, u == 1
    return [pushed, pulled, pushed and v == 0, pulled, pushed, pulled or pushed]


HEMISPHERE = Shell(
    title="Hemisphere with a hole",
    place=place,
    held=held,
    thickness=0.04,
    young=6.825e7,
    poisson=0.3,
    density=1e-4,
    damping=500.0,
    end=0.026,
    corner=(0.0, 0.0),
    component="x_displacement",
    expected=0.0940,
    cases=CASES,
)


def load(deck: Deck, part: int) -> None:
    """Pull along x, push along y."""
    (pulled,), (pushed,) = HEMISPHERE.nodes(part, 0.0, 0.0), HEMISPHERE.nodes(part, 1.0, 0.0)
    deck.add("LOAD_NODE_POINT", [pulled, 1, 1, SHARE * FORCE], [pushed, 2, 1, -SHARE * FORCE])


def decks() -> dict[str, Deck]:
    """A quarter for each case."""
    return {"hemispheres": HEMISPHERE.deck(load)}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Deflection of the pulled point."""
    return HEMISPHERE.figures(results["hemispheres"], SHARE, TOLERANCES)


PROBLEM = Problem(
    "hemisphere",
    "Hemisphere with a hole of 18 degrees by damped motion, elements around and up a quarter",
    "MacNeal and Harder (1985): 0.0940 under forces of 2",
    decks,
    measure,
)
