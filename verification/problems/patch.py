"""Patch test: a linear velocity field on a distorted patch gives constant strain, and stays linear."""

import numpy as np

from verification.deck import Deck
from verification.formulations import SHELLS, SOLIDS, Formulation, patch
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO, THICKNESS = 210.0, 0.3, 7.8e-6, 0.1
DURATION, SIZE = 5e-4, 1e-6
#: velocity gradient; expands, so that bulk viscosity is zero
GRADIENT = SIZE / DURATION * np.array([[1.0, 0.4, 0.3], [0.4, 0.7, -0.2], [0.3, -0.2, 0.5]])
FORMULATIONS = SHELLS + SOLIDS


def gradient(formulation: Formulation) -> np.ndarray:
    """Of velocity: shells stretch in their plane."""
    g = GRADIENT.copy()
    if formulation.kind == "shell":
        g[2, :] = g[:, 2] = 0.0
    return g


def scaled(value: float) -> list[float]:
    """Curve and scale of a constant velocity; a scale of zero would mean one."""
    return [1, float(value)] if value else [2, 1.0]


def decks() -> dict[str, Deck]:
    """All formulations side by side; outer nodes move as the field says, inner ones only start so."""
    deck = Deck("patch tests", DURATION)
    deck.elastic(1, RHO, E, NU)
    deck.curve(1, [(0.0, 1.0), (10 * DURATION, 1.0)])
    deck.curve(2, [(0.0, 0.0), (10 * DURATION, 0.0)])
    for f in FORMULATIONS:
        p = patch(f)
        f.write(deck, p.mesh, material=1, thickness=THICKNESS)
        velocity = {n: gradient(f) @ np.array(x) for n, x in p.mesh.nodes.items()}
        deck.add("INITIAL_VELOCITY_NODE", *([n, *map(float, v)] for n, v in velocity.items()))
        deck.add(
            "BOUNDARY_PRESCRIBED_MOTION_NODE",
            *([n, axis + 1, 0, *scaled(velocity[n][axis])] for n in p.outer for axis in range(3)),
        )
    deck.output(DURATION, "matsum")
    return {"all": deck}


def exact_stress(formulation: Formulation, time: float) -> np.ndarray:
    """xx yy zz xy yz zx."""
    e = gradient(formulation) * time
    g = E / (2 * (1 + NU))
    if formulation.kind == "shell":
        s = 2 * g * e + np.diag([1.0, 1.0, 0.0]) * E * NU / (1 - NU**2) * (e[0, 0] + e[1, 1])
    else:
        s = 2 * g * e + np.eye(3) * E * NU / ((1 + NU) * (1 - 2 * NU)) * np.trace(e)
    return np.array([s[0, 0], s[1, 1], s[2, 2], s[0, 1], s[1, 2], s[2, 0]])


def measure(results: dict[str, Results]) -> list[Figure]:
    """Stress of every element, displacement of inner nodes, energy of the patch."""
    r = results["all"]
    figures = []
    for f in FORMULATIONS:
        p, exact = patch(f), exact_stress(f, r.end)
        wrong = max(np.abs(r.stress(f.kind, e) - exact).max() for e in p.mesh.elements)
        figures.append(Figure(f.name, "stress, largest error", 0.0, wrong, 1e-5, np.abs(exact).max()))
        inner = sorted(set(p.mesh.nodes) - set(p.outer))
        field = {n: gradient(f) @ np.array(p.mesh.nodes[n]) * r.end for n in inner}
        wrong = max(np.abs(r.displacement(n) - field[n]).max() for n in inner)
        figures.append(Figure(f.name, "inner displacement, largest error", 0.0, wrong, 1e-5, SIZE))
        volume = THICKNESS if f.kind == "shell" else 1.0
        strain = (gradient(f) * r.end)[[0, 1, 2, 0, 1, 2], [0, 1, 2, 1, 2, 0]] * [1, 1, 1, 2, 2, 2]
        energy = 0.5 * float(exact @ strain) * volume
        figures.append(
            Figure(f.name, "internal energy", energy, r.part_at_end(f.number, "internal_energy"), 1e-5)
        )
    return figures


PROBLEM = Problem(
    "patch",
    "Patch test of every shell and solid: constant strain on a distorted patch",
    "closed form: Hooke's law; meshes after MacNeal and Harder (1985)",
    decks,
    measure,
)
