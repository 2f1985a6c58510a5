"""A square tube folds up under axial crushing: mean force."""

import numpy as np

from verification.deck import Deck
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO, FLOW = 210.0, 0.3, 7.8e-6, 0.3  #: kN, mm, ms, kg
WIDTH, THICKNESS, HEIGHT = 40.0, 1.5, 110.0
SPEED, CRUSHED = 10.0, 60.0
ACROSS, UP = 6, 33  #: elements of half a side, and along the tube
MEAN_FORCE = 13.06 * FLOW * WIDTH ** (1 / 3) * THICKNESS ** (5 / 3)
HALF_FOLD = 0.983 * WIDTH ** (2 / 3) * THICKNESS ** (1 / 3)
DENT = 0.5  #: of the first fold at the start


def _place(s: float, z: float) -> tuple[float, float, float]:
    """A quarter of the tube with its corner in the middle of 0 <= s <= 2; one side is dented out, one in."""
    half = WIDTH / 2
    below_top = (HEIGHT - z) / (2 * HALF_FOLD)
    dent = DENT * np.sin(np.pi * min(below_top, 1.0)) ** 2
    if s <= 1:
        return (half * s, half + dent * float(np.cos(np.pi / 2 * s)), z)
    return (half - dent * float(np.cos(np.pi / 2 * (2 - s))), half * (2 - s), z)


def decks() -> dict[str, Deck]:
    """Clamped at the bottom, pushed down at constant speed at the top, with planes of symmetry between."""
    deck = Deck("square tube", CRUSHED / SPEED)
    row = 2 * ACROSS + 1
    number = {(i, j): 1 + i + row * j for j in range(UP + 1) for i in range(row)}
    deck.nodes({n: _place(i / ACROSS, HEIGHT * j / UP) for (i, j), n in number.items()})
    deck.shells(
        1,
        {
            1 + i + 2 * ACROSS * j: [number[i, j], number[i + 1, j], number[i + 1, j + 1], number[i, j + 1]]
            for j in range(UP)
            for i in range(2 * ACROSS)
        },
    )
    deck.shell_section(1, 2, THICKNESS, 5)
    deck.add("HOURGLASS", [1, 4, 0.03, 0, 1.5, 0.06, 0.03, 0.03])
    deck.add("CONTROL_SHELL", [None] * 5 + [1])
    deck.part(1, 1, 1, "quarter of the tube", hourglass=1)
    deck.add("MAT_PIECEWISE_LINEAR_PLASTICITY", [1, RHO, E, NU, FLOW, 0.0], [0.0], [0.0], [0.0])
    for name, j in (("bottom", 0), ("top", UP)):
        deck.node_set(1 if name == "bottom" else 2, [number[i, j] for i in range(row)])
    deck.node_set(3, [number[0, j] for j in range(1, UP)])
    deck.node_set(4, [number[2 * ACROSS, j] for j in range(1, UP)])
    deck.add("BOUNDARY_SPC_SET", [1, 0, 1, 1, 1, 1, 1, 1])
    deck.add("BOUNDARY_SPC_SET", [2, 0, 1, 1, 0, 1, 1, 1])
    deck.add("BOUNDARY_SPC_SET", [3, 0, 1, 0, 0, 0, 1, 1])
    deck.add("BOUNDARY_SPC_SET", [4, 0, 0, 1, 0, 1, 0, 1])
    deck.curve(1, [(0.0, -SPEED), (1e3, -SPEED)])
    deck.add("BOUNDARY_PRESCRIBED_MOTION_SET", [2, 3, 0, 1])
    deck.add("CONTACT_AUTOMATIC_SINGLE_SURFACE", [0, 0, 5, 0], [0.1, 0.1], [0.0])
    deck.output(CRUSHED / SPEED / 100, "bndout", "spcforc", "glstat")
    return {"crush": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Mean force from the work of the motion over two folds.

    The formula is for quasi-static folding of a rigid and perfectly plastic tube into equal folds, and tests
    scatter around it by some 15 %, hence the tolerance.
    """
    r = results["crush"]
    work = 4 * float(r.moved("etotal")[-1])
    mean = work / (SPEED * float(r.moved("time")[-1]))
    hourglass = 4 * float(r.energy("hourglass_energy")[-1])
    return [
        Figure("shell 2, 396 in a quarter", "mean force, kN", MEAN_FORCE, mean, 0.2),
        Figure("shell 2, 396 in a quarter", "hourglass energy / work", (0.0, 0.12), hourglass / work, 0.0),
        Figure("shell 2, 396 in a quarter", "energy ratio", 1.0, float(r.energy("energy_ratio")[-1]), 0.01),
    ]


PROBLEM = Problem(
    "square_tube",
    "Axial crushing of a square tube",
    "13.06 s0 b^(1/3) t^(5/3): Wierzbicki and Abramowicz 1983, Abramowicz and Jones 1984",
    decks,
    measure,
    ranks=(1,),
)
