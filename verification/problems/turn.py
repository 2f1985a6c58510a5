"""A stretched element turned once around: its stress turns with it, by finite angles a step."""

import numpy as np

from verification.deck import Deck
from verification.formulations import BEAMS, SHELLS, SOLIDS, TEN_NODES
from verification.meshes import Mesh, with_middles
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO, THICKNESS = 210.0, 0.3, 7.8e-6, 0.1
STRETCH = 1.001
STEP, STRETCH_STEPS, TURN_STEPS = 2e-5, 10, 360
AXIS = np.array([1.0, 2.0, 3.0]) / np.sqrt(14.0)
FORMULATIONS = SHELLS + SOLIDS + BEAMS
CUBE = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
#: corners of the cube that a single element has
CORNERS = {
    "shell 2": [0, 1, 2, 3],
    "shell 16": [0, 1, 2, 3],
    "shell 4": [0, 1, 2],
    "shell 10": [0, 1, 2, 3],
    "shell -16": [0, 1, 2, 3],
    "shell 5": [0, 1, 2, 3],
    "shell 7": [0, 1, 2, 3],
    "solid 1": list(range(8)),
    "solid 2": list(range(8)),
    "solid 10": [0, 1, 3, 4],
    "solid 15": [1, 0, 4, 5, 2, 6],
    "solid -1": list(range(8)),
    "solid 13": [0, 1, 3, 4],
    "solid 16": [0, 1, 3, 4],
    "beam 1": [0, 1],
    "beam 2": [0, 1],
    "beam 3": [0, 1],
    "beam 4": [0, 1],
}


def rotation(angle: float) -> np.ndarray:
    """About AXIS (Rodrigues)."""
    k = np.cross(np.eye(3), AXIS)
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def path(x: np.ndarray) -> np.ndarray:
    """Displacements of a point at the ends of all steps: stretched along x, then turned about the origin."""
    stretched = [x * [1 + (STRETCH - 1) * k / STRETCH_STEPS, 1, 1] for k in range(STRETCH_STEPS + 1)]
    turned = [rotation(2 * np.pi * k / TURN_STEPS) @ stretched[-1] for k in range(1, TURN_STEPS + 1)]
    return np.array(stretched + turned) - x


def decks() -> dict[str, Deck]:
    """One element of every formulation; every node is driven along its path, one degree a step."""
    steps = STRETCH_STEPS + TURN_STEPS
    deck = Deck("turn", steps * STEP)
    deck.add("CONTROL_TIMESTEP", [0.0, 0.9, 0, 0.0, 0.0, 1])
    deck.elastic(1, RHO, E, NU)
    deck.curve(1, [(0.0, STEP), (1.0, STEP)])
    start, end = STRETCH_STEPS * STEP, steps * STEP
    # Beams turn the axes of their nodes by angular velocity times step. Shells compare it with the velocity
    # along a chord, which is 2 tan(angle / 2) / step times the arm at its middle.
    half = np.pi / TURN_STEPS
    for number, angle in ((2, 2 * half), (3, 2 * np.tan(half))):
        rate = float(angle / STEP)
        deck.curve(number, [(0.0, 0.0), (start, 0.0), (start * (1 + 1e-9), rate), (2 * end, rate)])
    curve = 3
    for f in FORMULATIONS:
        nodes = {f.first + k: CUBE[c] for k, c in enumerate(CORNERS[f.name])}
        element = [*nodes, f.first + 8] if f.kind == "beam" else list(nodes)
        third = {f.first + 8: (0, 1, 0)} if f.kind == "beam" else {}
        mesh = Mesh(nodes | third, {f.first: element})
        if f.name == f"solid {TEN_NODES}":  # larger, so that its step is not the smallest
            mesh = with_middles(mesh).moved(lambda p: (4.0 * p[0], 4.0 * p[1], 4.0 * p[2]))
            nodes = mesh.nodes
        f.write(deck, mesh, material=1, thickness=THICKNESS)
        for n, x in nodes.items():
            u = path(np.array(x, dtype=float))
            for axis in range(3):
                curve += 1
                deck.curve(curve, [(k * STEP, u[k, axis]) for k in range(steps + 1)] + [(2 * end, 0.0)])
                deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", [n, axis + 1, 2, curve, 1.0])
                if f.kind != "solid" and f.name != "beam 3":
                    spin = 2 if f.kind == "beam" else 3
                    deck.add("BOUNDARY_PRESCRIBED_MOTION_NODE", [n, axis + 5, 0, spin, float(AXIS[axis])])
    deck.output(end, "glstat", "matsum")
    return {"all": deck}


def exact_stress(kind: str) -> np.ndarray:
    """Of the stretched element; rates of stress integrate to Hooke's law in logarithmic strain."""
    strain = np.log(STRETCH)
    if kind == "shell":
        return E / (1 - NU**2) * strain * np.array([1.0, NU, 0, 0, 0, 0])
    along = E * (1 - NU) / ((1 + NU) * (1 - 2 * NU)) * strain
    across = along * NU / (1 - NU)
    return np.array([along, across, across, 0, 0, 0])


def measure(results: dict[str, Results]) -> list[Figure]:
    """Stress after the turn beside that of the stretch; internal energy of beams."""
    r = results["all"]
    figures = []
    for f in FORMULATIONS:
        if f.kind == "beam":
            energy = E * THICKNESS**2 * (STRETCH * np.log(STRETCH) - STRETCH + 1)
            computed = r.part(f.number, "internal_energy")[-1]
            figures.append(Figure(f.name, "internal energy after the turn", energy, computed, 1e-3))
            continue
        exact = exact_stress(f.kind)
        wrong = float(np.abs(r.stress(f.kind, f.first) - exact).max())
        figures.append(Figure(f.name, "stress after the turn, largest error", 0.0, wrong, 1e-3, exact[0]))
    return figures


PROBLEM = Problem(
    "turn",
    "A stretched element of every formulation, turned once around by one degree a step",
    "closed form: the stress of the stretch, turned with the element",
    decks,
    measure,
)
