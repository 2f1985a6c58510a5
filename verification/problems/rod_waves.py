"""A step of velocity runs along an elastic rod at sqrt(E / rho) and doubles at the free end."""

import numpy as np

from verification.deck import Deck
from verification.meshes import hexahedra, quadrilaterals
from verification.problem import Figure, Problem
from verification.results import Results

E, RHO, LENGTH, CELLS = 210.0, 7.8e-6, 100.0, 100
SPEED = 0.001  # mm/ms, of the driven end
WAVE = float(np.sqrt(E / RHO))
FIRST = {"solid 1": 1, "shell 2": 1001, "beam 1": 2001, "beam 3": 3001}


def decks() -> dict[str, Deck]:
    """Rods of one row of elements without Poisson's effect, an end driven at constant speed."""
    deck = Deck("rod waves", 1.6 * LENGTH / WAVE)
    deck.elastic(1, RHO, E, 0.0)
    deck.add("CONTROL_BULK_VISCOSITY", [1e-9, 1e-9])
    deck.curve(1, [(0.0, 1.0), (1.0, 1.0)])
    meshes = {
        "solid 1": hexahedra((CELLS, 1, 1), (LENGTH, 1.0, 1.0), FIRST["solid 1"]),
        "shell 2": quadrilaterals(CELLS, 1, LENGTH, 1.0, FIRST["shell 2"]),
    }
    deck.part(1, 1, 1, "solid 1")
    deck.solid_section(1, 1)
    deck.solids(1, meshes["solid 1"].elements)
    deck.part(2, 2, 1, "shell 2")
    deck.shell_section(2, 2, 1.0)
    deck.shells(2, meshes["shell 2"].elements)
    for mesh in meshes.values():
        deck.nodes(mesh.nodes)
    for part, (name, form) in enumerate((("beam 1", 1), ("beam 3", 3)), 3):
        first = FIRST[name]
        deck.part(part, part, 1, name)
        deck.beam_section(part, form, 1.0, 1.0)
        deck.nodes({first + i: (LENGTH * i / CELLS, 0.0, 0.0) for i in range(CELLS + 1)})
        deck.nodes({first + CELLS + 1: (0.0, 1.0, 0.0)})
        deck.add(
            "ELEMENT_BEAM",
            *([first + i, part, first + i, first + i + 1, first + CELLS + 1] for i in range(CELLS)),
        )
    driven = [n for m in meshes.values() for n in m.where(lambda p: p[0] == 0)]
    driven += [FIRST["beam 1"], FIRST["beam 3"]]
    deck.node_set(1, driven)
    deck.add("BOUNDARY_PRESCRIBED_MOTION_SET", [1, 1, 0, 1, SPEED])
    deck.node_history(n for first in FIRST.values() for n in (first + CELLS // 4, first + CELLS))
    deck.output(0.2 * LENGTH / CELLS / WAVE, "nodout")
    return {"all": deck}


def arrival(r: Results, node: int, half: float) -> float:
    """Time when the velocity first reaches `half`."""
    v, t = r.node(node, "x_velocity"), r.time("nodout")
    k = int(np.argmax(v >= half))
    return float(np.interp(half, v[k - 1 : k + 1], t[k - 1 : k + 1]))


def measure(results: dict[str, Results]) -> list[Figure]:
    """Speed between a quarter and the free end; velocity of the free end in the second half."""
    r = results["all"]
    figures = []
    for name, first in FIRST.items():
        quarter, end = first + CELLS // 4, first + CELLS
        time = arrival(r, end, SPEED) - arrival(r, quarter, 0.5 * SPEED)
        figures.append(Figure(name, "wave speed, mm/ms", WAVE, 0.75 * LENGTH / time, 0.01))
        late = r.time("nodout") > 1.15 * LENGTH / WAVE
        mean = float(r.node(end, "x_velocity")[late].mean())
        figures.append(Figure(name, "velocity of the free end, mm/ms", 2 * SPEED, mean, 0.01))
    return figures


PROBLEM = Problem(
    "rod_waves",
    "Elastic wave in a rod of solids, shells, beams and trusses",
    "closed form: c = sqrt(E / rho); the velocity doubles at a free end",
    decks,
    measure,
)
