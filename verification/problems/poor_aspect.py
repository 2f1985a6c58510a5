"""Cantilever of long flat bricks under a force at its tip; by damped motion.

Bent over the long side a trilinear brick shears (ELFORM 2): with elements of length a in a beam of height H
the deflection is that of a beam 1 + (G / E) (a / H)^2 times as stiff. Assumed strains (ELFORM -1) do not.
"""

import numpy as np

from verification.deck import Deck
from verification.meshes import hexahedra
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO = 210.0, 0.3, 7.8e-6
LENGTH, HEIGHT, CELLS, LAYERS = 60.0, 4.0, 6, 4
WIDTH = LENGTH / CELLS
LOAD = 1e-4
INERTIA = WIDTH * HEIGHT**3 / 12
EXACT = LOAD * LENGTH**3 / (3 * E * INERTIA)
LOCKED = 1 / (1 + (LENGTH / CELLS / HEIGHT) ** 2 / (2 * (1 + NU)))
FIRST = {-1: 1, -2: 1001, 2: 2001}
OMEGA = 1.8751**2 / LENGTH**2 * np.sqrt(E * HEIGHT**2 / (12 * RHO))


def tip(form: int) -> list[int]:
    """Nodes at the loaded end."""
    return [n for n, x in mesh(form).nodes.items() if x[0] == LENGTH]


def mesh(form: int):
    """One element wide; elements 10 times as long as high."""
    return hexahedra((CELLS, 1, LAYERS), (LENGTH, WIDTH, HEIGHT), FIRST[form])


def decks() -> dict[str, Deck]:
    """Clamped but free to contract across; critically damped."""
    end = float(10 / OMEGA)
    deck = Deck("poor aspect ratio", end)
    deck.elastic(1, RHO, E, NU)
    deck.curve(1, [(0.0, 1.0), (1e9, 1.0)])
    deck.curve(2, [(0.0, float(2 * OMEGA)), (1e9, float(2 * OMEGA))])
    deck.add("DAMPING_GLOBAL", [2])
    for part, form in enumerate(FIRST, 1):
        m = mesh(form)
        deck.part(part, part, 1, f"solid {form}")
        deck.solid_section(part, form)
        deck.nodes(m.nodes)
        deck.solids(part, m.elements)
        for n, x in m.nodes.items():
            if x[0] == 0:
                deck.add("BOUNDARY_SPC_NODE", [n, 0, 1, int(x[1] == 0), int(x[2] == 0.5 * HEIGHT), 0, 0, 0])
        loaded = tip(form)
        deck.add("LOAD_NODE_POINT", *([n, 3, 1, LOAD / len(loaded)] for n in loaded))
    deck.node_history(n for form in FIRST for n in tip(form))
    deck.output(end / 100, "nodout", "glstat")
    return {"all": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Mean deflection of the tip."""
    r = results["all"]
    figures = []
    for form in FIRST:
        w = np.mean([r.node(n, "z_displacement") for n in tip(form)], axis=0)
        known = EXACT * LOCKED if form == 2 else EXACT
        figures.append(Figure(f"solid {form}", "tip deflection, mm", known, float(w[-1]), 0.02))
        moved = float(w[-1] - w[-11])
        figures.append(Figure(f"solid {form}", "change in the last tenth", 0.0, moved, 2e-3, EXACT))
    ratio = float(r.energy("energy_ratio")[-1])
    figures.append(Figure("all", "total energy / external work", 1.0, ratio, 0.01))
    return figures


PROBLEM = Problem(
    "poor_aspect",
    "Cantilever of bricks ten times as long as high, by damped motion",
    "closed form: P L^3 / (3 E I); ELFORM 2 locks: 1 + (G / E) (a / H)^2 times as stiff",
    decks,
    measure,
)
