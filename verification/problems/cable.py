"""Cables (MAT_071): the frequency of a taut one, and the catenary of one that hangs."""

import numpy as np
from scipy.optimize import brentq

from verification.deck import Deck
from verification.problem import Figure, Problem
from verification.results import Results

RHO, AREA, SPAN, CELLS = 7.8e-6, 1.0, 1000.0, 40
TENSION, E_TAUT, SPEED = 0.1, 10.0, 0.05
FREQUENCY = np.sqrt(TENSION / (RHO * AREA)) / (2 * SPAN)  # 1/ms
LENGTH, E_SLACK, GRAVITY = 1100.0, 1.0, 9.81e-3
# A catenary of parameter a has the length 2 a sinh(S / 2 a) and the sag a (cosh(S / 2 a) - 1).
CATENARY = float(brentq(lambda a: 2 * a * np.sinh(SPAN / (2 * a)) - LENGTH, 100.0, 10000.0))
SAG = CATENARY * (np.cosh(SPAN / (2 * CATENARY)) - 1)
MIDDLE = CELLS // 2 + 1
TIME = 4000.0


def cable(title: str, end_time: float, young: float, tension: float, depth: float) -> Deck:
    """A chain of cables between two fixed nodes, straight or down to `depth` in the middle."""
    deck = Deck(title, end_time)
    deck.part(1, 1, 1, title)
    deck.add("SECTION_BEAM", [1, 6], [0.0, 0.0, 0, AREA])
    deck.add("MAT_CABLE_DISCRETE_BEAM", [1, RHO, young, 0, tension])
    deck.nodes(
        {i + 1: (SPAN * i / CELLS, 0.0, -depth * (1 - abs(2 * i / CELLS - 1))) for i in range(CELLS + 1)}
    )
    deck.add("ELEMENT_BEAM", *([i, 1, i, i + 1] for i in range(1, CELLS + 1)))
    deck.add("BOUNDARY_SPC_NODE", *([n, 0, 1, 1, 1, 0, 0, 0] for n in (1, CELLS + 1)))
    deck.node_history([MIDDLE])
    return deck


def decks() -> dict[str, Deck]:
    """Free vibration from the velocities of the first mode; a cable that comes to rest under its weight."""
    taut = cable("taut", 1.6 / FREQUENCY, E_TAUT, TENSION, 0.0)
    taut.add(
        "INITIAL_VELOCITY_NODE",
        *(
            [i + 1, 0.0, 0.0, float(SPEED * np.sin(np.pi * i / CELLS)), 0.0, 0.0, 0.0]
            for i in range(1, CELLS)
        ),
    )
    taut.output(0.01 / FREQUENCY, "nodout", "glstat")
    hanging = cable("hanging", TIME, E_SLACK, 0.0, 0.5 * np.sqrt(LENGTH**2 - SPAN**2))
    hanging.curve(1, [(0.0, 1.0), (1e9, 1.0)])
    hanging.curve(2, [(0.0, 0.02), (1e9, 0.02)])
    hanging.add("LOAD_BODY_Z", [1, GRAVITY])
    hanging.add("DAMPING_GLOBAL", [2])
    hanging.output(TIME / 100, "nodout", "glstat")
    return {"taut": taut, "hanging": hanging}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Frequency from two zeros of the displacement in the middle; sag at the end."""
    r = results["taut"]
    t, z = r.time("nodout"), r.node(MIDDLE, "z_displacement")
    k = np.flatnonzero(z[1:-1] * z[2:] < 0) + 1
    zeros = [float(t[i] - z[i] * (t[i + 1] - t[i]) / (z[i + 1] - z[i])) for i in k]
    sag = -float(results["hanging"].node(MIDDLE, "z_coordinate")[-1])
    return [
        Figure("taut", "first frequency, kHz", float(FREQUENCY), 0.5 / (zeros[1] - zeros[0]), 0.01),
        Figure("hanging", "sag, mm", float(SAG), sag, 0.005),
    ]


PROBLEM = Problem(
    "cable",
    "Cables (MAT_071): a taut one vibrates, one that is longer than its span comes to rest under its weight",
    "closed forms: frequency of a string, catenary (Irvine 1981, Cable Structures)",
    decks,
    measure,
)
