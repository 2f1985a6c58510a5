"""Cantilever of beams: first natural frequency, and the deflection under a tip load by damped motion."""

import numpy as np

from verification.deck import Deck
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO, LENGTH, SIDE, CELLS = 210.0, 0.3, 7.8e-6, 100.0, 5.0, 10
AREA, INERTIA = SIDE**2, SIDE**4 / 12
G, SHEAR = E / (2 * (1 + NU)), 5.0 / 6.0
ROOT = 1.8751
FREQUENCY = ROOT**2 / (2 * np.pi * LENGTH**2) * np.sqrt(E * INERTIA / (RHO * AREA))  # 1/ms
LOAD = 1e-4
DEFLECTION = LOAD * LENGTH**3 / (3 * E * INERTIA) + LOAD * LENGTH / (SHEAR * G * AREA)
FIRST = {"beam 1": 1, "beam 2": 101}
TIP = CELLS
SPEED = 1e-3


def cantilever(end_time: float) -> Deck:
    """Both formulations, clamped at x = 0."""
    deck = Deck("cantilever of beams", float(end_time))
    deck.elastic(1, RHO, E, NU)
    for part, (name, first) in enumerate(FIRST.items(), 1):
        deck.part(part, part, 1, name)
        deck.beam_section(part, part, SIDE, SIDE)
        deck.nodes({first + i: (LENGTH * i / CELLS, 0.0, 0.0) for i in range(CELLS + 1)})
        deck.nodes({first + CELLS + 1: (0.0, 1.0, 0.0)})
        third = first + CELLS + 1
        deck.add("ELEMENT_BEAM", *([first + i, part, first + i, first + i + 1, third] for i in range(CELLS)))
        deck.add("BOUNDARY_SPC_NODE", [first, 0, 1, 1, 1, 1, 1, 1])
    deck.node_history(first + TIP for first in FIRST.values())
    deck.output(0.01 / FREQUENCY, "nodout", "glstat")
    return deck


def mode(x: float) -> float:
    """First mode of a clamped and free beam, 1 at the tip."""
    k = ROOT / LENGTH
    s = (np.cosh(ROOT) + np.cos(ROOT)) / (np.sinh(ROOT) + np.sin(ROOT))
    return float(0.5 * (np.cosh(k * x) - np.cos(k * x) - s * (np.sinh(k * x) - np.sin(k * x))))


def slope(x: float) -> float:
    """Of the mode."""
    return (mode(x + 1e-4) - mode(x - 1e-4)) / 2e-4


def decks() -> dict[str, Deck]:
    """Free vibration from the first mode's velocities; a load that comes to rest."""
    free = cantilever(1.6 / FREQUENCY)
    for first in FIRST.values():
        for i in range(1, CELLS + 1):
            x = LENGTH * i / CELLS
            free.add(
                "INITIAL_VELOCITY_NODE",
                [first + i, 0.0, 0.0, SPEED * mode(x), 0.0, -SPEED * slope(x), 0.0],
            )
    loaded = cantilever(2.5 / FREQUENCY)
    loaded.curve(1, [(0.0, 1.0), (1e9, 1.0)])
    loaded.curve(2, [(0.0, 4 * np.pi * FREQUENCY), (1e9, 4 * np.pi * FREQUENCY)])
    loaded.add("DAMPING_GLOBAL", [2])
    loaded.add("LOAD_NODE_POINT", *([first + TIP, 3, 1, LOAD] for first in FIRST.values()))
    return {"vibration": free, "load": loaded}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Frequency from two zeros of the tip's displacement; its last displacement under load."""
    figures = []
    for name, first in FIRST.items():
        r = results["vibration"]
        t, z = r.time("nodout"), r.node(first + TIP, "z_displacement")
        k = np.flatnonzero(z[1:-1] * z[2:] < 0) + 1
        zeros = [float(t[i] - z[i] * (t[i + 1] - t[i]) / (z[i + 1] - z[i])) for i in k]
        figures.append(
            Figure(name, "first frequency, kHz", float(FREQUENCY), 0.5 / (zeros[1] - zeros[0]), 0.01)
        )
        z = results["load"].node(first + TIP, "z_displacement")
        figures.append(Figure(name, "tip deflection, mm", DEFLECTION, float(z[-1]), 0.01))
    return figures


PROBLEM = Problem(
    "cantilever_beam",
    "Cantilever of ten beams: first frequency and tip deflection",
    "closed form: f = 1.8751^2 / (2 pi L^2) sqrt(E I / (rho A)); P L^3 / (3 E I) and shear P L / (k G A)",
    decks,
    measure,
)
