"""Spot welds between two plates, pulled apart, sheared and both: forces, and when they fail."""

import numpy as np

from verification.deck import Deck
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO = 210.0, 0.3, 7.8e-6
G = E / (2 * (1 + NU))
DIAMETER, LENGTH = 6.0, 1.5
AREA = np.pi / 4 * DIAMETER**2
AXIAL, SHEAR = E * AREA / LENGTH, G * AREA / LENGTH  # stiffnesses, kN/mm
TENSION_LIMIT, SHEAR_LIMIT = 8.0, 5.0
SPEED, END = 1e-2, 0.4
EDGE = 10.0
#: direction of the upper plate's motion: along the weld and across it
CASES = {
    "tension": (1.0, 0.0),
    "shear": (0.0, 1.0),
    "tension and shear": (0.5, 1.0),
}
FIRST = 100  #: between the numbers of cases


def failure_time(along: float, across: float) -> float:
    """Where the sum of squares of forces over limits is one."""
    tension = AXIAL * SPEED * along / TENSION_LIMIT
    shear = SHEAR * SPEED * across / SHEAR_LIMIT
    return float(1 / np.hypot(tension, shear))


def decks() -> dict[str, Deck]:
    """A rigid plate at each end of a weld: the lower one held, the upper one moved without turning."""
    deck = Deck("weld beams", END)
    deck.shell_section(1, 2, 1.0)
    deck.add("SECTION_BEAM", [2, 9, 1.0, 2, 1], [DIAMETER, DIAMETER, 0.0, 0.0])
    deck.elastic(1, RHO, E, NU)
    deck.add(
        "MAT_SPOTWELD",
        [2, RHO, E, NU, 100.0, 1.0, 0.0, 0.0],
        [0.0, TENSION_LIMIT, SHEAR_LIMIT, SHEAR_LIMIT, 0.0, 0.0, 0.0, 0.0],
    )
    deck.add("MAT_RIGID", [3, RHO, E, NU], [1, 7, 7])
    deck.add("MAT_RIGID", [4, RHO, E, NU], [1, 0, 7])
    deck.curve(1, [(0.0, SPEED), (1e3, SPEED)])
    for case, (along, across) in enumerate(CASES.values(), 1):
        first = case * FIRST
        for plate, z in ((0, 0.0), (1, LENGTH)):
            part = 10 * case + plate
            corner = first + 10 * plate
            deck.part(part, 1, 3 + plate, "plate")
            points = [(0.0, 0.0), (EDGE, 0.0), (EDGE, EDGE), (0.0, EDGE)]
            deck.nodes({corner + k: (x + 20 * case, y, z) for k, (x, y) in enumerate(points)})
            deck.shells(part, {corner: [corner + k for k in range(4)]})
        deck.part(10 * case + 2, 2, 2, "weld")
        deck.add("ELEMENT_BEAM_PID", [case, 10 * case + 2, first, first + 10], [10 * case, 10 * case + 1])
        for dof, share in ((3, along), (1, across)):
            if share:
                deck.add("BOUNDARY_PRESCRIBED_MOTION_RIGID", [10 * case + 1, dof, 0, 1, share])
    deck.output(END / 2000, "swforc", "glstat")
    return {"all": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Stiffness half way to failure, and the time of failure."""
    r = results["all"]
    t = r.time("swforc")
    figures = []
    for case, (name, (along, across)) in enumerate(CASES.items(), 1):
        fails = failure_time(along, across)
        half = int(np.searchsorted(t, 0.5 * fails))
        for share, force, stiffness in ((along, "axial", AXIAL), (across, "shear", SHEAR)):
            if share:
                value = float(r.weld(case, force)[half])
                expected = stiffness * share * SPEED * float(t[half])
                figures.append(Figure(name, f"{force} force, kN", expected, value, 0.01))
        time = float(r.weld(case, "failure_time")[-1])
        figures.append(Figure(name, "time of failure, ms", fails, time, 0.01))
    return figures


PROBLEM = Problem(
    "weld_beam",
    "Weld beams between rigid plates: forces, and the limit of their resultants",
    "closed form: E A / L, G A / L; (N / NRR)^2 + (S / NRS)^2 = 1",
    decks,
    measure,
)
