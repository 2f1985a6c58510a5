"""Distorted patches that are heated: with held edges all stresses are equal, without there are none."""

import numpy as np

from verification.deck import Deck
from verification.formulations import BEAMS, SHELLS, SOLIDS, Formulation, patch
from verification.meshes import Mesh
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO, THICKNESS = 210.0, 0.3, 7.8e-6, 0.1
DURATION = 5e-4
START, HEAT, ALPHA = 20.0, 100.0, 1.2e-5  #: the reference temperature, what is added, the coefficient
SLIGHT = 1e-3  #: share of the heat where the patch is free: its shape must not change much
BARS = [f for f in BEAMS if f.form in (1, 3)]  #: beams of resultants do not expand
FORMULATIONS = SHELLS + SOLIDS + BARS


def mesh(formulation: Formulation) -> tuple[Mesh, list[int]]:
    """A patch and its outer nodes; of beams three in a row, with nodes that orient them."""
    if formulation.kind != "beam":
        p = patch(formulation)
        return p.mesh, p.outer
    n = [formulation.first + k for k in range(5)]
    nodes = {n[0]: (0.0, 0.0, 0.0), n[1]: (0.3, 0.0, 0.0), n[2]: (0.7, 0.0, 0.0), n[3]: (1.0, 0.0, 0.0)}
    nodes[n[4]] = (0.5, 1.0, 0.0)
    return Mesh(nodes, {n[k]: [n[k], n[k + 1], n[4]] for k in range(3)}), [n[0], n[3], n[4]]


def base(title: str, heat: float) -> Deck:
    """Material, temperatures, and expansions of all parts."""
    deck = Deck(title, DURATION)
    deck.elastic(1, RHO, E, NU)
    deck.curve(1, [(0.0, START), (10 * DURATION, START + 10 * heat)])
    deck.add("LOAD_THERMAL_LOAD_CURVE", [1])
    deck.add("CONTROL_SHELL", [20.0, 0, 0, 1])
    for f in FORMULATIONS:
        f.write(deck, mesh(f)[0], material=1, thickness=THICKNESS)
    deck.add("MAT_ADD_THERMAL_EXPANSION", *([f.number, 0, ALPHA] for f in FORMULATIONS))
    deck.output(DURATION, "matsum")
    return deck


def decks() -> dict[str, Deck]:
    """All formulations side by side; nodes of free patches fly apart as the heat moves them."""
    held = base("held patches", HEAT)
    for f in FORMULATIONS:
        held.add("BOUNDARY_SPC_NODE", *([n, 0, 1, 1, 1, 1, 1, 1] for n in mesh(f)[1]))
    free = base("free patches", SLIGHT * HEAT)
    rate = SLIGHT * HEAT * ALPHA / DURATION
    for f in FORMULATIONS:
        free.add(
            "INITIAL_VELOCITY_NODE",
            *([n, *(float(rate * x) for x in at)] for n, at in mesh(f)[0].nodes.items()),
        )
    return {"held": held, "free": free}


def stress(r: Results, formulation: Formulation, element: int) -> np.ndarray:
    """xx yy zz xy yz zx; of beams the axial force over the section."""
    if formulation.kind != "beam":
        return r.stress(formulation.kind, element).reshape(-1, 6)
    arrays = r.plot.arrays
    place = int(np.flatnonzero(arrays["element_beam_ids"] == element)[0])
    force = float(np.ravel(arrays["element_beam_axial_force"][-1, place])[0])
    return np.array([[force / THICKNESS**2, 0.0, 0.0, 0.0, 0.0, 0.0]])


def expected(formulation: Formulation, strain: float) -> np.ndarray:
    """Of a held patch: Hooke's law with minus the thermal strain in the directions that are held."""
    directions = {"solid": 3, "shell": 2, "beam": 1}[formulation.kind]
    size = -E * strain / (1 - (directions - 1) * NU)
    return np.array([size * (k < directions) for k in range(6)])


def measure(results: dict[str, Results]) -> list[Figure]:
    """Largest errors of stresses, over the stress of the held patch; thickness of free shells."""
    figures = []
    r = results["held"]
    for f in FORMULATIONS:
        exact = expected(f, ALPHA * HEAT * r.end / DURATION)
        wrong = max(np.abs(stress(r, f, e) - exact).max() for e in mesh(f)[0].elements)
        figures.append(Figure(f"{f.name}, held", "stress, largest error", 0.0, wrong, 1e-5, abs(exact[0])))
    r = results["free"]
    strain = SLIGHT * ALPHA * HEAT * r.end / DURATION
    for f in FORMULATIONS:
        wrong = max(np.abs(stress(r, f, e)).max() for e in mesh(f)[0].elements)
        scale = abs(expected(f, strain)[0])
        figures.append(Figure(f"{f.name}, free", "stress, largest error", 0.0, wrong, 1e-4, scale))
        if f.kind == "shell":
            element = min(mesh(f)[0].elements)
            place = int(np.flatnonzero(r.plot.arrays["element_shell_ids"] == element)[0])
            thick = float(r.plot.arrays["element_shell_thickness"][-1, place])
            figures.append(Figure(f"{f.name}, free", "thickness strain", strain, thick / THICKNESS - 1, 1e-3))
    return figures


PROBLEM = Problem(
    "temperatures",
    "Heated patches of every form: held edges give equal stresses, free ones none",
    "closed form: Hooke's law; meshes after MacNeal and Harder (1985)",
    decks,
    measure,
)
