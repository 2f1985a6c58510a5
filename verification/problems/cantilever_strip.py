"""Cantilever strip under gravity and a tip load, beside LS-DYNA's own printed results."""

import numpy as np

from verification.deck import Deck
from verification.meshes import quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

CORNER = 31 * 4  # at (300, 30)
FIRST_STEP = 1.65463e-3
#: time, uz of the corner, kinetic and internal energy, printed by LS-DYNA R10.1 (single precision)
PRINTED = [
    (2.0, -1.0544, 4.567e-3, 1.536e-3),
    (4.0, -5.998, 5.099e-2, 1.804e-2),
    (6.0, -16.140, 0.1878, 0.0651),
    (8.0, -27.724, 0.2849, 0.1088),
    (10.0, -38.631, 0.2498, 0.1906),
]


def decks() -> dict[str, Deck]:
    """30 x 3 Belytschko-Tsay shells; kg, mm, ms, kN."""
    deck = Deck("cantilever strip", 10.0)
    mesh = quadrilaterals(30, 3, 300.0, 30.0)
    deck.nodes(mesh.nodes)
    deck.shells(1, mesh.elements)
    deck.part(1, 1, 1, "strip")
    deck.add("SECTION_SHELL", [1, 2, 0.833333, 3], [1.0] * 4)
    deck.add("MAT_PIECEWISE_LINEAR_PLASTICITY", [1, 7.8e-6, 210.0, 0.3, 0.5, 20.0])
    deck.node_set(1, mesh.where(lambda p: p[0] == 0))
    deck.add("BOUNDARY_SPC_SET", [1, 0, 1, 1, 1, 0, 0, 0])
    deck.curve(1, [(0, 1), (10, 1)])
    deck.curve(2, [(0, 0), (5, -0.005), (10, 0)])
    deck.add("LOAD_BODY_Z", [1, 0.00981])
    deck.add("LOAD_NODE_POINT", *([n, 3, 2, 1.0] for n in mesh.where(lambda p: p[0] == 300)))
    deck.node_history([CORNER])
    deck.output(0.02, "glstat", "nodout")
    return {"strip": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Histories at the printed times, linear between rows."""
    r = results["strip"]
    figures = [Figure("shell 2, MAT_024", "first time step, ms", FIRST_STEP, r.energy("time_step")[0], 0.01)]
    for time, uz, kinetic, internal in PRINTED:

        def at(history: str, values: np.ndarray, time: float = time) -> float:
            return float(np.interp(time, r.time(history), values))

        case = f"shell 2, MAT_024, {time:g} ms"
        figures += [
            Figure(case, "tip displacement, mm", uz, at("nodout", r.node(CORNER, "z_displacement")), 0.01),
            Figure(case, "kinetic energy, kN mm", kinetic, at("glstat", r.energy("kinetic_energy")), 0.01),
            Figure(case, "internal energy, kN mm", internal, at("glstat", r.energy("internal_energy")), 0.01),
        ]
    return figures


PROBLEM = Problem(
    "cantilever_strip",
    "Cantilever strip of MAT_024 under gravity and a tip load, against LS-DYNA R10.1",
    "LS-DYNA R10.1 single precision, its printed glstat and nodout",
    decks,
    measure,
)
