"""A rigid wall with a mass strikes free shells: one speed after, momentum kept, impact energy booked."""

import numpy as np

from verification.deck import Deck
from verification.meshes import quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

E, NU, RHO, THICKNESS, SIZE = 210.0, 0.3, 7.8e-6, 1.0, 10.0
MASS = RHO * THICKNESS * SIZE**2
WALL, SPEED, GAP = 3.0 * MASS, 5.0, 0.1
AFTER = WALL * SPEED / (WALL + MASS)
END = 0.1


def decks() -> dict[str, Deck]:
    """The wall z = 0 moves up and meets a shell that lies flat across its way."""
    deck = Deck("moving wall", END)
    mesh = quadrilaterals(2, 2, SIZE, SIZE).moved(lambda p: (p[0], p[1], GAP))
    deck.nodes(mesh.nodes)
    deck.shells(1, mesh.elements)
    deck.part(1, 1, 1, "plate")
    deck.shell_section(1, 2, THICKNESS)
    deck.elastic(1, RHO, E, NU)
    deck.node_set(1, mesh.nodes)
    deck.add(
        "RIGIDWALL_PLANAR_MOVING",
        [1],
        [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        [WALL, SPEED],
    )
    deck.node_history([5])
    deck.output(END / 200, "nodout", "rwforc", "matsum", "glstat")
    return {"plate": deck}


def measure(results: dict[str, Results]) -> list[Figure]:
    """Speed after, when the wall arrives, and the energy of the plastic impact."""
    r = results["plate"]
    v, t = r.node(5, "z_velocity"), r.time("nodout")
    lost = 0.5 * MASS * WALL / (MASS + WALL) * SPEED**2
    first = int(np.argmax(v > 0.1 * AFTER))
    return [
        Figure("shell 2", "arrival, ms", GAP / SPEED, float(t[first]), 0.05),
        Figure("shell 2", "speed after, mm/ms", AFTER, float(v[-1]), 1e-6),
        Figure("shell 2", "momentum after, kg mm/ms", MASS * AFTER, float(r.part(1, "z_momentum")[-1]), 1e-6),
        Figure(
            "shell 2",
            "stonewall energy, kN mm",
            lost - 0.5 * WALL * SPEED**2 + 0.5 * WALL * AFTER**2,
            float(np.asarray(r.energy("stonewall_energy")).reshape(-1)[-1]),
            1e-3,
            lost,
        ),
    ]


PROBLEM = Problem(
    "moving_wall",
    "A moving rigid wall with a mass strikes a free plate",
    "closed form: perfectly plastic impact of two masses",
    decks,
    measure,
)
