"""Cylindrical panel under an explosive's impulse: peak deflection of its crown."""

import numpy as np

from verification.deck import Deck, Point
from verification.meshes import Mesh, quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

# in, s, lb
RADIUS, LENGTH, THICKNESS, HALF_ANGLE = 2.9375, 12.56, 0.125, np.radians(60.0)
E, NU, RHO, YIELD = 10.5e6, 0.33, 2.5e-4, 4.4e4
SPEED, LOADED_LENGTH, LOADED_ARC = 5650.0, 10.205, 3.08
AROUND, ALONG = 16, 32
END = 4e-4


def mesh() -> Mesh:
    """Half of the panel: from the crown, y = 0, to the clamped side."""
    flat = quadrilaterals(ALONG, AROUND, LENGTH, 1.0)

    def place(p: Point) -> Point:
        a = HALF_ANGLE * p[1]
        return (p[0], float(RADIUS * np.sin(a)), float(RADIUS * np.cos(a)))

    return flat.moved(place)


def decks() -> dict[str, Deck]:
    """Hinged at the ends, clamped along the side, symmetry at the crown."""
    deck = Deck("impulsively loaded panel", END)
    panel = mesh()
    deck.nodes(panel.nodes)
    deck.shells(1, panel.elements)
    deck.part(1, 1, 1, "panel")
    deck.add("SECTION_SHELL", [1, 2, 5.0 / 6.0, 5], [THICKNESS] * 4)
    deck.add("MAT_PLASTIC_KINEMATIC", [1, RHO, E, NU, YIELD, 0.0, 1.0], [0.0, 0.0, 0.0])
    for n, x in panel.nodes.items():
        angle = np.arctan2(x[1], x[2])
        if angle > HALF_ANGLE - 1e-9:
            deck.add("BOUNDARY_SPC_NODE", [n, 0, 1, 1, 1, 1, 1, 1])
        elif x[0] in (0.0, LENGTH):
            crown = int(angle == 0)
            deck.add("BOUNDARY_SPC_NODE", [n, 0, 1, 1, 1, crown, 0, crown])
        elif angle == 0:
            deck.add("BOUNDARY_SPC_NODE", [n, 0, 0, 1, 0, 1, 0, 1])
        share = loaded(x[0] - LENGTH / 2, LOADED_LENGTH / 2) * loaded(RADIUS * float(angle), LOADED_ARC / 2)
        if share > 0:
            v = -share * SPEED * np.array([0.0, np.sin(angle), np.cos(angle)])
            deck.add("INITIAL_VELOCITY_NODE", [n, *map(float, v)])
    deck.node_history([1 + ALONG // 2])
    deck.output(END / 400, "nodout", "glstat")
    return {"panel": deck}


def loaded(distance: float, border: float) -> float:
    """Share of a node's tributary length within `border`; the mesh has nodes on the border, within 0.2 %."""
    miss = abs(distance) - border
    return 0.5 if abs(miss) < 0.005 * border else float(miss < 0)


def measure(results: dict[str, Results]) -> list[Figure]:
    """Largest deflection of the crown at the middle."""
    r = results["panel"]
    z = r.node(1 + ALONG // 2, "z_displacement")
    return [
        Figure("shell 2, MAT_003", "peak deflection, in", (1.25, 1.28), float(-z.min()), 0.0),
    ]


PROBLEM = Problem(
    "impulsive_panel",
    "Impulsively loaded cylindrical panel",
    "Morino, Leech and Witmer (1971); Belytschko, Lin and Tsay (1984)",
    decks,
    measure,
)
