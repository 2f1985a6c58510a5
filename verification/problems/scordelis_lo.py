"""Scordelis-Lo roof under its weight, by damped motion.

Only the fully integrated shell: the one-point shell has no stiffness against the twist of a curved strip but
hourglass control, and is half as soft again on any mesh. Rotations about a shell's normal have no stiffness
either; the fold between elements ties them, weaker the finer the mesh, by (thickness / length)^2: this mesh
is 1 % too soft, one four times finer 6 %.
"""

import numpy as np

from verification.deck import Deck, Point
from verification.meshes import Mesh, quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

RADIUS, HALF_LENGTH, ANGLE, THICKNESS = 25.0, 25.0, np.radians(40.0), 0.25
E, NU, RHO, WEIGHT = 4.32e8, 0.0, 1e-4, 90.0
SHARE = 1e-4  #: of the weight, to stay linear
DEFLECTION, TOLERANCE = 0.3024, 0.02
CELLS = 8
DAMPING, END = 7e3, 2.4e-3
FORMS = (16,)


def mesh(part: int) -> Mesh:
    """A quarter: x from the diaphragm to the middle, y from the crown to the free edge."""
    flat = quadrilaterals(CELLS, CELLS, HALF_LENGTH, 1.0, 1000 * part + 1)

    def place(p: Point) -> Point:
        a = ANGLE * p[1]
        return (p[0], float(RADIUS * np.sin(a)), float(RADIUS * np.cos(a)))

    return flat.moved(place)


def decks() -> dict[str, Deck]:
    """One quarter for each formulation."""
    deck = Deck("Scordelis-Lo roof", END)
    deck.elastic(1, RHO, E, NU)
    for part, form in enumerate(FORMS, 1):
        roof = mesh(part)
        deck.nodes(roof.nodes)
        deck.shells(part, roof.elements)
        deck.part(part, part, 1, f"shell {form}")
        deck.shell_section(part, form, THICKNESS)
        for n, (x, y, _) in roof.nodes.items():
            diaphragm, middle, crown = x == 0, x == HALF_LENGTH, y == 0
            held = [middle, diaphragm or crown, diaphragm, crown, middle, middle or crown]
            if any(held):
                deck.add("BOUNDARY_SPC_NODE", [n, 0, *map(int, held)])
    deck.curve(1, [(0.0, 1.0), (1.0, 1.0)])
    deck.curve(2, [(0.0, DAMPING), (1.0, DAMPING)])
    deck.add("LOAD_BODY_Z", [1, SHARE * WEIGHT / (RHO * THICKNESS)])
    deck.add("DAMPING_GLOBAL", [2])
    deck.node_history(max(mesh(part).nodes) for part in range(1, len(FORMS) + 1))
    deck.output(END / 100, "nodout", "glstat")
    return {"roofs": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Deflection of the middle of the free edge at the end, and how much it still moves."""
    r = results["roofs"]
    figures = []
    for part, form in enumerate(FORMS, 1):
        z = -r.node(max(mesh(part).nodes), "z_displacement") / SHARE
        figures += [
            Figure(f"shell {form}", "deflection", DEFLECTION, float(z[-1]), TOLERANCE),
            Figure(f"shell {form}", "change in the last tenth", 0.0, float(z[-1] - z[-11]), 1e-3, DEFLECTION),
        ]
    ratio = float(r.energy("energy_ratio")[-1])
    figures.append(Figure("all", "total energy / external work", 1.0, ratio, 0.01))
    return figures


PROBLEM = Problem(
    "scordelis_lo",
    "Scordelis-Lo roof by damped motion, 8 x 8 elements a quarter",
    "MacNeal and Harder (1985): 0.3024 by shallow shell theory",
    decks,
    measure,
)
