"""Masses on springs, dampers and trusses: free vibration in closed form."""

import numpy as np

from verification.deck import Deck
from verification.problem import Figure, Problem
from verification.results import Results

MASS, STIFFNESS, DAMPING, AMPLITUDE = 2.0, 8.0, 0.8, 1e-4
E, RHO, AREA, LENGTH = 80.0, 0.03, 0.1, 1.0  # of the truss: the same stiffness
OMEGA = float(np.sqrt(STIFFNESS / MASS))
PERIOD = 2 * np.pi / OMEGA
ZETA = DAMPING / (2 * MASS * OMEGA)
STEP = PERIOD / 400
NODES = {"spring S01": 2, "spring S01 and damper S02": 4, "truss": 6}


def decks() -> dict[str, Deck]:
    """Three oscillators along x, set off from rest with the speed AMPLITUDE * OMEGA."""
    deck = Deck("oscillators", float(2.25 * PERIOD))
    deck.add("CONTROL_TIMESTEP", [0.0, 0.9, 0, 0.0, 0.0, 1])
    deck.curve(1, [(0.0, STEP), (100.0, STEP)])
    deck.nodes({n: (LENGTH * (n % 2 == 0), float((n - 1) // 2), 0.0) for n in range(1, 7)})
    deck.add("SECTION_DISCRETE", [1, 0], [0.0])
    deck.add("MAT_SPRING_ELASTIC", [1, STIFFNESS])
    deck.add("MAT_DAMPER_VISCOUS", [2, DAMPING])
    deck.part(1, 1, 1, "spring")
    deck.part(2, 1, 2, "damper")
    deck.part(3, 3, 3, "truss")
    deck.elastic(3, RHO, E, 0.0)
    deck.add("SECTION_BEAM", [3, 3], [AREA])
    deck.add("ELEMENT_DISCRETE", [1, 1, 1, 2], [2, 1, 3, 4], [3, 2, 3, 4])
    deck.add("ELEMENT_BEAM", [4, 3, 5, 6])
    deck.add("ELEMENT_MASS", [1, 2, MASS], [2, 4, MASS], [3, 6, MASS - 0.5 * RHO * AREA * LENGTH])
    deck.add("BOUNDARY_SPC_NODE", *([n, 0, 1, 1, 1, 1, 1, 1] for n in (1, 3, 5)))
    deck.add("BOUNDARY_SPC_NODE", *([n, 0, 0, 1, 1, 1, 1, 1] for n in (2, 4, 6)))
    deck.add("INITIAL_VELOCITY_NODE", *([n, AMPLITUDE * OMEGA, 0.0, 0.0] for n in (2, 4, 6)))
    deck.node_history([2, 4, 6])
    deck.output(STEP, "nodout", "glstat")
    return {"all": deck}


def free(t: np.ndarray, zeta: float) -> np.ndarray:
    """Displacement from rest with the speed AMPLITUDE * OMEGA."""
    w = OMEGA * np.sqrt(1 - zeta**2)
    return AMPLITUDE * OMEGA / w * np.exp(-zeta * OMEGA * t) * np.sin(w * t)


def measure(results: dict[str, Results]) -> list[Figure]:
    """Displacement at all times, the period, and the decrement."""
    r = results["all"]
    t = r.time("nodout")
    figures = []
    for name, node in NODES.items():
        x, zeta = r.node(node, "x_displacement"), ZETA if "damper" in name else 0.0
        # the damper's force is that of the velocity half a step ago: 1 - c dt / (2 m) times the mass
        tolerance = 5e-3 if zeta else 1e-3
        wrong = float(np.abs(x - free(t, zeta)).max())
        figures.append(Figure(name, "displacement, largest error", 0.0, wrong, tolerance, AMPLITUDE))
        k = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))
        period = float(np.interp(0, x[k[0] : k[0] + 2], t[k[0] : k[0] + 2]))
        exact = PERIOD / np.sqrt(1 - zeta**2)
        figures.append(Figure(name, "period", float(exact), period, 0.2 * tolerance))
    return figures


PROBLEM = Problem(
    "oscillators",
    "Free vibration of a mass on a spring, a spring and damper, and a truss",
    "closed form: x = a w0 / w exp(-z w0 t) sin(w t)",
    decks,
    measure,
)
